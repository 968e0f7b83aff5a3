// Wrong: y is made from x. Only pixels near the diagonal are written.

__global__ void flip(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.x * blockDim.x + threadIdx.y;
  if (x < width && y < height) out[(height - 1 - y) * width + x] = in[y * width + x];
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}
