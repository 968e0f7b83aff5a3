#include "whole_chip/figures.h"

#include <algorithm>
#include <string>

#include "timing/generations.h"

namespace warpshop::timing {

namespace {

TextureCacheSize cache_of(const std::optional<double>& bytes, const std::optional<double>& ways,
                          const std::optional<double>& line_bytes) {
  if (!bytes || !ways || !line_bytes) return {};
  return {.bytes = static_cast<uint64_t>(*bytes),
          .ways = static_cast<uint32_t>(*ways),
          .line_bytes = static_cast<uint32_t>(*line_bytes)};
}

}  // namespace

Result<WholeChipFigures> whole_chip_figures(const models::GpuProfile& gpu) {
  std::string missing;
  const auto need = [&](const auto& value, const char* name) -> double {
    if (!value) missing += std::string(missing.empty() ? "" : ", ") + name;
    return value ? static_cast<double>(*value) : 0;
  };
  WholeChipFigures m;
  m.capability = gpu.capability;
  m.sm_count = gpu.sm_count;
  m.cycles_per_us = gpu.sm_clock_mhz;
  m.schedulers = static_cast<int>(need(gpu.schedulers, "schedulers"));
  m.issue_width = gpu.issue_width.value_or(1);
  m.issue_cycles = need(gpu.issue_cycles, "issue_cycles");
  m.launch_us = need(gpu.launch_us, "launch_us");
  m.block_refill = gpu.block_refill_cycles.value_or(0);
  m.barrier = need(gpu.barrier_cycles, "barrier_cycles");
  const auto unit = [&](Unit u, double lanes) {
    if (lanes > 0) m.unit_cycles[static_cast<size_t>(u)] = 32 / lanes;
  };
  unit(Unit::kFp32, need(gpu.fp32_lanes, "fp32_lanes"));
  unit(Unit::kInt, need(gpu.int_lanes, "int_lanes"));
  unit(Unit::kMul, need(gpu.mul_lanes, "mul_lanes"));
  unit(Unit::kShift, need(gpu.shift_lanes, "shift_lanes"));
  unit(Unit::kFp64, gpu.fp64_lanes.value_or(0));
  unit(Unit::kSpecial, need(gpu.special_lanes, "special_lanes"));
  unit(Unit::kConvert, need(gpu.convert_lanes, "convert_lanes"));
  unit(Unit::kTexture, need(gpu.texture_lanes, "texture_lanes"));
  m.alu_latency = need(gpu.alu_latency_cycles, "alu_latency_cycles");
  m.special_latency = need(gpu.special_latency_cycles, "special_latency_cycles");
  m.fp64_latency = gpu.fp64_latency_cycles.value_or(m.alu_latency);
  m.texture_latency = need(gpu.texture_latency_cycles, "texture_latency_cycles");
  m.texture_l2_latency = gpu.texture_l2_latency_cycles.value_or(m.texture_latency);
  m.texture_dram_latency = gpu.texture_dram_latency_cycles.value_or(m.texture_l2_latency);
  m.texture_l1 = cache_of(gpu.texture_l1_bytes, gpu.texture_l1_ways, gpu.texture_l1_line_bytes);
  m.texel_layout = texel_layout_of(gpu.capability);
  m.shared_latency = need(gpu.shared_latency_cycles, "shared_latency_cycles");
  m.shared_pass = need(gpu.shared_pass_cycles, "shared_pass_cycles");
  m.shared_operand = gpu.shared_operand_cycles.value_or(0);
  m.load_rule = models::coalescing_rule_of(gpu, models::GlobalAccess::kLoad);
  m.store_rule = models::coalescing_rule_of(gpu, models::GlobalAccess::kStore);
  m.atomic_rule = models::coalescing_rule_of(gpu, models::GlobalAccess::kAtomic);
  m.banks = models::bank_rule_of(gpu);
  m.partitions = models::partition_map_of(gpu);
  m.texture_l2 = cache_of(gpu.texture_l2_bytes, gpu.texture_l2_ways, gpu.texture_l2_line_bytes);
  m.texture_l2.bytes /= static_cast<uint64_t>(m.partitions.count);
  // SMs form clusters of two on 1.0 and 1.1, and of three on 1.2 and 1.3 (CUDA C Programming Guide
  // 4.2, F.3; Wong et al. 2010).
  if (is_first_generation(gpu.capability)) m.sms_per_port = gpu.capability.minor >= 2 ? 3 : 2;
  m.memory_pipe = need(gpu.memory_pipe_cycles, "memory_pipe_cycles");
  m.memory_latency = need(gpu.dram_latency_cycles, "dram_latency_cycles");
  m.l2_bytes = gpu.l2_bytes.value_or(0);
  if (m.l2_bytes > 0) {
    const double slice_cycle = gpu.sm_clock_mhz / need(gpu.l2_clock_mhz, "l2_clock_mhz");
    m.l2_latency = need(gpu.l2_latency_cycles, "l2_latency_cycles");
    m.l2_read = slice_cycle * need(gpu.l2_read_cycles, "l2_read_cycles");
    m.l2_read_sector = slice_cycle * need(gpu.l2_read_sector_cycles, "l2_read_sector_cycles");
    m.l2_write = slice_cycle * need(gpu.l2_write_cycles, "l2_write_cycles");
    m.l2_write_sector = slice_cycle * need(gpu.l2_write_sector_cycles, "l2_write_sector_cycles");
    m.l2_atomic = slice_cycle * need(gpu.l2_atomic_cycles, "l2_atomic_cycles");
  }
  const double gb_s = need(gpu.dram_gb_s, "dram_gb_s");
  if (gb_s > 0) m.byte_cycles = gpu.sm_clock_mhz / (gb_s * 1e3) * m.partitions.count;
  m.row_read = need(gpu.dram_row_read_ns, "dram_row_read_ns") * gpu.sm_clock_mhz / 1e3;
  m.row_write = need(gpu.dram_row_write_ns, "dram_row_write_ns") * gpu.sm_clock_mhz / 1e3;
  // The rows of a partition's memory chips open together; chips are 32 bits wide.
  m.row_bytes = gpu.dram_row_bytes.value_or(2048) *
                std::max(1U, static_cast<uint32_t>(gpu.channel_bits.value_or(32)) / 32);
  m.queue_requests = static_cast<uint32_t>(gpu.dram_queue_requests.value_or(32));
  if (!missing.empty()) {
    return make_error("predict",
                      sentence("cannot predict a time for {gpu}: its profile lacks {missing}",
                               {{"gpu", gpu.name}, {"missing", missing}}),
                      sentence("docs/models.md, \"Time on older GPUs\", explains these numbers and "
                               "where to find them"));
  }
  return m;
}

}  // namespace warpshop::timing
