// A GPU as the models see it, read from assets/gpus/ID.toml. Each number carries its unit in its
// name and its source in the file. What is unknown is absent, and a model that needs it says
// "assumed". docs/models.md, "GPU profiles", shows the format.
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

struct Sourced {       // where a number comes from
  std::string source;  // "CUDA C++ Programming Guide 13.0, table 27", "the device itself", …
  std::string
      confidence;    // read, derived, measured, simulator (a modeller's choice), recalled, assumed
  std::string note;  // may be empty
  int line = 0;      // of the profile's file
  // Nobody wrote it down or measured it: it is shown as "assumed".
  bool is_assumed() const {
    return confidence == "simulator" || confidence == "recalled" || confidence == "assumed";
  }
};

struct GpuProfile {
  std::string id;    // "h200"
  std::string name;  // "NVIDIA H200"
  ComputeCapability capability;
  int year = 0;

  // The chip.
  int sm_count = 0;
  double sm_clock_mhz = 0;                 // boost
  std::string memory_type;                 // "GDDR3", "HBM3e", …; empty: unknown
  std::optional<double> memory_clock_mhz;  // as the source counts it: half or an eighth of the rate
  std::optional<double> data_rate_gbps;    // of one pin, 10^9 bits a second
  std::optional<int> memory_bus_bits;
  double memory_bandwidth_gb_s = 0;           // theoretical peak, 10^9 bytes a second
  std::optional<double> copy_bandwidth_gb_s;  // best copy achieved (bytes read + written)
  std::optional<uint64_t> l2_bytes;           // 0: no cache for global memory

  // An SM.
  int max_warps_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  int max_registers_per_thread = 0;
  int register_unit = 0;     // allocation unit, registers: of a block on 1.x, of a warp since
  int warp_granularity = 0;  // registers are handed out for a multiple of this many warps
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;        // without opt-in
  uint32_t shared_bytes_per_block_optin = 0;  // 0: there is no opt-in
  uint32_t shared_unit_bytes = 0;
  uint32_t shared_reserved_bytes = 0;  // by the system, a block
  std::vector<uint32_t>
      shared_carveouts_bytes;  // selectable sizes, ascending; empty: one fixed size

  // Memory.
  uint32_t sector_bytes = 32;
  uint32_t line_bytes = 128;
  // 2.x and 3.x: global loads go through L1 in whole lines; false: to L2 in 32-byte segments.
  std::optional<bool> l1_caches_loads;
  int shared_banks = 32;
  uint32_t bank_bytes = 4;
  std::optional<int> partition_count;
  std::optional<uint32_t> partition_bytes;  // consecutive bytes of one partition
  std::string partition_mapping;            // "linear", "hashed"; empty: unknown
  std::optional<int> channel_bits;          // width of one partition's interface
  std::optional<uint32_t> burst_bytes;      // one access of the memory chips, at least
  std::optional<int> dram_banks;            // of a channel
  std::optional<uint32_t> dram_row_bytes;   // of a bank

  // Times, for the prediction of a kernel's time; "cycles" are of the SM's clock unless they name
  // L2. tests/microbench measures them.
  std::optional<double> launch_us;            // an empty kernel, by events
  std::optional<double> block_starts_per_us;  // blocks started, of the whole chip
  std::optional<double> block_refill_cycles;  // from a block's end to its successor's first
                                              // instruction
  std::optional<double> barrier_cycles;       // __syncthreads: after the last warp has come
  std::optional<double> barrier_warp_cycles;  // likewise: for each warp that comes
  std::optional<double> shared_latency_cycles;
  std::optional<double> l1_latency_cycles;
  std::optional<double> l2_latency_cycles;
  std::optional<double> dram_latency_cycles;  // from issue to data
  std::optional<double> dram_mixed_pct;  // more time for the same bytes when half of them are read and half written
  std::optional<double> dram_write_wait_cycles;  // more for reads, times the part of DRAM's time
                                                 // that goes into writes
  std::optional<double> l1_bytes;             // of an SM, shared memory included
  std::optional<double> l2_keeps_bytes;    // what a launch finds of the one before: all of so much
  std::optional<double> l2_forgets_bytes;  // likewise: nothing of so much
  std::optional<double> l2_clock_mhz;
  // Time of a slice (one a partition) for a request of one sector, and for each further sector of
  // the same line, in cycles of L2's clock. A partial write covers a sector in part.
  std::optional<double> l2_read_cycles;
  std::optional<double> l2_read_sector_cycles;
  std::optional<double> l2_write_cycles;
  std::optional<double> l2_write_sector_cycles;
  std::optional<double> l2_partial_write_cycles;
  std::optional<double> l2_partial_write_sector_cycles;
  std::optional<double> l2_atomic_cycles;  // a visit of a sector
  std::optional<double> l2_atomic_request_cycles;   // the first visit of a request to a line that is not at hand
  std::optional<double> l2_atomic_returned_cycles;  // likewise where the old value is wanted
  std::optional<double> l2_atomic_whole_cycles;  // one that concerns all of the sector's words
  std::optional<double> dram_gb_s;              // dense reads or dense writes
  // Time for the same bytes where one in 1, 2, 4, … 32 units of 64 bytes is read, or one in 1, 2, 4,
  // … 64 sectors written; percent of that of dense reads.
  std::vector<uint32_t> dram_sparse_read_pct;
  std::vector<uint32_t> dram_sparse_write_pct;

