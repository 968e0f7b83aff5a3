// Wrong: fewer blocks instead of a guard. The last elements are never computed.

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
