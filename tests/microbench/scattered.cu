// Microbenchmarks of scattered accesses: what DRAM, L2 and the address translation do with sectors
// in no order, what atomics cost there, what stores of a few bytes of a sector cost by their pitch,
// and how long bank conflicts and constant loads of few warps take. Prints one JSON object a line,
// as microbench.cu does; README.md says what follows from it.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 scattered.cu -o scattered
//   ./scattered > results/GPU_scattered.jsonl
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "timing.h"

namespace {

double time_us(const std::function<void()>& launch) { return median_us(launch, 7); }

__device__ __forceinline__ uint64_t scattered(uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ULL;
  return x ^ x >> 32;
}
__device__ __forceinline__ uint64_t thread_number() {
  return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Each thread reads `LOADS` words, each in a piece of `1 << shift` words of its own.
template <int LOADS>
__global__ void random_reads(const uint32_t* in, uint32_t* out, uint64_t pieces, int shift) {
  const uint64_t i = thread_number();
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < LOADS; ++k) sum += in[(scattered(i * LOADS + k) & (pieces - 1)) << shift];
  if (sum == 0x12345678U) out[0] = sum;
}
__global__ void random_writes(uint32_t* out, uint64_t pieces, int shift) {
  const uint64_t i = thread_number();
  out[(scattered(i) & (pieces - 1)) << shift] = static_cast<uint32_t>(i);
}
// Whole sectors: eight lanes write one.
__global__ void random_sectors(uint32_t* out, uint64_t sectors) {
  const uint64_t i = thread_number();
  out[(scattered(i / 8) & (sectors - 1)) * 8 + i % 8] = static_cast<uint32_t>(i);
}
template <typename T, bool USED>
__global__ void random_atomics(T* at, T* out, uint64_t words) {
  const uint64_t i = thread_number();
  const T old = atomicAdd(&at[scattered(i) & (words - 1)], static_cast<T>(i | 1));
  if (USED && old == static_cast<T>(0x7654321)) out[0] = old;
}
// Lane l of warp w writes word l * pitch + w, as a naive transpose.
template <typename T>
__global__ void column_writes(T* out, uint32_t pitch, uint32_t columns) {
  const uint64_t warp = thread_number() / 32;
  const uint64_t column = warp % columns, row = warp / columns * 32 + (threadIdx.x & 31);
  out[row * pitch + column] = static_cast<T>(1);
}
// As random_reads of one word, and writes it side by side: how much of the table L2 keeps beside a
// stream.
__global__ void gather(const uint32_t* in, uint32_t* out, uint64_t words) {
  const uint64_t i = thread_number();
  out[i] = in[scattered(i) & (words - 1)];
}

// A chain of shared loads with bank conflicts of so many ways, by some warps of a block.
__global__ void conflicts(uint32_t* out, int stride, int lanes, long long* cycles) {
  __shared__ uint32_t words[33 * 32];
  for (int i = threadIdx.x; i < 33 * 32; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const int lane = threadIdx.x & 31;
  uint32_t at = lane * stride % 1056;
  const long long start = clock64();
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < 256; ++i) at += words[at];
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  out[threadIdx.x] = at;
}

__constant__ float table[1024];
// A sum of products with constants whose index the whole warp shares.
__global__ void constants(float* out, int first, int turns, long long* cycles) {
  float sum = out[threadIdx.x];
  const long long start = clock64();
#pragma unroll 1
  for (int t = 0; t < turns; ++t) {
#pragma unroll
    for (int k = 0; k < 17; ++k) sum += table[(first + t & 31) * 17 + k] * sum;
  }
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = clock64() - start;
  out[threadIdx.x] = sum;
}

constexpr uint64_t kMiB = 1 << 20;

}  // namespace

