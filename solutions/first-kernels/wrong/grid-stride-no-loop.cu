// Wrong: one element per thread, so the elements beyond the grid are never done.

__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__host__ __device__ Launch launch(int blocks) {
  return {dim3(blocks), dim3(256)};
}
