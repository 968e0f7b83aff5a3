// Questions about stores of words in L2, data that a grid reads again, and local memory, that other
// files here leave open:
//   words      stores of a word or two per lane, each lane in a row of its own: cycles of an L2 slice by the rows' distance, the order of the
//              warps, warps per SM, in L2 and beyond it, alone and beside a load of the same place of another buffer
//   transpose  naive transposes by blocks of 32 x 1 to 32 x 32 words of 4 and 8 bytes: stores alone and with the loads
//   again      rows of 4 KiB that each warp of one wave reads one to three times, through L1 (ca) or not (cg), with and without storing them
//   local      cycles of one load of local memory that some lanes have stored to a while before, by lanes, places and wait
//   stack      a stack per thread in local memory, as sequences of pushes and pops that differ between lanes or do not
//   kernels    binary search, chains of loads and sparse rows by the size of what is read
//   nvcc -O3 -std=c++17 -arch=sm_90 words.cu -o words && ./words > h200_words.jsonl
#include <cstdint>

#include "timing.h"
using u32 = uint32_t;
using u64 = uint64_t;

constexpr u64 kMiB = 1 << 20;
constexpr u32 kSegment = 256;  // bytes of a row that one thread walks
char* memory;                  // 1 GiB
double none_us;

__host__ __device__ u32 mix(u32 x) {
  x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
  return x;
}
__global__ void nothing() {}
template <class T>
__device__ T load(const T* at, bool through_l1) {
  T v;
  if constexpr (sizeof(T) == 4) {
    if (through_l1)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at));
    else
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at));
  } else {
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(v) : "l"(at));
  }
  return v;
}

