#include "one_sm/figures.h"

#include <algorithm>
#include <string>

#include "one_sm/arithmetic_rates.h"
#include "timing/generations.h"

namespace warpshop::timing {
namespace {

// Measured on an H200 with Nsight Compute's lts__t_sectors_srcunit_tex_op_read, all blocks reading
// the same data: 64 blocks request it from L2 17 times, 128 blocks 33 times. Older chips request it
// every time.
constexpr int kMergingSms = 4;

// Measured on an H200 with launches of a graph, less empty ones (tests/microbench, "first_access"):
// 0.05 us more than by the latencies with one block, 0.23 us with 132. Other generations are not
// measured; with it, sums on a V100 come out 9 % too slow.
constexpr double kFirstAccess = 100;
constexpr double kFirstAccessPerSm = 2.7;

// One SM of an H200 gets 115 to 127 bytes per cycle (tests/microbench, "one_sm"). Of older ones 64
// are assumed.
constexpr double kPortBytes = 120;

// Texture units per SM from Volta to Hopper, one fetch per cycle each: NVIDIA's white papers on
// V100, A100 and H100.
constexpr double kTextureUnits = 4;

// A channel has a slice of L2. What is asked of a row of DRAM is served together.
constexpr double kRowBytes = 2048;

}  // namespace

Result<OneSmFigures> one_sm_figures(const models::GpuProfile& gpu) {
  std::string missing;
  const auto need = [&](const std::optional<double>& value, const char* name) {
    if (!value) missing += std::string(missing.empty() ? "" : ", ") + name;
    return value.value_or(0);
  };
  OneSmFigures chip;
  chip.sm_count = gpu.sm_count;
  chip.access = access_cycles(gpu.capability);
  chip.wavefront = wavefront_cycles(gpu.capability);
  chip.cycles_per_us = gpu.sm_clock_mhz;
  chip.launch_us = need(gpu.launch_us, "launch_us");
  chip.block_interval = gpu.sm_clock_mhz / need(gpu.block_starts_per_us, "block_starts_per_us");
  chip.block_refill = need(gpu.block_refill_cycles, "block_refill_cycles");
  chip.barrier = need(gpu.barrier_cycles, "barrier_cycles");
  chip.barrier_per_warp = need(gpu.barrier_warp_cycles, "barrier_warp_cycles");
  chip.shared_latency = need(gpu.shared_latency_cycles, "shared_latency_cycles");
  chip.l1_latency = need(gpu.l1_latency_cycles, "l1_latency_cycles");
  chip.texture_warp = 32 / gpu.texture_lanes.value_or(kTextureUnits);
  chip.l2_latency = need(gpu.l2_latency_cycles, "l2_latency_cycles");
  chip.dram_latency = need(gpu.dram_latency_cycles, "dram_latency_cycles");
  chip.dram_write_wait = need(gpu.dram_write_wait_cycles, "dram_write_wait_cycles");
  if (is_hopper_or_newer(gpu.capability)) {
    chip.port_bytes = kPortBytes;
    chip.merging_sms = kMergingSms;
  }
  if (is_hopper(gpu.capability)) {
    chip.first_access = kFirstAccess;
    chip.first_access_per_sm = kFirstAccessPerSm;
  }
  chip.dram_mixed = gpu.dram_mixed_pct.value_or(0) / 100;
  chip.l1_bytes = static_cast<uint64_t>(need(gpu.l1_bytes, "l1_bytes"));
  chip.l2_keeps_bytes = static_cast<uint64_t>(need(gpu.l2_keeps_bytes, "l2_keeps_bytes"));
  chip.l2_forgets_bytes = static_cast<uint64_t>(need(gpu.l2_forgets_bytes, "l2_forgets_bytes"));
  if (!gpu.partition_count) need({}, "partition_count");
  chip.l2_slices = gpu.partition_count.value_or(1);
  const double slice_cycle =
      gpu.sm_clock_mhz / need(gpu.l2_clock_mhz, "l2_clock_mhz") / chip.l2_slices;
  chip.l2_read = slice_cycle * need(gpu.l2_read_cycles, "l2_read_cycles");
  chip.l2_read_sector = slice_cycle * need(gpu.l2_read_sector_cycles, "l2_read_sector_cycles");
  chip.l2_write = slice_cycle * need(gpu.l2_write_cycles, "l2_write_cycles");
  chip.l2_write_sector = slice_cycle * need(gpu.l2_write_sector_cycles, "l2_write_sector_cycles");
  chip.l2_partial = slice_cycle * need(gpu.l2_partial_write_cycles, "l2_partial_write_cycles");
  chip.l2_partial_sector =
      slice_cycle * need(gpu.l2_partial_write_sector_cycles, "l2_partial_write_sector_cycles");
  chip.l2_atomic = slice_cycle * need(gpu.l2_atomic_cycles, "l2_atomic_cycles");
  chip.l2_atomic_request =
      gpu.l2_atomic_request_cycles ? slice_cycle * *gpu.l2_atomic_request_cycles : chip.l2_atomic;
  chip.l2_atomic_returned = gpu.l2_atomic_returned_cycles
                                ? slice_cycle * *gpu.l2_atomic_returned_cycles
                                : chip.l2_atomic_request;
  chip.l2_atomic_whole =
      gpu.l2_atomic_whole_cycles ? slice_cycle * *gpu.l2_atomic_whole_cycles : chip.l2_atomic;
  chip.dram_unit = 64.0 * gpu.sm_clock_mhz / (need(gpu.dram_gb_s, "dram_gb_s") * 1e3);
  chip.dram_row = kRowBytes / 64 * chip.dram_unit * chip.l2_slices;
  const auto factors = [](auto& out, const std::vector<uint32_t>& percent) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = percent.empty() ? 1.0 : percent[std::min(i, percent.size() - 1)] / 100.0;
    }
  };
  factors(chip.sparse_read, gpu.dram_sparse_read_pct);
  factors(chip.sparse_write, gpu.dram_sparse_write_pct);
  if (!missing.empty()) {
    return make_error("predict",
                      sentence("cannot predict a time for {gpu}: its profile lacks {missing}",
                               {{"gpu", gpu.name}, {"missing", missing}}),
                      sentence("tests/microbench measures these numbers on a GPU"));
  }
  return chip;
}

}  // namespace warpshop::timing
