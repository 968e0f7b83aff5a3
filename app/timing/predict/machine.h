// What the simulation of a whole chip needs of a GPU that no compiler of today makes machine code for: in cycles of
// the SM's clock.
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
#include "predict/texture_cache.h"

namespace warpshop::timing {

// What an SM executes an instruction with.
enum class Unit : uint8_t {
  kNone,  // control: an issue slot alone
  kFp32,
  kInt,
  kMul,
  kShift,
  kFp64,
  kSpecial,
  kConvert,
  kMemory,   // global and shared accesses: the units behind are simulated apart
  kTexture,
  kCount,
};
inline constexpr size_t kUnits = static_cast<size_t>(Unit::kCount);

struct Machine {
  models::ComputeCapability capability;
  int sm_count = 1;
  int schedulers = 1;
  int issue_width = 1;
  double issue_cycles = 1;
  double cycles_per_us = 1000;
  double launch_us = 0;
  double block_refill = 0;
  double barrier = 0;
  std::array<double, kUnits> unit_cycles{};  // of an SM's unit for one instruction of a warp
  double alu_latency = 0;
  double special_latency = 0;
  double fp64_latency = 0;
  // Textures: from issue to texel where nothing else is under way, by where it is found.
  double texture_latency = 0;
  double texture_l2_latency = 0;
  double texture_dram_latency = 0;
  TextureCacheSize texture_l1;  // of the SMs that share a way to memory
  TextureCacheSize texture_l2;  // of a partition; chips with an L2 for all have none
  TexelLayout texel_layout{};
  double shared_latency = 0;
  double shared_pass = 1;
  double shared_operand = 0;  // of arithmetic with an operand in shared memory; 0: there is none
  // Memory.
  models::CoalescingRule load_rule{};
  models::CoalescingRule store_rule{};
  models::CoalescingRule atomic_rule{};
  models::BankRule banks{};
  models::PartitionMap partitions;
  int sms_a_way = 1;           // SMs that share a way to memory
  double memory_pipe = 1;      // of such a way, for one transaction
  double memory_latency = 0;   // from issue to data, nothing else under way
  uint64_t l2_bytes = 0;       // 0: there is none
  double l2_latency = 0;
  double l2_read = 0;          // of a slice, one a partition
  double l2_read_sector = 0;
  double l2_write = 0;
  double l2_write_sector = 0;
  double l2_atomic = 0;
  double byte_cycles = 0;      // of a partition
  double row_read = 0;         // of a partition, at least for each row that it opens to read
  double row_write = 0;        // likewise to write
  uint32_t row_bytes = 2048;   // of a partition
  uint32_t queue_requests = 32;
};

// Error: the numbers that the profile lacks.
Result<Machine> machine_of(const models::GpuProfile& gpu);

}  // namespace warpshop::timing
