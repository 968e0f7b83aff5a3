// Sliding maximum over short rows: 2,048 samples, 8 KiB. Result x of a row is the largest of samples
// x to x + 8. The block takes rows blockIdx.x, blockIdx.x + gridDim.x, and so on.
#include <cuda_pipeline.h>

constexpr int kIn = 2048, kOut = kIn - 8;  // samples and results per row
constexpr int kThreads = 256, kSlots = 3;

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
  extern __shared__ float4 memory[];  // kSlots rows, as the launch says
  float* ring = reinterpret_cast<float*>(memory);
  for (int ahead = 0; ahead < kSlots - 1; ++ahead) {
    int row = blockIdx.x + ahead * gridDim.x;
    if (row < rows) start_copy(ring + ahead * kIn, in + row * kIn);
    __pipeline_commit();
  }
  int now = 0, free = kSlots - 1;  // slots: of this row, and the one that is free
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    __pipeline_wait_prior(kSlots - 1);  // this row has arrived; the next one may still be in flight
    __syncthreads();                    // for every thread, and `free` has been read by all
    int far = row + (kSlots - 1) * gridDim.x;
    if (far < rows) start_copy(ring + free * kIn, in + far * kIn);
    __pipeline_commit();
    compute(ring + now * kIn, out + row * kOut);
    free = now;
    now = now + 1 < kSlots ? now + 1 : 0;
  }
}

// One block per SM of an H200, and five rows per block if there are fewer rows; shared memory for
// kSlots rows.
__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 4) / 5;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads), kSlots * kIn * 4};
}
