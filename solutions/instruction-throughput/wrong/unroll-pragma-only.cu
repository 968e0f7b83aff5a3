// #pragma unroll, but the length is still unknown: the compiler must keep the loops.

__device__ unsigned any_window(const unsigned* corner, int pitch, int side) {
  unsigned sum = 0;
#pragma unroll 1
  for (int dy = 0; dy < side; ++dy) {
#pragma unroll 1
    for (int dx = 0; dx < side; ++dx) sum += corner[dy * pitch + dx];
  }
  return sum;
}

__device__ unsigned window(const unsigned* corner, int pitch, int side) {
  unsigned sum = 0;
#pragma unroll
  for (int dy = 0; dy < side; ++dy) {
#pragma unroll
    for (int dx = 0; dx < side; ++dx) sum += corner[dy * pitch + dx];
  }
  return sum;
}

__global__ void window_sum(const unsigned* in, unsigned* out, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int pitch = width + 2 * radius;
  const unsigned* corner = in + y * pitch + x;
  unsigned sum = window(corner, pitch, 2 * radius + 1);
  out[y * width + x] = sum;
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}
