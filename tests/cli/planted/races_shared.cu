// Races of threads of a block in shared memory. See ../planted_test.cc.

//// race_read_after_write
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[128]=zero
// expect: race space=shared severity=error
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  s[threadIdx.x] = in[threadIdx.x]; // OTHER
  out[threadIdx.x] = s[(threadIdx.x + 32) & 127]; // HERE
}

//// race_second_turn
// run: --grid 1 --block 8,8 --arg f32[1024]=random --arg f32[1024]=random --arg f32[1024]=zero --arg i32=32
// expect: race space=shared severity=error
// cause: __syncthreads()
extern "C" __global__ void k(const float* a, const float* c, float* out, int n) {
  __shared__ float A[8][8], C[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  float s = 0;
  for (int t = 0; t < n / 8; ++t) {
    A[y][x] = a[y * n + t * 8 + x]; // HERE
    C[y][x] = c[(t * 8 + y) * n + x]; // HERE
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      s += A[y][j] * C[j][x]; // OTHER
  }
  out[y * n + x] = s;
}

//// race_double_buffer
// run: --grid 1 --block 64 --arg f32[256]=random --arg f32[64]=zero --arg i32=4
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  s[0][t] = in[t];
  for (int j = 0; j < n; ++j) {
    if (j + 1 < n) s[(j + 1) & 1][t] = in[(j + 1) * 64 + t]; // HERE
    sum += s[j & 1][63 - t]; // OTHER
    if (j & 1) __syncthreads();
  }
  out[t] = sum;
}

//// ok_double_buffer
// run: --grid 1 --block 64 --arg f32[256]=random --arg f32[64]=zero --arg i32=4
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int j = 0; j < n; ++j) {
    if (j + 1 < n) s[(j + 1) & 1][t] = in[(j + 1) * 64 + t];
    sum += s[j & 1][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

//// race_scan_in_place
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (t >= d)
      s[t] += s[t - d]; // HERE
    __syncthreads();
  }
  out[t] = s[t];
}

//// ok_scan
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    float v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}

//// race_reduction_loop
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[1]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d]; // HERE
  if (t == 0) out[0] = s[0];
}

//// race_reduction_result
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[128]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      s[t] += s[t + d]; // OTHER
  }
  out[t] = s[0]; // HERE
}

//// race_warp_tail
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[1]=zero
// expect: race space=shared severity=warning
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    for (int d = 16; d > 0; d /= 2)
      if (t < d) s[t] += s[t + d]; // HERE
  }
  if (t == 0) out[0] = s[0]; // HERE
}

//// ok_warp_tail
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[1]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncwarp();
    }
  }
  if (t == 0) out[0] = s[0];
}

//// race_volatile_tail
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[1]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32]; // HERE
    s[t] += s[t + 16]; // HERE
    s[t] += s[t + 8]; // HERE
    s[t] += s[t + 4]; // HERE
    s[t] += s[t + 2]; // HERE
    s[t] += s[t + 1]; // HERE
  }
  if (t == 0) out[0] = s[0];
}

//// race_histogram
// run: --grid 1 --block 128 --arg u32[128]=random --arg u32[16]=zero
// expect: race space=shared
extern "C" __global__ void k(const unsigned* in, unsigned* out) {
  __shared__ unsigned h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  h[in[threadIdx.x] & 15]++; // HERE
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = h[threadIdx.x];
}

//// race_atomic_then_read
// run: --grid 1 --block 64 --arg u32[64]=zero
// expect: race space=shared
extern "C" __global__ void k(unsigned* out) {
  __shared__ unsigned n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  unsigned mine = atomicAdd(&n, 1u); // OTHER
  if (mine < n) // HERE
    out[threadIdx.x] = mine;
}

//// race_atomic_init
// run: --grid 1 --block 64 --arg u32[64]=zero
// expect: race space=shared severity=error and_others
// cause: both must be atomic
extern "C" __global__ void k(unsigned* out) {
  __shared__ unsigned n;
  if (threadIdx.x == 0) n = 0; // OTHER
  atomicAdd(&n, 1u); // HERE
  __syncthreads();
  out[threadIdx.x] = n;
}

//// race_flag_write_write
// run: --grid 1 --block 64 --arg f32[64]=random --arg i32[64]=zero
// expect: race space=shared access=write
extern "C" __global__ void k(const float* in, int* out) {
  __shared__ int who;
  if (in[threadIdx.x] > -1.0f)
    who = threadIdx.x; // HERE
  __syncthreads();
  out[threadIdx.x] = who;
}

//// ok_same_flag
// run: --grid 1 --block 64 --arg f32[64]=random --arg i32[64]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, int* out) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (in[threadIdx.x] > -1.0f) any = 1;
  __syncthreads();
  out[threadIdx.x] = any;
}

