// Divisions by zero. See ../planted_test.cc.

//// division_by_zero
// run: --grid 2 --block 32 --arg i32[64]=zero --arg i32[64]=zero --arg i32=64
// expect: division-by-zero count=64 block=0,0,0 thread=0,0,0
// says: 0 / 0, thread (0, 0, 0) of block (0, 0, 0)
extern "C" __global__ void k(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i / in[i]; // HERE
}

//// remainder_by_zero_of_one_thread
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=zero
// expect: division-by-zero count=1 block=0,0,0 thread=0,0,0
// says: 7 % 0
extern "C" __global__ void k(const int* in, int* out) {
  out[threadIdx.x] = 7 % in[threadIdx.x]; // HERE
}

//// division_of_64_bits
// run: --grid 1 --block 32 --arg i64[32]=zero --arg i64[32]=zero
// expect: division-by-zero count=32
extern "C" __global__ void k(const long long* in, long long* out) {
  out[threadIdx.x] = (1ll << 40) / in[threadIdx.x]; // HERE
}

//// ok_guarded_division
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=zero
// expect: nothing
extern "C" __global__ void k(const int* in, int* out) {
  int d = in[threadIdx.x];
  out[threadIdx.x] = d != 0 ? 100 / d : 0;
}

//// ok_guarded_remainder_of_64_bits
// run: --grid 1 --block 64 --arg i64[64]=iota --arg i64[64]=zero
// expect: nothing
extern "C" __global__ void k(const unsigned long long* in, unsigned long long* out) {
  unsigned long long d = in[threadIdx.x];
  if (d > 3) out[threadIdx.x] = (1ull << 40) % d;
}

//// ok_division_of_floats
// run: --grid 1 --block 32 --arg f32[32]=zero --arg f32[32]=zero
// expect: nothing
extern "C" __global__ void k(const float* in, float* out) { out[threadIdx.x] = 1.0f / in[threadIdx.x]; }
