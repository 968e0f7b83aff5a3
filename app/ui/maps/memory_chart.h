// The memory chart: what a kernel moves between itself, the caches and DRAM, beside the reference's
// figures, as rows of boxes with arrows between them. Plain data, no drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/run_result.h"
#include "text/metrics.h"

namespace warpshop::ui {

struct ChartFigure {
  double yours = 0;
  std::optional<double> reference;
  bool any() const { return yours > 0 || reference.value_or(0) > 0; }
  bool worse() const { return reference && lab::is_worse(yours, *reference); }
};

struct ChartArrow {
  enum class Way { kUp, kDown, kBoth };  // up: towards the kernel
  std::string_view name;                 // of the catalogue: "global loads"
  Way way = Way::kUp;
  size_t box = 0;                                    // in its row: where the arrow starts or ends
  ChartFigure requests, sectors, wavefronts, bytes;  // those that apply
  const MetricWords* words = nullptr;
};

struct ChartBox {
  std::string_view name;  // of the catalogue: "L1", "shared memory", …
  bool cache = true;      // false: this GPU has none, and traffic bypasses it
  std::optional<double> hit_rate = {}, reference_hit_rate = {};  // 0 to 1
  double looked_up_bytes = 0;  // that the hit rate is of, where no arrow has them; 0: an arrow has
  uint64_t size_bytes = 0;     // 0: unknown or not shown
  const MetricWords* words = nullptr;  // of the hit rate
};

struct ChartRow {
  std::vector<ChartBox> boxes;
  std::vector<ChartArrow> arrows;  // to and from the row above, in the order of their boxes
};

// The bytes at one level, compared with the reference's.
struct ChartLevel {
  std::string_view name;  // of the catalogue: "the reference's bytes between L2 and the SMs"
  ChartFigure bytes;
  const MetricWords* words = nullptr;
  double ratio() const {
    return bytes.reference.value_or(0) > 0 ? bytes.yours / *bytes.reference : 0;
  }
};

struct MemoryChart {
  std::vector<ChartRow> rows;  // from the level nearest to the kernel down to DRAM
  ChartFigure dram_bytes, l2_bytes;
  // The GPU has its own rules: its accesses are not counted in sectors and wavefronts.
  bool own_rules = false;
  // The level that compares worst with the reference; none if no level is worse.
  std::optional<ChartLevel> worst;
  bool empty() const {
    return rows.empty() || (rows.front().arrows.empty() && rows.back().arrows.empty());
  }
};

// For a size at which the student's kernel has a prediction.
MemoryChart memory_chart(const lab::SizeResult& size, const models::GpuProfile& gpu);

// One row per figure, in the units of the arrows.
std::string memory_csv(const MemoryChart& chart);

}  // namespace warpshop::ui
