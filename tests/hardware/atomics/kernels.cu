// Atomics on shared memory by many warps: words of their own, words at random, few words. 1,056
// blocks of 256 threads, n = 64.
#include <cstdio>
template <class T, int kMode>
__device__ void body(T* out, int n) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = T(0);
  __syncthreads();
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    x = x * 1664525u + 1013904223u;
    unsigned at = kMode == 0   ? threadIdx.x
                  : kMode == 1 ? (x >> 16) % 1024
                  : kMode == 2 ? (x >> 16) % 32
                               : (x >> 16) % 2;
    atomicAdd(&s[at], T(1.5));
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void f32_own(float* out, int n) { body<float, 0>(out, n); }
extern "C" __global__ void f32_r1024(float* out, int n) { body<float, 1>(out, n); }
extern "C" __global__ void f32_r32(float* out, int n) { body<float, 2>(out, n); }
extern "C" __global__ void f32_r2(float* out, int n) { body<float, 3>(out, n); }
extern "C" __global__ void f64_own(double* out, int n) { body<double, 0>(out, n); }
extern "C" __global__ void f64_r1024(double* out, int n) { body<double, 1>(out, n); }
extern "C" __global__ void f64_r32(double* out, int n) { body<double, 2>(out, n); }
extern "C" __global__ void u32_r32(unsigned* out, int n) { body<unsigned, 2>(out, n); }
