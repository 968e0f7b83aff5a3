// Microbenchmarks that give the timing model its constants. No kernel of a lab or of the truth sets
// is among them. Prints one JSON object a line: {"bench", parameters…, "us" or "cycles"}; README.md
// says what each means.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 microbench.cu -o microbench && ./microbench > results/GPU.jsonl
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "timing.h"

namespace {

double time_us(const std::function<void()>& launch, int runs = 11) {
  return median_us(launch, runs);
}

__global__ void empty() {}
__global__ void __launch_bounds__(1024) with_registers(float* out, int never) {
  float x[64];
  for (int i = 0; i < 64; ++i) x[i] = out[i] * never;
  if (never)
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j) x[i] += x[j] * x[i];
  if (never)
    for (int i = 0; i < 64; ++i) out[i] = x[i];
}
__global__ void tiny_store(uint32_t* out) {
  if (threadIdx.x == 0) out[blockIdx.x & 1023] = blockIdx.x;
}

// --- latency: one lane follows a chain
__global__ void chase(const uint32_t* next, uint32_t* out, int steps, long long* cycles) {
  uint32_t p = 0;
  for (int s = 0; s < 64; ++s) p = next[p];
  const long long t0 = clock64();
#pragma unroll 4
  for (int s = 0; s < steps; ++s) p = next[p];
  const long long t1 = clock64();
  out[0] = p;
  *cycles = t1 - t0;
}
__global__ void chase_shared(uint32_t* out, int steps, long long* cycles) {
  __shared__ uint32_t next[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) next[i] = (i + 32) & 1023;
  __syncthreads();
  uint32_t p = threadIdx.x;
  const long long t0 = clock64();
#pragma unroll 16
  for (int s = 0; s < steps; ++s) p = next[p];
  const long long t1 = clock64();
  out[threadIdx.x] = p;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}

// --- instruction throughput and latency: CHAINS independent chains a thread
template <int OP>
__device__ __forceinline__ void step(uint32_t& x, uint32_t a, uint32_t b) {
  float f = __uint_as_float(x);
  if constexpr (OP == 0) f = fmaf(f, __uint_as_float(a), __uint_as_float(b));
  if constexpr (OP == 1) f = f + __uint_as_float(a);
  if constexpr (OP == 2) x = x * a + b;
  if constexpr (OP == 3) x = x + a;
  if constexpr (OP == 4) x = (x ^ a) & b;
  if constexpr (OP == 5) x = __funnelshift_l(x, a, 7);
  if constexpr (OP == 6) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f));
  if constexpr (OP == 7) asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(f));
  if constexpr (OP == 8) x = __popc(x) + 0;
  if constexpr (OP == 9) x = __shfl_xor_sync(~0u, x, 1);
  if constexpr (OP == 10) x = min(int(x), int(a));
  if constexpr (OP == 11) f = float(int(x));
  if constexpr (OP == 12) x = int(f);
  if constexpr (OP == 13) x = x << (a & 31);
  if constexpr (OP == 14) asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
  if constexpr (OP == 15) x = __vabsdiffu4(x, a);
  if constexpr (OP == 16) x = __umulhi(x, a);
  if constexpr (OP == 17) x = __brev(x);
  if constexpr (OP == 18) f = fmaxf(f, __uint_as_float(a));
  if constexpr (OP == 0 || OP == 1 || OP == 6 || OP == 7 || OP == 11 || OP == 18)
    x = __float_as_uint(f);
}
template <int OP, int CHAINS>
__global__ void arithmetic(uint32_t* out, uint32_t a, uint32_t b, long long* cycles) {
  uint32_t x[CHAINS];
  for (int i = 0; i < CHAINS; ++i) x[i] = threadIdx.x + i + a;
  __syncthreads();
  const long long t0 = clock64();
  for (int s = 0; s < 128; ++s) {
#pragma unroll
    for (int u = 0; u < 16; ++u)
#pragma unroll
      for (int i = 0; i < CHAINS; ++i) step<OP>(x[i], a, b);
  }
  const long long t1 = clock64();
  uint32_t sum = 0;
  for (int i = 0; i < CHAINS; ++i) sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}
