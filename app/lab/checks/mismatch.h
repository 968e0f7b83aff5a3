// Finds what the wrong elements of an output have in common: where they are and what they contain.
#pragma once

#include <cstdint>
#include <functional>

#include "core/sentence.h"

namespace warpshop::lab {

struct Mismatches {
  uint64_t count = 0;  // elements of the output
  uint64_t width = 0;  // its columns; equal to `count`: one-dimensional
  std::function<bool(uint64_t)> wrong;
  std::function<bool(uint64_t)> written;  // by the student's kernel
  std::function<double(uint64_t)> expected;
  std::function<double(uint64_t)> got;
};

// Facts for the student, in sentences, each true of all wrong elements examined (a sample of a few
// thousand if there are many): the place ("all from element 777 on"), then the contents ("rows and
// columns are exchanged"). Empty if no such fact holds.
Sentence common_to_mismatches(const Mismatches& m);

}  // namespace warpshop::lab
