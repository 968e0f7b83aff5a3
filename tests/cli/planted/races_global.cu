// Races in global memory, of blocks and of warps of a block. See ../planted_test.cc.

//// race_blocks_neighbour
// run: --grid 4 --block 64 --arg f32[256]=zero --arg f32[256]=zero
// expect: race space=global allocation=a
extern "C" __global__ void k(float* a, float* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i; // OTHER
  __syncthreads();
  out[i] = a[(i + 1) % 256]; // HERE
}

//// race_blocks_counter
// run: --grid 8 --block 32 --arg i32[1]=zero
// expect: race space=global
extern "C" __global__ void k(int* n) {
  if (threadIdx.x == 0)
    *n = *n + 1; // HERE
}

//// race_blocks_flag
// run: --grid 2 --block 1 --arg i32[1]=zero --arg i32[1]=zero --arg i32[1]=zero
// expect: race space=global
extern "C" __global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // OTHER
    flag[0] = 1; // OTHER
  } else {
    if (flag[0]) // HERE
      out[0] = data[0]; // HERE
  }
}

//// race_blocks_atomic_plain
// run: --grid 4 --block 64 --arg u32[16]=zero --arg u32[256]=random
// expect: race space=global
extern "C" __global__ void k(unsigned* bins, const unsigned* in) {
  atomicAdd(&bins[in[blockIdx.x * 64 + threadIdx.x] & 7], 1u); // OTHER
  if (blockIdx.x == 3 && threadIdx.x < 8) bins[8 + threadIdx.x] = bins[threadIdx.x]; // HERE
}

//// race_blocks_overlap
// run: --grid 4 --block 64 --arg f32[256]=random --arg f32[256]=zero
// expect: race space=global access=write
extern "C" __global__ void k(const float* in, float* out) {
  int i = blockIdx.x * 60 + threadIdx.x;
  out[i] = in[i] + blockIdx.x; // HERE
}

//// ok_blocks_overlap
// run: --grid 4 --block 64 --arg f32[256]=random --arg f32[256]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  int i = blockIdx.x * 60 + threadIdx.x;
  if (threadIdx.x < 60) out[i] = in[i] + blockIdx.x;
}

//// race_block_global
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[128]=zero --arg f32[128]=zero
// expect: race space=global
extern "C" __global__ void k(const float* in, float* tmp, float* out) {
  int t = threadIdx.x;
  tmp[t] = in[t]; // OTHER
  out[t] = tmp[127 - t]; // HERE
}

//// ok_block_global
// run: --grid 1 --block 128 --arg f32[128]=random --arg f32[128]=zero --arg f32[128]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* tmp, float* out) {
  int t = threadIdx.x;
  tmp[t] = in[t];
  __syncthreads();
  out[t] = tmp[127 - t];
}

//// race_clear_then_add
// run: --grid 4 --block 64 --arg u32[8]=zero --arg u32[256]=random
// expect: race space=global either_order
// cause: both must be atomic
extern "C" __global__ void k(unsigned* bins, const unsigned* in) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < 8) bins[i] = 0; // OTHER
  __syncthreads();
  atomicAdd(&bins[in[i] & 7], 1u); // HERE
}

//// race_jacobi_in_place
// run: --grid 4 --block 64 --arg f32[256]=random --arg i32=256
// expect: race space=global
extern "C" __global__ void k(float* a, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = 0.5f * (a[i - 1] + a[i + 1]); // HERE
}

//// race_device_variable
// run: --grid 4 --block 1 --arg i32[4]=iota --arg i32[4]=zero
// expect: race space=global
__device__ int total;
extern "C" __global__ void k(const int* in, int* out) {
  total += in[blockIdx.x]; // HERE
  out[blockIdx.x] = total; // HERE
}

//// race_global_sum
// run: --grid 4 --block 32 --arg f32[128]=random --arg f32[1]=zero
// expect: race space=global
extern "C" __global__ void k(const float* in, float* sum) {
  sum[0] += in[blockIdx.x * 32 + threadIdx.x]; // HERE
}

//// race_global_init_in_block
// run: --grid 1 --block 64 --arg u32[1]=zero --arg u32[64]=zero
// expect: race space=global and_others
extern "C" __global__ void k(unsigned* n, unsigned* out) {
  if (threadIdx.x == 0) n[0] = 0; // OTHER
  out[threadIdx.x] = atomicAdd(n, 1u); // HERE
}

//// ok_blocks_atomics
// run: --grid 4 --block 64 --arg u32[256]=random --arg u32[8]=zero --arg u32[1]=zero
// expect: nothing
extern "C" __global__ void k(const unsigned* in, unsigned* bins, unsigned* most) {
  atomicAdd(&bins[in[blockIdx.x * 64 + threadIdx.x] & 7], 1u);
  atomicMax(most, in[blockIdx.x * 64 + threadIdx.x]);
}