template <int CHAINS>
__global__ void arithmetic64(double* out, double a, double b, long long* cycles) {
  double x[CHAINS];
  for (int i = 0; i < CHAINS; ++i) x[i] = threadIdx.x + i;
  __syncthreads();
  const long long t0 = clock64();
  for (int s = 0; s < 128; ++s)
#pragma unroll
    for (int u = 0; u < 16; ++u)
#pragma unroll
      for (int i = 0; i < CHAINS; ++i) x[i] = fma(x[i], a, b);
  const long long t1 = clock64();
  double sum = 0;
  for (int i = 0; i < CHAINS; ++i) sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}

// --- shared memory: throughput by stride and width, atomics
template <typename T>
__global__ void shared_loads(uint32_t* out, int stride, long long* cycles) {
  extern __shared__ uint4 raw[];
  T* s = reinterpret_cast<T*>(raw);
  for (int i = threadIdx.x; i < 32768 / int(sizeof(T)); i += blockDim.x)
    *reinterpret_cast<uint32_t*>(&s[i]) = i;
  __syncthreads();
  uint32_t sum = 0;
  uint32_t at = threadIdx.x * stride;
  const uint32_t mask = 32768 / sizeof(T) - 1;
  const long long t0 = clock64();
#pragma unroll 1
  for (int k = 0; k < 128; ++k) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      T v = s[(at + u * 32 * stride) & mask];
      sum += *reinterpret_cast<uint32_t*>(&v);
    }
    at += 1024;
  }
  __syncthreads();
  const long long t1 = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}
__global__ void shared_stores(uint32_t* out, int stride, long long* cycles) {
  extern __shared__ uint4 raw[];
  volatile uint32_t* s = reinterpret_cast<uint32_t*>(raw);
  uint32_t at = threadIdx.x * stride;
  __syncthreads();
  const long long t0 = clock64();
#pragma unroll 1
  for (int k = 0; k < 128; ++k) {
#pragma unroll
    for (int u = 0; u < 8; ++u) s[(at + u * 32 * stride) & 8191] = k;
    at += 1024;
  }
  __syncthreads();
  const long long t1 = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
  if (threadIdx.x == 0) *cycles = t1 - t0;
}
// ways: lanes that share a word. kind 0: add of 1 unused, 1: add of a value unused, 2: result used
template <int KIND>
__global__ void shared_atomics(uint32_t* out, int ways, uint32_t value, long long* cycles) {
  __shared__ uint32_t s[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0;
  __syncthreads();
  uint32_t got = 0;
  const uint32_t at = (threadIdx.x / ways) & 8191;
  const long long t0 = clock64();
#pragma unroll 4
  for (int k = 0; k < 256; ++k) {
    if (KIND == 0) atomicAdd(&s[at], 1u);
    if (KIND == 1) atomicAdd(&s[at], value);
    if (KIND == 2) got += atomicAdd(&s[at], value + got);
  }
  __syncthreads();
  const long long t1 = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x] + got;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}
__global__ void barriers(uint32_t* out, long long* cycles) {
  const long long t0 = clock64();
#pragma unroll 8
  for (int k = 0; k < 512; ++k) __syncthreads();
  const long long t1 = clock64();
  out[threadIdx.x] = 0;
  if (threadIdx.x == 0) *cycles = t1 - t0;
}

