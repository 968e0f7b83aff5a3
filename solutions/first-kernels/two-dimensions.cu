// Turns an image upside down. Row y of the image has its `width` pixels at in[y * width] and after.

__global__ void flip(const float* in, float* out, int width, int height) {
  //! begin
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  //! instead
  //! int y = blockIdx.x * blockDim.x + threadIdx.x;
  //! int x = blockIdx.y * blockDim.y + threadIdx.y;
  //! end
  if (x < width && y < height) out[(height - 1 - y) * width + x] = in[y * width + x];
}

// Blocks of 32 threads along .x and 8 along .y.
__host__ __device__ Launch launch(int width, int height) {
  //! begin
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
  //! instead
  //! return {dim3((height + 31) / 32, (width + 7) / 8), dim3(32, 8)};
  //! end
}
