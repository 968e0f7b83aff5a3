// The figure that the editor shows for each line.
#pragma once

#include <string_view>

namespace warpshop::ui {

enum class LineMeasure {
  kMemory,    // sectors and wavefronts of an access
  kExecuted,  // instructions of warps, at the first size
  kLanes,     // active lanes per instruction, on average: fewer where the warp diverges
  kStalls     // the line's share of the warps' stalls in the predicted run
};
inline constexpr LineMeasure kLineMeasures[] = {LineMeasure::kMemory, LineMeasure::kExecuted,
                                                LineMeasure::kLanes, LineMeasure::kStalls};
std::string_view id_of(LineMeasure measure);       // "memory", …, as in the settings
LineMeasure line_measure_of(std::string_view id);  // kMemory if unknown

}  // namespace warpshop::ui
