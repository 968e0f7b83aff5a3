// Transposes a matrix of n × n floats through a tile; n is a multiple of 64. Blocks are numbered down
// the columns of `in`, so that blocks which run together write along the rows of `out`.

//! begin
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
    out[(left + y + r) * n + top + x] = tile[x][y + r];
    out[(left + y + r) * n + top + x + 32] = tile[x + 32][y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 64, n / 64), dim3(32, 16)};
}
//! instead
//! __global__ void transpose(const float* in, float* out, int n) {
//!   __shared__ float tile[32][33];
//!   int left = 32 * blockIdx.y, top = 32 * blockIdx.x;
//!   int x = threadIdx.x, y = threadIdx.y;
//! #pragma unroll
//!   for (int r = 0; r < 32; r += 8) {
//!     tile[y + r][x] = in[(top + y + r) * n + left + x];
//!   }
//!   __syncthreads();
//! #pragma unroll
//!   for (int r = 0; r < 32; r += 8) {
//!     out[(left + y + r) * n + top + x] = tile[x][y + r];
//!   }
//! }
//!
//! __host__ __device__ Launch launch(int n) {
//!   return {dim3(n / 32, n / 32), dim3(32, 8)};
//! }
//! end
