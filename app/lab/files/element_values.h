// A buffer's contents by the fill each=EXPR, an expression for each element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/expression.h"
#include "lab/lab.h"

namespace warpshop::lab {

inline constexpr std::string_view kEachFill = "each=";
// The expression of arg.fill = "each=…", which is at `place`.
Result<Expression> each_expression(const KernelArg& arg, const SourcePlace& place = {});

// The bytes of elements first … first + count − 1 of arg.type. `expression` may use `i`, the
// element's index; `random`, the whole number random_word(fill, i); and the size's variables.
// Error: a value that its integer type cannot hold, with its element; an unknown name; a division
// by zero.
struct ElementRange {
  uint64_t first = 0;
  uint64_t count = 0;
};
Result<std::string> element_values(const KernelArg& arg, const Expression& expression,
                                   ElementRange range, const ProblemSize& size,
                                   const StopFlag* stop = nullptr);

// What is wrong with arg.fill = "each=…", whose expression is at `place`. Tries every element of
// small buffers, and the first and last ones of large ones.
Diagnostics element_problems(const KernelArg& arg, const SourcePlace& place,
                             const std::vector<const ProblemSize*>& sizes);

// True if the values differ when the lab's inputs are replaced.
bool uses_random(const KernelArg& arg);

}  // namespace warpshop::lab
