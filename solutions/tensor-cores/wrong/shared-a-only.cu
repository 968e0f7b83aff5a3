#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m, n and k are multiples of 64.
// A block of 16 warps computes 64 × 64 elements of C, each warp 16 × 16 of them.

constexpr int kPitch = 72;  // halves from one row of a tile in shared memory to the next: 64, and 8 of padding

__global__ void __launch_bounds__(512) product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int top = blockIdx.y * 64, left = blockIdx.x * 64;
  int t = threadIdx.x, warp = t / 32, row = warp / 4 * 16, col = warp % 4 * 16;  // the warp's part of the block's tile
  __shared__ __align__(32) __half as[64 * kPitch], bs[64 * kPitch];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  int y = t / 8, x = t % 8 * 8;  // eight halves, 16 bytes, of each tile per thread
  for (int first = 0; first < k; first += 64) {
    *reinterpret_cast<uint4*>(as + y * kPitch + x) = *reinterpret_cast<const uint4*>(a + (top + y) * k + first + x);
    *reinterpret_cast<uint4*>(bs + y * kPitch + x) = *reinterpret_cast<const uint4*>(b + (first + y) * n + left + x);
    __syncthreads();
    for (int i = 0; i < 64; i += 16) {
      wmma::load_matrix_sync(of_a, as + row * kPitch + i, kPitch);
      wmma::load_matrix_sync(of_b, b + (first + i) * n + left + col, n);
      wmma::mma_sync(sum, of_a, of_b, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (top + row) * n + left + col, sum, n, wmma::mem_row_major);
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 64, m / 64), dim3(512)};
}
