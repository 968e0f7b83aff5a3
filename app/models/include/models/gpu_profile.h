// A GPU as the models see it, read from assets/gpus/ID.toml. Each number carries its unit in its name
// and its source in the file. What is unknown is absent, and a model that needs it says "assumed".
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::models {

struct ComputeCapability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
};

struct Sourced {                 // where a number comes from
  std::string source;            // "CUDA C++ Programming Guide 13.0, table 27", "measured on an H200", …
  std::string confidence;        // read, derived, measured, recalled, assumed
};

struct GpuProfile {
  std::string id;                // "h200"
  std::string name;              // "NVIDIA H200"
  ComputeCapability capability;
  int year = 0;

  // The chip.
  int sm_count = 0;
  double sm_clock_mhz = 0;               // boost
  std::optional<double> memory_clock_mhz;
  std::optional<int> memory_bus_bits;
  double memory_bandwidth_gb_s = 0;      // theoretical peak, 10^9 bytes a second
  std::optional<double> copy_bandwidth_gb_s;   // best copy achieved (bytes read + written)
  std::optional<uint64_t> l2_bytes;

  // An SM.
  int max_warps_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  int max_registers_per_thread = 0;
  int register_unit = 0;                 // allocation unit, registers
  int warp_granularity = 0;              // sub-partitions: registers are handed out for this many warps
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;         // without opt-in
  uint32_t shared_bytes_per_block_optin = 0;
  uint32_t shared_unit_bytes = 0;
  uint32_t shared_reserved_bytes = 0;          // by the system, a block
  std::vector<uint32_t> shared_carveouts_bytes;  // selectable sizes of shared memory, ascending

  // Memory.
  uint32_t sector_bytes = 32;
  uint32_t line_bytes = 128;
  int shared_banks = 32;
  uint32_t bank_bytes = 4;
  std::optional<int> partition_count;
  std::optional<uint32_t> partition_bytes;

  std::map<std::string, Sourced> sources;      // by field name as in the file
  int max_threads_per_sm() const { return max_warps_per_sm * 32; }
};

// Error: file, line and what was expected (missing key, wrong type, value out of range, unknown key).
Result<GpuProfile> load_gpu_profile(const std::filesystem::path& file);

// Every assets/gpus/*.toml under `data_dir`, by year then name. A broken file is an error that names it.
Result<std::vector<GpuProfile>> load_gpu_profiles(const std::filesystem::path& data_dir);

// Error: lists the ids there are.
Result<GpuProfile> find_gpu_profile(const std::filesystem::path& data_dir, std::string_view id);

}  // namespace warpshop::models