// Rows `pitch` bytes apart; 32 consecutive rows per warp, a segment per thread. Consecutive warps
// take the next rows, or the next segments.
template <class T>
__global__ void words(const char* in, char* out, u32 rows, u32 pitch, u32 segments, bool rows_first,
                      bool reads, u32 rounds) {
  const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32,
            groups = rows / 32;
  const u32 row = (rows_first ? warp % groups : warp / segments) * 32 + lane,
            segment = rows_first ? warp / groups : warp % segments;
  const u64 at = u64(row) * pitch + segment * kSegment;
  for (u32 r = 0; r < rounds; ++r)
    for (u32 c = 0; c < kSegment; c += 4 * sizeof(T)) {
      T v[4];
#pragma unroll
      for (u32 k = 0; k < 4; ++k)
        v[k] = reads ? load(reinterpret_cast<const T*>(in + at + c) + k, true) : T(r);
#pragma unroll
      for (u32 k = 0; k < 4; ++k) reinterpret_cast<T*>(out + at + c)[k] = v[k];
    }
}
template <class T>
void words_of(u32 mib, u32 pitch, u32 pad, bool rows_first, bool reads, u32 shared) {
  const u32 rows = mib * u32(kMiB) / pitch, segments = pitch / kSegment, threads = rows * segments,
            rounds = mib <= 16 ? 4 : 1;
  CHECK(cudaFuncSetAttribute(words<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  const double us =
      median_us(
          [&] {
            words<T><<<threads / 256, 256, shared>>>(memory, memory + 512 * kMiB, rows, pitch + pad,
                                                     segments, rows_first, reads, rounds);
          },
          5) -
      none_us;
  const double each = double(threads) * kSegment / sizeof(T) * rounds;
  std::printf(
      "{\"bench\":\"words\",\"bytes\":%zu,\"mib\":%u,\"pitch\":%u,\"pad\":%u,\"next\":\"%s\","
      "\"reads\":%d,\"blocks_per_sm\":%d,\"us\":%.1f,\"slice_cycles\":%.2f}\n",
      sizeof(T), mib, pitch, pad, rows_first ? "rows" : "segments", reads, shared == 0 ? 8 : 2, us,
      us * 1709 * 94 / each);
}

template <class T>
__global__ void transpose(const T* in, T* out, u32 n, bool reads, u32 rounds) {
  const u32 x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (u32 r = 0; r < rounds; ++r)
    out[u64(x) * n + y] = reads ? load(in + u64(y) * n + x, true) : T(x + r);
}
template <class T>
void transpose_of(u32 n, u32 height, bool reads) {
  const u32 rounds = n <= 1024 ? 8 : 1;
  const double us = median_us(
                        [&] {
                          transpose<T><<<dim3(n / 32, n / height), dim3(32, height)>>>(
                              reinterpret_cast<T*>(memory),
                              reinterpret_cast<T*>(memory + 512 * kMiB), n, reads, rounds);
                        },
                        5) -
                    none_us;
  std::printf(
      "{\"bench\":\"transpose\",\"bytes\":%zu,\"n\":%u,\"height\":%u,\"reads\":%d,\"us\":%.1f,"
      "\"slice_cycles\":%.2f}\n",
      sizeof(T), n, height, reads, us, us * 1709 * 94 / (double(n) * n * rounds));
}

__global__ void __launch_bounds__(256)
    again(const u32* in, u32* out, u32 passes, bool ca, bool stores) {
  const u64 row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const u32* at = in + row * 1024 + threadIdx.x % 32;
  u32 sum = 0;
  for (u32 p = 0; p < passes; ++p) {
    const bool last = stores && p + 1 == passes;
    for (u32 c = 0; c < 32; c += 4) {
      u32 v[4];
#pragma unroll
      for (u32 k = 0; k < 4; ++k) v[k] = load(at + (c + k) * 32, ca);
#pragma unroll
      for (u32 k = 0; k < 4; ++k) sum += v[k];
      if (last)
#pragma unroll
        for (u32 k = 0; k < 4; ++k) out[row * 1024 + (c + k) * 32 + threadIdx.x % 32] = v[k] + sum;
    }
    sum += __shfl_xor_sync(~0u, sum, 1);
  }
  if (sum == 12345) *out = sum;
}

// One warp: the lanes of `mask` store at their places, wait, and load from there; the third of
// three rounds with fresh places counts.
__global__ void local(u32* cycles, u32 mask, u32 apart, u32 wait, u32 second, u32 seed) {
  u32 s[256];
  u32 sum = 0, took = 0;
  const u32 lane = threadIdx.x % 32;
  for (u32 round = 0; round < 3; ++round) {
    const u32 i = (seed + round * 67 + lane * apart) & 255;
    if (mask >> lane & 1) s[i] = seed + round;
    if (second != 0) {  // those of `second` store there, too, a while later
      const long long until = clock64() + 200;
      while (clock64() < until) {
      }
      if (second >> lane & 1) s[i] = seed + round + 1;
    }
    const long long until = clock64() + wait;
    while (clock64() < until) {
    }
    __syncwarp();
    const long long from = clock64();
    u32 v = 0;
    if (mask >> lane & 1) v = *reinterpret_cast<volatile u32*>(s + i);
    if (v == 0x7fffffff) asm volatile("trap;");  // the clock is read after the data has arrived
    took = u32(clock64() - from);
    sum += v;
    __syncwarp();
  }
  if (sum == 12345) cycles[40] = sum;
  if (lane == __ffs(int(mask)) - 1) *cycles = took;
}

// how: 0 by each lane's own chance; 1 by the warp's; 2 each lane pushes and pops in turns at the
// place of its own chance.
template <int how>
__global__ void __launch_bounds__(128) stack(const u32* in, u32* out, u32 steps) {
  u32 s[32];
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 x = in[how == 1 ? i / 32 : i], top = how == 2 ? mix(i) % 16 : 0, sum = 0;
  for (u32 k = 0; k < steps; ++k) {
    x = mix(x);
    const bool push = how == 2 ? k % 2 == 0 : (x & 1) != 0;
    if (push && top < 32) s[top++] = x;
    if (!push && top > 0) sum += s[--top];
  }
  out[i] = sum;
}

__global__ void fill(u32* at, bool counts) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  at[i] = counts ? i : mix(i);
}
__global__ void search(const u32* keys, u32* out, int count) {
  u32 wanted = mix(blockIdx.x * blockDim.x + threadIdx.x) % count;
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = low;
}
__global__ void chains(const u32* next, u32* out, int mask) {
  u32 at = (blockIdx.x * blockDim.x + threadIdx.x) & mask;
  for (int k = 0; k < 64; ++k) at = next[at] & mask;
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void sparse(const u32* columns, const float* values, const float* x, float* y, int rows,
                       int mask, int most) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  const int count = 1 + mix(r) % most;
  float sum = 0;
  for (int k = lane; k < count; k += 32)
    sum += values[size_t(r) * most + k] * x[columns[size_t(r) * most + k] & mask];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0) y[r] = sum;
}

