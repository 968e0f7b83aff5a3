// Wrong: n blocks of one thread need no guard, and use one of the 32 places of each group.

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n), dim3(1)};
}
