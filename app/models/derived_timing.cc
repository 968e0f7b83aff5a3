#include "derived_timing.h"

#include <cmath>
#include <string>

namespace warpshop::models {
namespace {

using Number = std::optional<double> GpuProfile::*;
using List = std::vector<uint32_t> GpuProfile::*;

// How a number of the relative becomes one of the GPU.
enum class Rule {
  kSame,       // cycles of a pipeline that is built alike
  kSmClock,    // lasts the same time, or happens as often per cycle
  kBandwidth,  // the same share of the pins' peak
  kL2Size,     // the same share of L2
  kSliceRate,  // cycles of an L2 slice: inversely with the measured rate of L2, if there is one
};

struct DerivedNumber {
  const char* key;
  Number member;
  Rule rule;
};

constexpr DerivedNumber kNumbers[] = {
    {"launch_us", &GpuProfile::launch_us, Rule::kSame},
    {"block_starts_per_us", &GpuProfile::block_starts_per_us, Rule::kSmClock},
    {"block_refill_cycles", &GpuProfile::block_refill_cycles, Rule::kSame},
    {"barrier_cycles", &GpuProfile::barrier_cycles, Rule::kSame},
    {"barrier_warp_cycles", &GpuProfile::barrier_warp_cycles, Rule::kSame},
    {"shared_latency_cycles", &GpuProfile::shared_latency_cycles, Rule::kSame},
    {"texture_lanes", &GpuProfile::texture_lanes, Rule::kSame},
    {"l1_latency_cycles", &GpuProfile::l1_latency_cycles, Rule::kSame},
    {"l2_latency_cycles", &GpuProfile::l2_latency_cycles, Rule::kSame},
    {"dram_latency_cycles", &GpuProfile::dram_latency_cycles, Rule::kSmClock},
    {"dram_write_wait_cycles", &GpuProfile::dram_write_wait_cycles, Rule::kSmClock},
    {"dram_mixed_pct", &GpuProfile::dram_mixed_pct, Rule::kSame},
    {"l2_clock_mhz", &GpuProfile::l2_clock_mhz, Rule::kSmClock},
    {"l2_keeps_bytes", &GpuProfile::l2_keeps_bytes, Rule::kL2Size},
    {"l2_forgets_bytes", &GpuProfile::l2_forgets_bytes, Rule::kL2Size},
    {"l2_read_cycles", &GpuProfile::l2_read_cycles, Rule::kSliceRate},
    {"l2_read_sector_cycles", &GpuProfile::l2_read_sector_cycles, Rule::kSliceRate},
    {"l2_write_cycles", &GpuProfile::l2_write_cycles, Rule::kSliceRate},
    {"l2_write_sector_cycles", &GpuProfile::l2_write_sector_cycles, Rule::kSliceRate},
    {"l2_partial_write_cycles", &GpuProfile::l2_partial_write_cycles, Rule::kSliceRate},
    {"l2_partial_write_sector_cycles", &GpuProfile::l2_partial_write_sector_cycles,
     Rule::kSliceRate},
    {"l2_atomic_cycles", &GpuProfile::l2_atomic_cycles, Rule::kSliceRate},
    {"l2_atomic_request_cycles", &GpuProfile::l2_atomic_request_cycles, Rule::kSliceRate},
    {"l2_atomic_returned_cycles", &GpuProfile::l2_atomic_returned_cycles, Rule::kSliceRate},
    {"l2_atomic_whole_cycles", &GpuProfile::l2_atomic_whole_cycles, Rule::kSliceRate},
    {"dram_gb_s", &GpuProfile::dram_gb_s, Rule::kBandwidth},
};

struct DerivedList {
  const char* key;
  List member;
};

constexpr DerivedList kLists[] = {
    {"dram_sparse_read_pct", &GpuProfile::dram_sparse_read_pct},
    {"dram_sparse_write_pct", &GpuProfile::dram_sparse_write_pct},
};

const char* note_of(Rule rule) {
  switch (rule) {
    case Rule::kSame:
      return "the same";
    case Rule::kSmClock:
      return "in proportion to the SM's clock";
    case Rule::kBandwidth:
      return "in proportion to the pins' bandwidth";
    case Rule::kL2Size:
      return "in proportion to L2's size";
    case Rule::kSliceRate:
      return "per slice; scaled to the measured rate of L2 if there is one";
  }
  return "";
}

// Bytes per second of L2 while all slices serve whole lines: one request of four sectors each.
double line_gb_s(double slices, double clock_mhz, double read, double read_sector) {
  return slices * clock_mhz * 128 / (read + 3 * read_sector) / 1e3;
}

// A slice's cycles on `gpu`, relative to those on `relative`: what its measured L2 rate demands.
double slice_scale(const GpuProfile& relative, const GpuProfile& gpu) {
  if (!gpu.l2_read_gb_s || !gpu.partition_count || !gpu.l2_clock_mhz || !relative.l2_read_cycles ||
      !relative.l2_read_sector_cycles) {
    return 1;
  }
  return line_gb_s(*gpu.partition_count, *gpu.l2_clock_mhz, *relative.l2_read_cycles,
                   *relative.l2_read_sector_cycles) /
         *gpu.l2_read_gb_s;
}

double factor_of(Rule rule, const GpuProfile& relative, const GpuProfile& gpu) {
  const auto ratio = [](double a, double b) { return b > 0 ? a / b : 1; };
  switch (rule) {
    case Rule::kSame:
      return 1;
    case Rule::kSmClock:
      return ratio(gpu.sm_clock_mhz, relative.sm_clock_mhz);
    case Rule::kBandwidth:
      return ratio(gpu.memory_bandwidth_gb_s, relative.memory_bandwidth_gb_s);
    case Rule::kL2Size:
      return ratio(static_cast<double>(gpu.l2_bytes.value_or(0)),
                   static_cast<double>(relative.l2_bytes.value_or(0)));
    case Rule::kSliceRate:
      return slice_scale(relative, gpu);
  }
  return 1;
}

Sourced origin_of(const GpuProfile& relative, const char* key, Rule rule) {
  const Sourced& of_relative = relative.sources.at(key);
  return {.source = "derived from the " + relative.name + ": " + of_relative.source,
          .confidence = of_relative.is_assumed() ? "assumed" : "derived",
          .note = note_of(rule),
          .line = 0};
}

}  // namespace

void derive_timing(const GpuProfile& relative, GpuProfile& gpu) {
  gpu.relative_name = relative.name;
  // The L2 clock comes before the slice times that depend on it: the table's order.
  for (const auto& [key, member, rule] : kNumbers) {
    if (gpu.*member || !(relative.*member)) continue;
    // Four digits: more would suggest precision that is not there.
    const double value = *(relative.*member) * factor_of(rule, relative, gpu);
    const double unit = value > 0 ? std::pow(10.0, std::floor(std::log10(value)) - 3) : 1;
    gpu.*member = std::round(value / unit) * unit;
    gpu.sources[key] = origin_of(relative, key, rule);
  }
  for (const auto& [key, member] : kLists) {
    if (!(gpu.*member).empty() || (relative.*member).empty()) continue;
    gpu.*member = relative.*member;
    gpu.sources[key] = origin_of(relative, key, Rule::kSame);
  }
}

}  // namespace warpshop::models
