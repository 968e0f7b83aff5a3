// What a kernel moves between itself, the caches and DRAM, beside the reference's, as rows of boxes
// with arrows between them: the memory chart. Plain data, no drawing.
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
  size_t box = 0;                                    // of its row, that it comes from or goes to
  ChartFigure requests, sectors, wavefronts, bytes;  // those that it has
  const MetricWords* words = nullptr;
};

struct ChartBox {
  std::string_view name;  // of the catalogue: "L1", "shared memory", …
  bool cache = true;      // false: there is none on this GPU, and what should go to it goes past
  std::optional<double> hit_rate = {}, reference_hit_rate = {};  // 0 to 1
  uint64_t size_bytes = 0;                                       // 0: not known, or not told
  const MetricWords* words = nullptr;                            // of the hit rate
};

struct ChartRow {
  std::vector<ChartBox> boxes;
  std::vector<ChartArrow> arrows;  // between it and the row above, in the order of their boxes
};

// The bytes of one level over the reference's.
struct ChartLevel {
  std::string_view name;  // of the catalogue: "the reference's bytes between L2 and the SMs"
  ChartFigure bytes;
  const MetricWords* words = nullptr;
  double ratio() const {
    return bytes.reference.value_or(0) > 0 ? bytes.yours / *bytes.reference : 0;
  }
};

struct MemoryChart {
  std::vector<ChartRow> rows;  // from the level next to the kernel to DRAM
  ChartFigure dram_bytes, l2_bytes;
  bool own_rules = false;  // of the GPU: its accesses are no sectors and wavefronts
  std::optional<ChartLevel>
      worst;  // the level that is worst beside the reference; none: none is worse
  bool empty() const {
    return rows.empty() || (rows.front().arrows.empty() && rows.back().arrows.empty());
  }
};

// Of a size whose student's kernel has a prediction.
MemoryChart memory_chart(const lab::SizeResult& size, const models::GpuProfile& gpu);

// A row for each figure, in the units of the arrows.
std::string memory_csv(const MemoryChart& chart);

}  // namespace warpshop::ui
