// Which blocks still share requests to L2 once the first ones have finished. Groups of consecutive
// blocks read the same window of L2; grids have 1 to 16 times the blocks that are resident at once,
// so later blocks start wherever one has finished.
//   nvcc -O3 -std=c++17 -arch=sm_90 waves.cu -o waves
//   ./waves > results/h200_waves.jsonl      (about 5 s of GPU time)
//   ncu --clock-control none --cache-control none --csv --metrics \
//     lts__t_sectors_srcunit_tex_op_read.sum,l1tex__m_xbar2l1tex_read_sectors.sum \
//     ./waves count > waves_counted.csv
// The rows "waves_counted" are those of `waves count`, in order, with the sectors that ncu gives
// for these launches: requested from L2 (lts_read_sectors), and delivered to the SMs
// (sm_read_sectors). `asked`: sectors that all blocks read. `paired`: the part of the groups' first
// two blocks (2k, 2k + 1) that ran on the SMs 2j and 2j + 1; `start_ns`: the median difference of
// their starts by %globaltimer, and `start_paired_ns` of those that were paired.
#include <cmath>
#include <cstdint>

#include "timing.h"
using u32 = uint32_t;

struct Log {
  u32 sm;
  unsigned long long start;
};
char* memory;
Log* logged;
double none_us;

constexpr size_t kSpan = 16 << 20;  // of all windows together: stays in L2

__device__ void log_start(Log* log) {
  if (threadIdx.x != 0) return;
  Log& own = log[blockIdx.x];
  asm volatile("mov.u32 %0, %%smid;" : "=r"(own.sm));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(own.start));
}
__device__ const char* window_of(const char* in, u32 bytes, u32 group) {
  return in + size_t(blockIdx.x / group) * bytes % kSpan;
}

// How the warps of a block go on after four loads each: by themselves, or together.
enum Way { kFree, kTogether };
template <Way way>
__global__ void __launch_bounds__(256)
    reads(const char* in, u32 bytes, u32 group, Log* log, uint4* out) {
  log_start(log);
  const uint4* from = reinterpret_cast<const uint4*>(window_of(in, bytes, group));
  const u32 count = bytes / 16;
  uint4 sum = {};
  for (u32 at = threadIdx.x; at < count; at += 4 * blockDim.x) {
    uint4 v[4];
#pragma unroll
    for (u32 k = 0; k < 4; ++k) v[k] = __ldcg(from + at + k * blockDim.x);
#pragma unroll
    for (u32 k = 0; k < 4; ++k) sum.x ^= v[k].x, sum.y ^= v[k].y, sum.z ^= v[k].z, sum.w ^= v[k].w;
    if (way == kTogether) __syncthreads();
  }
  if (sum.x == 12345) *out = sum;
}
// A word of each of `blockDim.x` rows that are 32 KiB apart; eight consecutive blocks want the same
// sectors. With `stores`, as many are written.
template <bool stores>
__global__ void column(const float* in, Log* log, float* out) {
  log_start(log);
  const size_t at = size_t(blockIdx.x / 8192) * blockDim.x * 8192 + threadIdx.x * size_t(8192) +
                    blockIdx.x % 8192;
  const float v = in[at];
  if (stores || v == 12345) out[at] = 1 - v;
}
// A tile of a matrix product: 16 × 16 threads go through 2048 columns of A and rows of B, 16 at a
// time, with or without a barrier and shared memory.
__global__ void tiled(const float* a, const float* b, float* c, Log* log) {
  log_start(log);
  __shared__ float as[16][16], bs[16][17];
  const u32 x = threadIdx.x % 16, y = threadIdx.x / 16, column = blockIdx.x % 128 * 16 + x,
            row = blockIdx.x / 128 * 16 + y;
  float sum = 0;
  for (u32 k = 0; k < 2048; k += 16) {
    as[y][x] = a[row * 2048 + k + x];
    bs[y][x] = b[(k + y) * 2048 + column];
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < 16; ++j) sum += as[y][j] * bs[j][x];
    __syncthreads();
  }
  c[row * 2048 + column] = sum;
}
__global__ void untiled(const float* a, const float* b, float* c, Log* log) {
  log_start(log);
  const u32 x = threadIdx.x % 16, y = threadIdx.x / 16, column = blockIdx.x % 128 * 16 + x,
            row = blockIdx.x / 128 * 16 + y;
  float sum = 0;
  for (u32 k = 0; k < 2048; ++k) sum += a[row * 2048 + k] * b[k * 2048 + column];
  c[row * 2048 + column] = sum;
}