// One launch each for Nsight Compute, in this order; each twice, the second counts.
void counted() {
  auto* in = reinterpret_cast<u32*>(memory);
  auto* out = reinterpret_cast<u32*>(memory + 512 * kMiB);
  fill<<<32768, 256>>>(in, false);
  for (const u32 pitch : {1024u, 4096u})
    for (const bool reads : {false, true})
      for (int k = 0; k < 2; ++k)
        words<u32><<<1024, 256>>>(memory, memory + 512 * kMiB, 65536 / (pitch / 256) * 4, pitch,
                                  pitch / kSegment, true, reads, 1);
  for (const u32 height : {4u, 32u})
    for (int k = 0; k < 2; ++k)
      transpose<u32><<<dim3(128, 4096 / height), dim3(32, height)>>>(in, out, 4096, true, 1);
  for (const bool stores : {false, true})
    for (int k = 0; k < 2; ++k) again<<<1024, 256>>>(in, out, 3, true, stores);
  for (int k = 0; k < 2; ++k) stack<0><<<2048, 128>>>(in, out, 64);
  for (int k = 0; k < 2; ++k) stack<1><<<2048, 128>>>(in, out, 64);
  for (int k = 0; k < 2; ++k) stack<2><<<2048, 128>>>(in, out, 64);
  for (int k = 0; k < 2; ++k) chains<<<256, 256>>>(in, out, (1 << 23) - 1);
  fill<<<65536, 256>>>(in, true);
  for (int k = 0; k < 2; ++k) search<<<1024, 256>>>(in, out, 1 << 20);
  CHECK(cudaDeviceSynchronize());
}

