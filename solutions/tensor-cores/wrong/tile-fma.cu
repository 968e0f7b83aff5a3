#include <cuda_fp16.h>

// C = A B: a warp computes 16 × 16 elements of C, eight per lane, number by number.

__global__ void product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int top = blockIdx.y * 16, left = blockIdx.x * 16, col = threadIdx.x % 16, row = threadIdx.x / 16;
  float sum[8] = {};
  for (int i = 0; i < k; ++i) {
    const float of_b = __half2float(b[i * n + left + col]);
    for (int e = 0; e < 8; ++e) sum[e] += __half2float(a[(top + row + 2 * e) * k + i]) * of_b;
  }
  for (int e = 0; e < 8; ++e) c[(top + row + 2 * e) * n + left + col] = sum[e];
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 16, m / 16), dim3(32)};
}