// --- global memory. Thread i of the grid touches words i * stride + …
template <typename T>
__global__ void reads(const T* in, uint32_t* out, uint32_t stride, int never) {
  const uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  T v = in[i * stride];
  if (*reinterpret_cast<uint32_t*>(&v) == 0x12345678u + never) out[i] = 1;
}
template <typename T>
__global__ void writes(T* out, uint32_t stride) {
  const uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  T v{};
  *reinterpret_cast<uint32_t*>(&v) = uint32_t(i);
  out[i * stride] = v;
}
template <typename T>
__global__ void copies(const T* in, T* out, uint32_t loads) {
  const uint64_t i = uint64_t(blockIdx.x) * blockDim.x * loads + threadIdx.x;
  for (uint32_t k = 0; k < loads; ++k) out[i + k * blockDim.x] = in[i + k * blockDim.x];
}
// LOADS loads in flight a thread, nothing written.
template <int LOADS>
__global__ void flight(const float* in, float* out, int never) {
  extern __shared__ float limiter[];
  const uint64_t i = uint64_t(blockIdx.x) * blockDim.x * LOADS + threadIdx.x;
  float sum = 0;
  float v[LOADS];
#pragma unroll
  for (int k = 0; k < LOADS; ++k) v[k] = in[i + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < LOADS; ++k) sum += v[k];
  if (sum == 1234.5f) out[i] = limiter[never];
}
// Persistent blocks read a window over and over: L1 and L2 throughput. A request touches `lines`
// lines.
__global__ void window_reads(const float* in, float* out, uint32_t window, uint32_t lane_stride,
                             int rounds, int per_sm) {
  const uint32_t mask = window - 1;
  uint32_t at = (per_sm ? 0u : blockIdx.x * 40503u * 32u) + (threadIdx.x / 32) * 32 * lane_stride +
                (threadIdx.x & 31) * lane_stride;
  float sum = 0;
  const uint32_t hop = (blockDim.x / 32) * 32 * lane_stride;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      sum += in[at & mask];
      at += hop;
    }
  }
  if (sum == 1234.5f) out[0] = sum;
}
__global__ void window_writes(float* out, uint32_t window, uint32_t lane_stride, int rounds) {
  const uint32_t mask = window - 1;
  uint32_t at = blockIdx.x * 40503u * 32u + (threadIdx.x / 32) * 32 * lane_stride +
                (threadIdx.x & 31) * lane_stride;
  const uint32_t hop = (blockDim.x / 32) * 32 * lane_stride;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      out[at & mask] = r;
      at += hop;
    }
  }
}
// Words of a sector written one after the other by different warps: lane l of warp w writes word l
// * pitch + w.
__global__ void column_writes(float* out, uint32_t pitch, uint32_t columns) {
  const uint64_t warp = (uint64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const uint64_t column = warp % columns, row = warp / columns * 32 + (threadIdx.x & 31);
  out[row * pitch + column] = 1.0f;
}
// Global atomics: lane addresses (i * spread) mod window words.
__global__ void atomics(uint32_t* at, uint32_t window, uint32_t spread, uint32_t group) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x = i / group;
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  atomicAdd(&at[((spread != 0 ? i * spread : x)) & (window - 1)], i | 1u);
}

long long* cycles_ = nullptr;
uint32_t* out_ = nullptr;
long long cycles() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  long long c = 0;
  CHECK(cudaMemcpy(&c, cycles_, 8, cudaMemcpyDeviceToHost));
  return c;
}

template <int OP>
void arithmetic_rows(const char* name) {
  for (int warps : {1, 4, 16, 32}) {
    arithmetic<OP, 1><<<1, warps * 32>>>(out_, 3, 5, cycles_);
    arithmetic<OP, 1><<<1, warps * 32>>>(out_, 3, 5, cycles_);
    const long long c1 = cycles();
    arithmetic<OP, 4><<<1, warps * 32>>>(out_, 3, 5, cycles_);
    arithmetic<OP, 4><<<1, warps * 32>>>(out_, 3, 5, cycles_);
    const long long c4 = cycles();
    std::printf(
        "{\"bench\":\"arithmetic\",\"op\":\"%s\",\"warps\":%d,\"cycles_per_step_chains1\":%.3f,"
        "\"cycles_per_step_chains4\":%.3f}\n",
        name, warps, c1 / 2048.0, c4 / 8192.0);
  }
}