  // For GPUs whose machine code no compiler of today makes: all SMs are simulated on the PTX.
  std::optional<int> schedulers;            // of an SM
  std::optional<int> issue_width;           // instructions of one warp that a scheduler issues at once
  std::optional<double> issue_cycles;       // between two issues of a scheduler
  std::optional<double> alu_latency_cycles;
  std::optional<double> special_latency_cycles;
  std::optional<double> fp64_latency_cycles;
  // Lanes that an SM serves in a cycle, by instruction.
  std::optional<double> fp32_lanes;
  std::optional<double> int_lanes;     // addition, logic, comparison
  std::optional<double> mul_lanes;     // one native integer multiplication (1.x: of 24 bits)
  std::optional<double> shift_lanes;
  std::optional<double> fp64_lanes;    // absent: the chip has no double precision
  std::optional<double> special_lanes;
  std::optional<double> convert_lanes;
  std::optional<double> texture_lanes;  // fetches of one texel or four
  // From a fetch to its texel where the texture cache has it, where only the second level has it, and where neither has.
  std::optional<double> texture_latency_cycles;
  std::optional<double> texture_l2_latency_cycles;
  std::optional<double> texture_dram_latency_cycles;
  // The texture cache, of the SMs that share one; absent: all fetches hit. The second level, of the whole chip.
  std::optional<double> texture_l1_bytes;
  std::optional<double> texture_l1_ways;
  std::optional<double> texture_l1_line_bytes;
  std::optional<double> texture_l2_bytes;
  std::optional<double> texture_l2_ways;
  std::optional<double> texture_l2_line_bytes;
  std::optional<double> shared_pass_cycles;     // of the banks, for one pass
  std::optional<double> shared_operand_cycles;  // arithmetic that reads an operand from shared
                                                // memory; absent: there is none
  std::optional<double> memory_pipe_cycles;  // of an SM's way to memory, for one transaction
  std::optional<double> dram_row_read_ns;    // of a partition, at least for each row opened to read
  std::optional<double> dram_row_write_ns;   // likewise to write
  std::optional<double> dram_queue_requests; // of a partition: what can wait there and join a row

  std::map<std::string, Sourced> sources;  // by field name as in the file
  int max_threads_per_sm() const { return max_warps_per_sm * 32; }
  // The most that one block may ask for, with opt-in where there is one.
  uint32_t max_shared_bytes_per_block() const {
    return shared_bytes_per_block_optin != 0 ? shared_bytes_per_block_optin
                                             : shared_bytes_per_block;
  }
};

// One row for each number that a profile may hold, in the order of the file; for lists and
// comparisons.
struct ProfileNumber {
  std::string_view section;            // "chip", "sm", "memory", "timing"
  std::string_view key;                // "sm_count"
  std::string_view unit;               // "MHz", "byte", …; empty: a word
  std::string text = {};               // as read, without the unit; empty: unknown
  std::optional<Sourced> origin = {};  // none: unknown
};
std::vector<ProfileNumber> profile_numbers(const GpuProfile& profile);

// Error: file, line and what was expected (missing key, wrong type, value out of range, unknown
// key).
Result<GpuProfile> load_gpu_profile(const std::filesystem::path& file);

// The profile as a file that load_gpu_profile reads back: every number whose origin is in `sources`.
// `keys`: what [sources] calls a title; the others are S1, S2, …
std::string gpu_profile_toml(const GpuProfile& profile,
                             const std::map<std::string, std::string>& keys);

// Every assets/gpus/*.toml under `data_dir` that can be read, by year then name. What is wrong with the others, with file
// and line, goes to `unreadable`. Error: none can be read.
Result<std::vector<GpuProfile>> load_gpu_profiles(const std::filesystem::path& data_dir,
                                                  Diagnostics* unreadable = nullptr);

// Reads that one file; an `id` that ends in ".toml" is the path of one elsewhere. Error: what is wrong
// with it; or, where there is none, the ids there are.
Result<GpuProfile> find_gpu_profile(const std::filesystem::path& data_dir, std::string_view id);

}  // namespace warpshop::models
