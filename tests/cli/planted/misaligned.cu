// Wide accesses at addresses that are no multiple of their size. See ../planted_test.cc.

//// mis_float4_row
// run: --grid 1 --block 8,4 --arg f32[132]=random --arg f32[32]=zero --arg i32=33
// expect: misaligned space=global access=read count=24 thread=0,1,0
// cause: a multiple of 16
extern "C" __global__ void k(const float* in, float* out, int w) {
  int x = threadIdx.x, y = threadIdx.y;
  float4 v = *reinterpret_cast<const float4*>(in + y * w + 4 * x); // HERE
  out[y * 8 + x] = v.x + v.y + v.z + v.w;
}

//// mis_int_in_bytes
// run: --grid 1 --block 8 --arg u8[64]=random --arg i32[8]=zero
// expect: misaligned space=global access=read count=8
extern "C" __global__ void k(const unsigned char* in, int* out) {
  out[threadIdx.x] = *(const int*)(in + 1 + 4 * threadIdx.x); // HERE
}

//// mis_shared_double
// run: --grid 1 --block 16 --shared 512 --arg f32[16]=random --arg f32[16]=zero --arg i32=7
// expect: misaligned space=shared access=write and_others
extern "C" __global__ void k(const float* in, float* out, int n) {
  extern __shared__ float s[];
  double* d = (double*)(s + n);
  s[threadIdx.x % n] = in[0];
  d[threadIdx.x] = in[threadIdx.x]; // HERE
  __syncthreads();
  out[threadIdx.x] = s[0] + (float)d[threadIdx.x]; // HERE
}

//// ok_shared_double
// run: --grid 1 --block 16 --shared 512 --arg f32[16]=random --arg f32[16]=zero --arg i32=8
// expect: nothing
extern "C" __global__ void k(const float* in, float* out, int n) {
  extern __shared__ float s[];
  double* d = (double*)(s + n);
  if (threadIdx.x == 0) s[0] = in[0];
  d[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0] + (float)d[threadIdx.x];
}

//// mis_local
// run: --grid 1 --block 8 --arg u8[64]=random --arg i32[8]=zero --arg i32=3
// expect: misaligned space=local access=read
extern "C" __global__ void k(const unsigned char* in, int* out, int o) {
  unsigned char a[16];
  for (int j = 0; j < 16; ++j) a[j] = in[j];
  out[threadIdx.x] = *(int*)(a + o); // HERE
}

//// mis_atomic64
// run: --grid 1 --block 8 --arg u32[8]=random
// expect: misaligned space=global access=atomic count=8
extern "C" __global__ void k(unsigned* p) {
  atomicAdd((unsigned long long*)(p + 1), 1ull); // HERE
}

//// mis_float2_odd
// run: --grid 1 --block 16 --arg f32[64]=random --arg f32[32]=zero --arg i32=1
// expect: misaligned space=global access=read count=16
extern "C" __global__ void k(const float* in, float2* out, int shift) {
  out[threadIdx.x] = *(const float2*)(in + 2 * threadIdx.x + shift); // HERE
}

//// mis_store_half_row
// run: --grid 1 --block 4,4 --arg f32[72]=zero --arg i32=18
// expect: misaligned space=global access=write count=8 thread=0,1,0
extern "C" __global__ void k(float* out, int pitch) {
  *(float4*)(out + threadIdx.y * pitch + 4 * threadIdx.x) = make_float4(1, 2, 3, 4); // HERE
}
