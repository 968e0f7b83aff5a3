// What shared memory, the FP32 units and L2 of an H100 or H200 do with mixtures; three parts:
//   apart kernels [SECONDS]   times and clocks of apart_kernels.cu
//   apart l2                  copies and updates that nearly fit into L2: times, and which lines
//                             are still there; parts of lines stored
//   apart count               three launches of each copy and update, for a profiler
//   apart list                the launches of the first part as a spec for predictions
//   nvcc -O3 -std=c++17 -arch=sm_90 -lineinfo apart.cu -o apart
#include <cstdint>
#include <cstring>
#include <string>

#include "apart_kernels.cu"
#include "timing.h"
using u32 = uint32_t;
using u64 = uint64_t;
constexpr u64 kMiB = 1 << 20;

struct Launch {
  const char* name;
  void (*kernel)(const float*, const float*, float*, int);
  dim3 grid, block;
  int n;
};
// clang-format off
std::vector<Launch> all_launches() {
  std::vector<Launch> l;
#define SC(w) l.push_back({"scores_" #w, scores_##w, dim3(32, 16), dim3(128), 4096});
  SC(15) SC(14) SC(12) SC(11) SC(8) SC(10) SC(0) SC(2) SC(3)
  // 528 blocks: exactly four per SM.
  l.push_back({"scores_15", scores_15, dim3(33, 16), dim3(128), 4096 + 128});
  l.push_back({"scores_12", scores_12, dim3(33, 16), dim3(128), 4096 + 128});
  l.push_back({"scores_12", scores_12, dim3(33, 4), dim3(128), 4096 + 128});  // one block per SM
  l.push_back({"scores_8", scores_8, dim3(33, 4), dim3(128), 4096 + 128});
  l.push_back({"scores_8", scores_8, dim3(33, 8), dim3(128), 4096 + 128});
  l.push_back({"scores_8", scores_8, dim3(33, 16), dim3(128), 4096 + 128});
#define HE(w, s) \
  l.push_back({"heat_" #w "_" #s, heat_##w##_##s, dim3(147, 147), dim3(64, 8), 8192});
  HE(127, 4) HE(127, 1) HE(127, 2) HE(127, 8) HE(127, 16) HE(126, 4) HE(125, 4) HE(124, 4)
  HE(124, 16) HE(120, 4) HE(120, 16) HE(56, 16) HE(60, 16) HE(48, 16) HE(16, 16) HE(8, 16)
  HE(12, 16) HE(4, 16) HE(0, 16) HE(64, 16) HE(3, 4) HE(67, 4) HE(112, 16)
  l.push_back({"heat_127_4", heat_127_4, dim3(33, 32), dim3(64, 8), 1792});  // in L2
  l.push_back({"heat_124_4", heat_124_4, dim3(33, 32), dim3(64, 8), 1792});
#define PR(w) l.push_back({"product_" #w, product_##w, dim3(32, 32), dim3(256), 4096});
  PR(31) PR(30) PR(28) PR(24) PR(16) PR(8) PR(12) PR(15) PR(14)
  // 264 blocks: exactly two per SM.
  l.push_back({"product_31", product_31, dim3(11, 24), dim3(256), 4096});
  l.push_back({"product_24", product_24, dim3(11, 24), dim3(256), 4096});
  l.push_back({"product_16", product_16, dim3(11, 24), dim3(256), 4096});
  l.push_back({"product_24", product_24, dim3(11, 12), dim3(256), 4096});  // one
  l.push_back({"product_16", product_16, dim3(11, 12), dim3(256), 4096});
#define LO(k, f) \
  for (int w : {4, 8, 16, 32}) \
    l.push_back({"loads_" #k "_" #f, loads_##k##_##f, dim3(132), dim3(32 * w), 1000});
#define LOS(k) LO(k, 0) LO(k, 1) LO(k, 2) LO(k, 4) LO(k, 6) LO(k, 8) LO(k, 12)
  LOS(0) LOS(1) LOS(2) LOS(3) LOS(4) LOS(5) LOS(6)
#define ST(k, x, b) \
  for (int w : {8, 16, 32}) \
    l.push_back({"stores_" #k "_" #x "_" #b, stores_##k##_##x##_##b, \
                 dim3(132), dim3(32 * w), 1000});
  ST(0, 0, 0) ST(0, 8, 0) ST(0, 16, 0) ST(0, 0, 1) ST(0, 8, 1) ST(0, 16, 1) ST(1, 0, 0) ST(1, 8, 0)
#define OU(r, c) \
  for (int g : {1, 2}) \
    l.push_back({"outer_" #r "_" #c, outer_##r##_##c, dim3(132 * g), dim3(256), 8000});
  OU(8, 8) OU(4, 8) OU(4, 4) OU(2, 8) OU(2, 4) OU(1, 8) OU(1, 16)
#define CH(k, c) \
  for (int g : {1, 4}) \
    l.push_back({"chain_" #k "_" #c, chain_##k##_##c, dim3(132 * g), dim3(512), 8000});
  CH(0, 1) CH(0, 4) CH(0, 8) CH(1, 4) CH(1, 8) CH(2, 4) CH(2, 8) CH(3, 8) CH(4, 8) CH(4, 4)
  return l;
}
// clang-format on

__global__ void nothing() {}

// One block per SM: its clock and the time.
__global__ void __launch_bounds__(1024, 1) stamp(u64* cycles, u64* ns) {
  extern __shared__ char room[];
  if (threadIdx.x != 0) return;
  u32 sm;
  u64 time;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  const u64 clock = clock64();
  if (sm < 256) cycles[sm] = clock, ns[sm] = time;
}

u64 *cycles_before, *cycles_after, *ns_before, *ns_after;
constexpr int kRoom = 200 << 10;

// Launches for at least `ms` and gives us per launch and, as median and least of the SMs, the clock
// meanwhile.
void measure_loop(const std::function<void()>& launch, double us_each, double ms, double* us,
                  double* mhz, double* least) {
  const int times = std::max(3, int(ms * 1000 / us_each));
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  CHECK(cudaMemset(cycles_before, 0, 256 * 8));
  CHECK(cudaMemset(cycles_after, 0, 256 * 8));
  stamp<<<132, 1024, kRoom>>>(cycles_before, ns_before);
  CHECK(cudaEventRecord(a));
  for (int i = 0; i < times; ++i) launch();
  CHECK(cudaEventRecord(b));
  stamp<<<132, 1024, kRoom>>>(cycles_after, ns_after);
  CHECK(cudaDeviceSynchronize());
  float all = 0;
  CHECK(cudaEventElapsedTime(&all, a, b));
  *us = all * 1e3 / times;
  std::vector<double> clocks;
  u64 c[4][256];
  CHECK(cudaMemcpy(c[0], cycles_before, sizeof c[0], cudaMemcpyDefault));
  CHECK(cudaMemcpy(c[1], cycles_after, sizeof c[0], cudaMemcpyDefault));
  CHECK(cudaMemcpy(c[2], ns_before, sizeof c[0], cudaMemcpyDefault));
  CHECK(cudaMemcpy(c[3], ns_after, sizeof c[0], cudaMemcpyDefault));
  for (int i = 0; i < 256; ++i)
    if (c[0][i] && c[1][i] && c[3][i] > c[2][i])
      clocks.push_back(double(c[1][i] - c[0][i]) / double(c[3][i] - c[2][i]) * 1e3);
  std::sort(clocks.begin(), clocks.end());
  *mhz = clocks.empty() ? 0 : clocks[clocks.size() / 2];
  *least = clocks.empty() ? 0 : clocks[0];
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
}

float *a, *b, *c;
double none_us;

void kernels(double seconds) {
  for (const Launch& l : all_launches()) {
    const auto go = [&] { l.kernel<<<l.grid, l.block>>>(a, b, c, l.n); };
    const double us = median_us(go, 11);
    double loop = 0, mhz = 0, least = 0;
    measure_loop(go, us, 15, &loop, &mhz, &least);
    std::printf(
        "{\"bench\":\"kernel\",\"name\":\"%s-%ux%u-%u-n%d\",\"us\":%.2f,\"us_loop\":%.2f,\"mhz\":%."
        "0f,\"mhz_least\":%.0f,\"kcycles\":%.2f}\n",
        l.name, l.grid.x, l.grid.y, l.block.x * l.block.y, l.n, us, loop, mhz, least,
        (us - none_us) * mhz / 1e3);
    std::fflush(stdout);
  }
  // Long enough for the power to settle.
  for (const Launch& l : all_launches()) {
    const std::string name = l.name;
    if (l.grid.x == 33 || l.grid.x == 11 ||
        (name != "scores_15" && name != "heat_127_4" && name != "product_31" &&
         name != "product_16"))
      continue;
    const auto go = [&] { l.kernel<<<l.grid, l.block>>>(a, b, c, l.n); };
    const double us = median_us(go, 5);
    for (int k = 0; k < 4; ++k) {
      double loop = 0, mhz = 0, least = 0;
      measure_loop(go, us, seconds * 250, &loop, &mhz, &least);
      std::printf(
          "{\"bench\":\"long\",\"name\":\"%s\",\"quarter\":%d,\"us_loop\":%.2f,\"mhz\":%.0f,\"mhz_"
          "least\":%.0f}\n",
          l.name, k, loop, mhz, least);
    }
  }
}

void list() {
  std::printf("[");
  bool first = true;
  for (const Launch& l : all_launches()) {
    std::printf(
        "%s\n{\"name\":\"%s-%ux%u-%u-n%d\",\"source\":\"apart_kernels.cu\",\"kernel\":\"%s\","
        "\"grid\":[%u,%u,1],\"block\":[%u,%u,1],\"dynamic_shared\":0,"
        "\"args\":[{\"buffer\":268435456,\"fill\":\"f32\"},{\"buffer\":268435456,\"fill\":\"f32\"},"
        "{\"buffer\":268435456,\"fill\":\"zero\"},{\"i32\":%d}]}",
        first ? "" : ",", l.name, l.grid.x, l.grid.y, l.block.x * l.block.y, l.n, l.name, l.grid.x,
        l.grid.y, l.block.x, l.block.y, l.n);
    first = false;
  }
  std::printf("\n]\n");
}

// ---- L2

__device__ u32 mix(u32 x) {
  x ^= x >> 16, x *= 0x7feb352d, x ^= x >> 15, x *= 0x846ca68b, x ^= x >> 16;
  return x;
}
__global__ void copy4(float4* in, float4* out, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void copy1(float* in, float* out, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void update4(float4* x, float4*, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float4 v = x[i];
  v.x += 1, v.y += 1, v.z += 1, v.w += 1;
  x[i] = v;
}
__global__ void update1(float* x, float*, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  x[i] += 1;
}
__global__ void axpy4(float4* x, float4* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float4 v = y[i];
  const float4 w = x[i];
  v.x += w.x, v.y += w.y, v.z += w.z, v.w += w.w;
  y[i] = v;
}
__global__ void read4(float4* x, float4* y, size_t n) {
  const float4 v = x[size_t(blockIdx.x) * blockDim.x + threadIdx.x];
  if (v.x == 12345.678f) y[0] = v;
}
__global__ void fill4(float4* x, float4*, size_t n) {
  x[size_t(blockIdx.x) * blockDim.x + threadIdx.x] = make_float4(1, 2, 3, 4);
}

// How long each of so many single loads of lines takes, spread over the buffer.
__global__ void probe(const float* buffer, u32 lines, u32 samples, u32* took) {
  __shared__ volatile u32 waits;
  if (threadIdx.x != 0) return;
  u32 more = 0;
  for (u32 i = blockIdx.x; i < samples; i += gridDim.x) {
    const u32 each = lines / samples, line = i * each + mix(i) % each + more;
    const long long start = clock64();
    const float v = __ldcg(buffer + size_t(line) * 32);
    waits = more = v == 12345.678f;
    const long long end = clock64();
    took[i] = u32(end - start);
  }
}
u32* took;
void probe_of(const char* what, const char* buffer, const float* at, u64 bytes, int mib) {
  constexpr u32 kSamples = 132 * 32;
  probe<<<132, 32>>>(at, u32(bytes / 128), kSamples, took);
  CHECK(cudaDeviceSynchronize());
  std::vector<u32> t(kSamples);
  CHECK(cudaMemcpy(t.data(), took, kSamples * 4, cudaMemcpyDefault));
  std::printf("{\"bench\":\"held\",\"what\":\"%s\",\"buffer\":\"%s\",\"mib\":%d,\"cycles\":[", what,
              buffer, mib);
  const u32 bounds[] = {250, 300, 350, 400, 450,  500,
                        550, 600, 700, 800, 1000, ~0u};  // how many loads took less
  for (u32 k = 0; k < 12; ++k)
    std::printf("%s%d", k ? "," : "", int(std::count_if(t.begin(), t.end(), [&](u32 x) {
                  return x < bounds[k] && (k == 0 || x >= bounds[k - 1]);
                })));
  std::printf("],\"longer_than_600_by_16th\":[");
  for (u32 k = 0; k < 16; ++k)
    std::printf("%s%.3f", k ? "," : "",
                std::count_if(t.begin() + k * kSamples / 16, t.begin() + (k + 1) * kSamples / 16,
                              [](u32 x) { return x >= 600; }) /
                    (kSamples / 16.0));
  std::printf("]}\n");
}
template <class T>
void sweep(const char* what, void (*kernel)(T*, T*, size_t), int buffers, bool second_probed) {
  for (int mib = 8; mib <= 64; mib += 2) {
    const u64 bytes = mib * kMiB / buffers;
    const size_t n = bytes / sizeof(T);
    auto *x = reinterpret_cast<T*>(a), *y = reinterpret_cast<T*>(b);
    const auto go = [&] { kernel<<<u32(n / 256), 256>>>(x, y, n); };
    const double us = median_us(go, 15);
    double loop = 0, mhz = 0, least = 0;
    measure_loop(go, us, 2, &loop, &mhz, &least);
    for (int i = 0; i < 5; ++i) go();
    std::printf(
        "{\"bench\":\"sweep\",\"what\":\"%s\",\"mib\":%d,\"us\":%.2f,\"us_loop\":%.2f,\"mhz\":%.0f}"
        "\n",
        what, mib, us - none_us, loop, mhz);
    probe_of(what, "first", a, bytes, mib);
    for (int i = 0; i < 5; ++i) go();
    if (second_probed) probe_of(what, "second", b, bytes, mib);
  }
}

// Each warp stores into four lines per round, in a window of 4 MiB, beside `reads` lines read of
// another; which words: pattern.
//   0 all; 1 one word; 2 a word of each sector; 3 two words of each sector; 4 one whole sector;
//   5 two whole sectors; 6 all but one word; 7 words 4 to 19; 8 the first half of each sector;
//   9 nothing
__device__ bool takes_part(int pattern, int lane) {
  return pattern == 0 || (pattern == 1 && lane == 0) || (pattern == 2 && lane % 8 == 0) ||
         (pattern == 3 && lane % 4 == 0) || (pattern == 4 && lane < 8) ||
         (pattern == 5 && lane < 16) || (pattern == 6 && lane != 5) ||
         (pattern == 7 && lane >= 4 && lane < 20) || (pattern == 8 && lane % 8 < 4);
}
template <int pattern, int reads>
__global__ void __launch_bounds__(512) parts(const float* in, float* out, u32 mask, u32 rounds) {
  const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (u32 r = 0; r < rounds; ++r) {
    const u32 line = (mix(warp) + r * 4201) * 4 & mask;
    float v[reads > 0 ? reads : 1];
#pragma unroll
    for (int k = 0; k < reads; ++k) v[k] = __ldcg(in + size_t((line + k) & mask) * 32 + lane);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (takes_part(pattern, lane)) out[size_t(line + k) * 32 + lane] = r + k;
#pragma unroll
    for (int k = 0; k < reads; ++k) sum += v[k];
  }
  if (sum == 12345.678f) *out = sum;
}
template <int pattern, int reads>
void part(u32 mib) {
  constexpr u32 kRounds = 200, kWarps = 132 * 64;
  const auto go = [&] {
    parts<pattern, reads><<<kWarps / 16, 512>>>(a, c, mib * u32(kMiB) / 128 - 1, kRounds);
  };
  const double us = median_us(go, 7) - none_us;
  double loop = 0, mhz = 0, least = 0;
  measure_loop(go, us, 3, &loop, &mhz, &least);
  const double lines = double(kWarps) * kRounds * 4;
  std::printf(
      "{\"bench\":\"parts\",\"pattern\":%d,\"reads\":%d,\"mib\":%u,\"us\":%.2f,\"us_loop\":%.2f,"
      "\"mhz\":%.0f,\"ps_a_line\":%.3f}\n",
      pattern, reads, mib, us, loop, mhz, us * 1e6 / lines);
}
template <int reads>
void parts_beside() {
  for (u32 mib : {4, 16}) {
    part<0, reads>(mib), part<1, reads>(mib), part<2, reads>(mib), part<3, reads>(mib),
        part<4, reads>(mib), part<5, reads>(mib), part<6, reads>(mib), part<7, reads>(mib),
        part<8, reads>(mib), part<9, reads>(mib);
  }
}

void l2() {
  sweep<float4>("copy4", copy4, 2, true);
  sweep<float>("copy1", copy1, 2, true);
  sweep<float4>("update4", update4, 1, false);
  sweep<float>("update1", update1, 1, false);
  sweep<float4>("axpy4", axpy4, 2, true);
  sweep<float4>("read4", read4, 1, false);
  sweep<float4>("fill4", fill4, 1, false);
  parts_beside<0>();
  parts_beside<4>();
  parts_beside<16>();
}

// For a profiler: three launches of each.
template <class T>
void three(void (*kernel)(T*, T*, size_t), int buffers) {
  for (int mib = 8; mib <= 64; mib += 4) {
    const size_t n = mib * kMiB / buffers / sizeof(T);
    for (int i = 0; i < 3; ++i)
      kernel<<<u32(n / 256), 256>>>(reinterpret_cast<T*>(a), reinterpret_cast<T*>(b), n);
    CHECK(cudaDeviceSynchronize());
  }
}
void count() {
  three<float4>(copy4, 2);
  three<float>(copy1, 2);
  three<float4>(update4, 1);
  three<float4>(axpy4, 2);
  three<float4>(read4, 1);
  three<float4>(fill4, 1);
}

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "list";
  if (what == "list") return list(), 0;
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaMalloc(&a, 272 * kMiB));
  CHECK(cudaMalloc(&b, 272 * kMiB));
  CHECK(cudaMalloc(&c, 272 * kMiB));
  CHECK(cudaMalloc(&took, 1 << 20));
  for (u64** x : {&cycles_before, &cycles_after, &ns_before, &ns_after})
    CHECK(cudaMalloc(x, 256 * 8));
  CHECK(cudaFuncSetAttribute(stamp, cudaFuncAttributeMaxDynamicSharedMemorySize, kRoom));
  std::vector<float> some(64 * kMiB / 4);
  for (size_t i = 0; i < some.size(); ++i)
    some[i] = float((i * 2654435761u >> 16) & 0xffff) / 65536 - 0.25f;
  for (float* x : {a, b, c})
    for (int k = 0; k < 4; ++k)
      CHECK(cudaMemcpy(x + k * some.size(), some.data(), 64 * kMiB, cudaMemcpyDefault));
  if (what == "count") return count(), 0;
  none_us = median_us([] { nothing<<<1, 32>>>(); }, 41);
  double loop = 0, mhz = 0, least = 0;
  measure_loop([] { nothing<<<1, 32>>>(); }, 2, 3, &loop, &mhz, &least);
  std::printf(
      "{\"bench\":\"gpu\",\"name\":\"%s\",\"empty_us\":%.2f,\"empty_us_loop\":%.2f,\"mhz\":%.0f}\n",
      p.name, none_us, loop, mhz);
  if (what == "kernels")
    kernels(argc > 2 ? std::atof(argv[2]) : 1);
  else
    l2();
  return 0;
}
