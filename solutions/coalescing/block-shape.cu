// The negative of an image of n × n pixels: 1 - in, pixel by pixel.

__global__ void negative(const float* in, float* out, int n) {
  //! begin
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = 1.0f - in[y * n + x];
  //! instead
  //! // Your kernel.
  //! end
}

__host__ __device__ Launch launch(int n) {
  //! begin
  dim3 block(32, 8);
  dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  return {grid, block};
  //! instead
  //! return {dim3(1, 1), dim3(1, 1)};  // grid and block: yours to choose
  //! end
}