int main(int argc, char**) {
  CHECK(cudaMalloc(&memory, 1024 * kMiB));
  CHECK(cudaMemset(memory, 0, 1024 * kMiB));
  if (argc > 1) return counted(), 0;
  none_us = median_us([] { nothing<<<132, 256>>>(); }, 21);
  std::printf("{\"bench\":\"empty\",\"us\":%.2f}\n", none_us);
  for (const u32 shared : {0u, 100u << 10})
    for (const u32 mib : {16u, 64u})
      for (const bool reads : {false, true})
        for (const u32 pitch : {256u, 1024u, 4096u, 16384u})
          for (const u32 pad : {0u, 128u, 1152u}) {
            if (shared != 0 && pad == 1152) continue;
            for (const bool rows_first : {true, false}) {
              if (pitch == 256 && !rows_first) continue;
              words_of<u32>(mib, pitch, pad, rows_first, reads, shared);
              if (pad != 1152 && shared == 0)
                words_of<u64>(mib, pitch, pad, rows_first, reads, shared);
            }
          }
  for (const u32 n : {1024u, 4096u})
    for (const bool reads : {false, true})
      for (const u32 height : {1u, 2u, 4u, 8u, 16u, 32u}) {
        transpose_of<u32>(n, height, reads);
        transpose_of<u64>(n == 4096 ? 2048 : n, height, reads);
      }
  auto* out = reinterpret_cast<u32*>(memory + 512 * kMiB);
  auto* in = reinterpret_cast<u32*>(memory);
  for (const bool stores : {false, true})
    for (const bool ca : {false, true})
      for (const u32 mib : {8u, 16u, 20u, 24u, 28u, 32u, 36u, 40u, 48u, 64u})
        for (u32 passes = 1; passes <= 3; ++passes)
          std::printf(
              "{\"bench\":\"again\",\"mib\":%u,\"passes\":%u,\"ca\":%d,\"stores\":%d,\"us\":%.2f}"
              "\n",
              mib, passes, ca, stores,
              median_us([&] { again<<<mib * 32, 256>>>(in, out, passes, ca, stores); }, 11) -
                  none_us);
  for (const u32 second : {0u, 0xffffffffu})
    for (const u32 mask : {0xffffffffu, 0x55555555u, 0x11111111u, 0x01010101u, 1u})
      for (const u32 apart : {0u, 1u, 7u})
        for (const u32 wait : {0u, 60u, 200u, 1000u, 4000u}) {
          if (second != 0 && wait != 200) continue;
          const u32 also = second == 0 ? 0 : ~mask == 0 ? mask : ~mask;
          u32 took[3];
          for (u32 seed = 0; seed < 3; ++seed) {
            local<<<1, 32>>>(out, mask, apart, wait, also, seed * 5);
            CHECK(cudaMemcpy(took + seed, out, 4, cudaMemcpyDeviceToHost));
          }
          std::printf(
              "{\"bench\":\"local\",\"mask\":\"%08x\",\"apart\":%u,\"wait\":%u,\"second\":\"%08x\","
              "\"cycles\":[%u,%u,%u]}\n",
              mask, apart, wait, also, took[0], took[1], took[2]);
        }
  fill<<<32768, 256>>>(in, false);
  CHECK(cudaDeviceSynchronize());
  for (const u32 blocks : {1u, 132u, 528u, 2048u})
    for (const u32 steps : {64u, 256u})
      std::printf(
          "{\"bench\":\"stack\",\"blocks\":%u,\"steps\":%u,\"us_lane\":%.2f,\"us_warp\":%.2f,\"us_"
          "turns\":%.2f}\n",
          blocks, steps, median_us([&] { stack<0><<<blocks, 128>>>(in, out, steps); }, 7) - none_us,
          median_us([&] { stack<1><<<blocks, 128>>>(in, out, steps); }, 7) - none_us,
          median_us([&] { stack<2><<<blocks, 128>>>(in, out, steps); }, 7) - none_us);
  for (u32 log = 12; log <= 23; ++log)
    std::printf("{\"bench\":\"chains\",\"log_words\":%u,\"us\":%.2f}\n", log,
                median_us([&] { chains<<<256, 256>>>(in, out, (1 << log) - 1); }, 7) - none_us);
  for (const int rows : {16384, 32768, 49152, 65536, 131072})
    for (const u32 log : {10u, 14u, 20u})
      std::printf("{\"bench\":\"sparse\",\"rows\":%d,\"log_words\":%u,\"us\":%.2f}\n", rows, log,
                  median_us(
                      [&] {
                        sparse<<<rows / 4, 128>>>(in, reinterpret_cast<float*>(memory + 256 * kMiB),
                                                  reinterpret_cast<float*>(memory + 400 * kMiB),
                                                  reinterpret_cast<float*>(out), rows,
                                                  (1 << log) - 1, 64);
                      },
                      7) -
                      none_us);
  fill<<<65536, 256>>>(in, true);
  for (u32 log = 8; log <= 24; log += 2)
    std::printf("{\"bench\":\"search\",\"log_words\":%u,\"us\":%.2f}\n", log,
                median_us([&] { search<<<1024, 256>>>(in, out, 1 << log); }, 7) - none_us);
  return 0;
}
