// What the timing model did not know of an H100, one question per bench. No kernel of a lab or a
// sample is among them.
//   nvcc -O3 -std=c++17 -arch=sm_90 questions.cu -o questions
//   ./questions > results/h100_questions.jsonl      (about 20 s of GPU time)
// Prints {"bench", parameters..., "us" (median of 15 warm launches, less an empty launch's) or
// "cycles" (clock64)}.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                          \
  do {                                                                    \
    cudaError_t e_ = (x);                                                 \
    if (e_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

__global__ void empty() {}

template <typename F>
double raw_us(F launch, int count) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  std::vector<float> all;
  for (int i = 0; i < count + 3; ++i) {
    CHECK(cudaEventRecord(a));
    launch();
    CHECK(cudaEventRecord(b));
    CHECK(cudaEventSynchronize(b));
    CHECK(cudaGetLastError());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    if (i >= 3) all.push_back(ms * 1000);
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
double none_us = 0;
template <typename F>
double us_of(F launch, int count = 15) {
  return raw_us(launch, count) - none_us;
}

// 1. Instruction fetch: N multiply-adds in a row, in passes. The first pass fetches, the later ones
// show what the caches hold.
template <int N>
__global__ void code(float* out, float a, long long* cycles, int passes) {
  float x = threadIdx.x, y = a;
  for (int p = 0; p < passes; ++p) {
    const long long from = clock64();
#pragma unroll
    for (int i = 0; i < N; ++i) {
      x = fmaf(x, y, 1.0f + i);
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) cycles[p] = clock64() - from;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// 2. Contended compare-and-swap: every thread adds once to word (thread mod words); attempts are
// counted.
template <typename T>
__global__ void swap_add(T* at, int words, unsigned long long* attempts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T* p = at + i % words;
  T seen = *reinterpret_cast<volatile T*>(p), old;
  unsigned long long tries = 0;
  do {
    old = seen;
    seen = atomicCAS(p, old, old + 1);
    ++tries;
  } while (seen != old);
  atomicAdd(attempts, tries);
}
// Likewise, but a word per thread: nothing is contended. KIND 0: atomicCAS that succeeds, 1:
// atomicAdd whose result is used.
template <typename T, int KIND>
__global__ void alone(T* at, uint32_t mask, T* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x = i * 2654435761u;
  x ^= x >> 15;
  T* p = at + (x & mask);
  const T old = KIND == 0 ? atomicCAS(p, T(0), T(0)) : atomicAdd(p, T(1));
  if (old == T(0x12345678)) out[i & 31] = old;
}

// 3. One thread's chain of returned atomics.
template <int KIND>
__global__ void atomic_chain(unsigned long long* at, long long* cycles, int steps) {
  unsigned long long x = 0;
  const long long from = clock64();
  for (int k = 0; k < steps; ++k)
    x = KIND == 0   ? atomicAdd(at + (x & 1), 2ull) & 1
        : KIND == 1 ? atomicCAS(at + (x & 1), 1ull, 3ull) & 1
                    : (atomicAdd(reinterpret_cast<unsigned*>(at) + (x & 1), 2u) & 1);
  cycles[0] = clock64() - from;
  at[8] = x;
}

// 4. Slices: reductions to 256 words, whose place in memory moves.
__global__ void histogram(unsigned* bins, int rounds) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    atomicAdd(bins + (x >> 24), 1u);
  }
}

// 5. Local memory indexed at run time: SPREAD 0: all lanes the same index, 1: each lane its own.
// ROWS indices in use.
template <int SPREAD>
__global__ void local(unsigned* out, int rows, int steps, long long* cycles) {
  unsigned own[64];
  for (int k = 0; k < 64; ++k) own[k] = k;
  unsigned sum = 0, at = SPREAD ? threadIdx.x * 7 : 0;
  const long long from = clock64();
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    at = (at * 5 + 3 + (sum & 0)) % rows;
    own[at] = sum + k;
    sum += own[(at + 1) % rows];
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = clock64() - from;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 6. DRAM under load: each warp has one 128-byte (or, WIDE, 512-byte) load in flight, always.
template <typename T>
__global__ void under_load(const T* in, float* out, size_t count) {
  float sum = 0;
#pragma unroll 1
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    sum += reinterpret_cast<const float&>(in[i]);
  if (sum == 1234.5f) out[0] = sum;
}

// 7. Stores that fill a sector one word at a time: APART other stores of the warp lie between two
// words of a sector.
template <int APART>
__global__ void word_by_word(float* out, size_t pitch) {
  const size_t row = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  for (int base = 0; base < 32; base += 8)
    for (int k = 0; k < 8; ++k) {
      out[row * pitch + base + k] = k;
#pragma unroll
      for (int o = 0; o < APART; ++o) out[row * pitch + 64 + 8 * (o + 1) + (base + k) % 8 * 64] = o;
    }
}

// 8. Calls: depth first, registers saved by the callee.
__device__ __noinline__ int down(int n, int* p) {
  return n < 2 ? *p + n : down(n - 1, p) ^ down(n & 1 ? 0 : 1, p);
}
__global__ void calls(int* out, int depth, int same, long long* cycles) {
  const long long from = clock64();
  const int r = down(same ? depth : depth - threadIdx.x % 2, out);
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = clock64() - from;
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = r;
}

long long* cycles_;
long long cycles(int n = 0) {
  long long c;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&c, cycles_ + n, 8, cudaMemcpyDeviceToHost));
  return c;
}

template <int N>
void code_rows(float* out) {
  for (int blocks : {1, 132})
    for (int warps : {1, 4, 16}) {
      const double us1 = us_of([&] { code<N><<<blocks, 32 * warps>>>(out, 0.5f, cycles_, 1); });
      const double us9 = us_of([&] { code<N><<<blocks, 32 * warps>>>(out, 0.5f, cycles_, 9); });
      printf(
          "{\"bench\":\"code\",\"instructions\":%d,\"blocks\":%d,\"warps\":%d,\"us_1\":%.2f,\"us_"
          "9\":%.2f,\"cycles_first\":%lld,\"cycles_second\":%lld,\"cycles_ninth\":%lld}\n",
          N, blocks, warps, us1, us9, cycles(0), cycles(1), cycles(8));
    }
}

template <typename T>
void swap_rows(const char* type, void* at, unsigned long long* attempts) {
  for (int words : {1, 8, 64, 1024, 65536})
    for (int blocks : {1, 16, 64, 256})
      for (int threads : {32, 256}) {
        const double us = us_of(
            [&] { swap_add<T><<<blocks, threads>>>(static_cast<T*>(at), words, attempts); }, 5);
        CHECK(cudaMemset(attempts, 0, 8));
        swap_add<T><<<blocks, threads>>>(static_cast<T*>(at), words, attempts);
        unsigned long long n;
        CHECK(cudaMemcpy(&n, attempts, 8, cudaMemcpyDeviceToHost));
        printf(
            "{\"bench\":\"swap_add\",\"type\":\"%s\",\"words\":%d,\"blocks\":%d,\"threads\":%d,"
            "\"us\":%.2f,\"attempts\":%llu}\n",
            type, words, blocks, threads, us, n);
      }
  for (uint32_t words : {1u << 16, 1u << 20, 1u << 24}) {
    const double cas = us_of(
        [&] { alone<T, 0><<<4096, 256>>>(static_cast<T*>(at), words - 1, static_cast<T*>(at)); });
    const double add = us_of(
        [&] { alone<T, 1><<<4096, 256>>>(static_cast<T*>(at), words - 1, static_cast<T*>(at)); });
    printf(
        "{\"bench\":\"alone\",\"type\":\"%s\",\"words\":%u,\"operations\":%d,\"us_cas\":%.2f,\"us_"
        "add\":%.2f}\n",
        type, words, 4096 * 256, cas, add);
  }
}

int main() {
  char* big;
  CHECK(cudaMalloc(&big, 2ull << 30));
  CHECK(cudaMemset(big, 0, 2ull << 30));
  CHECK(cudaMalloc(&cycles_, 4096));
  unsigned long long* attempts;
  CHECK(cudaMalloc(&attempts, 8));
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  none_us = raw_us([] { empty<<<1, 32>>>(); }, 101);
  printf("{\"bench\":\"gpu\",\"name\":\"%s\",\"empty_us\":%.2f}\n", prop.name, none_us);
  float* f = reinterpret_cast<float*>(big);
  code_rows<64>(f);
  code_rows<256>(f);
  code_rows<1024>(f);
  code_rows<4096>(f);
  code_rows<16384>(f);
  swap_rows<unsigned>("u32", big, attempts);
  CHECK(cudaMemset(big, 0, 256 << 20));
  swap_rows<unsigned long long>("u64", big, attempts);
  auto* words = reinterpret_cast<unsigned long long*>(big);
  CHECK(cudaMemset(big, 0, 4096));
  atomic_chain<0><<<1, 1>>>(words, cycles_, 1000);
  printf("{\"bench\":\"atomic_chain\",\"kind\":\"add u64\",\"cycles\":%.1f}\n", cycles() / 1000.0);
  CHECK(cudaMemset(big, 0, 4096));
  atomic_chain<1><<<1, 1>>>(words, cycles_, 1000);
  printf("{\"bench\":\"atomic_chain\",\"kind\":\"cas u64\",\"cycles\":%.1f}\n", cycles() / 1000.0);
  CHECK(cudaMemset(big, 0, 4096));
  atomic_chain<2><<<1, 1>>>(words, cycles_, 1000);
  printf("{\"bench\":\"atomic_chain\",\"kind\":\"add u32\",\"cycles\":%.1f}\n", cycles() / 1000.0);
  for (int k = 0; k < 64; ++k) {
    unsigned* bins =
        reinterpret_cast<unsigned*>(big + (size_t(k) * 2654435761u % (1u << 20)) * 1024);
    printf("{\"bench\":\"slices\",\"kib\":%zu,\"us\":%.1f}\n",
           (reinterpret_cast<char*>(bins) - big) / 1024,
           us_of([&] { histogram<<<1056, 256>>>(bins, 15); }, 5));
  }
  for (int rows : {2, 8, 32, 64})
    for (int blocks : {1, 132})
      for (int threads : {32, 128}) {
        local<0><<<blocks, threads>>>(reinterpret_cast<unsigned*>(big), rows, 256, cycles_);
        const double same = cycles() / 256.0;
        local<1><<<blocks, threads>>>(reinterpret_cast<unsigned*>(big), rows, 256, cycles_);
        const double own = cycles() / 256.0;
        printf(
            "{\"bench\":\"local\",\"rows\":%d,\"blocks\":%d,\"threads\":%d,\"cycles_same\":%.1f,"
            "\"cycles_own\":%.1f}\n",
            rows, blocks, threads, same, own);
      }
  for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
    const int threads = std::min(warps, 8) * 32, blocks = 132 * std::max(1, warps / 8);
    const double us4 =
        us_of([&] { under_load<float><<<blocks, threads>>>(f, f, size_t(1) << 28); }, 5);
    const double us16 = us_of(
        [&] {
          under_load<float4><<<blocks, threads>>>(reinterpret_cast<float4*>(f), f, size_t(1) << 26);
        },
        5);
    printf(
        "{\"bench\":\"under_load\",\"warps_per_sm\":%d,\"bytes\":%llu,\"us_4\":%.1f,\"us_16\":%.1f}"
        "\n",
        warps, 1ull << 30, us4, us16);
  }
  printf("{\"bench\":\"word_by_word\",\"apart\":0,\"us\":%.1f}\n",
         us_of([&] { word_by_word<0><<<1056, 128>>>(f, 1024); }));
  printf("{\"bench\":\"word_by_word\",\"apart\":1,\"us\":%.1f}\n",
         us_of([&] { word_by_word<1><<<1056, 128>>>(f, 1024); }));
  printf("{\"bench\":\"word_by_word\",\"apart\":3,\"us\":%.1f}\n",
         us_of([&] { word_by_word<3><<<1056, 128>>>(f, 1024); }));
  CHECK(cudaMemset(big, 0, 4096));
  for (int depth : {1, 8, 32})
    for (int threads : {32, 128, 1024})
      for (int same : {1, 0}) {
        calls<<<1, threads>>>(reinterpret_cast<int*>(big), depth, same, cycles_);
        calls<<<1, threads>>>(reinterpret_cast<int*>(big), depth, same, cycles_);
        printf("{\"bench\":\"calls\",\"depth\":%d,\"threads\":%d,\"same\":%d,\"cycles\":%lld}\n",
               depth, threads, same, cycles());
      }
  CHECK(cudaDeviceSynchronize());
}
