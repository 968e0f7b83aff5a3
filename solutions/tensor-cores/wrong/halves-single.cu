#include <cuda_fp16.h>

// One element per thread.

__global__ void blend(const __half* x, const __half* y, __half* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma(x[i], __float2half(0.5f), y[i]);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
