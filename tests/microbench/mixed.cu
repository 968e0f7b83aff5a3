// Four questions about the memory path of an H100 or H200, one table each:
//   partial    do stores of parts of sectors overlap with reads in L2, as stores of whole sectors
//              do ("gather" in scattered.cu)?
//   mixed      how long does L2 take for whole lines read and written in a steady state, by their
//              ratio (windows of 4 MiB each stay in L2)?
//   holds      how much of a buffer does L2 still hold when it is read or copied again: in order
//              and in no order, 20 to 60 MiB
//   conflicts  shared loads with 32-way conflicts beside global loads and stores: cycles of an SM
//              per tile of 32 x 32 words
//   nvcc -O3 -std=c++17 -arch=sm_90 mixed.cu -o mixed && ./mixed > h200_mixed.jsonl
#include <cstdint>

#include "timing.h"
using u32 = uint32_t;
using u64 = uint64_t;

constexpr u64 kMiB = 1 << 20;
char* memory;  // 2 GiB
double none_us;

__device__ u32 mix(u32 x) {
  x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
  return x;
}
__global__ void nothing() {}

// A random word of a window read by each thread. Every thread of a warp whose lane is a multiple of
// `step` also writes a word: step 8 is a word in each sector of a line, 32 one word of a line; 0
// writes nothing, 1 whole lines.
__global__ void partial(const u32* window, u32 mask, u32* out, u32 step, bool reads) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const u32 v = reads ? window[mix(i) & mask] : i;
  if (step == 0 ? v == 0xffffffff : threadIdx.x % step == 0) out[i & 0xffffff] = v;
}

// Each warp reads and writes so many times 512 bytes (4 lines each) of two windows in L2 per round.
template <int reads, int writes>
__global__ void __launch_bounds__(512) mixed(const float4* in, float4* out, u32 mask, u32 rounds) {
  const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float4 sum = {};
  for (u32 r = 0; r < rounds; ++r) {
    const u32 at = (mix(warp) + r * 4201) * 128 & mask;  // in float4: 2 KiB
    float4 v[reads > 0 ? reads : 1];
#pragma unroll
    for (int k = 0; k < reads; ++k) v[k] = __ldcg(in + at + k * 32 + lane);
#pragma unroll
    for (int k = 0; k < writes; ++k) out[at + k * 32 + lane] = make_float4(r, k, 0, 0);
#pragma unroll
    for (int k = 0; k < reads; ++k) sum.x += v[k].x;
  }
  if (sum.x == 12345) *out = sum;
}
template <int reads, int writes>
void mixture() {
  constexpr u32 kRounds = 400, kWarps = 132 * 64;
  auto* in = reinterpret_cast<float4*>(memory);
  auto* out = reinterpret_cast<float4*>(memory + (1 << 30));
  const double us =
      median_us(
          [&] {
            mixed<reads, writes><<<kWarps / 16, 512>>>(in, out, (4u << 20) / 16 - 1 - 127, kRounds);
          },
          5) -
      none_us;
  const double lines = double(kWarps) * kRounds * 4;
  std::printf(
      "{\"bench\":\"mixed\",\"reads\":%d,\"writes\":%d,\"us\":%.2f,\"lines_read_per_ns\":%.1f,"
      "\"lines_written_per_ns\":%.1f}\n",
      reads, writes, us, reads * lines / us / 1e3, writes * lines / us / 1e3);
}

__global__ void read_all(const float4* in, u32* out) {
  const float4 v = in[size_t(blockIdx.x) * blockDim.x + threadIdx.x];
  if (v.x == 12345) *out = 1;
}
__global__ void copy_all(const float4* in, float4* out) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void read_random(const u32* in, u32 words, u32* out) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[u64(mix(i)) * words >> 32] == 12345) *out = 1;
}

