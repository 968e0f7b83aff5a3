#include <cuda_fp16.h>

// out[i] = x[i] / 2 + y[i], in half precision, for every i below n.

__global__ void blend(const __half* x, const __half* y, __half* out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
  if (i + 1 < n) {
    const __half2 u = *reinterpret_cast<const __half2*>(x + i);
    const __half2 v = *reinterpret_cast<const __half2*>(y + i);
    *reinterpret_cast<__half2*>(out + i) = __hfma2(u, __float2half2_rn(0.5f), v);
  } else if (i < n) {
    out[i] = __hfma(x[i], __float2half(0.5f), y[i]);  // n is odd: the last element has no neighbour
  }
}

// Enough threads for two elements each.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 511) / 512), dim3(256)};
}
