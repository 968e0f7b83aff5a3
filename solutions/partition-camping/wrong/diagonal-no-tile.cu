// Diagonal, but without the tile: the writes are strided again.

__global__ void transpose(const float* in, float* out, int n) {
  int by = blockIdx.x;
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 32 + threadIdx.x;
  int y = by * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[x * n + y + r] = in[(y + r) * n + x];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
