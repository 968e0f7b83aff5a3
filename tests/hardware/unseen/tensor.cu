// Tensor cores: tiles straight from global memory, through shared memory, and by asynchronous
// copies.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

// A warp per 16 × 16 tile of c.
extern "C" __global__ void k_wmma_global(const half* a, const half* b, float* c, int n) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, tiles = n / 16;
  int row = warp / tiles * 16, column = warp % tiles * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::load_matrix_sync(x, a + row * n + k, n);
    wmma::load_matrix_sync(y, b + k * n + column, n);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// Blocks of 4 warps, 64 × 64 of c each, slices of 32 through shared memory.
template <bool kAsync>
__device__ void shared_product(const half* a, const half* b, float* c, int n) {
  __shared__ alignas(16) half sa[kAsync ? 2 : 1][64][32 + 8], sb[kAsync ? 2 : 1][32][64 + 8];
  int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& s : sum) wmma::fill_fragment(s, 0.0f);
  const auto load = [&](int k, int stage) {
    for (int i = t; i < 256; i += 128) {
      int r = i / 4, q = i % 4 * 8, u = i / 8, v = i % 8 * 8;
      if constexpr (kAsync) {
        __pipeline_memcpy_async(&sa[stage][r][q], a + (row + r) * n + k + q, 16);
        __pipeline_memcpy_async(&sb[stage][u][v], b + (k + u) * n + column + v, 16);
      } else {
        *reinterpret_cast<int4*>(&sa[stage][r][q]) =
            *reinterpret_cast<const int4*>(a + (row + r) * n + k + q);
        *reinterpret_cast<int4*>(&sb[stage][u][v]) =
            *reinterpret_cast<const int4*>(b + (k + u) * n + column + v);
      }
    }
    if constexpr (kAsync) __pipeline_commit();
  };
  if constexpr (kAsync) load(0, 0);
  for (int k = 0, stage = 0; k < n; k += 32) {
    if constexpr (kAsync) {
      if (k + 32 < n) load(k + 32, stage ^ 1);
      __pipeline_wait_prior(k + 32 < n ? 1 : 0);
    } else {
      load(k, 0);
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
      wmma::load_matrix_sync(x, &sa[stage][warp * 16][j], 32 + 8);
      for (int f = 0; f < 4; ++f) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::load_matrix_sync(y, &sb[stage][j][f * 16], 64 + 8);
        wmma::mma_sync(sum[f], x, y, sum[f]);
      }
    }
    __syncthreads();
    if constexpr (kAsync) stage ^= 1;
  }
  for (int f = 0; f < 4; ++f)
    wmma::store_matrix_sync(c + (row + warp * 16) * n + column + f * 16, sum[f], n,
                            wmma::mem_row_major);
}
extern "C" __global__ void k_wmma_shared(const half* a, const half* b, float* c, int n) {
  shared_product<false>(a, b, c, n);
}
extern "C" __global__ void k_wmma_async(const half* a, const half* b, float* c, int n) {
  shared_product<true>(a, b, c, n);
}
