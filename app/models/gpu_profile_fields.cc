#include "gpu_profile_fields.h"

namespace warpshop::models {
namespace {

constexpr double kGiga = 1e9;
// Memory types on boards of the supported generations.
constexpr std::string_view kMemoryTypes =
    "DDR DDR2 DDR3 GDDR3 GDDR4 GDDR5 GDDR5X GDDR6 GDDR6X HBM2 HBM2e HBM3 HBM3e";

}  // namespace

const std::vector<ProfileField>& profile_fields() {
  using P = GpuProfile;
  // clang-format off
  static const std::vector<ProfileField> rows = {
      {"chip", "sm_count",                     &P::sm_count,                     true,  1, 1024, "SM"},
      {"chip", "sm_clock_mhz",                 &P::sm_clock_mhz,                 true,  100, 10000, "MHz"},
      {"chip", "memory_type",                  &P::memory_type,                  false, 0, 0, "", kMemoryTypes},
      {"chip", "memory_clock_mhz",             &P::memory_clock_mhz,             false, 100, 20000, "MHz"},
      {"chip", "data_rate_gbps",               &P::data_rate_gbps,               false, 0.1, 100, "Gbit/s a pin"},
      {"chip", "memory_bus_bits",              &P::memory_bus_bits,              false, 32, 65536, "bit"},
      {"chip", "memory_bandwidth_gb_s",        &P::memory_bandwidth_gb_s,        true,  1, 100000, "GB/s"},
      {"chip", "copy_bandwidth_gb_s",          &P::copy_bandwidth_gb_s,          false, 1, 100000, "GB/s"},
      {"chip", "l2_bytes",                     &P::l2_bytes,                     false, 0, kGiga, "byte"},
      {"sm",   "max_warps_per_sm",             &P::max_warps_per_sm,             true,  1, 256, "warp"},
      {"sm",   "max_blocks_per_sm",            &P::max_blocks_per_sm,            true,  1, 256, "block"},
      {"sm",   "max_threads_per_block",        &P::max_threads_per_block,        true,  32, 4096, "thread"},
      {"sm",   "registers_per_sm",             &P::registers_per_sm,             true,  1, kGiga, "register"},
      {"sm",   "registers_per_block",          &P::registers_per_block,          true,  1, kGiga, "register"},
      {"sm",   "max_registers_per_thread",     &P::max_registers_per_thread,     true,  1, 1024, "register"},
      {"sm",   "register_unit",                &P::register_unit,                true,  1, 65536, "register"},
      {"sm",   "warp_granularity",             &P::warp_granularity,             true,  1, 64, "warp"},
      {"sm",   "shared_bytes_per_sm",          &P::shared_bytes_per_sm,          true,  1, kGiga, "byte"},
      {"sm",   "shared_bytes_per_block",       &P::shared_bytes_per_block,       true,  1, kGiga, "byte"},
      {"sm",   "shared_bytes_per_block_optin", &P::shared_bytes_per_block_optin, false, 1, kGiga, "byte"},
      {"sm",   "shared_unit_bytes",            &P::shared_unit_bytes,            true,  1, 65536, "byte"},
      {"sm",   "shared_reserved_bytes",        &P::shared_reserved_bytes,        false, 0, 65536, "byte"},
      {"sm",   "shared_carveouts_bytes",       &P::shared_carveouts_bytes,       false, 0, kGiga, "byte"},
      {"memory", "sector_bytes",               &P::sector_bytes,                 false, 1, 4096, "byte"},
      {"memory", "line_bytes",                 &P::line_bytes,                   false, 1, 4096, "byte"},
      {"memory", "l1_caches_loads",            &P::l1_caches_loads,              false, 0, 0},
      {"memory", "shared_banks",               &P::shared_banks,                 false, 1, 1024, "bank"},
      {"memory", "bank_bytes",                 &P::bank_bytes,                   false, 1, 64, "byte"},
      {"memory", "partition_count",            &P::partition_count,              false, 1, 4096, "partition"},
      {"memory", "partition_bytes",            &P::partition_bytes,              false, 1, 1 << 20, "byte"},
      {"memory", "partition_mapping",          &P::partition_mapping,            false, 0, 0, "", "linear hashed"},
      {"memory", "channel_bits",               &P::channel_bits,                 false, 1, 4096, "bit"},
      {"memory", "burst_bytes",                &P::burst_bytes,                  false, 1, 4096, "byte"},
      {"memory", "dram_banks",                 &P::dram_banks,                   false, 1, 1024, "bank"},
      {"memory", "dram_row_bytes",             &P::dram_row_bytes,               false, 64, 1 << 20, "byte"},
      {"timing", "launch_us",                  &P::launch_us,                    false, 0, 1000, "us"},
      {"timing", "block_starts_per_us",        &P::block_starts_per_us,          false, 0.1, 100000, "block/us"},
      {"timing", "block_refill_cycles",        &P::block_refill_cycles,          false, 0, 100000, "cycle"},
      {"timing", "barrier_cycles",             &P::barrier_cycles,               false, 0, 1000, "cycle"},
      {"timing", "barrier_warp_cycles",        &P::barrier_warp_cycles,          false, 0, 1000, "cycle"},
      {"timing", "shared_latency_cycles",      &P::shared_latency_cycles,        false, 1, 1000, "cycle"},
      {"timing", "l1_latency_cycles",          &P::l1_latency_cycles,            false, 1, 10000, "cycle"},
      {"timing", "l2_latency_cycles",          &P::l2_latency_cycles,            false, 1, 10000, "cycle"},
      {"timing", "dram_latency_cycles",        &P::dram_latency_cycles,          false, 1, 10000, "cycle"},
      {"timing", "l1_bytes",                   &P::l1_bytes,                     false, 0, kGiga, "byte"},
      {"timing", "l2_keeps_bytes",             &P::l2_keeps_bytes,               false, 0, kGiga, "byte"},
      {"timing", "l2_forgets_bytes",           &P::l2_forgets_bytes,             false, 0, kGiga, "byte"},
      {"timing", "l2_clock_mhz",               &P::l2_clock_mhz,                 false, 100, 10000, "MHz"},
      {"timing", "l2_read_cycles",             &P::l2_read_cycles,               false, 0, 1000, "L2 cycle"},
      {"timing", "l2_read_sector_cycles",      &P::l2_read_sector_cycles,        false, 0, 1000, "L2 cycle"},
      {"timing", "l2_write_cycles",            &P::l2_write_cycles,              false, 0, 1000, "L2 cycle"},
      {"timing", "l2_write_sector_cycles",     &P::l2_write_sector_cycles,       false, 0, 1000, "L2 cycle"},
      {"timing", "l2_partial_write_cycles",    &P::l2_partial_write_cycles,      false, 0, 1000, "L2 cycle"},
      {"timing", "l2_partial_write_sector_cycles", &P::l2_partial_write_sector_cycles, false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_cycles",           &P::l2_atomic_cycles,             false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_request_cycles",   &P::l2_atomic_request_cycles,     false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_returned_cycles",  &P::l2_atomic_returned_cycles,    false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_whole_cycles",     &P::l2_atomic_whole_cycles,       false, 0, 1000, "L2 cycle"},
      {"timing", "dram_mixed_pct",             &P::dram_mixed_pct,               false, 0, 1000, "%"},
      {"timing", "dram_write_wait_cycles",     &P::dram_write_wait_cycles,       false, 0, 100000, "cycle"},
      {"timing", "dram_gb_s",                  &P::dram_gb_s,                    false, 1, 100000, "GB/s"},
      {"timing", "dram_sparse_read_pct",       &P::dram_sparse_read_pct,         false, 1, 10000, "%"},
      {"timing", "dram_sparse_write_pct",      &P::dram_sparse_write_pct,        false, 1, 10000, "%"},
      {"timing", "schedulers",                 &P::schedulers,                   false, 1, 16, "scheduler"},
      {"timing", "issue_width",                &P::issue_width,                  false, 1, 4, "instruction"},
      {"timing", "issue_cycles",               &P::issue_cycles,                 false, 0.25, 64, "cycle"},
      {"timing", "alu_latency_cycles",         &P::alu_latency_cycles,           false, 1, 1000, "cycle"},
      {"timing", "special_latency_cycles",     &P::special_latency_cycles,       false, 1, 1000, "cycle"},
      {"timing", "fp64_latency_cycles",        &P::fp64_latency_cycles,          false, 1, 1000, "cycle"},
      {"timing", "fp32_lanes",                 &P::fp32_lanes,                   false, 0.1, 1024, "lane/cycle"},
      {"timing", "int_lanes",                  &P::int_lanes,                    false, 0.1, 1024, "lane/cycle"},
      {"timing", "mul_lanes",                  &P::mul_lanes,                    false, 0.1, 1024, "lane/cycle"},
      {"timing", "shift_lanes",                &P::shift_lanes,                  false, 0.1, 1024, "lane/cycle"},
      {"timing", "fp64_lanes",                 &P::fp64_lanes,                   false, 0.1, 1024, "lane/cycle"},
      {"timing", "special_lanes",              &P::special_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "convert_lanes",              &P::convert_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "texture_lanes",              &P::texture_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "texture_latency_cycles",     &P::texture_latency_cycles,       false, 1, 10000, "cycle"},
      {"timing", "texture_l2_latency_cycles",  &P::texture_l2_latency_cycles,    false, 1, 10000, "cycle"},
      {"timing", "texture_dram_latency_cycles", &P::texture_dram_latency_cycles, false, 1, 10000, "cycle"},
      {"timing", "texture_l1_bytes",           &P::texture_l1_bytes,             false, 512, 1 << 20, "byte"},
      {"timing", "texture_l1_ways",            &P::texture_l1_ways,              false, 1, 1024, "way"},
      {"timing", "texture_l1_line_bytes",      &P::texture_l1_line_bytes,        false, 32, 256, "byte"},
      {"timing", "texture_l2_bytes",           &P::texture_l2_bytes,             false, 4096, 1 << 24, "byte"},
      {"timing", "texture_l2_ways",            &P::texture_l2_ways,              false, 1, 1024, "way"},
      {"timing", "texture_l2_line_bytes",      &P::texture_l2_line_bytes,        false, 32, 256, "byte"},
      {"timing", "shared_pass_cycles",         &P::shared_pass_cycles,           false, 0.25, 64, "cycle"},
      {"timing", "shared_operand_cycles",      &P::shared_operand_cycles,        false, 1, 64, "cycle"},
      {"timing", "memory_pipe_cycles",         &P::memory_pipe_cycles,           false, 0.25, 64, "cycle"},
      {"timing", "dram_row_read_ns",           &P::dram_row_read_ns,             false, 0, 1000, "ns"},
      {"timing", "dram_row_write_ns",           &P::dram_row_write_ns,             false, 0, 1000, "ns"},
      {"timing", "dram_queue_requests",        &P::dram_queue_requests,          false, 1, 4096, "request"},
  };
  // clang-format on
  return rows;
}

}  // namespace warpshop::models
