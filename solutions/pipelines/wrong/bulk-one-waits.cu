// Only the thread that orders the copies waits for them.
#include <cuda/ptx>

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

// Counts one arrival of this thread, and tells the barrier that this phase also needs `bytes`.
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  using namespace cuda::ptx;
  mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, barrier, bytes);
}

// Starts a copy of `bytes` from global to shared memory. On arrival they are counted at the barrier.
__device__ void copy_bulk(float* to, const float* from, int bytes, uint64_t* barrier) {
  using namespace cuda::ptx;
  cp_async_bulk(space_cluster, space_global, to, from, bytes, barrier);
}

// Waits until the phase of this parity is over: 0 for the barrier's phases 0, 2, 4, …, 1 for 1, 3, …
__device__ void wait(uint64_t* barrier, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ __align__(128) float slot[2][kIn];
  __shared__ uint64_t full[2];
  if (threadIdx.x < 2) {
    cuda::ptx::mbarrier_init(&full[threadIdx.x], 1);  // arrivals that end a phase
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // the copy engine sees it, too
  }
  __syncthreads();
  const auto order = [&](int s, int row) {
    if (threadIdx.x != 0 || row >= rows) return;
    arrive_and_expect(&full[s], 4 * kIn);
    copy_bulk(slot[s], in + row * kIn, 4 * kIn, &full[s]);
  };
  order(0, blockIdx.x);
  int use = 0;  // rows of this block so far: use / 2 is the slot's phase
  for (int row = blockIdx.x; row < rows; row += gridDim.x, ++use) {
    int s = use % 2;
    order(s ^ 1, row + gridDim.x);
    if (threadIdx.x == 0) wait(&full[s], use / 2 % 2);
    compute(slot[s], out + row * kOut);
    __syncthreads();
  }
}

// One block per SM of an H200, and four rows per block if there are fewer rows.
__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
