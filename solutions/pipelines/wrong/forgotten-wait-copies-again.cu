// Waits for each row, with the same row in flight to the other slot: the next one is not.
#include <cuda_pipeline.h>

constexpr int kIn = 4096, kOut = kIn - 8;
constexpr int kThreads = 256;

__device__ void compute(const float* slot, float* out) {
  for (int x = threadIdx.x; x < kOut; x += kThreads) {
    float most = slot[x];
    for (int k = 1; k <= 8; ++k) most = fmaxf(most, slot[x + k]);
    out[x] = most;
  }
}

__device__ void start_copy(float* slot, const float* row) {
  for (int i = 4 * threadIdx.x; i < kIn; i += 4 * kThreads) {
    __pipeline_memcpy_async(slot + i, row + i, 16);
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ __align__(16) float slot[2][kIn];
  for (int row = blockIdx.x, s = 0; row < rows; row += gridDim.x, s ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 2; ++k) {
      start_copy(slot[s ^ k], in + row * kIn);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    compute(slot[s], out + row * kOut);
  }
}

__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
