// Waits without an end, the stack, the heap, traps and assertions. See ../planted_test.cc.

//// dead_lock_old
// run: --grid 1 --block 32 --gpu p100 --arg i32[1]=zero --arg i32[1]=zero
// expect: deadlock
// cause: before compute capability 7.0
extern "C" __global__ void k(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0) {} // HERE
  *(volatile int*)out += 1;
  __threadfence();
  atomicExch(lock, 0); // HERE
}

//// ok_lock_new
// run: --grid 1 --block 32 --arg i32[1]=zero --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *(volatile int*)out += 1;
  __threadfence();
  atomicExch(lock, 0);
}

//// dead_lock_kept
// run: --grid 1 --block 32 --arg i32[1]=zero --arg i32[1]=zero
// expect: deadlock
extern "C" __global__ void k(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0) {} // HERE
  *(volatile int*)out += 1;
  __threadfence();
  if (threadIdx.x != 0) atomicExch(lock, 0);
}

//// dead_flag_never
// run: --grid 2 --block 32 --arg i32[1]=zero --arg i32[64]=zero
// expect: deadlock
extern "C" __global__ void k(volatile int* flag, int* out) {
  if (threadIdx.x == 0)
    while (flag[0] == 0) {} // HERE
  out[threadIdx.x] = 1;
}

//// dead_grid_barrier
// run: --grid 4 --block 32 --arg u32[1]=zero --arg i32[4]=zero
// expect: deadlock
// cause: nobody sets
extern "C" __global__ void k(unsigned* n, int* out) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(n, 1u);
    while (*(volatile unsigned*)n < gridDim.x + 1) {} // HERE
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}

//// ok_grid_barrier
// run: --grid 4 --block 32 --arg u32[1]=zero --arg i32[4]=zero
// expect: nothing
extern "C" __global__ void k(unsigned* n, int* out) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(n, 1u);
    while (*(volatile unsigned*)n < gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}

//// endless
// run: --grid 1 --block 1 --budget 20000000 --arg i32[1]=zero --arg i32=4
// expect: timeout
extern "C" __global__ void k(int* out, int n) {
  for (unsigned j = n; j >= 0; --j) // HERE
    out[0] = j; // HERE
}

//// stack_recursion
// run: --grid 1 --block 1 --arg i32[1]=zero --arg i32=100000
// expect: stack-overflow and_others
// cause: recursion
__device__ __noinline__ int deep(int n, int* p) {
  int a[64];
  a[n & 63] = n;
  if (n == 0) return 0;
  int r = deep(n - 1, a); // HERE
  p[0] = r + a[n & 63]; // HERE
  return r + a[(n + 1) & 63];
}
extern "C" __global__ void k(int* out, int n) {
  int x[1];
  out[threadIdx.x] = deep(n, x);
}

//// heap_leak_some
// run: --grid 1 --block 32 --arg i32[32]=zero
// expect: leak count=1
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(64); // HERE
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  if (threadIdx.x != 3) free(p);
}

//// heap_double_free
// run: --grid 1 --block 32 --arg i32[32]=zero
// expect: invalid-free thread=5,0,0 count=1 other_line=5
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(64);
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  free(p); // OTHER
  if (threadIdx.x == 5)
    free(p); // HERE
}

//// heap_use_after_free
// run: --grid 1 --block 4 --arg i32[4]=zero
// expect: out-of-bounds access=read count=4 other_line=4
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(64);
  p[0] = threadIdx.x;
  free(p);
  out[threadIdx.x] = p[0]; // HERE
}

//// heap_write_after_free
// run: --grid 1 --block 4 --arg i64[1]=zero --arg i32[4]=zero
// expect: out-of-bounds access=write and_others
extern "C" __global__ void k(int** slot, int* out) {
  if (threadIdx.x == 0) { int* p = (int*)malloc(64); p[0] = 1; free(p); slot[0] = p; }
  __syncthreads();
  slot[0][threadIdx.x] = 2; // HERE
  out[threadIdx.x] = 0;
}

//// heap_free_middle
// run: --grid 1 --block 1 --arg i32[1]=zero
// expect: invalid-free and_others
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(64);
  p[0] = 1;
  out[threadIdx.x] = p[0];
  free(p + 1); // HERE
}

//// heap_free_buffer
// run: --grid 1 --block 1 --arg i32[1]=zero
// expect: invalid-free
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] = 1;
  free(out); // HERE
}

//// heap_past_end
// run: --grid 1 --block 4 --arg i32[4]=zero --arg i32=10
// expect: out-of-bounds access=write count=4 distance_bytes=4
// says: 4 bytes past
extern "C" __global__ void k(int* out, int n) {
  int* p = (int*)malloc(n * sizeof(int));
  for (int j = 0; j <= n; ++j)
    p[j] = j; // HERE
  out[threadIdx.x] = p[n / 2];
  free(p);
}

