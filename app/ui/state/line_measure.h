// Which of a line's figures the editor shows.
#pragma once

#include <string_view>

namespace warpshop::ui {

enum class LineMeasure {
  kMemory,    // sectors and wavefronts of an access
  kExecuted,  // instructions of warps, at the first size
  kLanes,     // lanes that take part in them, on average: fewer where the warp diverges
  kStalls     // the part of the warps' waiting that the line makes, of the predicted run
};
inline constexpr LineMeasure kLineMeasures[] = {LineMeasure::kMemory, LineMeasure::kExecuted,
                                                LineMeasure::kLanes, LineMeasure::kStalls};
std::string_view id_of(LineMeasure measure);       // "memory", …: in the settings
LineMeasure line_measure_of(std::string_view id);  // kMemory for an unknown one

}  // namespace warpshop::ui
