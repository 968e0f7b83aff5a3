#include "gpu_profile_fields.h"

namespace warpshop::models {
namespace {

constexpr double kGiga = 1e9;
// Memory types on boards of the supported generations.
constexpr std::string_view kMemoryTypes =
    "DDR DDR2 DDR3 GDDR3 GDDR4 GDDR5 GDDR5X GDDR6 GDDR6X GDDR7 LPDDR5 HBM2 HBM2e HBM3 HBM3e";

// A column of the table.
constexpr bool kRequired = true, kOptional = false;

struct Section {
  std::string_view name;
  std::vector<ProfileField> fields;
};

const std::vector<Section>& sections() {
  using P = GpuProfile;
  // clang-format off
  static const std::vector<Section> all = {
    {"chip", {
      {"sm_count",              &P::sm_count,              1, 1024, "SM", kRequired},
      {"sm_clock_mhz",          &P::sm_clock_mhz,          100, 10000, "MHz", kRequired},
      {"memory_type",           &P::memory_type,           0, 0, "", kOptional, kMemoryTypes},
      {"memory_clock_mhz",      &P::memory_clock_mhz,      100, 20000, "MHz"},
      {"data_rate_gbps",        &P::data_rate_gbps,        0.1, 100, "Gbit/s a pin"},
      {"memory_bus_bits",       &P::memory_bus_bits,       32, 65536, "bit"},
      {"memory_bandwidth_gb_s", &P::memory_bandwidth_gb_s, 1, 100000, "GB/s", kRequired},
      {"copy_bandwidth_gb_s",   &P::copy_bandwidth_gb_s,   1, 100000, "GB/s"},
      {"l2_bytes",              &P::l2_bytes,              0, kGiga, "byte"},
    }},
    {"sm", {
      {"max_warps_per_sm",         &P::max_warps_per_sm,         1, 256, "warp", kRequired},
      {"max_blocks_per_sm",        &P::max_blocks_per_sm,        1, 256, "block", kRequired},
      {"max_threads_per_block",    &P::max_threads_per_block,    32, 4096, "thread", kRequired},
      {"registers_per_sm",         &P::registers_per_sm,         1, kGiga, "register", kRequired},
      {"registers_per_block",      &P::registers_per_block,      1, kGiga, "register", kRequired},
      {"max_registers_per_thread", &P::max_registers_per_thread, 1, 1024, "register", kRequired},
      {"register_unit",            &P::register_unit,            1, 65536, "register", kRequired},
      {"warp_granularity",         &P::warp_granularity,         1, 64, "warp", kRequired},
      {"shared_bytes_per_sm",      &P::shared_bytes_per_sm,      1, kGiga, "byte", kRequired},
      {"shared_bytes_per_block",   &P::shared_bytes_per_block,   1, kGiga, "byte", kRequired},
      {"shared_bytes_per_block_optin", &P::shared_bytes_per_block_optin, 1, kGiga, "byte"},
      {"shared_unit_bytes",        &P::shared_unit_bytes,        1, 65536, "byte", kRequired},
      {"shared_reserved_bytes",    &P::shared_reserved_bytes,    0, 65536, "byte"},
      {"shared_carveouts_bytes",   &P::shared_carveouts_bytes,   0, kGiga, "byte"},
    }},
    {"memory", {
      {"sector_bytes",      &P::sector_bytes,      1, 4096, "byte"},
      {"line_bytes",        &P::line_bytes,        1, 4096, "byte"},
      {"l1_caches_loads",   &P::l1_caches_loads,   0, 0},
      {"shared_banks",      &P::shared_banks,      1, 1024, "bank"},
      {"bank_bytes",        &P::bank_bytes,        1, 64, "byte"},
      {"partition_count",   &P::partition_count,   1, 4096, "partition"},
      {"partition_bytes",   &P::partition_bytes,   1, 1 << 20, "byte"},
      {"partition_mapping", &P::partition_mapping, 0, 0, "", kOptional, "linear hashed"},
      {"channel_bits",      &P::channel_bits,      1, 4096, "bit"},
      {"burst_bytes",       &P::burst_bytes,       1, 4096, "byte"},
      {"dram_banks",        &P::dram_banks,        1, 1024, "bank"},
      {"dram_row_bytes",    &P::dram_row_bytes,    64, 1 << 20, "byte"},
    }},
    {"timing", {
      {"launch_us",                 &P::launch_us,                 0, 1000, "us"},
      {"block_starts_per_us",       &P::block_starts_per_us,       0.1, 100000, "block/us"},
      {"block_refill_cycles",       &P::block_refill_cycles,       0, 100000, "cycle"},
      {"barrier_cycles",            &P::barrier_cycles,            0, 1000, "cycle"},
      {"barrier_warp_cycles",       &P::barrier_warp_cycles,       0, 1000, "cycle"},
      {"shared_latency_cycles",     &P::shared_latency_cycles,     1, 1000, "cycle"},
      {"l1_latency_cycles",         &P::l1_latency_cycles,         1, 10000, "cycle"},
      {"l2_latency_cycles",         &P::l2_latency_cycles,         1, 10000, "cycle"},
      {"dram_latency_cycles",       &P::dram_latency_cycles,       1, 10000, "cycle"},
      {"l1_bytes",                  &P::l1_bytes,                  0, kGiga, "byte"},
      {"l2_keeps_bytes",            &P::l2_keeps_bytes,            0, kGiga, "byte"},
      {"l2_forgets_bytes",          &P::l2_forgets_bytes,          0, kGiga, "byte"},
      {"l2_clock_mhz",              &P::l2_clock_mhz,              100, 10000, "MHz"},
      {"l2_read_gb_s",              &P::l2_read_gb_s,              1, 1000000, "GB/s"},
      {"l2_read_cycles",            &P::l2_read_cycles,            0, 1000, "L2 cycle"},
      {"l2_read_sector_cycles",     &P::l2_read_sector_cycles,     0, 1000, "L2 cycle"},
      {"l2_write_cycles",           &P::l2_write_cycles,           0, 1000, "L2 cycle"},
      {"l2_write_sector_cycles",    &P::l2_write_sector_cycles,    0, 1000, "L2 cycle"},
      {"l2_partial_write_cycles",   &P::l2_partial_write_cycles,   0, 1000, "L2 cycle"},
      {"l2_partial_write_sector_cycles", &P::l2_partial_write_sector_cycles, 0, 1000, "L2 cycle"},
      {"l2_atomic_cycles",          &P::l2_atomic_cycles,          0, 1000, "L2 cycle"},
      {"l2_atomic_request_cycles",  &P::l2_atomic_request_cycles,  0, 1000, "L2 cycle"},
      {"l2_atomic_returned_cycles", &P::l2_atomic_returned_cycles, 0, 1000, "L2 cycle"},
      {"l2_atomic_whole_cycles",    &P::l2_atomic_whole_cycles,    0, 1000, "L2 cycle"},
      {"dram_mixed_pct",            &P::dram_mixed_pct,            0, 1000, "%"},
      {"dram_write_wait_cycles",    &P::dram_write_wait_cycles,    0, 100000, "cycle"},
      {"dram_gb_s",                 &P::dram_gb_s,                 1, 100000, "GB/s"},
      {"dram_sparse_read_pct",      &P::dram_sparse_read_pct,      1, 10000, "%"},
      {"dram_sparse_write_pct",     &P::dram_sparse_write_pct,     1, 10000, "%"},
      {"error_pct",                 &P::error_pct,                 0, 1000, "%"},
      {"error_kernels",             &P::error_kernels,             1, 100000, "kernel"},
      {"schedulers",                &P::schedulers,                1, 16, "scheduler"},
      {"issue_width",               &P::issue_width,               1, 4, "instruction"},
      {"issue_cycles",              &P::issue_cycles,              0.25, 64, "cycle"},
      {"alu_latency_cycles",        &P::alu_latency_cycles,        1, 1000, "cycle"},
      {"special_latency_cycles",    &P::special_latency_cycles,    1, 1000, "cycle"},
      {"fp64_latency_cycles",       &P::fp64_latency_cycles,       1, 1000, "cycle"},
      {"fp32_lanes",                &P::fp32_lanes,                0.1, 1024, "lane/cycle"},
      {"int_lanes",                 &P::int_lanes,                 0.1, 1024, "lane/cycle"},
      {"mul_lanes",                 &P::mul_lanes,                 0.1, 1024, "lane/cycle"},
      {"shift_lanes",               &P::shift_lanes,               0.1, 1024, "lane/cycle"},
      {"fp64_lanes",                &P::fp64_lanes,                0.1, 1024, "lane/cycle"},
      {"special_lanes",             &P::special_lanes,             0.1, 1024, "lane/cycle"},
      {"convert_lanes",             &P::convert_lanes,             0.1, 1024, "lane/cycle"},
      {"tensor_clock_mhz",          &P::tensor_clock_mhz,          1, 10000, "MHz"},
      {"tensor_f32_pct",            &P::tensor_f32_pct,            1, 100, "%"},
      {"texture_lanes",             &P::texture_lanes,             0.1, 1024, "lane/cycle"},
      {"texture_latency_cycles",    &P::texture_latency_cycles,    1, 10000, "cycle"},
      {"texture_l2_latency_cycles", &P::texture_l2_latency_cycles, 1, 10000, "cycle"},
      {"texture_dram_latency_cycles", &P::texture_dram_latency_cycles, 1, 10000, "cycle"},
      {"texture_l1_bytes",          &P::texture_l1_bytes,          512, 1 << 20, "byte"},
      {"texture_l1_ways",           &P::texture_l1_ways,           1, 1024, "way"},
      {"texture_l1_line_bytes",     &P::texture_l1_line_bytes,     32, 256, "byte"},
      {"texture_l2_bytes",          &P::texture_l2_bytes,          4096, 1 << 24, "byte"},
      {"texture_l2_ways",           &P::texture_l2_ways,           1, 1024, "way"},
      {"texture_l2_line_bytes",     &P::texture_l2_line_bytes,     32, 256, "byte"},
      {"shared_pass_cycles",        &P::shared_pass_cycles,        0.25, 64, "cycle"},
      {"shared_operand_cycles",     &P::shared_operand_cycles,     1, 64, "cycle"},
      {"memory_pipe_cycles",        &P::memory_pipe_cycles,        0.25, 64, "cycle"},
      {"dram_row_read_ns",          &P::dram_row_read_ns,          0, 1000, "ns"},
      {"dram_row_write_ns",         &P::dram_row_write_ns,         0, 1000, "ns"},
      {"dram_queue_requests",       &P::dram_queue_requests,       1, 4096, "request"},
    }},
  };
  // clang-format on
  return all;
}

}  // namespace

const std::vector<ProfileField>& profile_fields() {
  static const std::vector<ProfileField> all = [] {
    std::vector<ProfileField> fields;
    for (const Section& section : sections()) {
      for (const ProfileField& field : section.fields) {
        fields.push_back(field);
        fields.back().section = section.name;
      }
    }
    return fields;
  }();
  return all;
}

}  // namespace warpshop::models
