// y[i] becomes a · x[i] + y[i], once, for every i below n. The grid has as many blocks as the caller likes.

__global__ void axpy(float a, const float* x, float* y, int n) {
  //! begin
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += stride) y[i] = a * x[i] + y[i];
  //! end
}

__host__ __device__ Launch launch(int blocks) {
  return {dim3(blocks), dim3(256)};
}
