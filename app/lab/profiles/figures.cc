#include "profiles/figures.h"

#include <array>
#include <map>
#include <vector>

#include "device/counter_metrics.h"
#include "lab/profile.h"

namespace warpshop::lab {
namespace {

// Figures that are no counters. Labels: Nsight Compute's sections/*.section.
struct OtherFigure {
  std::string_view figure;
  FigureUnit unit;
  std::array<std::string_view, 4> metrics;  // and labels
};
constexpr std::array kOtherFigures = {
    OtherFigure{kProfiledTime, FigureUnit::kTime, {"gpu__time_duration.sum", "Duration"}},
    OtherFigure{kProfiledRegisters,
                FigureUnit::kCount,
                {"launch__registers_per_thread", "Registers Per Thread"}},
    OtherFigure{kProfiledOccupancy,
                FigureUnit::kPercent,
                {"sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy"}},
    OtherFigure{kProfiledWarps,
                FigureUnit::kPercent,
                {"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy"}},
    OtherFigure{kProfiledClock,
                FigureUnit::kClock,
                {"gpc__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second",
                 "sm__cycles_elapsed.avg.per_second", "SM Frequency"}},
};

// The sum over all units is also printed without its suffix, so names are compared without it.
std::string_view without_sum(std::string_view metric) {
  if (metric.ends_with(".sum")) metric.remove_suffix(4);
  return metric;
}

std::map<std::string_view, FigureMetric> make_figure_map() {
  std::map<std::string_view, FigureMetric> out;
  for (const device::CounterMetric& row : device::counter_metrics()) {
    const FigureUnit unit =
        std::string_view(row.unit) == "byte" ? FigureUnit::kByte : FigureUnit::kCount;
    int rank = 0;
    for (const char* metric : row.metrics)
      out[without_sum(metric)] = {row.counter, unit, rank++, false};
    for (const char* metric : row.near_metrics)
      out[without_sum(metric)] = {row.counter, unit, rank++, true};
  }
  for (const OtherFigure& row : kOtherFigures) {
    int rank = 0;
    for (const std::string_view metric : row.metrics) {
      if (!metric.empty()) out[without_sum(metric)] = {row.figure, row.unit, rank++, false};
    }
  }
  return out;
}

struct UnitPrefix {
  std::string_view text;
  double scale;
};

// "Kbyte", "Mbyte", "KB"; "Mhz", "GHz"; decimal in Nsight Compute.
std::optional<double> prefixed(std::string_view unit, std::string_view base) {
  static constexpr std::array kPrefixes = {
      UnitPrefix{"", 1},    UnitPrefix{"K", 1e3},  UnitPrefix{"k", 1e3}, UnitPrefix{"M", 1e6},
      UnitPrefix{"G", 1e9}, UnitPrefix{"T", 1e12}, UnitPrefix{"P", 1e15}};
  if (!unit.ends_with(base)) return std::nullopt;
  unit.remove_suffix(base.size());
  for (const UnitPrefix& prefix : kPrefixes) {
    if (prefix.text == unit) return prefix.scale;
  }
  return std::nullopt;
}

std::optional<double> first_prefixed(std::string_view unit,
                                     std::initializer_list<std::string_view> bases) {
  for (const std::string_view base : bases) {
    if (const std::optional<double> scale = prefixed(unit, base)) return scale;
  }
  return std::nullopt;
}

// In µs. Older versions write the units in full.
std::optional<double> time_scale(std::string_view unit) {
  static constexpr std::array kTimes = {
      UnitPrefix{"nsecond", 1e-3}, UnitPrefix{"ns", 1e-3},    UnitPrefix{"usecond", 1},
      UnitPrefix{"us", 1},         UnitPrefix{"µs", 1},       UnitPrefix{"msecond", 1e3},
      UnitPrefix{"ms", 1e3},       UnitPrefix{"second", 1e6}, UnitPrefix{"s", 1e6}};
  for (const UnitPrefix& time : kTimes) {
    if (time.text == unit) return time.scale;
  }
  return std::nullopt;
}

}  // namespace

const FigureMetric* figure_of(std::string_view metric) {
  static const std::map<std::string_view, FigureMetric> map = make_figure_map();
  const auto at = map.find(without_sum(metric));
  return at == map.end() ? nullptr : &at->second;
}

std::optional<double> scale_of(std::string_view unit, FigureUnit of) {
  switch (of) {
    case FigureUnit::kCount:
      if (unit.empty() || unit.find('/') != std::string_view::npos)
        return unit.empty() || unit == "register/thread" ? std::optional(1.0) : std::nullopt;
      return first_prefixed(unit, {"sector", "request", "inst", "wavefront", "warp"});
    case FigureUnit::kByte:
      return first_prefixed(unit, {"byte", "B"});
    case FigureUnit::kTime:
      return time_scale(unit);
    case FigureUnit::kPercent:
      return unit == "%" || unit.empty() ? std::optional(1.0) : std::nullopt;
    case FigureUnit::kClock: {
      // "Ghz", or "cycle/nsecond" in older versions.
      if (const auto scale = first_prefixed(unit, {"hz", "Hz"})) return *scale / 1e6;
      if (!unit.starts_with("cycle/")) return std::nullopt;
      const std::optional<double> per = time_scale(unit.substr(6));
      return per ? std::optional(1 / *per) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string profile_metrics() {
  std::string out = "gpu__time_duration.sum";
  for (const device::CounterMetric& row : device::counter_metrics()) {
    if (row.metrics.empty()) continue;
    const std::string metric = row.metrics.front();
    const bool of_units = metric.starts_with("smsp__") && metric.find('.') == std::string::npos;
    out += "," + metric + (of_units ? ".sum" : "");
  }
  for (const OtherFigure& row : kOtherFigures) {
    if (row.figure != kProfiledTime) out += "," + std::string(row.metrics.front());
  }
  return out;
}

}  // namespace warpshop::lab
