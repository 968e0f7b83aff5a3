#include "timing/roofline.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "timing/generations.h"

namespace warpshop::timing {
namespace {

std::optional<models::Sourced> origin_of(const models::GpuProfile& gpu, const char* key) {
  const auto found = gpu.sources.find(key);
  if (found == gpu.sources.end()) return std::nullopt;
  return found->second;
}

Roof sourced(const models::GpuProfile& gpu, Roof roof, const char* key) {
  if (const auto origin = origin_of(gpu, key)) {
    roof.source = origin->source;
    roof.assumed = origin->is_assumed();
    roof.measured = origin->confidence == "measured";
  }
  return roof;
}

}  // namespace

RooflineWork main_work(const Prediction& prediction) {
  return prediction.flop * 50 >= prediction.warp_instructions * 32 && prediction.flop > 0
             ? RooflineWork::kFlop
             : RooflineWork::kWarpInstructions;
}

std::vector<Roof> roofs_of(const models::GpuProfile& gpu, RooflineWork work) {
  std::vector<Roof> roofs;
  // The rate of dense reads or writes if known, else that of the pins.
  if (gpu.dram_gb_s) {
    roofs.push_back(sourced(gpu, {.name = "DRAM", .gb_s = *gpu.dram_gb_s}, "dram_gb_s"));
  } else {
    roofs.push_back(
        sourced(gpu, {.name = "DRAM", .gb_s = gpu.memory_bandwidth_gb_s}, "memory_bandwidth_gb_s"));
  }
  if (gpu.partition_count && gpu.l2_clock_mhz && gpu.l2_read_cycles && gpu.l2_read_sector_cycles) {
    // A line of 128 bytes: a one-sector request and three more sectors.
    const double cycles = *gpu.l2_read_cycles + 3 * *gpu.l2_read_sector_cycles;
    roofs.push_back(sourced(
        gpu,
        {.name = "L2", .gb_s = *gpu.partition_count * *gpu.l2_clock_mhz * 1e6 * 128 / cycles / 1e9},
        "l2_read_cycles"));
  }
  const double sm_giga = gpu.sm_count * gpu.sm_clock_mhz / 1e3;
  if (work == RooflineWork::kFlop) {
    roofs.push_back(
        sourced(gpu, {.name = "FP32", .giga_s = sm_giga * fp32_lanes_per_sm(gpu.capability) * 2},
                "sm_clock_mhz"));
  } else {
    roofs.push_back(sourced(
        gpu,
        {.name = sentence("issue"),
         .giga_s = sm_giga * schedulers_per_sm(gpu.capability) / cycles_per_issue(gpu.capability)},
        "sm_clock_mhz"));
  }
  return roofs;
}

bool has_roof(const std::vector<Roof>& roofs, Limiter limiter) {
  const std::string_view name = limiter == Limiter::kDram      ? "DRAM"
                                : limiter == Limiter::kL2      ? "L2"
                                : limiter == Limiter::kCompute ? "FP32"
                                : limiter == Limiter::kIssue   ? "issue"
                                                               : "";
  return std::any_of(roofs.begin(), roofs.end(),
                     [&](const Roof& roof) { return roof.name.english() == name; });
}

std::optional<RooflinePoint> roofline_point(const Prediction& prediction, RooflineWork work,
                                            const std::vector<Roof>& roofs) {
  const double amount =
      work == RooflineWork::kFlop ? prediction.flop : prediction.warp_instructions;
  if (amount <= 0 || prediction.time_us <= 0) return std::nullopt;
  RooflinePoint point;
  point.giga_s = amount / prediction.time_us / 1e3;
  if (prediction.dram_bytes > 0) point.per_dram_byte = amount / prediction.dram_bytes;
  if (prediction.l2_bytes > 0) point.per_l2_byte = amount / prediction.l2_bytes;
  point.attainable_giga_s = std::numeric_limits<double>::infinity();
  for (const Roof& roof : roofs) {
    const std::optional<double>& per_byte =
        roof.name.english() == "L2" ? point.per_l2_byte : point.per_dram_byte;
    if (roof.gb_s > 0 && !per_byte) continue;
    const double limit = roof.at(per_byte.value_or(0));
    if (limit >= point.attainable_giga_s) continue;
    point.attainable_giga_s = limit;
    point.roof = roof.name;
  }
  point.of_roof = point.giga_s / point.attainable_giga_s;
  return point;
}

}  // namespace warpshop::timing