// A tile of 32 x 32 words: loaded row by row, stored in shared memory, read by columns, stored.
// pitch 32: 32-way conflicts; 33: none.
template <int pitch, bool barrier, bool loads, bool stores>
__global__ void __launch_bounds__(256) tile(const float* in, float* out) {
  __shared__ float words[32 * pitch];
  const u32 x = threadIdx.x % 32, y = threadIdx.x / 32;
  const float* from = in + size_t(blockIdx.x) * 1024;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = loads ? from[(y + 8 * k) * 32 + x] : float(x + k);
#pragma unroll
  for (int k = 0; k < 4; ++k) words[(y + 8 * k) * pitch + x] = v[k];
  if (barrier) __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float w = words[x * pitch + y + 8 * k];
    if (stores) out[size_t(blockIdx.x) * 1024 + (y + 8 * k) * 32 + x] = w;
    sum += w;
  }
  if (sum == 12345) out[0] = sum;
}
template <int pitch, bool barrier, bool loads, bool stores>
void tiles(const char* what) {
  constexpr u32 kTiles = 132 * 256;  // 138 MB
  auto* in = reinterpret_cast<float*>(memory);
  auto* out = reinterpret_cast<float*>(memory + (1 << 30));
  const double us =
      median_us([&] { tile<pitch, barrier, loads, stores><<<kTiles, 256>>>(in, out); }, 7) -
      none_us;
  std::printf(
      "{\"bench\":\"conflicts\",\"what\":\"%s\",\"pitch\":%d,\"barrier\":%d,\"us\":%.2f,\"cycles_a_"
      "tile\":%.0f}\n",
      what, pitch, barrier, us, us * 1980 / (kTiles / 132));
}

int main() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaMalloc(&memory, 2048 * kMiB));
  CHECK(cudaMemset(memory, 0, 2048 * kMiB));
  none_us = median_us([] { nothing<<<1, 32>>>(); }, 21);
  std::printf("{\"bench\":\"gpu\",\"name\":\"%s\",\"empty_us\":%.2f}\n", p.name, none_us);
  auto* words = reinterpret_cast<u32*>(memory);
  auto* out = reinterpret_cast<u32*>(memory + 1024 * kMiB);
  for (u32 mib : {1, 8})
    for (bool reads : {true, false})
      for (u32 step : {0, 1, 4, 8, 32}) {
        if (!reads && step == 0) continue;
        const double us =
            median_us(
                [&] { partial<<<65536, 256>>>(words, mib * u32(kMiB) / 4 - 1, out, step, reads); },
                7) -
            none_us;
        std::printf("{\"bench\":\"partial\",\"mib\":%u,\"reads\":%d,\"step\":%u,\"us\":%.2f}\n",
                    mib, reads, step, us);
      }
  mixture<1, 0>();
  mixture<2, 0>();
  mixture<4, 0>();
  mixture<4, 1>();
  mixture<3, 1>();
  mixture<2, 1>();
  mixture<1, 1>();
  mixture<2, 2>();
  mixture<1, 2>();
  mixture<0, 1>();
  mixture<0, 2>();
  for (u32 mib = 20; mib <= 60; mib += 2) {
    const u32 blocks = mib * u32(kMiB) / 16 / 256, words_in = mib * u32(kMiB) / 4;
    auto* in4 = reinterpret_cast<float4*>(memory);
    const double reads = median_us([&] { read_all<<<blocks, 256>>>(in4, out); }, 11) - none_us;
    const double copies =
        median_us(
            [&] {
              copy_all<<<blocks / 2, 256>>>(in4, reinterpret_cast<float4*>(memory + 1024 * kMiB));
            },
            11) -
        none_us;
    const double random =
        median_us([&] { read_random<<<65536, 256>>>(words, words_in, out); }, 11) - none_us;
    std::printf(
        "{\"bench\":\"holds\",\"mib\":%u,\"us_read\":%.2f,\"us_copy_half\":%.2f,\"us_random\":%.2f}"
        "\n",
        mib, reads, copies, random);
  }
  tiles<32, false, false, false>("shared only");
  tiles<32, true, false, false>("shared only");
  tiles<32, true, true, false>("loads");
  tiles<32, true, false, true>("stores");
  tiles<32, true, true, true>("loads and stores");
  tiles<32, false, true, true>("loads and stores");
  tiles<33, true, true, true>("loads and stores");
  return 0;
}
