// The figures of a profile that we know, by their metrics, and the units in which Nsight Compute
// prints them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpshop::lab {

enum class FigureUnit { kCount, kByte, kTime, kPercent, kClock };

struct FigureMetric {
  std::string_view figure;
  FigureUnit unit = FigureUnit::kCount;
  int rank = 0;  // of several metrics of a figure the lowest counts
  bool near = false;
};

// The figure of a metric ("dram__bytes_read.sum"), or of the label that the page "details" gives it
// ("Duration"). Null: we do not know it.
const FigureMetric* figure_of(std::string_view metric);

// What a number in this unit is multiplied by to get a count, bytes, µs, % or MHz. None: not a unit
// of such a figure.
std::optional<double> scale_of(std::string_view unit, FigureUnit of);

}  // namespace warpshop::lab