struct Place {
  double paired = 0, start_ns = 0, start_paired_ns = 0;
};
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
Place place_of(u32 blocks) {
  std::vector<Log> log(blocks);
  CHECK(cudaMemcpy(log.data(), logged, blocks * sizeof(Log), cudaMemcpyDeviceToHost));
  std::vector<double> all, paired;
  for (u32 k = 0; k + 1 < blocks; k += 2) {
    const double apart = std::abs(double(int64_t(log[k].start - log[k + 1].start)));
    all.push_back(apart);
    if (log[k].sm / 2 == log[k + 1].sm / 2 && log[k].sm != log[k + 1].sm) paired.push_back(apart);
  }
  return {double(paired.size()) / double(all.size()), median(all), median(paired)};
}

// One launch if counted, else its time and where its blocks ran; `asked` in sectors.
void measure(bool counts, const char* kind, u32 group, u32 bytes, u32 resident, u32 waves,
             u32 blocks, double asked, const std::function<void()>& launch) {
  std::printf(
      "{\"bench\":\"waves%s\",\"kind\":\"%s\",\"group\":%u,\"bytes\":%u,\"resident\":%u,\"waves\":%"
      "u,\"blocks\":%u,\"asked\":%.0f",
      counts ? "_counted" : "", kind, group, bytes, resident, waves, blocks, asked);
  if (counts) {
    launch();
    CHECK(cudaDeviceSynchronize());
    std::printf("}\n");
    return;
  }
  const double us = median_us(launch, 5) - none_us;
  const Place place = place_of(blocks);
  std::printf(",\"us\":%.2f,\"paired\":%.3f,\"start_ns\":%.0f,\"start_paired_ns\":%.0f}\n", us,
              place.paired, place.start_ns, place.start_paired_ns);
}

template <Way way>
void measure_reads(bool counts, const char* kind) {
  constexpr u32 kSharedOfSm = 224 << 10;
  CHECK(cudaFuncSetAttribute(reads<way>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedOfSm));
  for (const u32 bytes : {16u << 10, 64u << 10, 256u << 10})
    for (const u32 resident : {1u, 4u})
      for (const u32 waves : {1u, 2u, 4u, 16u})
        for (const u32 group : {1u, 2u, 4u}) {
          if (counts && group == 1) continue;
          const u32 blocks = 132 * resident * waves, shared = kSharedOfSm / resident - 2048;
          measure(
              counts, kind, group, bytes, resident, waves, blocks, double(blocks) * bytes / 32,
              [=] { reads<way><<<blocks, 256, shared>>>(memory, bytes, group, logged, nullptr); });
        }
}

__global__ void empty() {}

int main(int argc, char**) {
  const bool counts = argc > 1;
  constexpr u32 kMostBlocks = 524288;
  CHECK(cudaMalloc(&memory, size_t(1) << 30));
  CHECK(cudaMemset(memory, 0, size_t(1) << 30));
  CHECK(cudaMalloc(&logged, kMostBlocks * sizeof(Log)));
  if (!counts) none_us = median_us([] { empty<<<132, 32>>>(); }, 21);
  measure_reads<kFree>(counts, "free");
  measure_reads<kTogether>(counts, "together");
  float* const words = reinterpret_cast<float*>(memory);
  float* const others = words + (128 << 20);
  for (const u32 blocks : {132u * 16, 132u * 32, 132u * 256, kMostBlocks}) {
    measure(counts, "column", 8, 0, 16, blocks / (132 * 16), blocks, blocks * 128.0,
            [=] { column<false><<<blocks, 128>>>(words, logged, others); });
    measure(counts, "column, stores", 8, 0, 16, blocks / (132 * 16), blocks, blocks * 128.0,
            [=] { column<true><<<blocks, 128>>>(words, logged, others); });
  }
  for (const u32 blocks : {132u * 8, 132u * 16, 128u * 128}) {
    const double asked = blocks * 2048.0 * 16 * 4 * 2 / 32;
    measure(counts, "tiled", 128, 0, 8, blocks / (132 * 8), blocks, asked,
            [=] { tiled<<<blocks, 256>>>(words, words + (4 << 20), others, logged); });
    measure(counts, "untiled", 128, 0, 8, blocks / (132 * 8), blocks, asked,
            [=] { untiled<<<blocks, 256>>>(words, words + (4 << 20), others, logged); });
  }
}
