// A GPU for the models, read from assets/gpus/ID.toml. Each number has its unit in its name and its
// source in the file. Unknown numbers are absent, and a model that needs one reports it as
// "assumed". docs/models.md, "GPU profiles", describes the format.
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
  // read, derived, measured, simulator (a modeller's choice), recalled, assumed
  std::string confidence;
  std::string note;  // may be empty
  int line = 0;      // in the profile's file
  // True if the number is neither published nor measured; it is then shown as "assumed".
  bool is_assumed() const {
    return confidence == "simulator" || confidence == "recalled" || confidence == "assumed";
  }
};

struct GpuProfile {
  std::string id;    // "h200"
  std::string name;  // "NVIDIA H200"
  ComputeCapability capability;
  int year = 0;
  // The id of the GPU whose timing numbers stand in, scaled, for those that this profile's file
  // does not have; empty: none. models/derived_timing.h.
  std::string relative;
  std::string relative_name;  // "NVIDIA A40"

  // The chip.
  int sm_count = 0;
  double sm_clock_mhz = 0;                 // boost
  std::string memory_type;                 // "GDDR3", "HBM3e", …; empty: unknown
  std::optional<double> memory_clock_mhz;  // as the source states it: half or an eighth of the data
                                           // rate
  std::optional<double> data_rate_gbps;    // per pin, 10^9 bits per second
  std::optional<int> memory_bus_bits;
  double memory_bandwidth_gb_s = 0;           // theoretical peak, 10^9 bytes per second
  std::optional<double> copy_bandwidth_gb_s;  // best copy achieved (bytes read + written)
  std::optional<uint64_t> l2_bytes;           // 0: no cache for global memory

  // Per SM.
  int max_warps_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  int max_registers_per_thread = 0;
  int register_unit = 0;     // allocation unit in registers: per block on 1.x, per warp since
  int warp_granularity = 0;  // registers are allocated for multiples of this many warps
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;        // without opt-in
  uint32_t shared_bytes_per_block_optin = 0;  // 0: no opt-in
  uint32_t shared_unit_bytes = 0;
  uint32_t shared_reserved_bytes = 0;            // by the system, per block
  std::vector<uint32_t> shared_carveouts_bytes;  // selectable sizes, ascending; empty: fixed size

  // Memory.
  uint32_t sector_bytes = 32;
  uint32_t line_bytes = 128;
  // 2.x and 3.x. true: global loads go through L1 in whole lines; false: to L2 in 32-byte segments.
  std::optional<bool> l1_caches_loads;
  int shared_banks = 32;
  uint32_t bank_bytes = 4;
  std::optional<int> partition_count;
  std::optional<uint32_t> partition_bytes;  // consecutive bytes of one partition
  std::string partition_mapping;            // "linear", "hashed"; empty: unknown
  std::optional<int> channel_bits;          // width of one partition's interface
  std::optional<uint32_t> burst_bytes;      // minimum size of a DRAM access
  std::optional<int> dram_banks;            // per channel
  std::optional<uint32_t> dram_row_bytes;   // per bank

  // Timing, for predicting a kernel's time. "cycles" are SM clock cycles unless the name says L2.
  // tests/microbench measures them.
  std::optional<double> launch_us;            // an empty kernel, timed with events
  std::optional<double> block_starts_per_us;  // over the whole chip
  // From a block's end to its successor's first instruction.
  std::optional<double> block_refill_cycles;
  std::optional<double> barrier_cycles;       // __syncthreads: after the last warp arrives
  std::optional<double> barrier_warp_cycles;  // likewise, per arriving warp
  std::optional<double> shared_latency_cycles;
  std::optional<double> l1_latency_cycles;
  std::optional<double> l2_latency_cycles;
  std::optional<double> dram_latency_cycles;  // from issue to data
  std::optional<double> dram_mixed_pct;  // extra time for the same bytes when half are reads and
                                         // half writes
  // Extra latency of reads, multiplied by the fraction of DRAM's time spent on writes.
  std::optional<double> dram_write_wait_cycles;
  std::optional<double> l1_bytes;          // per SM, including shared memory
  std::optional<double> l2_keeps_bytes;    // a footprint up to this size is still there at the next
                                           // launch
  std::optional<double> l2_forgets_bytes;  // a footprint from this size on is gone entirely
  std::optional<double> l2_clock_mhz;
  // Measured rate of reads that hit L2, whole chip. Derived slice times follow from it.
  std::optional<double> l2_read_gb_s;
  // Time of a slice (one per partition) for a one-sector request, and for each further sector of
  // the same line, in L2 clock cycles. A partial write covers part of a sector.
  std::optional<double> l2_read_cycles;
  std::optional<double> l2_read_sector_cycles;
  std::optional<double> l2_write_cycles;
  std::optional<double> l2_write_sector_cycles;
  std::optional<double> l2_partial_write_cycles;
  std::optional<double> l2_partial_write_sector_cycles;
  std::optional<double> l2_atomic_cycles;           // per sector visit
  std::optional<double> l2_atomic_request_cycles;   // a request's first visit to a line that is not
                                                    // at hand
  std::optional<double> l2_atomic_returned_cycles;  // likewise if the old value is used
  std::optional<double> l2_atomic_whole_cycles;     // for a visit to all of the sector's words
  std::optional<double> dram_gb_s;                  // for dense reads or dense writes
  // Time for the same bytes when one in 1, 2, 4, … 32 units of 64 bytes is read, or one in 1, 2, 4,
  // … 64 sectors is written; percent of the time of dense reads.
  std::vector<uint32_t> dram_sparse_read_pct;
  std::vector<uint32_t> dram_sparse_write_pct;

