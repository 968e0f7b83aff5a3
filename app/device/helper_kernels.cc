#include "helper_kernels.h"

namespace warpshop::device {

// Each thread of warpshop_compare handles eight elements and their byte of the map, so no two
// threads write the same byte. `first` and `second` are the outputs of launches that started with
// the two poison values; both pointers are equal if nothing was poisoned. Without a second output,
// an element that shows only the poison counts as not written.
const char* const kHelperSource = R"cuda(
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct CompareCounters { u64 wrong; u64 first; u64 max_error_bits; };
struct GuardCounters { u64 changed; u64 first; };

__device__ bool written(const u8* first, const u8* second, u64 at, int size, u32 poison) {
  if (first == second) return true;
  if (second == 0) {
    for (int i = 0; i < size; ++i) {
      if (first[at + i] != (poison & 0xFF)) return true;
    }
    return false;
  }
  for (int i = 0; i < size; ++i) {
    if (first[at + i] != (poison & 0xFF) || second[at + i] != (poison >> 8)) continue;
    return false;
  }
  return true;
}

struct F16 {
  u16 bits;
  __device__ operator double() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
};
struct BF16 {
  u16 bits;
  __device__ operator double() const { return __uint_as_float((u32)bits << 16); }
};

template <typename T> __device__ bool is_nan(T) { return false; }
template <> __device__ bool is_nan<F16>(F16 x) { return (x.bits & 0x7FFF) > 0x7C00; }
template <> __device__ bool is_nan<BF16>(BF16 x) { return (x.bits & 0x7FFF) > 0x7F80; }
template <> __device__ bool is_nan<float>(float x) { return x != x; }
template <> __device__ bool is_nan<double>(double x) { return x != x; }

template <typename T>
__device__ void compare(const u8* expected, const u8* expected_again, const u8* got,
                        const u8* got_again, u64 count, double tolerance, double floor_magnitude,
                        u32 poison, u8* bits, CompareCounters* counters) {
  const u64 group = blockIdx.x * (u64)blockDim.x + threadIdx.x;
  const u64 begin = group * 8;
  if (begin >= count) return;
  const u64 end = begin + 8 < count ? begin + 8 : count;
  u32 map = 0;
  u32 wrong = 0;
  u64 first = 0;
  double max_error = 0;
  for (u64 i = begin; i < end; ++i) {
    const u64 at = i * sizeof(T);
    bool same = true;
    for (int b = 0; b < (int)sizeof(T); ++b) same = same && expected[at + b] == got[at + b];
    const bool got_written = written(got, got_again, at, sizeof(T), poison);
    if (same && got_written) continue;
    if (!written(expected, expected_again, at, sizeof(T), poison)) continue;
    if (got_written) {
      T want, have;
      for (int b = 0; b < (int)sizeof(T); ++b) {
        ((u8*)&want)[b] = expected[at + b];
        ((u8*)&have)[b] = got[at + b];
      }
      if (is_nan(want) && is_nan(have)) continue;
      const double error = fabs((double)have - (double)want);
      if (error <= 1.7976931348623157e308) max_error = fmax(max_error, error);
      if (tolerance > 0 && error <= tolerance * fmax(fabs((double)want), floor_magnitude)) continue;
    }
    map |= 1u << (i - begin);
    if (wrong == 0) first = i;
    ++wrong;
  }
  if (bits != 0) bits[group] = (u8)map;
  if (max_error > 0) atomicMax(&counters->max_error_bits, (u64)__double_as_longlong(max_error));
  if (wrong == 0) return;
  atomicAdd(&counters->wrong, (u64)wrong);
  atomicMin(&counters->first, first);
}

#define WARPSHOP_COMPARE(name, T)                                                                  \
  extern "C" __global__ void warpshop_compare_##name(                                              \
      const u8* expected, const u8* expected_again, const u8* got, const u8* got_again, u64 count, \
      double tolerance, double floor_magnitude, u32 poison, u8* bits, CompareCounters* counters) { \
    compare<T>(expected, expected_again, got, got_again, count, tolerance, floor_magnitude,        \
               poison, bits, counters);                                                            \
  }
WARPSHOP_COMPARE(u8, u8)
WARPSHOP_COMPARE(u16, u16)
WARPSHOP_COMPARE(i32, int)
WARPSHOP_COMPARE(u32, u32)
WARPSHOP_COMPARE(i64, i64)
WARPSHOP_COMPARE(f16, F16)
WARPSHOP_COMPARE(bf16, BF16)
WARPSHOP_COMPARE(f32, float)
WARPSHOP_COMPARE(f64, double)

