#include "state/line_measure.h"

#include <cstddef>

namespace warpshop::ui {

std::string_view id_of(LineMeasure measure) {
  constexpr std::string_view kIds[] = {"memory", "executed", "lanes", "stalls"};
  return kIds[static_cast<size_t>(measure)];
}

LineMeasure line_measure_of(std::string_view id) {
  for (const LineMeasure measure : kLineMeasures) {
    if (id_of(measure) == id) return measure;
  }
  return LineMeasure::kMemory;
}

}  // namespace warpshop::ui
