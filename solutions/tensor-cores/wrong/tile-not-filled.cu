#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m, n and k are multiples of 16.
// A block is one warp and computes 16 × 16 elements of C.

__global__ void product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int top = blockIdx.y * 16, left = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int first = 0; first < k; first += 16) {
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(of_a, a + top * k + first, k);
    wmma::load_matrix_sync(of_b, b + first * n + left, n);
    wmma::mma_sync(sum, of_a, of_b, sum);
  }
  wmma::store_matrix_sync(c + top * n + left, sum, n, wmma::mem_row_major);
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 16, m / 16), dim3(32)};
}