void instructions() {
  arithmetic_rows<0>("ffma");
  arithmetic_rows<1>("fadd");
  arithmetic_rows<2>("imad");
  arithmetic_rows<3>("iadd");
  arithmetic_rows<4>("lop3");
  arithmetic_rows<5>("shf");
  arithmetic_rows<6>("ex2");
  arithmetic_rows<7>("rcp");
  arithmetic_rows<8>("popc");
  arithmetic_rows<9>("shfl");
  arithmetic_rows<10>("imnmx");
  arithmetic_rows<11>("i2f");
  arithmetic_rows<12>("f2i");
  arithmetic_rows<13>("shl");
  arithmetic_rows<14>("hfma2");
  arithmetic_rows<15>("vabsdiff4");
  arithmetic_rows<16>("imad_hi");
  arithmetic_rows<17>("brev");
  arithmetic_rows<18>("fmnmx");
  for (int warps : {1, 4, 16, 32}) {
    arithmetic64<1><<<1, warps * 32>>>(reinterpret_cast<double*>(out_), 0.999, 0.001, cycles_);
    const long long c1 = cycles();
    arithmetic64<4><<<1, warps * 32>>>(reinterpret_cast<double*>(out_), 0.999, 0.001, cycles_);
    std::printf(
        "{\"bench\":\"arithmetic\",\"op\":\"dfma\",\"warps\":%d,\"cycles_per_step_chains1\":%.3f,"
        "\"cycles_per_step_chains4\":%.3f}\n",
        warps, c1 / 2048.0, cycles() / 8192.0);
  }
}

void shared_memory() {
  chase_shared<<<1, 32>>>(out_, 4096, cycles_);
  chase_shared<<<1, 32>>>(out_, 4096, cycles_);
  std::printf("{\"bench\":\"shared_latency\",\"cycles\":%.2f}\n", cycles() / 4096.0);
  CHECK(cudaFuncSetAttribute(shared_loads<uint32_t>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             65536));
  for (int stride : {1, 2, 4, 8, 16, 32, 3}) {
    shared_loads<uint32_t><<<1, 1024, 32768>>>(out_, stride, cycles_);
    const double c4 = cycles() / (32.0 * 1024);
    shared_loads<uint2><<<1, 1024, 32768>>>(out_, stride, cycles_);
    const double c8 = cycles() / (32.0 * 1024);
    shared_loads<uint4><<<1, 1024, 32768>>>(out_, stride, cycles_);
    const double c16 = cycles() / (32.0 * 1024);
    shared_stores<<<1, 1024, 32768>>>(out_, stride, cycles_);
    const double s4 = cycles() / (32.0 * 1024);
    std::printf(
        "{\"bench\":\"shared_throughput\",\"stride\":%d,\"cycles_load4\":%.2f,\"cycles_load8\":%."
        "2f,\"cycles_load16\":%.2f,\"cycles_store4\":%.2f}\n",
        stride, c4, c8, c16, s4);
  }
  for (int warps : {1, 8, 32}) {
    for (int ways : {1, 2, 4, 8, 32}) {
      shared_atomics<0><<<1, warps * 32>>>(out_, ways, 3, cycles_);
      const double c0 = cycles() / (256.0 * warps);
      shared_atomics<1><<<1, warps * 32>>>(out_, ways, 3, cycles_);
      const double c1 = cycles() / (256.0 * warps);
      shared_atomics<2><<<1, warps * 32>>>(out_, ways, 3, cycles_);
      const double c2 = cycles() / (256.0 * warps);
      std::printf(
          "{\"bench\":\"shared_atomic\",\"warps\":%d,\"ways\":%d,\"cycles_count\":%.2f,\"cycles_"
          "add\":%.2f,\"cycles_used\":%.2f}\n",
          warps, ways, c0, c1, c2);
    }
  }
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    barriers<<<1, warps * 32>>>(out_, cycles_);
    std::printf("{\"bench\":\"barrier\",\"warps\":%d,\"cycles\":%.2f}\n", warps, cycles() / 512.0);
  }
}

