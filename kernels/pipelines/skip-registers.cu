// Reference: Sliding maximum: result x of a row is the largest of samples x to x + 8. A row has 4,096 samples
// and 4,088 results. The block takes rows blockIdx.x, blockIdx.x + gridDim.x, and so on.
#include <cuda_pipeline.h>

constexpr int kIn = 4096, kOut = kIn - 8;  // samples and results per row
constexpr int kThreads = 256;

// The results of a row whose samples lie in `slot`; called by all threads of the block.
__device__ void compute(const float* slot, float* out) {
  for (int x = threadIdx.x; x < kOut; x += kThreads) {
    float most = slot[x];
    for (int k = 1; k <= 8; ++k) most = fmaxf(most, slot[x + k]);
    out[x] = most;
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ __align__(16) float slot[2][kIn];
  const auto start_copy = [&](int s, int row) {
    for (int i = 4 * threadIdx.x; i < kIn; i += 4 * kThreads) {
      __pipeline_memcpy_async(&slot[s][i], &in[row * kIn + i], 16);
    }
    __pipeline_commit();
  };
  start_copy(0, blockIdx.x);
  for (int row = blockIdx.x, s = 0; row < rows; row += gridDim.x, s ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (row + gridDim.x < rows) start_copy(s ^ 1, row + gridDim.x);
    compute(slot[s], out + row * kOut);
  }
}

// One block per SM of an H200, and four rows per block if there are fewer rows.
__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
