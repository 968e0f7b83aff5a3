// Reads of what nothing has written. See ../planted_test.cc.

//// uninit_tile_edge
// run: --grid 2 --block 64 --arg f32[100]=random --arg f32[100]=zero --arg i32=100
// expect: uninitialised space=shared access=read block=1,0,0
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) s[threadIdx.x] = in[i];
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 64; ++j)
    sum += s[j]; // HERE
  if (i < n) out[i] = sum;
}

//// ok_tile_edge
// run: --grid 2 --block 64 --arg f32[100]=random --arg f32[100]=zero --arg i32=100
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 64; ++j) sum += s[j];
  if (i < n) out[i] = sum;
}

//// uninit_accumulate
// run: --grid 1 --block 32 --arg f32[128]=random --arg f32[32]=zero
// expect: uninitialised space=shared access=read count=32
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float sum[32];
  for (int j = 0; j < 4; ++j)
    sum[threadIdx.x] += in[j * 32 + threadIdx.x]; // HERE
  out[threadIdx.x] = sum[threadIdx.x];
}

//// uninit_shared_atomic
// run: --grid 1 --block 32 --arg u32[32]=random --arg u32[8]=zero
// expect: uninitialised space=shared
extern "C" __global__ void k(const unsigned* in, unsigned* out) {
  __shared__ unsigned h[8];
  atomicAdd(&h[in[threadIdx.x] & 7], 1u); // HERE
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = h[threadIdx.x];
}

//// uninit_output_accumulate
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=none
// expect: uninitialised space=global access=read count=32
extern "C" __global__ void k(const float* in, float* out) {
  out[threadIdx.x] += in[threadIdx.x]; // HERE
}

//// uninit_global_atomic
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[1]=none
// expect: uninitialised space=global
extern "C" __global__ void k(const float* in, float* out) {
  atomicAdd(out, in[threadIdx.x]); // HERE
}

//// uninit_global_last
// run: --grid 1 --block 64 --arg f32[64]=none --arg f32[64]=zero --arg i32=64
// expect: uninitialised space=global access=read count=1 thread=0,0,0
extern "C" __global__ void k(float* tmp, float* out, int n) {
  int t = threadIdx.x;
  if (t < n - 1) tmp[t] = t;
  __syncthreads();
  out[t] = tmp[n - 1 - t]; // HERE
}

//// uninit_local
// run: --grid 1 --block 8 --arg i32[8]=iota --arg i32[8]=zero --arg i32=8
// expect: uninitialised space=local access=read count=1 thread=0,0,0 allocation=a
// says: a[0] of 8, thread (0, 0, 0) of block (0, 0, 0): read of 4 bytes
extern "C" __global__ void k(const int* in, int* out, int n) {
  int a[8];
  for (int j = 1; j < n; ++j) a[j] = in[j];
  out[threadIdx.x] = a[in[threadIdx.x] & 7]; // HERE
}

//// uninit_heap
// run: --grid 1 --block 8 --arg i32[8]=zero
// expect: uninitialised access=read count=1 thread=0,0,0
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(8 * sizeof(int));
  for (int j = 1; j < 8; ++j) p[j] = j;
  out[threadIdx.x] = p[threadIdx.x]; // HERE
  free(p);
}

//// uninit_padding_column
// run: --grid 1 --block 16,16 --arg f32[256]=random --arg f32[256]=zero
// expect: uninitialised space=shared access=read count=16
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[16][17];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y + 1]; // HERE
}

//// ok_matrix_edges
// run: --grid 2,2 --block 16,16 --arg f32[900]=random --arg f32[900]=random --arg f32[900]=zero --arg i32=30
// expect: nothing
extern "C" __global__ void k(const float* a, const float* c, float* out, int n) {
  __shared__ float A[16][17], C[16][17];
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float s = 0;
  for (int t = 0; t < n; t += 16) {
    A[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
    C[y][x] = col < n && t + y < n ? c[(t + y) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) s += A[y][k] * C[k][x];
    __syncthreads();
  }
  if (row < n && col < n) out[row * n + col] = s;
}

//// uninit_reduce_odd
// run: --grid 1 --block 64 --arg f32[60]=random --arg f32[1]=zero --arg i32=60
// expect: uninitialised space=shared access=read count=4 thread=28,0,0
extern "C" __global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d]; // HERE
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

//// uninit_image_border
// run: --grid 1 --block 8,8 --arg f32[64]=none --arg f32[64]=zero --arg i32=8 --arg i32=8
// expect: uninitialised space=global access=read count=28
extern "C" __global__ void k(float* tmp, float* out, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) tmp[y * w + x] = 1;
  __syncthreads();
  out[y * w + x] = tmp[y * w + x]; // HERE
}
