// Case 2, repaired: a matrix turned in tiles of 32 x 32.

__global__ void kernel(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  const int left = blockIdx.y * 32 + threadIdx.x, top = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(top + r) * n + left] = tile[threadIdx.x][threadIdx.y + r];
}