void launches(int sms) {
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    for (int blocks : {1, sms, sms * 8, sms * 64, sms * 512, 524288}) {
      const double us = time_us([&] { empty<<<blocks, threads>>>(); });
      const double us2 = time_us([&] { tiny_store<<<blocks, threads>>>(out_); });
      std::printf(
          "{\"bench\":\"launch\",\"threads\":%d,\"blocks\":%d,\"us_empty\":%.2f,\"us_store\":%.2f}"
          "\n",
          threads, blocks, us, us2);
    }
  }
  for (int shared : {0, 1024, 8192, 28672, 57344, 114688}) {
    CHECK(cudaFuncSetAttribute(tiny_store, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    const double us = time_us([&] { tiny_store<<<131072, 128, shared>>>(out_); });
    std::printf("{\"bench\":\"launch_shared\",\"shared\":%d,\"blocks\":131072,\"us\":%.2f}\n",
                shared, us);
  }
  for (int threads : {64, 256, 1024}) {
    const double us =
        time_us([&] { with_registers<<<131072, threads>>>(reinterpret_cast<float*>(out_), 0); });
    std::printf("{\"bench\":\"launch_registers\",\"threads\":%d,\"blocks\":131072,\"us\":%.2f}\n",
                threads, us);
  }
}

void chains(char* big, uint64_t big_bytes) {
  std::mt19937_64 random(1);
  for (uint64_t bytes :
       {uint64_t(16) << 10, uint64_t(64) << 10, uint64_t(128) << 10, uint64_t(192) << 10,
        uint64_t(512) << 10, uint64_t(4) << 20, uint64_t(16) << 20, uint64_t(24) << 20,
        uint64_t(32) << 20, uint64_t(48) << 20, uint64_t(96) << 20, uint64_t(512) << 20,
        uint64_t(2048) << 20}) {
    const uint64_t lines = bytes / 128;
    const uint64_t used = std::min<uint64_t>(lines, 1 << 21);
    std::vector<uint64_t> order(lines);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin() + 1, order.end(), random);
    std::vector<uint32_t> next(bytes / 4);
    for (uint64_t i = 0; i < lines; ++i)
      next[order[i] * 32] = uint32_t(order[(i + 1) % lines] * 32);
    (void)used;
    CHECK(cudaMemcpy(big, next.data(), bytes, cudaMemcpyHostToDevice));
    const int steps = int(std::min<uint64_t>(std::max<uint64_t>(lines, 4096), 60000));
    for (int warm = 0; warm < 2; ++warm)
      chase<<<1, 1>>>(reinterpret_cast<uint32_t*>(big), out_, steps, cycles_);
    std::printf("{\"bench\":\"chase\",\"kib\":%llu,\"cycles\":%.1f}\n",
                (unsigned long long)(bytes >> 10), double(cycles()) / steps);
  }
  (void)big_bytes;
}