//// race_transpose_no_barrier
// run: --grid 1 --block 16,16 --arg f32[256]=random --arg f32[256]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[16][17];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; // OTHER
  out[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y]; // HERE
}

//// race_broadcast_reuse
// run: --grid 1 --block 64 --arg f32[4]=random --arg f32[256]=zero --arg i32=4
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float row;
  for (int j = 0; j < n; ++j) {
    if (threadIdx.x == 0) row = in[j]; // HERE
    __syncthreads();
    out[j * 64 + threadIdx.x] = row * threadIdx.x; // OTHER
  }
}

//// race_dynamic_overlap
// run: --grid 1 --block 64 --shared 512 --arg f32[64]=random --arg f32[64]=zero --arg i32=64
// expect: race space=shared allocation=s
extern "C" __global__ void k(const float* in, float* out, int n) {
  extern __shared__ float s[];
  float* other = s + n / 2;
  s[threadIdx.x] = in[threadIdx.x]; // OTHER
  other[threadIdx.x] = 2 * in[threadIdx.x]; // HERE
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] + other[threadIdx.x];
}

//// race_halo
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: race space=shared
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = in[t]; // OTHER
  if (t == 0) { s[0] = 0; s[65] = 0; } // OTHER
  if (t < 32) __syncwarp(); else __syncwarp();
  out[t] = s[t] + s[t + 1] + s[t + 2]; // HERE
}

//// race_one_warp_init
// run: --grid 1 --block 32 --arg u32[32]=zero
// expect: race space=shared and_others
extern "C" __global__ void k(unsigned* out) {
  __shared__ unsigned n;
  if (threadIdx.x == 0) n = 0; // OTHER
  out[threadIdx.x] = atomicAdd(&n, 1u); // HERE
}

//// race_ring_queue
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=zero
// expect: race space=shared and_others
extern "C" __global__ void k(const int* in, int* out) {
  __shared__ int tail;
  __shared__ int queue[64];
  if (threadIdx.x == 0) tail = 0;
  __syncthreads();
  if (in[threadIdx.x] & 1)
    queue[tail++] = in[threadIdx.x]; // HERE
  __syncthreads();
  if ((int)threadIdx.x < tail) out[threadIdx.x] = queue[threadIdx.x];
}

//// ok_ring_queue
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=zero
// expect: nothing
extern "C" __global__ void k(const int* in, int* out) {
  __shared__ int tail;
  __shared__ int queue[64];
  if (threadIdx.x == 0) tail = 0;
  __syncthreads();
  if (in[threadIdx.x] & 1)
    queue[atomicAdd(&tail, 1)] = in[threadIdx.x];
  __syncthreads();
  if ((int)threadIdx.x < tail) out[threadIdx.x] = queue[threadIdx.x];
}

//// ok_atomics_then_read
// run: --grid 1 --block 64 --arg u32[64]=random --arg u32[64]=zero
// expect: nothing
extern "C" __global__ void k(const unsigned* in, unsigned* out) {
  __shared__ unsigned n, most;
  if (threadIdx.x == 0) { n = 0; most = 0; }
  __syncthreads();
  atomicAdd(&n, 1u);
  atomicMax(&most, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = n + most;
}

//// ok_cooperative_scan
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[128]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float part[4];
  int t = threadIdx.x, lane = t & 31, w = t / 32;
  float v = in[t];
  for (int d = 1; d < 32; d *= 2) { float o = __shfl_up_sync(~0u, v, d); if (lane >= d) v += o; }
  if (lane == 31) part[w] = v;
  __syncthreads();
  if (w == 0) {
    float p = lane < 4 ? part[lane] : 0;
    for (int d = 1; d < 4; d *= 2) { float o = __shfl_up_sync(~0u, p, d); if (lane >= d) p += o; }
    if (lane < 4) part[lane] = p;
  }
  __syncthreads();
  out[t] = v + (w > 0 ? part[w - 1] : 0);
}

//// st_async_into_what_is_still_read
// run: --seed 1 --grid 2 --block 32 --cluster 2,1,1 --arg i32[32]=zero
// expect: race space=shared severity=error and_others either_order
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
  __shared__ int v[32];
  __shared__ uint64_t bar;
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = cluster.block_rank();
  v[t] = 0;
  if (t == 0) {
    cuda::ptx::mbarrier_init(&bar, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta,
                                         cuda::ptx::space_shared, &bar, 128);
  }
  cluster.sync();
  int* const to = cluster.map_shared_rank(&v[t], 1 - rank);
  cuda::ptx::st_async(to, t + 100 * rank, cluster.map_shared_rank(&bar, 1 - rank)); // OTHER
  if (rank == 0) out[t] = v[31 - t]; // HERE
  while (!cuda::ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  cluster.sync();
}
