#include "describe.h"

#include <algorithm>
#include <cmath>

namespace warpshop::device {
namespace {

// CUdevice_attribute, cuda.h.
constexpr int kMaxThreadsPerBlock = 1;
constexpr int kSharedPerBlock = 8;
constexpr int kRegistersPerBlock = 12;
constexpr int kMaxThreadsPerSm = 39;
constexpr int kSharedPerSm = 81;
constexpr int kRegistersPerSm = 82;
constexpr int kSharedPerBlockOptin = 97;
constexpr int kMaxBlocksPerSm = 106;
constexpr int kReservedSharedPerBlock = 111;

constexpr int kTimedLaunches = 15;
constexpr uint64_t kLargestRead = uint64_t{4} << 30;

// A pointer chain: each node points to the next; nodes are `stride_bytes` apart.
struct Chain {
  uint64_t nodes;  // a power of two
  uint32_t stride_bytes;
  uint32_t warm_steps;
  uint32_t steps;
  bool past_l1;  // uses loads that bypass L1
};
constexpr uint64_t kMib = uint64_t{1} << 20;
// Stays in L1 after the first pass.
constexpr Chain kInL1 = {512, 32, 1024, 4096, false};
// 2 MiB: a fraction of any L2. Visits each line once before timing starts.
constexpr Chain kInL2 = {2 * kMib / 128, 128, 2 * kMib / 128, 16384, true};
// 256 MiB, of which few lines are visited, each once, after L2 was flushed. The first steps load
// the page translations.
constexpr Chain kInDram = {256 * kMib / 128, 128, 64, 4096, true};

Result<double> cycles_per_step(Gpu& gpu, const Chain& chain) {
  Result<DeviceBytes> nodes = gpu.allocate(chain.nodes * chain.stride_bytes, sentence("a chain"));
  if (!nodes.ok()) return nodes.errors();
  Result<DeviceBytes> cycles = gpu.allocate(16, sentence("a chain's time"));
  if (!cycles.ok()) return cycles.errors();
  CuPointer at = nodes->at();
  CuPointer out = cycles->at();
  uint64_t count = chain.nodes;
  uint32_t stride = chain.stride_bytes;
  Status status = gpu.run_helper("warpshop_make_chain", count, true, {&at, &count, &stride});
  if (status.ok()) status = gpu.sweep_l2();
  uint32_t warm = chain.warm_steps;
  uint32_t steps = chain.steps;
  uint32_t past_l1 = chain.past_l1 ? 1 : 0;
  if (status.ok()) {
    status = gpu.run_helper("warpshop_chase", 1, false, {&at, &warm, &steps, &past_l1, &out});
  }
  uint64_t taken = 0;
  if (status.ok()) status = gpu.download(&taken, out, sizeof taken);
  if (!status.ok()) return status.errors();
  return static_cast<double>(taken) / chain.steps;
}

Result<double> shared_cycles(Gpu& gpu) {
  Result<DeviceBytes> cycles = gpu.allocate(16, sentence("a chain's time"));
  if (!cycles.ok()) return cycles.errors();
  constexpr uint32_t kSteps = 4096;
  uint32_t steps = kSteps;
  CuPointer out = cycles->at();
  Status status = gpu.run_helper("warpshop_chase_shared", 1, false, {&steps, &out});
  uint64_t taken = 0;
  if (status.ok()) status = gpu.download(&taken, out, sizeof taken);
  if (!status.ok()) return status.errors();
  return static_cast<double>(taken) / kSteps;
}

Result<double> empty_launch_us(Gpu& gpu) {
  std::vector<double> times;
  for (int i = 0; i < kTimedLaunches; ++i) {
    const Status swept = gpu.sweep_l2();
    if (!swept.ok()) return swept.errors();
    const Result<double> us = gpu.timed_empty();
    if (!us.ok()) return us.errors();
    times.push_back(*us);
  }
  std::nth_element(times.begin(), times.begin() + kTimedLaunches / 2, times.end());
  return times[kTimedLaunches / 2];
}

// Rounded to the precision its scatter allows.
double rounded(double value, double step) { return std::round(value / step) * step; }

}  // namespace

Result<GpuDescription> describe(Gpu& gpu) {
  const Driver& driver = gpu.driver();
  CuDevice device = 0;
  const Status found =
      gpu.check(driver.device(&device, gpu.info().index), sentence("finding the GPU"));
  if (!found.ok()) return found.errors();
  const auto reported = [&](int attribute) {
    int value = 0;
    return driver.device_attribute(&value, attribute, device) == 0 ? value : 0;
  };
  const auto bytes = [&](int attribute) { return static_cast<uint32_t>(reported(attribute)); };
  GpuDescription out;
  out.max_threads_per_sm = reported(kMaxThreadsPerSm);
  out.max_blocks_per_sm = reported(kMaxBlocksPerSm);
  out.max_threads_per_block = reported(kMaxThreadsPerBlock);
  out.registers_per_sm = reported(kRegistersPerSm);
  out.registers_per_block = reported(kRegistersPerBlock);
  out.shared_bytes_per_sm = bytes(kSharedPerSm);
  out.shared_bytes_per_block = bytes(kSharedPerBlock);
  out.shared_bytes_per_block_optin = bytes(kSharedPerBlockOptin);
  out.shared_reserved_bytes = bytes(kReservedSharedPerBlock);

  const auto take = [](double& number, const Result<double>& measured, double step) {
    if (measured.ok()) number = rounded(*measured, step);
  };
  take(out.copy_gb_s, gpu.copy_ceiling_gb_s(), 1);
  take(out.read_gb_s, gpu.read_ceiling_gb_s(std::min(kLargestRead, gpu.free_bytes() / 4)), 1);
  take(out.launch_us, empty_launch_us(gpu), 0.01);
  take(out.shared_latency_cycles, shared_cycles(gpu), 0.1);
  take(out.l1_latency_cycles, cycles_per_step(gpu, kInL1), 0.1);
  take(out.l2_latency_cycles, cycles_per_step(gpu, kInL2), 1);
  take(out.dram_latency_cycles, cycles_per_step(gpu, kInDram), 1);
  const ClockReading clocks = gpu.clocks();
  out.clock_mhz = clocks.clock_mhz;
  out.throttled = clocks.throttled;
  if (gpu.lost()) return make_error("gpu-fault", sentence("the GPU failed during measurement"));
  return out;
}

}  // namespace warpshop::device
