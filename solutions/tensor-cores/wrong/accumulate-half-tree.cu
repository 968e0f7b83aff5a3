#include <cuda_fp16.h>

// y = A x: the sum over i of a[row * k + i] * x[i] for each row. One warp per row; k is a multiple of 64.

__global__ void product(const __half* a, const __half* x, float* y, int rows, int k) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;  // the same for all lanes of a warp
  const __half2* of_a = reinterpret_cast<const __half2*>(a + row * k);
  const __half2* of_x = reinterpret_cast<const __half2*>(x);
  float sum = 0;
  for (int i = lane; i < k / 2; i += 32) {
    const float2 u = __half22float2(of_a[i]), v = __half22float2(of_x[i]);
    sum += u.x * v.x;
    sum += u.y * v.y;
  }
  __half part = __float2half(sum);
  for (int d = 16; d > 0; d /= 2) part = __hadd(part, __shfl_down_sync(0xffffffffu, part, d));
  if (lane == 0) y[row] = __half2float(part);
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 7) / 8), dim3(256)};
}