//// ok_heap
// run: --grid 1 --block 4 --arg i32[4]=zero --arg i32=10
// expect: nothing
extern "C" __global__ void k(int* out, int n) {
  int* p = (int*)malloc(n * sizeof(int));
  for (int j = 0; j < n; ++j) p[j] = j;
  out[threadIdx.x] = p[n / 2];
  free(p);
}

//// heap_new_leak
// run: --grid 1 --block 4 --arg i32[4]=zero
// expect: leak count=4
struct T { int a[4]; };
extern "C" __global__ void k(int* out) {
  T* t = new T; // HERE
  t->a[0] = 3;
  out[threadIdx.x] = t->a[0];
}

//// trap_block
// run: --grid 2 --block 32 --arg i32[32]=iota --arg i32[64]=zero
// expect: trap thread=7,0,0
extern "C" __global__ void k(const int* in, int* out) {
  if (in[threadIdx.x] == 7)
    __trap(); // HERE
  out[threadIdx.x] = 1;
}

//// assert_one
// run: --grid 1 --block 32 --arg i32[32]=iota --arg i32[32]=zero
// expect: assert thread=31,0,0 count=1
extern "C" __global__ void k(const int* in, int* out) {
  assert(in[threadIdx.x] < 31); // HERE
  out[threadIdx.x] = 1;
}

//// dead_two_locks
// run: --grid 1 --block 64 --arg i32[1]=zero --arg i32[1]=zero --arg i32[1]=zero
// expect: deadlock
extern "C" __global__ void k(int* a, int* c, int* out) {
  int* first = threadIdx.x & 32 ? c : a;
  int* second = threadIdx.x & 32 ? a : c;
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(first, 0, 1) != 0) {} // HERE
    __nanosleep(100);
    while (*(volatile int*)second == 0) {}
    while (atomicCAS(second, 0, 1) != 0) {} // HERE
    out[0] += 1;
    atomicExch(second, 0);
    atomicExch(first, 0);
  }
}

//// ok_spin_flag_blocks
// run: --grid 3 --block 32 --arg i32[1]=zero --arg i32[1]=zero --arg i32[3]=zero
// expect: nothing
extern "C" __global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) { data[0] = 42; __threadfence(); flag[0] = 1; }
  } else if (threadIdx.x == 0) {
    while (flag[0] == 0) {}
    __threadfence();
    out[blockIdx.x] = *(volatile int*)data;
  }
}

//// ok_peterson
// run: --seed 2 --block 64 --arg i32[1]=zero
// expect: nothing
extern "C" __global__ void k(int* out) {
  __shared__ volatile int wants[2], turn;
  __shared__ int sum;
  const int t = threadIdx.x, me = t / 32;
  if (t == 0) wants[0] = wants[1] = turn = sum = 0;
  __syncthreads();
  if (t % 32 == 0) {
    for (int i = 0; i < 10; ++i) {
      wants[me] = 1;
      __threadfence_block();
      turn = 1 - me;
      __threadfence_block();
      while (wants[1 - me] == 1 && turn == 1 - me) {
      }
      __threadfence_block();
      sum = sum + 1;
      __threadfence_block();
      wants[me] = 0;
    }
  }
  __syncthreads();
  if (t == 0) *out = sum;
}

//// peterson_without_waiting_for_its_turn
// run: --seed 2 --block 64 --arg i32[1]=zero
// expect: race space=shared severity=error
extern "C" __global__ void k(int* out) {
  __shared__ volatile int wants[2], turn;
  __shared__ int sum;
  const int t = threadIdx.x, me = t / 32;
  if (t == 0) wants[0] = wants[1] = turn = sum = 0;
  __syncthreads();
  if (t % 32 == 0) {
    for (int i = 0; i < 10; ++i) {
      wants[me] = 1;
      __threadfence_block();
      turn = me;
      __threadfence_block();
      while (wants[1 - me] == 1 && turn == 1 - me) {
      }
      __threadfence_block();
      sum = sum + 1; // HERE
      __threadfence_block();
      wants[me] = 0;
    }
  }
  __syncthreads();
  if (t == 0) *out = sum;
}

//// ticket_lock_lets_two_in
// run: --seed 1 --block 256 --arg i32[1]=zero
// expect: race space=shared severity=error
extern "C" __global__ void k(int* out) {
  __shared__ unsigned next, serving;
  __shared__ int sum;
  if (threadIdx.x == 0) next = serving = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    unsigned mine = atomicAdd(&next, 1);
    while (*(volatile unsigned*)&serving + 1 < mine) {
    }
    __threadfence_block();
    sum = sum + 1; // HERE
    __threadfence_block();
    atomicAdd(&serving, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
