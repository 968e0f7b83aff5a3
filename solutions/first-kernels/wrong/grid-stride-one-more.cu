// Wrong: i <= n reaches one element past the end.

__global__ void axpy(float a, const float* x, float* y, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (int i = first; i <= n; i += stride) y[i] = a * x[i] + y[i];
}

__host__ __device__ Launch launch(int blocks) {
  return {dim3(blocks), dim3(256)};
}
