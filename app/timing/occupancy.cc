#include "timing/occupancy.h"

#include <algorithm>

#include "timing/generations.h"

namespace warpshop::timing {
namespace {

constexpr int kWarpSize = 32;

template <typename T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

int divide_round_up(int value, int unit) { return (value + unit - 1) / unit; }

// Blocks that the register file allows. From 2.0 on, registers are allocated per warp, and warps
// are distributed evenly over the sub-partitions (warp_granularity of them).
int registers_limit(const models::GpuProfile& gpu, int warps, int registers, uint32_t* per_block) {
  const int regs_warp = round_up(registers * kWarpSize, gpu.register_unit);
  *per_block = static_cast<uint32_t>(regs_warp * warps);
  // cuda_occupancy.h applies the launch check of 6.1 to compute capability 6.0 as well.
  const bool is_gp100 = gpu.capability == models::ComputeCapability{6, 0};
  const int check_granularity = is_gp100 ? std::max(gpu.warp_granularity, 4) : gpu.warp_granularity;
  const int assumed = regs_warp * round_up(warps, check_granularity);
  if (assumed > gpu.registers_per_block || registers > gpu.max_registers_per_thread) return 0;
  if (regs_warp == 0) return kUnlimited;
  const int warps_a_partition = gpu.registers_per_sm / gpu.warp_granularity / regs_warp;
  return warps_a_partition * gpu.warp_granularity / warps;
}

// On 1.x, registers are allocated per block.
int registers_limit_block_wise(const models::GpuProfile& gpu, int warps, int registers,
                               uint32_t* per_block) {
  const int regs_block =
      round_up(round_up(warps, gpu.warp_granularity) * kWarpSize * registers, gpu.register_unit);
  *per_block = static_cast<uint32_t>(regs_block);
  if (registers > gpu.max_registers_per_thread) return 0;
  if (regs_block == 0) return kUnlimited;
  return gpu.registers_per_sm / regs_block;
}

int shared_limit(const models::GpuProfile& gpu, const OccupancyInput& input, uint32_t* per_block) {
  const uint64_t asked = uint64_t{input.static_shared_bytes} + input.dynamic_shared_bytes;
  const uint64_t taken =
      round_up(asked + gpu.shared_reserved_bytes, static_cast<uint64_t>(gpu.shared_unit_bytes));
  *per_block =
      static_cast<uint32_t>(std::min<uint64_t>(taken, std::numeric_limits<uint32_t>::max()));
  // Shared memory reserved by the system does not count against a block's limit (from 8.0 on it is
  // separate).
  const uint64_t own_room = gpu.capability.major >= 8 ? gpu.shared_reserved_bytes : 0;
  if (taken > gpu.max_shared_bytes_per_block() + own_room) return 0;
  if (taken == 0) return kUnlimited;
  return static_cast<int>(gpu.shared_bytes_per_sm / taken);
}

uint32_t smallest_carveout(const models::GpuProfile& gpu, uint64_t needed) {
  for (const uint32_t size : gpu.shared_carveouts_bytes) {
    if (size >= needed) return size;
  }
  return gpu.shared_bytes_per_sm;
}

Sentence count_of(int blocks) {
  return counted(static_cast<uint64_t>(blocks), "{count} block", "{count} blocks");
}

// "registers: 40 × 256 threads allow 6 blocks", or that they do not fit.
Sentence limit_words(const models::GpuProfile& gpu, const OccupancyInput& input,
                     const Occupancy& result) {
  const std::vector<SentencePart> parts = {
      {"threads", input.threads_per_block},
      {"registers", input.registers_per_thread},
      {"bytes", decimal(result.shared_bytes_per_block, 0)},
      {"capability",
       std::to_string(gpu.capability.major) + "." + std::to_string(gpu.capability.minor)},
      {"blocks", count_of(result.blocks_per_sm)}};
  const bool fits = result.blocks_per_sm > 0;
  switch (result.limiter) {
    case OccupancyLimiter::kWarps:
      return fits ? sentence("warps: {threads} threads per block allow {blocks}", parts)
                  : sentence("warps: {threads} threads per block do not fit on an SM", parts);
    case OccupancyLimiter::kRegisters:
      return fits ? sentence("registers: {registers} × {threads} threads allow {blocks}", parts)
                  : sentence("registers: {registers} × {threads} threads do not fit on an SM",
                             parts);
    case OccupancyLimiter::kShared:
      return fits ? sentence("shared memory: {bytes} bytes per block allow {blocks}", parts)
                  : sentence("shared memory: {bytes} bytes per block do not fit on an SM", parts);
    case OccupancyLimiter::kBlocks:
      return sentence(
          "blocks: an SM of compute capability {capability} holds no more than {blocks}", parts);
    case OccupancyLimiter::kNone:
      break;
  }
  return {};
}

Sentence why_impossible(const models::GpuProfile& gpu, const OccupancyInput& input) {
  if (input.threads_per_block <= 0) return sentence("a block needs at least one thread");
  if (input.threads_per_block > gpu.max_threads_per_block) {
    return sentence("{threads} threads per block: this GPU allows at most {most}",
                    {{"threads", input.threads_per_block}, {"most", gpu.max_threads_per_block}});
  }
  if (input.registers_per_thread > gpu.max_registers_per_thread) {
    return sentence(
        "{registers} registers per thread: this GPU allows at most {most}",
        {{"registers", input.registers_per_thread}, {"most", gpu.max_registers_per_thread}});
  }
  const uint64_t shared = uint64_t{input.static_shared_bytes} + input.dynamic_shared_bytes;
  if (shared > gpu.max_shared_bytes_per_block()) {
    return sentence(
        "{bytes} bytes of shared memory per block: this GPU allows at most {most}",
        {{"bytes", decimal(shared, 0)}, {"most", decimal(gpu.max_shared_bytes_per_block(), 0)}});
  }
  return {};
}

}  // namespace

std::string_view name_of(OccupancyLimiter limiter) {
  switch (limiter) {
    case OccupancyLimiter::kNone:
      return "none";
    case OccupancyLimiter::kWarps:
      return "warps";
    case OccupancyLimiter::kBlocks:
      return "blocks";
    case OccupancyLimiter::kRegisters:
      return "registers";
    case OccupancyLimiter::kShared:
      return "shared memory";
  }
  return "none";
}

Occupancy occupancy(const models::GpuProfile& gpu, const OccupancyInput& input) {
  Occupancy result;
  result.limit_blocks = gpu.max_blocks_per_sm;
  result.registers_per_thread = input.registers_per_thread;
  if (input.threads_per_block <= 0) {
    result.reason = why_impossible(gpu, input);
    return result;
  }
  const int warps = divide_round_up(input.threads_per_block, kWarpSize);
  const bool block_wise = is_first_generation(gpu.capability);
  result.limit_warps =
      input.threads_per_block > gpu.max_threads_per_block ? 0 : gpu.max_warps_per_sm / warps;
  result.limit_registers =
      block_wise
          ? registers_limit_block_wise(gpu, warps, input.registers_per_thread,
                                       &result.registers_per_block)
          : registers_limit(gpu, warps, input.registers_per_thread, &result.registers_per_block);
  result.limit_shared = shared_limit(gpu, input, &result.shared_bytes_per_block);

  struct BlockLimit {
    OccupancyLimiter limiter;
    int blocks;
  };
  const BlockLimit limits[] = {{OccupancyLimiter::kWarps, result.limit_warps},
                               {OccupancyLimiter::kBlocks, result.limit_blocks},
                               {OccupancyLimiter::kRegisters, result.limit_registers},
                               {OccupancyLimiter::kShared, result.limit_shared}};
  const BlockLimit* tightest = std::min_element(
      std::begin(limits), std::end(limits),
      [](const BlockLimit& a, const BlockLimit& b) { return a.blocks < b.blocks; });
  result.blocks_per_sm = tightest->blocks;
  result.limiter = tightest->limiter;
  result.warps_per_sm = result.blocks_per_sm * warps;
  result.fraction = static_cast<double>(result.warps_per_sm) / gpu.max_warps_per_sm;
  result.shared_config_bytes = smallest_carveout(
      gpu, static_cast<uint64_t>(result.blocks_per_sm) * result.shared_bytes_per_block);

  if (result.blocks_per_sm == 0) {
    result.reason = why_impossible(gpu, input);
    if (result.reason.empty()) result.reason = limit_words(gpu, input, result);
    return result;
  }
  int otherwise = kUnlimited;
  for (const BlockLimit& limit : limits) {
    if (limit.limiter != result.limiter) otherwise = std::min(otherwise, limit.blocks);
  }
  result.reason = limit_words(gpu, input, result);
  if (otherwise > result.blocks_per_sm) {
    result.reason.then(sentence("{blocks} would fit otherwise", {{"blocks", otherwise}}), ", ");
  }
  return result;
}

}  // namespace warpshop::timing