int main() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  std::printf("{\"bench\":\"device\",\"name\":\"%s\",\"sms\":%d,\"l2\":%d}\n", p.name,
              p.multiProcessorCount, p.l2CacheSize);
  const uint64_t most = 32768 * kMiB;
  char* big = nullptr;
  uint32_t* out = nullptr;
  long long* cycles = nullptr;
  CHECK(cudaMalloc(&big, most));
  CHECK(cudaMalloc(&out, 512 * kMiB));
  CHECK(cudaMalloc(&cycles, 8));
  CHECK(cudaMemset(big, 0, most));
  auto* words = reinterpret_cast<uint32_t*>(big);
  constexpr uint32_t kThreads = 1 << 24;
  for (int i = 0; i < 20; ++i) random_reads<1><<<kThreads / 256, 256>>>(words, out, kMiB, 3);
  CHECK(cudaDeviceSynchronize());

  for (uint64_t mib = 1; mib <= 32768; mib *= 2) {
    for (int shift : {3, 4}) {  // a sector; a unit of 64 bytes
      const uint64_t pieces = mib * kMiB >> (shift + 2);
      const double one =
          time_us([&] { random_reads<1><<<kThreads / 256, 256>>>(words, out, pieces, shift); });
      const double four =
          time_us([&] { random_reads<4><<<kThreads / 4 / 256, 256>>>(words, out, pieces, shift); });
      std::printf(
          "{\"bench\":\"random_reads\",\"mib\":%llu,\"piece_bytes\":%d,\"reads\":%u,\"us\":%.2f,"
          "\"us_four_a_thread\":%.2f}\n",
          (unsigned long long)mib, 4 << shift, kThreads, one, four);
    }
    const uint64_t sectors = mib * kMiB / 32;
    const double partial =
        time_us([&] { random_writes<<<kThreads / 256, 256>>>(words, sectors, 3); });
    const double whole = time_us([&] { random_sectors<<<kThreads / 256, 256>>>(words, sectors); });
    std::printf(
        "{\"bench\":\"random_writes\",\"mib\":%llu,\"writes\":%u,\"us_4_bytes\":%.2f,\"sectors\":%"
        "u,\"us_sectors\":%.2f}\n",
        (unsigned long long)mib, kThreads, partial, kThreads / 8, whole);
    const double g = time_us([&] { gather<<<kThreads / 256, 256>>>(words, out, mib * kMiB / 4); });
    std::printf("{\"bench\":\"gather\",\"mib\":%llu,\"reads\":%u,\"us\":%.2f}\n",
                (unsigned long long)mib, kThreads, g);
  }
  // Fewer warps an SM: dynamic shared memory keeps blocks out.
  CHECK(cudaFuncSetAttribute(random_reads<1>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             200 * 1024));
  for (uint64_t mib : {16, 1024, 16384}) {
    for (int blocks : {1, 2, 4, 8}) {
      const int shared = 220 * 1024 / blocks - 2048;
      const double us = time_us([&] {
        random_reads<1>
            <<<kThreads / 256, 256, std::min(shared, 200 * 1024)>>>(words, out, mib * kMiB / 32, 3);
      });
      std::printf(
          "{\"bench\":\"random_reads_warps\",\"mib\":%llu,\"warps_an_sm\":%d,\"us\":%.2f}\n",
          (unsigned long long)mib, blocks * 8, us);
    }
  }
  for (uint64_t mib : {1, 8, 32, 64, 128, 256, 1024, 8192}) {
    const uint64_t bytes = mib * kMiB;
    auto* f = reinterpret_cast<float*>(big);
    auto* d = reinterpret_cast<double*>(big);
    auto* l = reinterpret_cast<unsigned long long*>(big);
    const auto grid = kThreads / 256;
    const double u32 =
        time_us([&] { random_atomics<uint32_t, false><<<grid, 256>>>(words, out, bytes / 4); });
    const double u32_used =
        time_us([&] { random_atomics<uint32_t, true><<<grid, 256>>>(words, out, bytes / 4); });
    const double f32 = time_us([&] {
      random_atomics<float, false><<<grid, 256>>>(f, reinterpret_cast<float*>(out), bytes / 4);
    });
    const double f32_used = time_us([&] {
      random_atomics<float, true><<<grid, 256>>>(f, reinterpret_cast<float*>(out), bytes / 4);
    });
    const double f64 = time_us([&] {
      random_atomics<double, false><<<grid, 256>>>(d, reinterpret_cast<double*>(out), bytes / 8);
    });
    const double u64 = time_us([&] {
      random_atomics<unsigned long long, false>
          <<<grid, 256>>>(l, reinterpret_cast<unsigned long long*>(out), bytes / 8);
    });
    std::printf(
        "{\"bench\":\"random_atomics\",\"mib\":%llu,\"atomics\":%u,\"us_u32\":%.2f,\"us_u32_used\":"
        "%.2f,\"us_f32\":%.2f,\"us_f32_used\":%.2f,\"us_f64\":%.2f,\"us_u64\":%.2f}\n",
        (unsigned long long)mib, kThreads, u32, u32_used, f32, f32_used, f64, u64);
  }
  for (uint32_t pitch : {4096u, 4097u, 4104u, 4112u, 4128u, 8192u, 8200u, 8224u}) {
    const uint32_t rows = 4096;
    const uint32_t grid = pitch / 8 * (rows / 32);  // 256 threads: eight columns of 32 rows
    const uint32_t columns = pitch / 8 * 8;
    const double f32 = time_us([&] {
      column_writes<float><<<grid, 256>>>(reinterpret_cast<float*>(big), pitch, columns);
    });
    const double f64 = time_us([&] {
      column_writes<double><<<grid, 256>>>(reinterpret_cast<double*>(big), pitch, columns);
    });
    std::printf(
        "{\"bench\":\"column_writes\",\"pitch_words\":%u,\"rows\":%u,\"us_f32\":%.2f,\"us_f64\":%."
        "2f}\n",
        pitch, rows, f32, f64);
  }
  for (int warps : {1, 2, 4, 8}) {
    for (int stride : {1, 2, 4, 8, 16, 32}) {
      for (int lanes : {4, 16, 32}) {
        long long c = 0;
        for (int turn = 0; turn < 2; ++turn) {
          conflicts<<<1, warps * 32>>>(out, stride, lanes, cycles);
          CHECK(cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost));
        }
        std::printf(
            "{\"bench\":\"conflicts\",\"warps\":%d,\"stride\":%d,\"lanes\":%d,\"cycles_load\":%.2f}"
            "\n",
            warps, stride, lanes, c / 256.0);
      }
    }
  }
  for (int warps : {1, 4, 8, 16, 32}) {
    long long c = 0;
    for (int turn = 0; turn < 2; ++turn) {
      constants<<<1, warps * 32>>>(reinterpret_cast<float*>(out), 0, 64, cycles);
      CHECK(cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost));
    }
    std::printf("{\"bench\":\"constants\",\"warps\":%d,\"cycles_each\":%.2f}\n", warps,
                c / (64.0 * 17));
  }
  return 0;
}
