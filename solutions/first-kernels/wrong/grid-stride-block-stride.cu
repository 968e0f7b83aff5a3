// Wrong: steps by the block's size. All blocks after the first do elements that others do, too.

__global__ void axpy(float a, const float* x, float* y, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += blockDim.x) y[i] = a * x[i] + y[i];
}

__host__ __device__ Launch launch(int blocks) {
  return {dim3(blocks), dim3(256)};
}
