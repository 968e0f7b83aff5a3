// The fill each=EXPR of lab files.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/element_values.h"
#include "lab/lab.h"

namespace warpshop::lab {

inline constexpr std::string_view kEachFill = "each=";

// None: another fill.
std::optional<EachElement> each_element_of(const KernelArg& arg, const ProblemSize& size);

// What is wrong with arg.fill = "each=…", whose expression is at `place`. Tries every element of
// small buffers, and the first and last ones of large ones.
Diagnostics element_problems(const KernelArg& arg, const SourcePlace& place,
                             const std::vector<const ProblemSize*>& sizes);

// True if the values differ when the lab's inputs are replaced.
bool uses_random(const KernelArg& arg);

}  // namespace warpshop::lab