extern "C" __global__ void warpshop_guard(const u8* zone, u64 count, u32 pattern,
                                          GuardCounters* counters) {
  u64 changed = 0, first = 0;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
       i += (u64)gridDim.x * blockDim.x) {
    if (zone[i] == pattern) continue;
    if (changed == 0) first = i;
    ++changed;
  }
  if (changed == 0) return;
  atomicAdd(&counters->changed, changed);
  atomicMin(&counters->first, first);
}

// Flushes L2 with reads, so that the timed kernel does not have to write back dirty lines.
extern "C" __global__ void warpshop_sweep(const uint4* data, u64 count, u32* sink) {
  u32 sum = 0;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
       i += (u64)gridDim.x * blockDim.x) {
    const uint4 v = data[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x12345678u) *sink = sum;
}

// A dependent chain of multiplications that the compiler cannot shorten, run by one lane.
extern "C" __global__ void warpshop_busy(u32 rounds, u32* sink) {
  if (threadIdx.x != 0) return;
  u32 x = rounds;
  for (u32 i = 0; i < rounds; ++i) x = x * 1664525u + (x >> 16);
  if (x == 0x12345678u) *sink = x;
}

__device__ u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

// kind: 0 bits (u32), 1 u8, 2 u16, 3 a 32-bit integer, 4 i64, 5 f32, 6 f64, 7 f16, 8 bf16;
// core/fill.h gives the formulas. Buffers do not repeat after 64 MiB: the words only need to be
// new.
extern "C" __global__ void warpshop_refill(u8* data, u64 count, u32 kind, u32 start) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
       i += (u64)gridDim.x * blockDim.x) {
    const u32 word = mix((u32)i + start);
    switch (kind) {
      case 0: ((u32*)data)[i] = mix((u32)i * 2654435761u + 12345u + start); break;
      case 1: data[i] = (u8)word; break;
      case 2: ((u16*)data)[i] = (u16)word; break;
      case 3: ((u32*)data)[i] = word; break;
      case 4: ((u64*)data)[i] = word; break;
      case 5: ((float*)data)[i] = (float)(word & 0xFFFF) / 65536.0f - 0.25f; break;
      case 6: ((double*)data)[i] = (double)(word & 0xFFFFFF) / 16777216.0 - 0.25; break;
      case 7: {
        const float value = (float)(word & 0xFF) / 256.0f - 0.25f;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(((u16*)data)[i]) : "f"(value));
        break;
      }
      case 8:  // 8 significant bits at most: exact
        ((u16*)data)[i] = __float_as_uint((float)(word & 0xFF) / 256.0f - 0.25f) >> 16;
        break;
    }
  }
}

extern "C" __global__ void warpshop_copy(const float4* from, float4* to, u64 count) {
  const u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

extern "C" __global__ void warpshop_empty() {}

// Node i points to node (i * a + c) mod count, which visits every node of a power of two because a
// is 1 modulo 4 and c is odd (Knuth, volume 2, 3.2.1.2). Consecutive nodes are far apart.
extern "C" __global__ void warpshop_make_chain(u8* data, u64 count, u32 stride) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
       i += (u64)gridDim.x * blockDim.x) {
    const u64 next = (i * 1664525u + 1013904223u) & (count - 1);
    *(u64*)(data + i * stride) = (u64)(data + next * stride);
  }
}

// Cycles that one lane takes for `steps` dependent loads.
extern "C" __global__ void warpshop_chase(const u8* data, u32 warm, u32 steps, u32 past_l1,
                                          u64* out) {
  if (threadIdx.x != 0) return;
  u64 p = (u64)data;
  long long begin, end;
  if (past_l1) {
    for (u32 i = 0; i < warm; ++i) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
    begin = clock64();
#pragma unroll 16
    for (u32 i = 0; i < steps; ++i) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
    end = p == 0 ? 0 : clock64();
  } else {
    for (u32 i = 0; i < warm; ++i) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p));
    begin = clock64();
#pragma unroll 16
    for (u32 i = 0; i < steps; ++i) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p));
    end = p == 0 ? 0 : clock64();
  }
  out[0] = (u64)(end - begin);
  out[1] = p;
}

// The same by array index, as kernels read shared memory.
extern "C" __global__ void warpshop_chase_shared(u32 steps, u64* out) {
  __shared__ u32 next[256];
  next[threadIdx.x] = (threadIdx.x + 33) & 255;
  __syncthreads();
  if (threadIdx.x != 0) return;
  u32 p = 0;
  const long long begin = clock64();
#pragma unroll 16
  for (u32 i = 0; i < steps; ++i) p = next[p];
  const long long end = p == 0xFFFFFFFFu ? 0 : clock64();
  out[0] = (u64)(end - begin);
  out[1] = p;
}
)cuda";

}  // namespace warpshop::device
