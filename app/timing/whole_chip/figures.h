// The GPU figures that the whole-chip simulation needs, in SM clock cycles. For GPUs that current
// compilers no longer support.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "models/bank_generations.h"
#include "models/gpu_profile.h"
#include "models/partitions.h"
#include "models/transactions.h"
#include "predict/texels.h"
#include "whole_chip/texture_cache.h"

namespace warpshop::timing {

// The unit of an SM that executes an instruction.
enum class Unit : uint8_t {
  kNone,  // control flow: only an issue slot
  kFp32,
  kInt,
  kMul,
  kShift,
  kFp64,
  kSpecial,
  kConvert,
  kMemory,  // global and shared accesses; the units behind are simulated separately
  kTexture,
  kCount,
};
inline constexpr size_t kUnits = static_cast<size_t>(Unit::kCount);

struct WholeChipFigures {
  models::ComputeCapability capability;
  int sm_count = 1;
  int schedulers = 1;
  int issue_width = 1;
  double issue_cycles = 1;
  double cycles_per_us = 1000;
  double launch_us = 0;
  double block_refill = 0;
  double barrier = 0;
  std::array<double, kUnits> unit_cycles{};  // of an SM's unit, per warp instruction
  double alu_latency = 0;
  double special_latency = 0;
  double fp64_latency = 0;
  // Textures: unloaded latency from issue to texel, by the level that hits.
  double texture_latency = 0;
  double texture_l2_latency = 0;
  double texture_dram_latency = 0;
  TextureCacheSize texture_l1;  // shared by the SMs of a memory port
  TextureCacheSize texture_l2;  // per partition; absent on chips with a unified L2
  TexelLayout texel_layout{};
  double shared_latency = 0;
  double shared_pass = 1;
  double shared_operand = 0;  // of arithmetic with a shared-memory operand; 0: not supported
  // Memory.
  models::CoalescingRule load_rule{};
  models::CoalescingRule store_rule{};
  models::CoalescingRule atomic_rule{};
  models::BankRule banks{};
  models::PartitionMap partitions;
  int sms_per_port = 1;       // SMs that share a memory port
  double memory_pipe = 1;     // of a memory port, per transaction
  double memory_latency = 0;  // unloaded, from issue to data
  uint64_t l2_bytes = 0;      // 0: no L2
  double l2_latency = 0;
  double l2_read = 0;  // of a slice (one per partition)
  double l2_read_sector = 0;
  double l2_write = 0;
  double l2_write_sector = 0;
  double l2_atomic = 0;
  double byte_cycles = 0;     // of a partition
  double row_read = 0;        // of a partition, minimum per row opened for reading
  double row_write = 0;       // likewise for writing
  uint32_t row_bytes = 2048;  // of a partition
  uint32_t queue_requests = 32;
};

// Error: numbers missing from the profile.
Result<WholeChipFigures> whole_chip_figures(const models::GpuProfile& gpu);

}  // namespace warpshop::timing
