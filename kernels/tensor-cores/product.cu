#include <cuda_fp16.h>

// Reference: C = A B, one thread per element, number by number in float.

__global__ void product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
  c[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 16, m / 16), dim3(16, 16)};
}
