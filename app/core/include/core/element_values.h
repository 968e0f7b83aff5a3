// A buffer's contents, described by an expression for each element.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/element_type.h"
#include "core/result.h"
#include "core/stop.h"

namespace warpshop {

struct EachElement {
  // Over `i`, the element's index; `random`, the whole number random_word() of core/fill.h; and the
  // variables.
  std::string expression;
  std::map<std::string, int64_t> variables;
  ElementType type = ElementType::kU32;
  uint32_t seed = 0;  // of `random`
  uint64_t key = 0;   // likewise
};

// Elements first … first + count − 1.
struct ElementRange {
  uint64_t first = 0;
  uint64_t count = 0;
};

// Their bytes. Error: a value that an integer type cannot hold, with its element; what
// Expression::parse() and evaluate() refuse.
Result<std::string> element_values(const EachElement& each, ElementRange range,
                                   const StopFlag* stop = nullptr);

}  // namespace warpshop
