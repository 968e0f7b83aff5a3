// Measures what each warp access costs the emulator: the count functions and the whole counter.
#include <benchmark/benchmark.h>

#include <random>

#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/counters.h"

namespace warpshop {
namespace {

enum Pattern { kDense, kStrided, kTwoRows, kRandom, kOneWord, kEveryOtherLane, kPatterns };

models::WarpRequest request(int64_t pattern, uint32_t width) {
  models::WarpRequest r{.active_mask = pattern == kEveryOtherLane ? 0xAAAAAAAAU : ~0U,
                        .width_bytes = width};
  std::mt19937 random(1);
  for (uint64_t lane = 0; lane < models::kLanes; ++lane) {
    const uint64_t element = pattern == kStrided   ? lane * 33
                             : pattern == kTwoRows ? lane / 16 * 1024 + lane % 16
                             : pattern == kRandom  ? random() % 4096
                             : pattern == kOneWord ? 16
                                                   : lane;
    r.address[lane] = element * width;
  }
  return r;
}

void count_sectors(benchmark::State& state) {
  models::WarpRequest r = request(state.range(0), static_cast<uint32_t>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(r);
    benchmark::DoNotOptimize(models::count_sectors(r));
  }
}
BENCHMARK(count_sectors)->ArgsProduct({benchmark::CreateDenseRange(0, kPatterns - 1, 1), {4, 16}});

void count_wavefronts(benchmark::State& state) {
  models::WarpRequest r = request(state.range(0), static_cast<uint32_t>(state.range(1)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(r);
    benchmark::DoNotOptimize(models::count_wavefronts(r, models::SharedAccess::kLoad));
  }
}
BENCHMARK(count_wavefronts)
    ->ArgsProduct({benchmark::CreateDenseRange(0, kPatterns - 1, 1), {4, 8, 16}});

void count_access(benchmark::State& state) {
  timing::AccessCounter counter({.blocks = {}});
  const std::vector<emulator::AccessSite> sites(1);
  emulator::AccessSink* sink = counter.make_sink(sites, 0);
  const models::WarpRequest r = request(state.range(0), 4);
  emulator::WarpAccess access{.site = 0, .active_mask = r.active_mask, .address = r.address};
  for (auto _ : state) {
    benchmark::DoNotOptimize(access);
    sink->on_access({}, sites[0], access);
  }
}
BENCHMARK(count_access)->DenseRange(0, kPatterns - 1);

}  // namespace
}  // namespace warpshop
