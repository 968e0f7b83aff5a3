#include <cuda/ptx>
#include <cuda_fp16.h>

// Reference: C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m is a multiple of 128, n of 256, k of 64.
// A block computes 128 × 256 elements of C: warps 0 to 3 the upper 64 rows, warps 4 to 7 the lower ones, and warp 8 copies.

constexpr int kBytesA = 128 * 64 * 2, kBytesB = 64 * 256 * 2, kStage = kBytesA + kBytesB;
constexpr int kStages = 4;

// Counts one arrival of this thread.
__device__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))) : "memory");
}

// Counts one arrival of this thread, and tells the barrier that this phase also needs `bytes`.
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  using namespace cuda::ptx;
  mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, barrier, bytes);
}

// Starts the copy of the map's box from column x and row y on. Its bytes are counted at the barrier when they arrive.
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

// What wgmma is told of a tile with 128-byte swizzle: its address, the bytes from 64 columns to the next 64, and 1,024 bytes from
// eight rows to the next eight.
__device__ uint64_t descriptor(const char* tile, int next_columns) {
  const uint64_t address = __cvta_generic_to_shared(tile);
  return address >> 4 | static_cast<uint64_t>(next_columns / 16) << 16 | static_cast<uint64_t>(1024 / 16) << 32 | 1ull << 62;
}

#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])

// Orders d += A B by four warps together: A is 64 × 16 halves, B 16 × 256, both in shared memory.
__device__ void wgmma(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile("{.reg .pred add; setp.eq.b32 add, 0, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
               TEN(10) TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, add, 1, 1, 0, 1;}"
               : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56), EIGHT(64), EIGHT(72), EIGHT(80),
                 EIGHT(88), EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)
               : "l"(a), "l"(b));
}

// The registers and tiles that the products will use are ready.
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// Closes the group of products that the four warps have ordered since the last call.
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Waits until at most N of the groups are still under way.
template <int N>
__device__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

__global__ void __launch_bounds__(288, 1)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* __restrict__ c, int m, int n, int k) {
  extern __shared__ __align__(1024) char pool[];  // stages, each with a tile of A and one of B
  __shared__ uint64_t full[kStages], empty[kStages];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) {
    for (int s = 0; s < kStages; ++s) {
      cuda::ptx::mbarrier_init(&full[s], 1);
      cuda::ptx::mbarrier_init(&empty[s], 8);
    }
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();

  // Sixteen rows of blocks go together from left to right, so that they share columns of B in L2.
  const int blocks_m = m / 128, blocks_n = n / 256, together = 16 * blocks_n, upper = blockIdx.x / together * 16;
  const int high = min(16, blocks_m - upper);
  const int top = (upper + blockIdx.x % together % high) * 128, left = blockIdx.x % together / high * 256;

  // Orders pair `tile` of tiles, 64 columns of A and 64 rows of B, into a stage; by one thread.
  auto order = [&](int stage, int tile) {
    char* to = pool + stage * kStage;
    arrive_and_expect(&full[stage], kStage);
    copy_box(to, &a, tile * 64, top, &full[stage]);
    for (int i = 0; i < 4; ++i) copy_box(to + kBytesA + i * 64 * 64 * 2, &b, left + i * 64, tile * 64, &full[stage]);
  };

  // Orders the products of a stage's tiles and closes their group; by four warps together.
  float sum[128] = {};
  auto multiply = [&](int stage) {
    const char* from = pool + stage * kStage;
    const uint64_t of_a = descriptor(from + warp / 4 * 64 * 128, 0), of_b = descriptor(from + kBytesA, 64 * 64 * 2);
    fence();
#pragma unroll
    for (int step = 0; step < 4; ++step) wgmma(sum, of_a + step * 32 / 16, of_b + step * 16 * 128 / 16);
    commit();
  };

  const int tiles = k / 64;
  if (warp == 8) {
    for (int tile = 0; lane == 0 && tile < tiles; ++tile) {
      const int stage = tile % kStages, use = tile / kStages;
      if (use > 0) wait(&empty[stage], (use - 1) % 2);
      order(stage, tile);
    }
    return;
  }
  for (int tile = 0; tile < tiles; ++tile) {
    wait(&full[tile % kStages], tile / kStages % 2);
    multiply(tile % kStages);
    wait_products<1>();  // those of the tile before are done: its stage is free
    if (tile > 0 && lane == 0) arrive(&empty[(tile - 1) % kStages]);
  }
  wait_products<0>();

  float* to = c + static_cast<size_t>(top + warp * 16 + lane / 4) * n + left + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    *reinterpret_cast<float2*>(to + j * 8) = make_float2(sum[4 * j], sum[4 * j + 1]);
    *reinterpret_cast<float2*>(to + static_cast<size_t>(8) * n + j * 8) = make_float2(sum[4 * j + 2], sum[4 * j + 3]);
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(m / 128 * (n / 256)), dim3(288), kStages * kStage};
}
