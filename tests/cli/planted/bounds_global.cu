// Indices that leave a buffer, and pointers that lead nowhere. See ../planted_test.cc.

//// oob_row_end
// run: --grid 3,2 --block 8,8 --arg f32[200]=random --arg f32[200]=zero --arg i32=20 --arg i32=10
// expect: out-of-bounds space=global count=1 block=2,1,0 thread=3,1,0 access=read distance_bytes=4 allocation=in
// says: directly after the end
extern "C" __global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = in[y * w + x] - in[y * w + x + 1]; // HERE
}

//// ok_row_end
// run: --grid 3,2 --block 8,8 --arg f32[200]=random --arg f32[200]=zero --arg i32=20 --arg i32=10
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = x + 1 < w ? in[y * w + x] - in[y * w + x + 1] : in[y * w + x];
}

//// oob_wrong_pitch
// run: --grid 16 --block 32 --arg f32[512]=random --arg f32[512]=zero --arg i32=32 --arg i32=33
// expect: out-of-bounds space=global access=write block=15,0,0 thread=17,0,0 count=15
// says: directly after the end
extern "C" __global__ void k(const float* in, float* out, int w, int pitch) {
  int x = threadIdx.x, y = blockIdx.x;
  float v = in[y * w + x];
  out[y * pitch + x] = v; // HERE
}

//// oob_guard_swapped
// run: --grid 2,2 --block 16,16 --arg f32[600]=random --arg f32[600]=zero --arg i32=30 --arg i32=20
// expect: out-of-bounds space=global access=read
extern "C" __global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < h && y < w)
    out[y * w + x] = in[y * w + x]; // HERE
}

//// oob_unsigned_wrap
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: out-of-bounds space=global access=read thread=0,0,0 count=1
extern "C" __global__ void k(const float* in, float* out) {
  unsigned i = threadIdx.x;
  out[i] = in[i - 1]; // HERE
}

//// oob_int_overflow
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero --arg i32=1073741824
// expect: out-of-bounds space=global access=read
extern "C" __global__ void k(const float* in, float* out, int stride) {
  int i = threadIdx.x * stride;
  out[threadIdx.x] = in[i]; // HERE
}

//// oob_float4_tail
// run: --grid 1 --block 32 --arg f32[102]=random --arg f32[104]=zero --arg i32=102
// expect: out-of-bounds space=global access=read thread=25,0,0 count=1 distance_bytes=8 allocation=in
// says: 16 bytes
extern "C" __global__ void k(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i < n)
    out[i] = in[i]; // HERE
}

//// oob_histogram
// run: --grid 1 --block 64 --arg u32[64]=random --arg u32[16]=zero
// expect: out-of-bounds space=global access=atomic
// says: directly after the end
extern "C" __global__ void k(const unsigned* in, unsigned* bins) {
  atomicAdd(&bins[in[threadIdx.x] % 17], 1u); // HERE
}

//// ok_histogram
// run: --grid 1 --block 64 --arg u32[64]=random --arg u32[16]=zero
// expect: nothing
extern "C" __global__ void k(const unsigned* in, unsigned* bins) {
  atomicAdd(&bins[in[threadIdx.x] % 16], 1u);
}

//// oob_bytes_for_elements
// run: --grid 4 --block 64 --arg f32[64]=zero --arg i32=64
// expect: out-of-bounds space=global access=write count=192 block=1,0,0 thread=0,0,0
extern "C" __global__ void k(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * (int)sizeof(float)) out[i] = 1.0f; // HERE
}

//// oob_stride_loop
// run: --grid 1 --block 32 --arg f32[96]=random --arg f32[96]=zero --arg i32=96
// expect: out-of-bounds space=global thread=0,0,0 count=1
extern "C" __global__ void k(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i <= n; i += blockDim.x)
    out[i] = in[i] * 2; // HERE
}

//// oob_stencil_left
// run: --grid 2 --block 32 --arg f32[64]=random --arg f32[64]=zero
// expect: out-of-bounds space=global access=read count=2 distance_bytes=-8 allocation=in block=0,0,0 thread=0,0,0
// says: 8 bytes before
extern "C" __global__ void k(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + in[i - 2]; // HERE
}

//// oob_cas_lock_array
// run: --grid 1 --block 17 --arg i32[16]=zero --arg i32[16]=zero
// expect: out-of-bounds space=global access=atomic thread=16,0,0 and_others
extern "C" __global__ void k(int* locks, int* out) {
  int bin = threadIdx.x;
  while (atomicCAS(&locks[bin], 0, 1) != 0) {} // HERE
  out[bin % 16] += 1;
  __threadfence();
  atomicExch(&locks[bin], 0); // HERE
}

//// oob_into_next_buffer
// run: --grid 1 --block 32 --arg f32[128]=zero --arg f32[32]=zero --arg i32=128
// expect: out-of-bounds space=global access=write count=32 thread=0,0,0 distance_bytes=4 allocation=a
extern "C" __global__ void k(float* a, float* b2, int n) {
  a[threadIdx.x + n] = 1.0f; // HERE
  b2[threadIdx.x] = 2.0f;
}

//// oob_transposed_rectangle
// run: --grid 3,2 --block 16,16 --arg f32[1536]=random --arg f32[1536]=zero --arg i32=48 --arg i32=32
// expect: out-of-bounds space=global access=write allocation=out and_others
extern "C" __global__ void k(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) out[x * w + y] = in[y * w + x]; // HERE
}

