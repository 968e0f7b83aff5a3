// Barriers that not all threads reach, and masks that do not say who takes part. See ../planted_test.cc.

//// bar_odd
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier severity=error
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x % 2 == 0)
    __syncthreads(); // HERE
  out[threadIdx.x] = s[threadIdx.x];
}

//// bar_guard
// run: --grid 2 --block 64 --arg f32[100]=random --arg f32[100]=zero --arg i32=100
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = in[i];
    __syncthreads(); // HERE
    out[i] = s[threadIdx.x];
  }
}

//// bar_guard_then_work
// run: --grid 2 --block 64 --arg f32[128]=random --arg f32[128]=zero --arg i32=100
// expect: divergent-barrier block=1,0,0
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = 0;
  if (i < n) {
    s[threadIdx.x] = in[i];
    __syncthreads(); // HERE
  }
  out[i] = s[threadIdx.x];
}

//// bar_uneven_loop
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier severity=warning
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  float sum = 0;
  for (int j = 0; j < (int)threadIdx.x / 32 + 2; ++j) {
    s[threadIdx.x] = in[threadIdx.x] * j;
    __syncthreads(); // HERE
    sum += s[threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

//// bar_uneven_loop_lanes
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  float sum = 0;
  for (int j = 0; j < (int)threadIdx.x % 3 + 2; ++j) {
    s[threadIdx.x] = in[threadIdx.x] * j;
    __syncthreads(); // HERE
    sum += s[threadIdx.x];
  }
  out[threadIdx.x] = sum;
  s[threadIdx.x] = 0;
}

//// bar_warp_branch
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier severity=warning
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 32) {
    s[threadIdx.x] += 1;
    __syncthreads(); // HERE
  }
  out[threadIdx.x] = s[threadIdx.x];
}

//// bar_break
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  for (int j = 0; j < 4; ++j) {
    if (s[threadIdx.x] * 0 + threadIdx.x == j) break;
    __syncthreads(); // HERE
    s[threadIdx.x] += j;
  }
  out[threadIdx.x] = s[threadIdx.x];
}

//// ok_bar_return
// run: --grid 2 --block 64 --arg f32[100]=random --arg f32[100]=zero --arg i32=100
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[threadIdx.x];
}

//// bar_named_count
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync 1, 96;" ::: "memory"); // HERE
  out[threadIdx.x] = s[63 - threadIdx.x];
}

//// bar_named_two_counts
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: divergent-barrier
extern "C" __global__ void k(const float* in, float* out) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory"); // HERE
  else
    asm volatile("bar.sync 1, 32;" ::: "memory"); // HERE
  out[threadIdx.x] = in[threadIdx.x];
}

//// mask_shfl_branch
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: syncwarp-mask
// says: lanes 8 to 31
extern "C" __global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x < 8)
    v += __shfl_xor_sync(0xffffffff, v, 1); // HERE
  out[threadIdx.x] = v;
}

//// ok_shfl_branch
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x < 8)
    v += __shfl_xor_sync(0xff, v, 1);
  out[threadIdx.x] = v;
}

//// mask_shfl_not_in_mask
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: syncwarp-mask
extern "C" __global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  v += __shfl_down_sync(0xffff, v, 4); // HERE
  out[threadIdx.x] = v;
}

//// mask_shfl_exited
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero --arg i32=20
// expect: syncwarp-mask
extern "C" __global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x >= n) return;
  float v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d); // HERE
  if (threadIdx.x == 0) out[0] = v;
}

//// mask_ballot_branch
// run: --grid 1 --block 32 --arg i32[32]=iota --arg u32[32]=zero
// expect: syncwarp-mask
// says: lanes 0 to 10
extern "C" __global__ void k(const int* in, unsigned* out) {
  if (in[threadIdx.x] > 10)
    out[threadIdx.x] = __ballot_sync(0xffffffff, in[threadIdx.x] > 20); // HERE
  else
    out[threadIdx.x] = 77 + in[threadIdx.x];
  out[threadIdx.x] += 1;
}

//// ok_ballot_branch
// run: --grid 1 --block 32 --arg i32[32]=iota --arg u32[32]=zero
// expect: nothing
extern "C" __global__ void k(const int* in, unsigned* out) {
  unsigned m = __ballot_sync(0xffffffff, in[threadIdx.x] > 10);
  if (in[threadIdx.x] > 10)
    out[threadIdx.x] = __ballot_sync(m, in[threadIdx.x] > 20);
}

//// mask_syncwarp_other
// run: --grid 1 --block 32 --arg f32[32]=zero
// expect: syncwarp-mask
extern "C" __global__ void k(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) __syncwarp(0xffff0000u); // HERE
  out[threadIdx.x] = s[threadIdx.x];
}

//// mask_reduce
// run: --grid 1 --block 32 --arg u32[32]=random --arg u32[32]=zero
// expect: syncwarp-mask
extern "C" __global__ void k(const unsigned* in, unsigned* out) {
  if (threadIdx.x & 1)
    out[threadIdx.x] = __reduce_add_sync(0xffffffff, in[threadIdx.x]); // HERE
  else
    out[threadIdx.x] = 77 + in[threadIdx.x];
  out[threadIdx.x] += 1;
}

//// mask_half_warp_block
// run: --grid 1 --block 48 --arg f32[48]=random --arg f32[48]=zero
// expect: syncwarp-mask
extern "C" __global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d); // HERE
  out[threadIdx.x] = v;
}

//// mask_shfl_source_off
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: syncwarp-mask
extern "C" __global__ void k(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x < 16)
    v = __shfl_sync(0x0000ffff, v, 20); // HERE
  out[threadIdx.x] = v;
}

//// bar_synccheck_demo
// run: --grid 1 --block 64 --arg i32[1024]=iota --arg i32[1]=zero --arg i32=1008
// expect: divergent-barrier and_others
extern "C" __global__ void k(const int* in, int* out, int size) {
  __shared__ int smem[64];
  int tx = threadIdx.x;
  smem[tx] = 0;
  __syncthreads();
  for (int b = 0; b < 16; ++b) {
    const int at = 64 * b + tx;
    if (at < size) {
      smem[tx] += in[at];
      __syncthreads(); // HERE
    }
  }
  if (tx == 0) {
    int sum = 0;
    for (int j = 0; j < 64; ++j) sum += smem[j];
    out[0] = sum;
  }
}

//// bar_switch
// run: --grid 1 --block 96 --arg f32[96]=random --arg f32[96]=zero
// expect: divergent-barrier and_others
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[96];
  int t = threadIdx.x;
  s[t] = in[t];
  switch (t / 32) {
    case 0: s[t] *= 2; __syncthreads(); break; // HERE
    case 1: s[t] += 1; __syncthreads(); break; // HERE
    default: s[t] -= 1; break;
  }
  out[t] = s[t];
}

//// ok_warp_return
// run: --grid 1 --block 96 --arg f32[96]=random --arg f32[96]=zero --arg i32=64
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[96];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= n) return;
  for (int d = 0; d < 3; ++d) {
    float v = s[t ^ 32];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}

//// ok_loop_return
// run: --grid 1 --block 96 --arg f32[960]=zero --arg i32=3
// expect: nothing
extern "C" __global__ void k(float* a, int n) {
  int t = threadIdx.x;
  for (int j = 0;; ++j) {
    a[j * 96 + t] = j;
    if (j >= t / 32 + n) return;
    __syncthreads();
  }
}
