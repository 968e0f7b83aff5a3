// What SMs share on the way to L2, and what one can send: each row of results/h200_paths.jsonl is
// one of these.
//   nvcc -O3 -std=c++17 -arch=sm_90 paths.cu -o paths
//   ./paths > results/h200_paths.jsonl      (about 5 s of GPU time)
// Microseconds are medians by events less an empty launch's; "first_access" has those of 200
// launches in a graph.
#include <cstdint>

#include "timing.h"
using u32 = uint32_t;

char* memory;
double none_us;
double net_us(const std::function<void()>& launch) { return median_us(launch, 7) - none_us; }

constexpr int kBytes = 192 << 10, kRounds = 64;  // of a window, and how often it is read

// 1. "same": groups of SMs read the same window of L2, 192 KiB. Blocks of a group: neighbours, or
// as far apart as can be.
__device__ const char* window_of(const char* in, int bytes, int group, bool far) {
  const int groups = gridDim.x / group;
  return in + size_t(far ? blockIdx.x % groups : blockIdx.x / group) * bytes;
}
__global__ void __launch_bounds__(512, 1)
    loads(const char* in, int bytes, int rounds, int group, bool far, uint4* out) {
  const uint4* from = reinterpret_cast<const uint4*>(window_of(in, bytes, group, far));
  const int count = bytes / 16;
  uint4 sum = {};
  for (int i = 0, at = threadIdx.x; i < rounds * count / 2048; ++i) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k] = __ldcg(from + at);
      at = at + 512 < count ? at + 512 : at + 512 - count;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      sum.x ^= v[k].x;
      sum.y ^= v[k].y;
      sum.z ^= v[k].z;
      sum.w ^= v[k].w;
    }
  }
  if (sum.x == 12345) *out = sum;
}
__global__ void __launch_bounds__(32, 1)
    copies(const char* in, int bytes, int rounds, int group, bool far, int piece) {
  constexpr int kStages = 8;
  extern __shared__ __align__(128) char pool[];
  __shared__ uint64_t full[kStages];
  if (threadIdx.x != 0) return;
  const char* from = window_of(in, bytes, group, far);
  const u32 to = u32(__cvta_generic_to_shared(pool)), bar = u32(__cvta_generic_to_shared(full));
  for (int s = 0; s < kStages; ++s)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar + 8 * s));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const int count = rounds * (bytes / piece);
  int at = 0;  // in the window; no division, which would take longer than a piece
  auto order = [&](int i) {
    const u32 b = bar + 8 * (i % kStages);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(piece)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(to + i % kStages * piece),
        "l"(from + at), "r"(piece), "r"(b)
        : "memory");
    at = at + piece < bytes ? at + piece : 0;
  };
  for (int i = 0; i < kStages - 1; ++i) order(i);
  for (int i = 0; i < count; ++i) {
    if (i + kStages - 1 < count) order(i + kStages - 1);
    for (u32 done = 0; done == 0;)
      asm volatile(
          "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, "
          "p;}"
          : "=r"(done)
          : "r"(bar + 8 * (i % kStages)), "r"(i / kStages % 2)
          : "memory");
  }
}

// 2. "few_lines": reductions to the words of a few lines, in no order.
__global__ void reduce(u32* words, u32 mask, int rounds) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  x = (x ^ x >> 16) * 0x7feb352d;
  x ^= x >> 15;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    atomicAdd(words + (x >> 12 & mask), 1u);
  }
}

// 3. "one_sm": each `group` lanes have a row of their own, 4 KiB from the next one's, and go on by
// `next` bytes.
template <class T>
__global__ void store_rows(char* out, u32 next, u32 steps, u32 group) {
  const size_t lane = blockIdx.x * blockDim.x + threadIdx.x;
  char* at = out + lane / group * 4096 + lane % group * sizeof(T);
  for (u32 i = 0, k = 0; i < 512; i += 4)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      *reinterpret_cast<T*>(at + k * next) = T{};
      k = k + 1 == steps ? 0 : k + 1;
    }
}
__global__ void load_rows(const char* __restrict__ in, u32* out) {  // a sector of each of 32 lines
  const char* at = in + (blockIdx.x * size_t(blockDim.x) + threadIdx.x) * 4096;
  u32 sum = 0;
  for (u32 i = 0; i < 512; i += 4) {
    u32 v[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[j]) : "l"(at + (i + j) % 128 * 32));
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += v[j];
  }
  if (sum == 12345) *out = sum;
}

// 4. "rows": a row of floats per thread, word by word.
__global__ void write_rows(float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int c = 0; c < columns; ++c) out[size_t(row) * columns + c] = row + c;
}
__global__ void add_rows(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int c = 0; c < columns; ++c)
      out[size_t(row) * columns + c] = in[size_t(row) * columns + c] + 1;
}

// 5. "first_access".
__global__ void empty(u32*, int) {}
__global__ void one_store(u32* at, int n) { at[blockIdx.x * 256 + threadIdx.x] = n; }
__global__ void one_load(u32* at, int n) {
  if (at[blockIdx.x * 256 + threadIdx.x] == 77) at[0] = n;
}
__global__ void eight_loads(u32* at, int n) {  // one after the other
  u32 x = 0;
  for (int k = 0; k < 8; ++k) x += at[x + 262144 * k + blockIdx.x * 256 + threadIdx.x];
  if (x == 77) at[0] = n;
}
void in_graph(const char* name, void (*kernel)(u32*, int), int blocks) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 200; ++i)
    kernel<<<blocks, 256, 0, stream>>>(reinterpret_cast<u32*>(memory), 4);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  std::printf("{\"bench\":\"first_access\",\"kernel\":\"%s\",\"blocks\":%d,\"us\":%.3f}\n", name,
              blocks, median_us([&] { CHECK(cudaGraphLaunch(ready, 0)); }, 11) / 200);
}

