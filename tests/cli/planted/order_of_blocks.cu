// What blocks order by flags, counters, locks and barriers of their own, each with a fence or a
// barrier less. See ../planted_test.cc.

//// ok_message
// run: --grid 2 --block 1 --arg i32[1]=zero --arg i32[1]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}

//// message_without_fence_before
// run: --grid 2 --block 1 --arg i32[1]=zero --arg i32[1]=zero --arg i32[1]=zero
// expect: race space=global severity=error access=read
// says: no __threadfence() before it was set
extern "C" __global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // OTHER
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {
    }
    __threadfence();
    out[0] = data[0]; // HERE
  }
}

//// message_without_fence_after
// run: --grid 2 --block 1 --arg i32[1]=zero --arg i32[1]=zero --arg i32[1]=zero
// expect: race space=global severity=note access=read
// says: no __threadfence() follows the flag
extern "C" __global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // OTHER
    __threadfence();
    flag[0] = 1;
  } else {
    while (flag[0] == 0) {
    }
    out[0] = data[0]; // HERE
  }
}

//// ok_message_by_release_and_acquire
// run: --grid 2 --block 64 --arg i32[64]=zero --arg u32[1]=zero --arg i32[64]=zero
// expect: nothing
#include <cuda/atomic>
extern "C" __global__ void k(int* data, unsigned* word, int* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*word);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) flag.store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}

//// release_before_the_block_is_done
// run: --grid 2 --block 64 --arg i32[64]=zero --arg u32[1]=zero --arg i32[64]=zero
// expect: race space=global severity=error access=read
// says: nothing orders the two blocks
#include <cuda/atomic>
extern "C" __global__ void k(int* data, unsigned* word, int* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*word);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x + 1; // OTHER
    if (threadIdx.x == 0) flag.store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = data[63 - threadIdx.x]; // HERE
  }
}

//// acquire_of_one_thread
// run: --grid 2 --block 64 --arg i32[64]=zero --arg u32[1]=zero --arg i32[64]=zero
// expect: race space=global severity=error access=read
// says: nothing orders the two blocks
#include <cuda/atomic>
extern "C" __global__ void k(int* data, unsigned* word, int* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(*word);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x + 1; // OTHER
    __syncthreads();
    if (threadIdx.x == 0) flag.store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
    }
    out[threadIdx.x] = data[threadIdx.x]; // HERE
  }
}

//// ok_ticket_lock
// run: --grid 8 --block 32 --arg u32[2]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(unsigned* lock, int* count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) {
    unsigned mine = atomicAdd(&lock[0], 1u);
    while (atomicAdd(&lock[1], 0u) != mine) {
    }
    __threadfence();
    count[0] += 1;
    __threadfence();
    atomicAdd(&lock[1], 1u);
  }
}

//// ticket_lock_without_fence_before_release
// run: --grid 8 --block 32 --arg u32[2]=zero --arg i32[1]=zero
// expect: race space=global severity=error
// says: no __threadfence() before it was set or released
extern "C" __global__ void k(unsigned* lock, int* count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) {
    unsigned mine = atomicAdd(&lock[0], 1u);
    while (atomicAdd(&lock[1], 0u) != mine) {
    }
    __threadfence();
    count[0] += 1; // HERE OTHER
    atomicAdd(&lock[1], 1u);
  }
}

//// ticket_without_waiting
// run: --grid 8 --block 32 --arg u32[2]=zero --arg i32[1]=zero
// expect: race space=global severity=error
extern "C" __global__ void k(unsigned* lock, int* count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) {
    atomicAdd(&lock[0], 1u);
    __threadfence();
    count[0] += 1; // HERE OTHER
    __threadfence();
    atomicAdd(&lock[1], 1u);
  }
}

//// ok_lock_released_by_a_plain_store
// run: --grid 8 --block 32 --arg u32[1]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(unsigned* lock, int* count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 4; ++i) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    count[0] += 1;
    __threadfence();
    lock[0] = 0;
  }
}

