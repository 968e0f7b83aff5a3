// Smooths the columns of an image, and turns the result on its side: out[x * height + y] is a
// quarter of (above + 2 · itself + below). Outside the image is zero. A block computes 32 × 32
// pixels from a box of 32 × 34.
#include <cuda/ptx>

constexpr int kSize = 32;         // a block's pixels along each axis
constexpr int kRows = kSize + 2;  // rows of the box: one more above, and one below
constexpr int kBytes = kRows * kSize * sizeof(float);

// Counts one arrival of this thread, and tells the barrier that this phase also needs `bytes`.
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  using namespace cuda::ptx;
  mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, barrier, bytes);
}

// Starts the copy of the map's box whose first pixel is (x, y). On arrival its bytes are counted at
// the barrier.
__device__ void copy_box(void* to, const CUtensorMap* map, int x, int y, uint64_t* barrier) {
  using namespace cuda::ptx;
  const int corner[2] = {x, y};
  cp_async_bulk_tensor(space_cluster, space_global, to, map, corner, barrier);
}

// Waits until the phase of this parity is over.
__device__ void wait(uint64_t* barrier, int parity) {
  while (!cuda::ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// `in` copies boxes of 32 columns and 34 rows, with a swizzle of 128 bytes.
__global__ void smooth(const __grid_constant__ CUtensorMap in, float* out, int width, int height) {
  __shared__ __align__(1024) float4 box[kRows][kSize / 4];  // a row is eight pieces of four pixels
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    cuda::ptx::mbarrier_init(&full, 1);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // the copy engine sees it, too
  }
  __syncthreads();
  const int left = blockIdx.x * kSize, top = blockIdx.y * kSize;
  //! begin
  if (threadIdx.x == 0) {
    arrive_and_expect(&full, kBytes);
    copy_box(box, &in, left, top - 1, &full);
  }
  const int y = threadIdx.x % kSize, q = threadIdx.x / kSize;  // a row, and four of its pixels
  const auto piece = [&](int row) { return box[row][q ^ row % 8]; };
  wait(&full, 0);
  const float4 above = piece(y), self = piece(y + 1), below = piece(y + 2);
  //! instead
  //! // Order the box. Which row and which four pixels of it are this thread's?
  //! const int y = 0, q = 0;
  //! const float4 above = {}, self = {}, below = {};
  //! end
  const float sum[4] = {above.x + 2 * self.x + below.x, above.y + 2 * self.y + below.y,
                        above.z + 2 * self.z + below.z, above.w + 2 * self.w + below.w};
  for (int i = 0; i < 4; ++i) {
    const int x = left + 4 * q + i;
    if (x < width && top + y < height) out[x * height + top + y] = sum[i] / 4;
  }
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + kSize - 1) / kSize, (height + kSize - 1) / kSize), dim3(kSize * kSize / 4)};
}
