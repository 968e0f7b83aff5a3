// The contents are turned, the place is not.
// Transposes a matrix of n × n floats through a tile; n is a multiple of 64. Blocks are numbered down
// the columns of `in`, so that blocks which run together write along the rows of `out`.

__global__ void __launch_bounds__(512) transpose(const float* in, float* out, int n) {
  __shared__ float tile[64][65];
  int left = 64 * blockIdx.y, top = 64 * blockIdx.x;
  int x = threadIdx.x, y = threadIdx.y;
#pragma unroll
  for (int r = 0; r < 64; r += 16) {
    tile[y + r][x] = in[(top + y + r) * n + left + x];
    tile[y + r][x + 32] = in[(top + y + r) * n + left + x + 32];
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 64; r += 16) {
    out[(top + y + r) * n + left + x] = tile[x][y + r];
    out[(top + y + r) * n + left + x + 32] = tile[x + 32][y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 64, n / 64), dim3(32, 16)};
}
