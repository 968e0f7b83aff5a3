// Atomics on shared memory that ptxas turns into loops: one warp, one atomic, and what Nsight
// Compute counts.
//
//   nvcc -O3 -arch=sm_90 atomic_loops.cu -o atomic_loops
//   atomic_loops OFFSETS.txt     a launch of every kernel for every line: 32 element numbers, -1:
//                                the lane is off
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

constexpr int kElements = 1024;

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void add_f16(unsigned short* p) {
  unsigned short old;
  asm volatile("atom.shared.add.noftz.f16 %0, [%1], %2;"
               : "=h"(old)
               : "r"(shared_address(p)), "h"(static_cast<unsigned short>(0x3c00))
               : "memory");
}
__device__ void add_bf16(unsigned short* p) {
  unsigned short old;
  asm volatile("atom.shared.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(old)
               : "r"(shared_address(p)), "h"(static_cast<unsigned short>(0x3f80))
               : "memory");
}
__device__ void add_f16x2(unsigned* p) {
  unsigned old;
  asm volatile("atom.shared.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "r"(shared_address(p)), "r"(0x3c003c00u)
               : "memory");
}
__device__ void add_bf16x2(unsigned* p) {
  unsigned old;
  asm volatile("atom.shared.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(old)
               : "r"(shared_address(p)), "r"(0x3f803f80u)
               : "memory");
}

using u64 = unsigned long long;
using u16 = unsigned short;

#define PROBE(name, T, ...)                          \
  __global__ void name(const int* element, T* out) { \
    __shared__ T s[kElements];                       \
    const int i = element[threadIdx.x];              \
    if (i >= 0) {                                    \
      s[i] = T();                                    \
      __syncwarp(__activemask());                    \
      __VA_ARGS__;                                   \
    }                                                \
  }

PROBE(f32_add, float, atomicAdd(&s[i], 1.5f))
PROBE(f32_add_used, float, out[threadIdx.x] = atomicAdd(&s[i], 1.5f))
PROBE(f16x2_add, unsigned, add_f16x2(&s[i]))
PROBE(bf16x2_add, unsigned, add_bf16x2(&s[i]))
PROBE(half2_add, __half2, atomicAdd(&s[i], __float2half2_rn(1.f)))
PROBE(f16_add, u16, add_f16(&s[i]))
PROBE(bf16_add, u16, add_bf16(&s[i]))
PROBE(half_add, __half, atomicAdd(&s[i], __float2half(1.f)))
PROBE(half_add_used, __half, out[threadIdx.x] = atomicAdd(&s[i], __float2half(1.f)))
PROBE(f64_add, double, atomicAdd(&s[i], 1.5))
PROBE(f64_add_used, double, out[threadIdx.x] = atomicAdd(&s[i], 1.5))
PROBE(u64_add, u64, atomicAdd(&s[i], 3ull))
PROBE(u64_xor, u64, atomicXor(&s[i], 3ull))
PROBE(u64_or, u64, atomicOr(&s[i], 3ull << threadIdx.x))
PROBE(u64_max, u64, atomicMax(&s[i], 3ull + threadIdx.x))
PROBE(u64_exch, u64, out[threadIdx.x] = atomicExch(&s[i], 3ull))
PROBE(u16_cas, u16, out[threadIdx.x] = atomicCAS(&s[i], static_cast<u16>(0), static_cast<u16>(7)))

int main(int, char** arguments) {
  int* element = nullptr;
  void* out = nullptr;
  cudaMalloc(&element, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(u64));
  std::ifstream in(arguments[1]);
  for (std::string line; std::getline(in, line);) {
    int of_lane[32];
    std::istringstream numbers(line);
    for (int& i : of_lane) numbers >> i;
    cudaMemcpy(element, of_lane, sizeof of_lane, cudaMemcpyHostToDevice);
#define LAUNCH(name, T) name<<<1, 32>>>(element, static_cast<T*>(out))
    LAUNCH(f32_add, float);
    LAUNCH(f32_add_used, float);
    LAUNCH(f16x2_add, unsigned);
    LAUNCH(bf16x2_add, unsigned);
    LAUNCH(half2_add, __half2);
    LAUNCH(f16_add, u16);
    LAUNCH(bf16_add, u16);
    LAUNCH(half_add, __half);
    LAUNCH(half_add_used, __half);
    LAUNCH(f64_add, double);
    LAUNCH(f64_add_used, double);
    LAUNCH(u64_add, u64);
    LAUNCH(u64_xor, u64);
    LAUNCH(u64_or, u64);
    LAUNCH(u64_max, u64);
    LAUNCH(u64_exch, u64);
    LAUNCH(u16_cas, u16);
  }
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