void bandwidth(char* big, uint64_t half) {
  char* second = big + half;
  auto* in = reinterpret_cast<float*>(big);
  // dense, by size
  for (uint64_t mib : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024, 4096}) {
    const uint64_t words = mib << 18;
    const double r = time_us([&] {
      reads<float4><<<unsigned(words / 4 / 256), 256>>>(reinterpret_cast<float4*>(big), out_, 1, 0);
    });
    const double w = time_us([&] {
      writes<float4><<<unsigned(words / 4 / 256), 256>>>(reinterpret_cast<float4*>(big), 1);
    });
    const double c = time_us([&] {
      copies<float4><<<unsigned(words / 4 / 256), 256>>>(reinterpret_cast<float4*>(big),
                                                         reinterpret_cast<float4*>(second), 1);
    });
    const double c1 = time_us([&] {
      copies<float><<<unsigned(words / 1024), 256>>>(in, reinterpret_cast<float*>(second), 4);
    });
    std::printf(
        "{\"bench\":\"dense\",\"mib\":%llu,\"us_read16\":%.2f,\"us_write16\":%.2f,\"us_copy16\":%."
        "2f,\"us_copy4x4\":%.2f}\n",
        (unsigned long long)mib, r, w, c, c1);
  }
  // one word in `stride` words of a window, 8 Mi requests' lanes
  for (uint32_t stride : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}) {
    const uint64_t threads = 4u << 20;
    const double r =
        time_us([&] { reads<float><<<unsigned(threads / 256), 256>>>(in, out_, stride, 0); }, 7);
    const double w =
        time_us([&] { writes<float><<<unsigned(threads / 256), 256>>>(in, stride); }, 7);
    double w32 = 0;
    std::printf(
        "{\"bench\":\"stride\",\"stride_bytes\":%u,\"threads\":%llu,\"us_read4\":%.2f,\"us_"
        "write4\":%.2f",
        stride * 4, (unsigned long long)threads, r, w);
    if (stride >= 4) {
      const double r16 = time_us(
          [&] {
            reads<float4><<<unsigned(threads / 256), 256>>>(reinterpret_cast<float4*>(in), out_,
                                                            stride / 4, 0);
          },
          7);
      w32 = time_us(
          [&] {
            writes<float4>
                <<<unsigned(threads / 256), 256>>>(reinterpret_cast<float4*>(in), stride / 4);
          },
          7);
      std::printf(",\"us_read16\":%.2f,\"us_write16\":%.2f", r16, w32);
    }
    std::printf("}\n");
  }
  // Strides inside L2: 256 Ki threads, window of stride * 1 MiB
  for (uint32_t stride : {1, 2, 4, 8, 16, 32}) {
    const double r = time_us([&] { reads<float><<<1024, 256>>>(in, out_, stride, 0); });
    const double w = time_us([&] { writes<float><<<1024, 256>>>(in, stride); });
    std::printf(
        "{\"bench\":\"stride_l2\",\"stride_bytes\":%u,\"threads\":262144,\"us_read4\":%.2f,\"us_"
        "write4\":%.2f}\n",
        stride * 4, r, w);
  }
  // columns: every word of a sector by another warp; `pitch` words between lanes
  for (uint32_t pitch : {1024, 1056, 2048, 4096, 8192, 8224}) {
    for (uint32_t rows : {1024, 4096}) {
      const uint64_t warps = uint64_t(rows / 32) * pitch;
      const double us =
          time_us([&] { column_writes<<<unsigned(warps / 8), 256>>>(in, pitch, pitch); }, 5);
      std::printf("{\"bench\":\"column_writes\",\"pitch_words\":%u,\"rows\":%u,\"us\":%.2f}\n",
                  pitch, rows, us);
    }
  }
}

template <int LOADS>
void flight_rows(char* big) {
  CHECK(
      cudaFuncSetAttribute(flight<LOADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 << 10));
  for (int shared : {0, 14, 28, 56, 110, 220}) {
    const double us = time_us(
        [&] {
          flight<LOADS><<<65536 * 4 / LOADS, 256, shared << 10>>>(
              reinterpret_cast<float*>(big), reinterpret_cast<float*>(out_), 0);
        },
        7);
    std::printf(
        "{\"bench\":\"flight\",\"loads\":%d,\"shared_kib\":%d,\"bytes\":268435456,\"us\":%.2f}\n",
        LOADS, shared, us);
  }
}

