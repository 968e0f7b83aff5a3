// Wrong: no guard in x. A thread past the right edge is in the next row, and after the last row past the end.

__global__ void flip(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height) out[(height - 1 - y) * width + x] = in[y * width + x];
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}
