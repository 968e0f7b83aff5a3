// Indices that leave shared, local and constant arrays. See ../planted_test.cc.

//// oob_shared_2d
// run: --grid 1 --block 16,16 --arg f32[256]=random --arg f32[256]=zero
// expect: out-of-bounds space=shared access=read count=16 thread=0,15,0 distance_bytes=4 allocation=s
// says: directly after the end
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[16][16];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y + 1][threadIdx.x]; // HERE
}

//// oob_shared_neighbour
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: out-of-bounds space=shared access=read count=1 thread=31,0,0 distance_bytes=4 allocation=a
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float a[33];
  __shared__ float c[33];
  int t = threadIdx.x;
  a[t] = in[t]; c[t] = 2 * in[t];
  if (t == 0) a[32] = c[32] = 0;
  __syncthreads();
  out[t] = a[t + 2] + c[t]; // HERE
}

//// ok_shared_neighbour
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float a[33];
  __shared__ float c[33];
  int t = threadIdx.x;
  a[t] = in[t]; c[t] = 2 * in[t];
  if (t == 0) a[32] = c[32] = 0;
  __syncthreads();
  out[t] = a[t + 1] + c[t + 1];
}

//// oob_shared_neighbour_write
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: out-of-bounds space=shared access=write distance_bytes=4 allocation=a thread=31,0,0 and_others
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float a[32];
  __shared__ int n;
  int t = threadIdx.x;
  if (t == 0) n = 5;
  __syncthreads();
  a[t + 1] = in[t]; // HERE
  __syncthreads();
  out[t] = a[(t + 1) & 31] + n;
}

//// oob_shared_negative
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: out-of-bounds space=shared access=read count=1 thread=0,0,0 distance_bytes=-4 allocation=s
// says: 4 bytes before
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] - s[(int)threadIdx.x - 1]; // HERE
}

//// oob_shared_atomic
// run: --grid 1 --block 64 --arg u32[64]=random --arg u32[16]=zero
// expect: out-of-bounds space=shared access=atomic
extern "C" __global__ void k(const unsigned* in, unsigned* out) {
  __shared__ unsigned h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[in[threadIdx.x] & 31], 1u); // HERE
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = h[threadIdx.x];
}

//// oob_shared_dynamic_small
// run: --grid 1 --block 64 --shared 64 --arg f32[64]=random --arg f32[64]=zero
// expect: out-of-bounds space=shared access=write count=48 thread=16,0,0 distance_bytes=4
extern "C" __global__ void k(const float* in, float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = in[threadIdx.x]; // HERE
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x]; // HERE
}

//// oob_shared_dynamic_none
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: out-of-bounds space=shared access=write
extern "C" __global__ void k(const float* in, float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = in[threadIdx.x]; // HERE
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

//// oob_shared_halo
// run: --grid 2 --block 64 --arg f32[128]=random --arg f32[128]=zero --arg i32=128
// expect: out-of-bounds space=shared access=write count=2 thread=63,0,0 and_others
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64 + 2];
  int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x;
  s[t + 1] = in[i];
  if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
  if (t == 63) s[66] = i + 1 < n ? in[i + 1] : 0; // HERE
  __syncthreads();
  out[i] = s[t] + s[t + 1] + s[t + 2];
}

//// oob_shared_pointer
// run: --grid 1 --block 32 --arg f32[32]=zero
// expect: out-of-bounds space=shared access=write thread=31,0,0
__device__ __noinline__ void put(float* p, int i, float v) {
  p[i] = v; // HERE
}
extern "C" __global__ void k(float* out) {
  __shared__ float s[32];
  put(s, threadIdx.x + 1, 1.0f);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x | 1];
}

//// oob_local_index
// run: --grid 1 --block 8 --arg i32[8]=iota --arg i32[8]=zero
// expect: out-of-bounds space=local access=write count=4 thread=4,0,0 distance_bytes=4 allocation=a
// says: a[4] of 4, thread (4, 0, 0) of block (0, 0, 0): write of 4 bytes
extern "C" __global__ void k(const int* in, int* out) {
  int a[4] = {1, 2, 3, 4};
  a[in[threadIdx.x]] = 9; // HERE
  out[threadIdx.x] = a[in[threadIdx.x] & 3];
}

//// oob_local_pointer
// run: --grid 1 --block 8 --arg i32[8]=zero
// expect: uninitialised space=local access=read
__device__ __noinline__ int sum(const int* p, int n) {
  int s = 0;
  for (int j = 0; j < n; ++j)
    s += p[j]; // HERE
  return s;
}
extern "C" __global__ void k(int* out) {
  int a[5];
  for (int j = 0; j < 5; ++j) a[j] = j + threadIdx.x;
  out[threadIdx.x] = sum(a, 6);
}

//// oob_const
// run: --grid 1 --block 12 --arg f32[12]=zero
// expect: out-of-bounds space=constant access=read count=3 thread=9,0,0 distance_bytes=4 allocation=taps
// says: taps
__constant__ float taps[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
__constant__ float other[9] = {1};
extern "C" __global__ void k(float* out) {
  int t = threadIdx.x;
  out[t] = taps[t] + other[0]; // HERE
}

//// oob_const_negative
// run: --grid 1 --block 16 --arg f32[26]=random --arg f32[16]=zero --arg i32=5
// expect: out-of-bounds space=constant access=read distance_bytes=-4 allocation=taps
// says: 4 bytes before
__constant__ float taps[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
extern "C" __global__ void k(const float* in, float* out, int r) {
  int t = threadIdx.x;
  float s = 0;
  for (int j = -r; j <= r; ++j) s += taps[j + 4] * in[t + r + j]; // HERE
  out[t] = s;
}

//// ok_halo
// run: --grid 1 --block 64 --arg f32[64]=random --arg f32[64]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[66];
  int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) s[0] = 0;
  if (t == 63) s[65] = 0;
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}

//// ok_const
// run: --grid 1 --block 16 --arg f32[24]=random --arg f32[16]=zero --arg i32=4 --arg i32=1
// expect: nothing
__constant__ float taps[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
__constant__ float other[9] = {1};
extern "C" __global__ void k(const float* in, float* out, int r, int which) {
  const float* p = which ? other : taps;
  float s = 0;
  for (int j = -r; j <= r; ++j) s += taps[j + 4] * in[threadIdx.x + r + j] + p[j + r];
  out[threadIdx.x] = s;
}