//// ok_last_block
// run: --grid 16 --block 64 --arg f32[1024]=iota --arg f32[16]=zero --arg u32[1]=zero --arg f32[1]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* part, unsigned* done, float* out) {
  __shared__ float sums[64];
  __shared__ bool last;
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o) sums[t] += sums[t + o];
    __syncthreads();
  }
  if (t == 0) {
    part[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || t != 0) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += part[b];
  out[0] = sum;
}

//// ok_last_block_of_all_threads
// run: --grid 16 --block 64 --arg f32[1024]=iota --arg f32[1024]=zero --arg u32[1]=zero --arg f32[64]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, volatile float* part, unsigned* done, float* out) {
  __shared__ bool last;
  int i = blockIdx.x * 64 + threadIdx.x;
  part[i] = 2 * in[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += part[b * 64 + threadIdx.x];
  out[threadIdx.x] = sum;
}

//// last_block_counts_before_the_block_is_done
// run: --grid 16 --block 64 --arg f32[1024]=iota --arg f32[1024]=zero --arg u32[1]=zero --arg f32[1]=zero
// expect: race space=global severity=error access=read
// says: nothing orders the two blocks
extern "C" __global__ void k(const float* in, float* part, unsigned* done, float* out) {
  __shared__ bool last;
  int i = blockIdx.x * 64 + threadIdx.x;
  part[i] = 2 * in[i]; // OTHER
  __threadfence();
  if (threadIdx.x == 0) {
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  float sum = 0;
  for (int n = 0; n < 1024; ++n) sum += part[n]; // HERE
  out[0] = sum;
}

//// ok_look_back
// run: --grid 16 --block 32 --arg i32[512]=iota --arg i32[16]=zero --arg i32[16]=zero --arg i32[512]=zero --arg u32[1]=zero
// expect: nothing
extern "C" __global__ void k(const int* in, volatile int* state, int* sums, int* out,
                             unsigned* tickets) {
  __shared__ int block, before;
  int lane = threadIdx.x;
  if (lane == 0) block = atomicAdd(tickets, 1u);
  __syncthreads();
  int x = in[block * 32 + lane];
  for (int o = 1; o < 32; o *= 2) {
    int y = __shfl_up_sync(0xffffffff, x, o);
    if (lane >= o) x += y;
  }
  if (lane == 31) {
    int sum = 0;
    if (block > 0) {
      while (state[block - 1] == 0) {
      }
      __threadfence();
      sum = sums[block - 1];
    }
    sums[block] = sum + x;
    __threadfence();
    state[block] = 1;
    before = sum;
  }
  __syncthreads();
  out[block * 32 + lane] = x + before;
}

//// look_back_without_fence_before
// run: --grid 16 --block 32 --arg i32[512]=iota --arg i32[16]=zero --arg i32[16]=zero --arg i32[512]=zero --arg u32[1]=zero
// expect: race space=global severity=error access=read
// says: no __threadfence() before it was set
extern "C" __global__ void k(const int* in, volatile int* state, int* sums, int* out,
                             unsigned* tickets) {
  __shared__ int block, before;
  int lane = threadIdx.x;
  if (lane == 0) block = atomicAdd(tickets, 1u);
  __syncthreads();
  int x = in[block * 32 + lane];
  for (int o = 1; o < 32; o *= 2) {
    int y = __shfl_up_sync(0xffffffff, x, o);
    if (lane >= o) x += y;
  }
  if (lane == 31) {
    int sum = 0;
    if (block > 0) {
      while (state[block - 1] == 0) {
      }
      __threadfence();
      sum = sums[block - 1]; // HERE
    }
    sums[block] = sum + x; // OTHER
    state[block] = 1;
    before = sum;
  }
  __syncthreads();
  out[block * 32 + lane] = x + before;
}

//// ok_barrier_of_the_grid
// run: --grid 16 --block 64 --arg u32[1]=zero --arg i32[1024]=zero --arg i32[1024]=zero
// expect: nothing
__device__ void wait_for_all(unsigned* count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned*)count < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void k(unsigned* count, int* a, int* b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i + 1;
  wait_for_all(count, gridDim.x);
  b[i] = a[1023 - i];
  wait_for_all(count, 2 * gridDim.x);
  a[i] = b[1023 - i] + b[(i + 64) % 1024];
}

//// barrier_of_the_grid_without_that_of_the_block
// run: --grid 16 --block 64 --arg u32[1]=zero --arg i32[1024]=zero --arg i32[1024]=zero
// expect: race space=global severity=error access=read
__device__ void wait_for_all(unsigned* count, unsigned goal) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned*)count < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void k(unsigned* count, int* a, int* b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i + 1; // OTHER
  wait_for_all(count, gridDim.x);
  b[i] = a[1023 - i]; // HERE
}