  // How far predicted times are from measured ones: the mean over that many kernels. Absent: nobody
  // has compared them.
  std::optional<double> error_pct;
  std::optional<int> error_kernels;

  // For GPUs that current compilers no longer support: all SMs are simulated on the PTX.
  std::optional<int> schedulers;       // per SM
  std::optional<int> issue_width;      // instructions of one warp issued together by a scheduler
  std::optional<double> issue_cycles;  // between two issues of a scheduler
  std::optional<double> alu_latency_cycles;
  std::optional<double> special_latency_cycles;
  std::optional<double> fp64_latency_cycles;
  // Lanes that an SM serves per cycle, by kind of instruction.
  std::optional<double> fp32_lanes;
  std::optional<double> int_lanes;  // addition, logic, comparison
  std::optional<double> mul_lanes;  // native integer multiplication (1.x: 24-bit)
  std::optional<double> shift_lanes;
  std::optional<double> fp64_lanes;  // absent: no double precision
  std::optional<double> special_lanes;
  std::optional<double> convert_lanes;
  std::optional<double> tensor_clock_mhz;  // the SM clock while tensor cores work (FP64 apart)
  std::optional<double> tensor_f32_pct;  // rate of tensor products summed in FP32, of those in FP16
  std::optional<double> texture_lanes;   // fetches of one or four texels
  // Latency of a fetch that hits in the texture cache, in its second level, or in neither.
  std::optional<double> texture_latency_cycles;
  std::optional<double> texture_l2_latency_cycles;
  std::optional<double> texture_dram_latency_cycles;
  // The first-level texture cache, per group of SMs that share one (absent: all fetches hit), and
  // the second level, for the whole chip.
  std::optional<double> texture_l1_bytes;
  std::optional<double> texture_l1_ways;
  std::optional<double> texture_l1_line_bytes;
  std::optional<double> texture_l2_bytes;
  std::optional<double> texture_l2_ways;
  std::optional<double> texture_l2_line_bytes;
  std::optional<double> shared_pass_cycles;  // of the banks, per pass
  // Arithmetic with a shared-memory operand; absent: not supported.
  std::optional<double> shared_operand_cycles;
  std::optional<double> memory_pipe_cycles;   // of an SM's memory port, per transaction
  std::optional<double> dram_row_read_ns;     // of a partition, minimum per row opened for reading
  std::optional<double> dram_row_write_ns;    // likewise for writing
  std::optional<double> dram_queue_requests;  // of a partition: requests that can wait and join a
                                              // row

  std::map<std::string, Sourced> sources;  // by field name in the file
  int max_threads_per_sm() const { return max_warps_per_sm * 32; }
  // The most shared memory that one block may request, with opt-in if available.
  uint32_t max_shared_bytes_per_block() const {
    return shared_bytes_per_block_optin != 0 ? shared_bytes_per_block_optin
                                             : shared_bytes_per_block;
  }
};

// One row for each number a profile may hold, in file order, for lists and comparisons.
struct ProfileNumber {
  std::string_view section;            // "chip", "sm", "memory", "timing"
  std::string_view key;                // "sm_count"
  std::string_view unit;               // "MHz", "byte", …; empty: the value is a word
  std::string text = {};               // as read, without the unit; empty: unknown
  std::optional<Sourced> origin = {};  // none: unknown
};
std::vector<ProfileNumber> profile_numbers(const GpuProfile& profile);

// Error: file, line and what was expected (missing key, wrong type, value out of range, unknown
// key).
Result<GpuProfile> load_gpu_profile(const std::filesystem::path& file);

// Writes a profile that load_gpu_profile can read back: every number whose origin is in `sources`.
// `keys` maps titles to names in [sources]; the others become S1, S2, …
std::string gpu_profile_toml(const GpuProfile& profile,
                             const std::map<std::string, std::string>& keys);

// Loads every valid assets/gpus/*.toml under `data_dir`, sorted by year, then name. Problems with
// the others, with file and line, go to `unreadable`. Error: none can be read.
Result<std::vector<GpuProfile>> load_gpu_profiles(const std::filesystem::path& data_dir,
                                                  Diagnostics* unreadable = nullptr);

// Loads one profile; an `id` ending in ".toml" is a path to a file elsewhere. Error: what is wrong
// with the file, or, if there is no such profile, the available ids.
Result<GpuProfile> find_gpu_profile(const std::filesystem::path& data_dir, std::string_view id);

}  // namespace warpshop::models
