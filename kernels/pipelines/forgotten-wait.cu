// Reference: Sliding maximum, as in the step before: the next row is copied while this one is computed. Two
// things were forgotten.
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

// Starts this thread's part of the copy of a row.
__device__ void start_copy(float* slot, const float* row) {
  for (int i = 4 * threadIdx.x; i < kIn; i += 4 * kThreads) {
    __pipeline_memcpy_async(slot + i, row + i, 16);
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ __align__(16) float slot[2][kIn];
  start_copy(slot[0], in + blockIdx.x * kIn);
  __pipeline_commit();
  for (int row = blockIdx.x, s = 0; row < rows; row += gridDim.x, s ^= 1) {
    int next = row + gridDim.x;
    if (next < rows) start_copy(slot[s ^ 1], in + next * kIn);
    __pipeline_commit();  // an empty group after the last row, so that one group may always stay
    __pipeline_wait_prior(1);
    __syncthreads();
    compute(slot[s], out + row * kOut);
    __syncthreads();
  }
}

// One block per SM of an H200, and four rows per block if there are fewer rows.
__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