void caches(char* big, int sms) {
  auto* in = reinterpret_cast<float*>(big);
  for (uint32_t kib : {32, 128, 1024, 8192, 16384, 32768, 65536}) {
    for (uint32_t lane_stride : {1, 2, 4, 8, 32}) {
      const int rounds = kib <= 128 ? 64 : 16;
      const double us = time_us(
          [&] {
            window_reads<<<sms * 2, 1024>>>(in, reinterpret_cast<float*>(out_), kib * 256,
                                            lane_stride, rounds, kib <= 128);
          },
          5);
      const double requests = double(sms) * 2 * 32 * rounds * 8;
      std::printf(
          "{\"bench\":\"window_reads\",\"kib\":%u,\"lane_stride\":%u,\"us\":%.2f,\"requests\":%.0f}"
          "\n",
          kib, lane_stride, us, requests);
    }
  }
  for (uint32_t kib : {1024, 16384}) {
    for (uint32_t lane_stride : {1, 2, 4, 8, 32}) {
      const double us =
          time_us([&] { window_writes<<<sms * 2, 1024>>>(in, kib * 256, lane_stride, 16); }, 5);
      std::printf(
          "{\"bench\":\"window_writes\",\"kib\":%u,\"lane_stride\":%u,\"us\":%.2f,\"requests\":%."
          "0f}\n",
          kib, lane_stride, us, double(sms) * 2 * 32 * 16 * 8);
    }
  }
}

void global_atomics() {
  for (uint32_t window : {1, 8, 32, 256, 1024, 8192, 65536, 1048576}) {
    for (uint32_t spread : {0, 1}) {
      const double us = time_us([&] { atomics<<<8192, 256>>>(out_, window, spread, 1); }, 5);
      std::printf(
          "{\"bench\":\"atomic\",\"window_words\":%u,\"spread\":%u,\"threads\":2097152,\"us\":%.2f}"
          "\n",
          window, spread, us);
    }
  }
  for (uint32_t group : {1, 2, 4, 8, 16, 32}) {
    const double us = time_us([&] { atomics<<<8192, 256>>>(out_, 1048576, 0, group); }, 5);
    std::printf(
        "{\"bench\":\"atomic_group\",\"lanes_a_word\":%u,\"threads\":2097152,\"us\":%.2f}\n", group,
        us);
  }
}

}  // namespace

int main() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  int clock = 0, memory_clock = 0, bus = 0, driver = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
  cudaDriverGetVersion(&driver);
  std::printf(
      "{\"bench\":\"device\",\"name\":\"%s\",\"sms\":%d,\"clock_khz\":%d,\"memory_clock_khz\":%d,"
      "\"bus_bits\":%d,\"l2\":%d,\"driver\":%d,\"registers\":%d,\"shared\":%zu,\"shared_optin\":%"
      "zu,\"bytes\":%zu}\n",
      p.name, p.multiProcessorCount, clock, memory_clock, bus, p.l2CacheSize, driver,
      p.regsPerMultiprocessor, p.sharedMemPerMultiprocessor, p.sharedMemPerBlockOptin,
      p.totalGlobalMem);
  CHECK(cudaMalloc(&cycles_, 64));
  CHECK(cudaMalloc(&out_, 64 << 20));
  CHECK(cudaMemset(out_, 0, 64 << 20));
  const uint64_t half = uint64_t(33) << 30;
  char* big = nullptr;
  CHECK(cudaMalloc(&big, 2 * half));
  CHECK(cudaMemset(big, 0, 2 * half));
  // The clock rises to its boost under load.
  for (int i = 0; i < 40; ++i)
    arithmetic<0, 4><<<p.multiProcessorCount * 2, 1024>>>(out_, 3, 5, cycles_);
  CHECK(cudaDeviceSynchronize());
  launches(p.multiProcessorCount);
  instructions();
  shared_memory();
  chains(big, half);
  bandwidth(big, half);
  flight_rows<1>(big);
  flight_rows<2>(big);
  flight_rows<4>(big);
  flight_rows<8>(big);
  caches(big, p.multiProcessorCount);
  global_atomics();
  // SM clock under load: cycles of a long kernel against its time.
  const double us =
      time_us([&] { arithmetic<0, 4><<<p.multiProcessorCount * 2, 1024>>>(out_, 3, 5, cycles_); });
  std::printf("{\"bench\":\"clock\",\"cycles\":%lld,\"us\":%.2f}\n", cycles(), us);
  return 0;
}
