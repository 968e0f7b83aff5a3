// #pragma unroll, but the length is still unknown: the compiler must keep the loops.

__global__ void window_sum(const unsigned* in, unsigned* out, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned sum = 0;
  int side = 2 * radius + 1;
  const unsigned* corner = in + y * (width + 4) + x;
#pragma unroll 1
  for (int dy = 0; dy < side; ++dy) {
#pragma unroll 1
    for (int dx = 0; dx < side; ++dx) sum += corner[dy * (width + 4) + dx];
  }
  out[y * width + x] = sum;
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}
