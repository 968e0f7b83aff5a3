// Sliding maximum with two kinds of warps: warps 0 to 7 compute, warp 8 copies. Result x of a row is
// the largest of samples x to x + 8. The block takes rows blockIdx.x, blockIdx.x + gridDim.x, …
#include <cuda/ptx>
#include <cuda_pipeline.h>

constexpr int kIn = 4096, kOut = kIn - 8;  // samples and results per row
constexpr int kWorkers = 256, kSlots = 2;

// The results of a row whose samples lie in `slot`; called by the kWorkers computing threads.
__device__ void compute(const float* slot, float* out) {
  for (int x = threadIdx.x; x < kOut; x += kWorkers) {
    float most = slot[x];
    for (int k = 1; k <= 8; ++k) most = fmaxf(most, slot[x + k]);
    out[x] = most;
  }
}

// Counts one arrival of this thread.
__device__ void arrive(uint64_t* barrier) { cuda::ptx::mbarrier_arrive(barrier); }

// Counts one arrival of this thread as soon as the copies that it has started are there. Does not wait.
__device__ void arrive_when_copied(uint64_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
               :: "r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))) : "memory");
}

// Waits until the phase of this parity is over: 0 for the barrier's phases 0, 2, 4, …, 1 for 1, 3, …
__device__ void wait(uint64_t* barrier, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ __align__(16) float slot[kSlots][kIn];
  __shared__ uint64_t full[kSlots], empty[kSlots];  // a pair of barriers for each slot
  if (threadIdx.x < kSlots) {
    cuda::ptx::mbarrier_init(&full[threadIdx.x], 32);         // arrivals that end a phase
    cuda::ptx::mbarrier_init(&empty[threadIdx.x], kWorkers);
  }
  __syncthreads();
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (threadIdx.x >= kWorkers) {
      for (int i = 4 * (threadIdx.x - kWorkers); i < kIn; i += 4 * 32) {
        __pipeline_memcpy_async(&slot[0][i], &in[row * kIn + i], 16);
      }
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    if (threadIdx.x < kWorkers) compute(slot[0], out + row * kOut);
    __syncthreads();
  }
}

// One block per SM of an H200, and four rows per block if there are fewer rows: eight computing
// warps and one that copies.
__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kWorkers + 32)};
}