//// oob_noinline
// run: --grid 1 --block 32 --arg f32[62]=random --arg f32[32]=zero
// expect: out-of-bounds space=global access=read count=1 thread=31,0,0
__device__ __noinline__ float at(const float* p, int i) {
  return p[i]; // HERE
}
extern "C" __global__ void k(const float* in, float* out) {
  out[threadIdx.x] = at(in, threadIdx.x * 2);
}

//// oob_device_array
// run: --grid 1 --block 1 --arg f32[32]=zero --arg i32=16
// expect: out-of-bounds space=global access=write distance_bytes=4 allocation=table
// says: table
__device__ float table[16];
__device__ float next[16];
extern "C" __global__ void k(float* out, int n) {
  for (int j = 0; j <= n; ++j) table[j] = j; // HERE
  out[threadIdx.x] = table[threadIdx.x & 15] + next[0];
}

//// oob_pointer_cut
// run: --grid 1 --block 32 --arg f32[32]=zero
// expect: out-of-bounds space=global access=write
extern "C" __global__ void k(float* p) {
  float* q = (float*)(unsigned long long)(unsigned)(unsigned long long)p;
  q[threadIdx.x] = 1.0f; // HERE
}

//// null_atomic
// run: --grid 1 --block 32 --arg ptr=0
// expect: out-of-bounds space=global access=atomic
// says: null
extern "C" __global__ void k(int* p) {
  atomicAdd(p + threadIdx.x, 1); // HERE
}

//// null_struct_member
// run: --grid 1 --block 1 --arg ptr=0 --arg i32[1]=zero
// expect: out-of-bounds space=global access=read
// says: null
struct N { int a, b, c; N* next; };
extern "C" __global__ void k(N* p, int* out) {
  out[threadIdx.x] = p->c; // HERE
}

//// null_malloc_fails
// run: --grid 1 --block 1 --arg i32[1]=zero
// expect: out-of-bounds
// says: null
extern "C" __global__ void k(int* out) {
  int* p = (int*)malloc(size_t(1) << 40);
  p[threadIdx.x] = 3; // HERE
  out[threadIdx.x] = p[0]; // HERE
  free(p);
}

//// oob_grid_too_large
// run: --grid 3 --block 100 --arg f32[250]=zero
// expect: out-of-bounds space=global access=write count=50 block=2,0,0 thread=50,0,0
extern "C" __global__ void k(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1; // HERE
}

//// oob_char_store
// run: --grid 1 --block 8 --arg u8[24]=zero --arg i32=1
// expect: nothing
extern "C" __global__ void k(unsigned char* out, int n) {
  out[threadIdx.x * 3 + 2] = 1; // HERE
}

//// oob_char_store2
// run: --grid 1 --block 8 --arg u8[24]=zero --arg i32=1
// expect: out-of-bounds space=global access=write count=1 thread=7,0,0 allocation=out
extern "C" __global__ void k(unsigned char* out, int n) {
  out[threadIdx.x * 3 + 3] = 1; // HERE
}

//// oob_3d
// run: --grid 1,1,2 --block 8,4,4 --arg f32[224]=zero --arg i32=8 --arg i32=4 --arg i32=7
// expect: out-of-bounds space=global access=write count=32 block=0,0,1 thread=0,0,3 distance_bytes=4 allocation=v
extern "C" __global__ void k(float* v, int nx, int ny, int nz) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z + blockIdx.z * 4;
  if (x < nx && y < ny) v[(z * ny + y) * nx + x] = 1; // HERE
}

//// oob_lands_in_another_buffer
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[4096]=zero --arg i32=1152
// expect: out-of-bounds space=global access=read allocation=in distance_bytes=4484 thread=0,0,0
// says: in[1152] of 32, thread (0, 0, 0) of block (0, 0, 0)
extern "C" __global__ void k(const float* in, float* out, int shift) {
  out[threadIdx.x] = in[threadIdx.x + shift]; // HERE
}

//// oob_through_a_length_of_64_bits
// run: --grid 1 --block 32 --arg f32[4096]=zero --arg f32[32]=random --arg i64=1152
// expect: out-of-bounds space=global access=read allocation=in distance_bytes=-4608
// says: in[-1152] of 32
extern "C" __global__ void k(float* out, const float* in, size_t shift) {
  out[threadIdx.x] = in[threadIdx.x - shift]; // HERE
}

//// ok_pointers_that_change_places
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero --arg i32=3
// expect: nothing
extern "C" __global__ void k(float* a, float* b, int turns) {
  for (int t = 0; t < turns; ++t) {
    b[threadIdx.x] = a[threadIdx.x] + 1;
    float* other = a;
    a = b;
    b = other;
  }
}

//// ok_one_pointer_by_its_distance_to_another
// run: --grid 1 --block 32 --arg f32[32]=random --arg f32[32]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) {
  long long way = (const char*)out - (const char*)in;
  *(float*)((char*)in + way + 4 * threadIdx.x) = in[threadIdx.x];
}

//// ok_pointers_in_a_struct
// run: --grid 1 --block 32 --arg f32[64]=random --arg f32[64]=zero
// expect: nothing
struct Pair {
  const float* in;
};
extern "C" __global__ void k(Pair p, float* out) { out[threadIdx.x] = p.in[threadIdx.x + 32]; }
