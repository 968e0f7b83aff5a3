// Measures how fast the emulator runs kernels, with every check and counter on and without compile
// time. `x_native` is the emulation's time relative to the same work as plain host code on one
// thread, timed in the same run.
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "emulator/launch.h"
#include "ptx/parser.h"
#include "timing/counters.h"

namespace {

using namespace warpshop;

const char* const kSource = R"(
extern "C" __global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
extern "C" __global__ void naive(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[x * n + y + r] = in[(y + r) * n + x];
}
extern "C" __global__ void tiled(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) out[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
}
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < n / 16; ++t) {
    As[ty][tx] = A[row * n + t * 16 + tx];
    Bs[ty][tx] = B[(t * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}
extern "C" __global__ void blocked(const float* A, const float* B, float* C, int n) {
  __shared__ float As[32][32], Bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
  float sum[8] = {};
  for (int t = 0; t < n; t += 32) {
    for (int r = ty; r < 32; r += 4) {
      As[r][tx] = A[(row0 + r) * n + t + tx];
      Bs[r][tx] = B[(t + r) * n + col];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      float b = Bs[k][tx];
      for (int w = 0; w < 8; ++w) sum[w] += As[ty + w * 4][k] * b;
    }
    __syncthreads();
  }
  for (int w = 0; w < 8; ++w) C[(row0 + ty + w * 4) * n + col] = sum[w];
}
extern "C" __global__ void collatz(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i + 1, steps = 0;
  while (v != 1) { v = (v & 1) ? 3 * v + 1 : v / 2; ++steps; }
  out[i] = steps;
}
__device__ unsigned bin_of(unsigned i) { return i * 2654435761u >> 24; }
extern "C" __global__ void tally(unsigned* count, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&count[bin_of(i)], 1u);
}
extern "C" __global__ void histogram(unsigned* count, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 16; ++k)
    atomicAdd(&bins[bin_of(blockIdx.x * 4096 + k * 256 + threadIdx.x)], 1u);
  __syncthreads();
  atomicAdd(&count[threadIdx.x], bins[threadIdx.x]);
}
extern "C" __global__ void scatter(unsigned* count, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&count[i * 2654435761u >> 12], 1u);
}
)";

const ptx::Module& module() {
  static const ptx::Module parsed = [] {
    const auto compiler = compile::Compiler::load();
    if (!compiler) return ptx::Module{};
    const auto out = compiler->compile({.source = kSource,
                                        .file_name = "bench.cu",
                                        .options = {},
                                        .trailer = {},
                                        .prelude = false,
                                        .include_dirs = {},
                                        .instances = {}});
    return out ? ptx::parse(out->ptx, "bench.ptx").module : ptx::Module{};
  }();
  return parsed;
}

struct Work {
  const char* kernel;
  Dim3 grid;
  Dim3 block;
  uint64_t elements;  // per buffer
  int buffers;        // of more than one, the last is the output, not written before
  int n;
  std::function<void(const float*, const float*, float*, int)> native;
};

void transpose_native(const float* a, const float*, float* c, int n) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) c[x * n + y] = a[y * n + x];
  }
}
void product_native(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) c[i * n + j] = 0;
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}
void copy_native(const float* a, const float*, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i];
}
void collatz_native(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; ++i) {
    unsigned v = static_cast<unsigned>(i) + 1, steps = 0;
    while (v != 1) {
      v = (v & 1) ? 3 * v + 1 : v / 2;
      ++steps;
    }
    c[i] = static_cast<float>(steps);
  }
}
// What atomics count, into as many words as there are `elements`.
void count_native(const float*, const float*, float* c, int n) {
  const unsigned shift = n >> 20 ? 12 : 24;
  for (unsigned i = 0; i < 1u << 20; ++i) c[i * 2654435761u >> shift] += 1;
}

const std::vector<Work>& works() {
  static const std::vector<Work> all = {
      {"copy", {65536, 1, 1}, {256, 1, 1}, 1 << 24, 2, 1 << 24, copy_native},
      {"naive", {32, 32, 1}, {32, 8, 1}, 1 << 20, 2, 1024, transpose_native},
      {"tiled", {32, 32, 1}, {32, 8, 1}, 1 << 20, 2, 1024, transpose_native},
      {"matmul", {16, 16, 1}, {16, 16, 1}, 1 << 16, 3, 256, product_native},
      {"blocked", {16, 16, 1}, {32, 4, 1}, 1 << 18, 3, 512, product_native},
      {"collatz", {256, 1, 1}, {256, 1, 1}, 1 << 16, 2, 1 << 16, collatz_native},
      {"tally", {4096, 1, 1}, {256, 1, 1}, 256, 1, 256, count_native},
      {"histogram", {256, 1, 1}, {256, 1, 1}, 256, 1, 256, count_native},
      {"scatter", {4096, 1, 1}, {256, 1, 1}, 1 << 20, 1, 1 << 20, count_native},
  };
  return all;
}

double native_seconds(const Work& work) {
  std::vector<float> a(work.elements, 0.5f), b(work.elements, 0.25f), c(work.elements);
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work.native(a.data(), b.data(), c.data(), work.n);
    benchmark::DoNotOptimize(c.data());
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void run_kernel(benchmark::State& state) {
  const Work& work = works()[static_cast<size_t>(state.range(0))];
  const auto program = emulator::Program::decode(
      std::shared_ptr<const ptx::Module>(&module(), [](const ptx::Module*) {}), work.kernel);
  if (!program) {
    state.SkipWithError("no CUDA compiler here: run ./start");
    return;
  }
  emulator::DeviceMemory memory;
  emulator::LaunchConfig config{
      .grid = work.grid, .block = work.block, .dynamic_shared_bytes = 0, .args = {}};
  for (int b = 0; b < work.buffers; ++b) {
    const auto p = *memory.allocate(work.elements * 4, "buffer");
    if (b + 1 < work.buffers || work.buffers == 1) memory.mark_written(p);
    config.args.push_back(emulator::Argument::pointer(p));
  }
  config.args.push_back(emulator::Argument::i32(work.n));
  const double native = native_seconds(work);
  double seconds = 0;
  uint64_t instructions = 0;
  for (auto _ : state) {
    timing::AccessCounter counter({.blocks = {}, .max_records = 0});
    emulator::LaunchOptions options;
    options.threads = static_cast<int>(state.range(1));
    options.accesses = &counter;
    const auto result = emulator::launch(*program, memory, config, options);
    if (!result || !result->findings.empty()) {
      state.SkipWithError("the kernel did not run clean");
      return;
    }
    seconds += result->seconds;
    instructions += result->thread_instructions;
    benchmark::DoNotOptimize(counter.totals());
  }
  const auto runs = static_cast<double>(state.iterations());
  state.SetLabel(work.kernel);
  state.counters["M_thread_instr_per_s"] = static_cast<double>(instructions) / seconds / 1e6;
  state.counters["x_native"] = seconds / runs / native;
}
BENCHMARK(run_kernel)
    ->ArgNames({"kernel", "threads"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 8, 1), {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
