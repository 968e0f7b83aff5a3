#include <cuda/ptx>
#include <cuda_fp16.h>

// Reference: C = A B, number by number in float, from boxes in shared memory; a block computes 128 × 64 elements of C.

__global__ void product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int m, int n, int k) {
  __shared__ __align__(1024) __half of_a[128][64], of_b[64][64];
  __shared__ uint64_t full;
  using namespace cuda::ptx;
  const int t = threadIdx.x, top = blockIdx.y * 128, left = blockIdx.x * 64, x = t % 64, y = t / 64;
  if (t == 0) {
    mbarrier_init(&full, 1);
    fence_proxy_async(space_shared);
  }
  __syncthreads();
  float sum[32] = {};
  for (int first = 0; first < k; first += 64) {
    if (t == 0) {
      const int corner_a[2] = {first, top}, corner_b[2] = {left, first};
      mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &full, sizeof of_a + sizeof of_b);
      cp_async_bulk_tensor(space_cluster, space_global, of_a, &a, corner_a, &full);
      cp_async_bulk_tensor(space_cluster, space_global, of_b, &b, corner_b, &full);
    }
    while (!mbarrier_try_wait_parity(&full, first / 64 % 2)) {
    }
    // Eight halves are a piece; piece q of row r is at place q ^ r % 8.
    for (int i = 0; i < 64; ++i) {
      const float right = __half2float(of_b[i][(x / 8 ^ i % 8) * 8 + x % 8]);
      for (int j = 0; j < 32; ++j) {
        const int row = y + 4 * j;
        sum[j] += __half2float(of_a[row][(i / 8 ^ row % 8) * 8 + i % 8]) * right;
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 32; ++j) c[static_cast<size_t>(top + y + 4 * j) * n + left + x] = sum[j];
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 64, m / 128), dim3(256)};
}