// One launch each for Nsight Compute, which gives the sectors; prints what they are, in order.
void counted() {
  for (const bool bulk : {false, true})
    for (int group : {1, 2, 4, 8, 16}) {
      if (bulk)
        copies<<<128, 32, 128 << 10>>>(memory, kBytes, 8, group, false, 16384);
      else
        loads<<<128, 512, 120 << 10>>>(memory, kBytes, 8, group, false, nullptr);
      std::printf("{\"bench\":\"same_counted\",\"kind\":\"%s\",\"sms\":%d\n",
                  bulk ? "bulk" : "load", group);
    }
  for (int blocks : {1, 2, 4, 8, 16, 32, 64, 128}) {
    loads<<<blocks, 512, 120 << 10>>>(memory, 32 << 10, 1, blocks, false, nullptr);
    std::printf("{\"bench\":\"once_counted\",\"blocks\":%d\n", blocks);
  }
  for (u32 words : {8, 32, 64, 128, 256, 512, 1024, 4096}) {
    reduce<<<1056, 256>>>(reinterpret_cast<u32*>(memory), words - 1, 15);
    std::printf("{\"bench\":\"few_lines_counted\",\"words\":%u\n", words);
  }
  CHECK(cudaDeviceSynchronize());
}

int main(int argc, char**) {
  CHECK(cudaMalloc(&memory, 512 << 20));
  CHECK(cudaMemset(memory, 0, 512 << 20));
  none_us = median_us([] { empty<<<132, 32>>>(nullptr, 0); }, 21);
  CHECK(cudaFuncSetAttribute(loads, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 << 10));
  CHECK(cudaFuncSetAttribute(copies, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 << 10));
  if (argc > 1) {
    counted();
    return 0;
  }
  for (const bool bulk : {false, true})
    for (const bool far : {false, true})
      for (int group : {1, 2, 4, 8, 16}) {
        const double us = net_us([&] {
          if (bulk)
            copies<<<128, 32, 128 << 10>>>(memory, kBytes, kRounds, group, far, 16384);
          else
            loads<<<128, 512, 120 << 10>>>(memory, kBytes, kRounds, group, far, nullptr);
        });
        std::printf(
            "{\"bench\":\"same\",\"kind\":\"%s\",\"sms\":%d,\"far\":%d,\"us\":%.1f,\"gb_s\":%.0f}"
            "\n",
            bulk ? "bulk" : "load", group, far, us, 128.0 * kBytes * kRounds / us / 1e3);
      }
  for (u32 words : {1, 8, 32, 64, 128, 256, 512, 1024, 2048, 4096, 16384})
    for (int start : {0, 512, 1024 * 1024})
      std::printf("{\"bench\":\"few_lines\",\"words\":%u,\"start\":%d,\"us\":%.1f}\n", words, start,
                  net_us([&] {
                    reduce<<<1056, 256>>>(reinterpret_cast<u32*>(memory + start), words - 1, 15);
                  }));
  for (int sms : {1, 16, 132})
    for (int warps : {2, 8}) {
      const auto row = [&](const char* what, double lines, double us) {
        std::printf(
            "{\"bench\":\"one_sm\",\"what\":\"%s\",\"sms\":%d,\"warps\":%d,\"us\":%.1f,\"cycles_a_"
            "line\":%.2f}\n",
            what, sms, warps, us, us * 1980 / lines);
      };
      const double each = 512.0 * warps;
      row("store words", 32 * each,
          net_us([&] { store_rows<u32><<<sms, 32 * warps>>>(memory, 4, 256, 1); }));
      row("store sectors", 16 * each,
          net_us([&] { store_rows<uint4><<<sms, 32 * warps>>>(memory, 32, 32, 2); }));
      row("store lines", 4 * each,
          net_us([&] { store_rows<uint4><<<sms, 32 * warps>>>(memory, 128, 32, 8); }));
      row("load sectors", 32 * each,
          net_us([&] { load_rows<<<sms, 32 * warps>>>(memory, nullptr); }));
    }
  for (int columns : {64, 256, 1024})
    for (int rows : {4096, 16384, 65536}) {
      if (rows * columns > 1 << 24) continue;
      float* out = reinterpret_cast<float*>(memory);
      std::printf(
          "{\"bench\":\"rows\",\"rows\":%d,\"columns\":%d,\"us_write\":%.1f,\"us_read_write\":%.1f}"
          "\n",
          rows, columns,
          net_us([&] { write_rows<<<(rows + 127) / 128, 128>>>(out, rows, columns); }), net_us([&] {
            add_rows<<<(rows + 127) / 128, 128>>>(out + (64 << 20), out, rows, columns);
          }));
    }
  CHECK(cudaMemset(memory, 0, 512 << 20));
  for (int blocks : {1, 132, 1056}) {
    in_graph("empty", empty, blocks);
    in_graph("one_store", one_store, blocks);
    in_graph("one_load", one_load, blocks);
    in_graph("eight_loads", eight_loads, blocks);
  }
}
