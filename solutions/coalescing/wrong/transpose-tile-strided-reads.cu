// No tile, four rows per thread: the reads walk down columns.

__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[(y + r) * n + x] = in[x * n + y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