//// barrier_of_the_grid_without_fences
// run: --grid 16 --block 64 --arg u32[1]=zero --arg i32[1024]=zero --arg i32[1024]=zero
// expect: race space=global severity=error access=read
// says: no __threadfence() before it was set
__device__ void wait_for_all(unsigned* count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1u);
    while (*(volatile unsigned*)count < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void k(unsigned* count, int* a, int* b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i + 1; // OTHER
  wait_for_all(count, gridDim.x);
  b[i] = a[1023 - i]; // HERE
}

//// ok_grid_sync
// run: --grid 8 --block 64 --cooperative --arg i32[512]=zero --arg i32[512]=zero
// expect: nothing
#include <cooperative_groups.h>
extern "C" __global__ void k(int* a, int* b) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int i = grid.thread_rank();
  a[i] = i + 1;
  grid.sync();
  b[i] = a[511 - i];
  grid.sync();
  a[i] = b[(i + 64) % 512];
}

//// grid_sync_forgotten_once
// run: --grid 8 --block 64 --cooperative --arg i32[512]=zero --arg i32[512]=zero
// expect: race space=global severity=error
// says: nothing orders the two blocks
#include <cooperative_groups.h>
extern "C" __global__ void k(int* a, int* b) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int i = grid.thread_rank();
  a[i] = i + 1;
  grid.sync();
  b[i] = a[511 - i]; // OTHER
  a[i] = b[i] + 1; // HERE
  grid.sync();
  b[i] = a[(i + 64) % 512];
}

//// ok_atomics_and_a_fence_elsewhere
// run: --grid 8 --block 64 --arg u32[16]=zero --arg i32[512]=zero
// expect: nothing
extern "C" __global__ void k(unsigned* bins, int* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  unsigned place = atomicAdd(&bins[i % 16], 1u);
  __threadfence();
  out[(i % 16) * 32 + place] = i;
}

//// ok_ticket_lock
// run: --seed 2 --grid 8 --block 32 --arg u32[2]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(unsigned* lock, int* sum) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(&lock[0], 1);
  while (((volatile unsigned*)lock)[1] != mine) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicAdd(&lock[1], 1);
}

//// ticket_lock_lets_two_in
// run: --seed 2 --grid 8 --block 32 --arg u32[2]=zero --arg i32[1]=zero
// expect: race space=global severity=error
extern "C" __global__ void k(unsigned* lock, int* sum) {
  if (threadIdx.x != 0) return;
  unsigned mine = atomicAdd(&lock[0], 1);
  while (((volatile unsigned*)lock)[1] + 1 < mine) {
  }
  __threadfence();
  *sum = *sum + 1; // HERE
  __threadfence();
  atomicAdd(&lock[1], 1);
}

//// ok_spin_lock
// run: --seed 3 --grid 8 --block 32 --arg i32[2]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  do {
    atomicAdd(&lock[1], 1);
  } while (atomicCAS(&lock[0], 0, 1) != 0);
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicExch(&lock[0], 0);
}

//// spin_lock_lets_two_in
// run: --seed 3 --grid 8 --block 32 --arg i32[2]=zero --arg i32[1]=zero
// expect: race space=global severity=error
extern "C" __global__ void k(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  do {
    atomicAdd(&lock[1], 1);
  } while (atomicCAS(&lock[0], 0, 1) > 1);
  __threadfence();
  *sum = *sum + 1; // HERE
  __threadfence();
  atomicExch(&lock[0], 0);
}
