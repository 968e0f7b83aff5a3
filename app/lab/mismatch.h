// What the wrong elements of an output have in common: where they lie, and what stands in them.
#pragma once

#include <cstdint>
#include <functional>

#include "core/sentence.h"

namespace warpshop::lab {

struct Mismatches {
  uint64_t count = 0;  // elements of the output
  uint64_t width = 0;  // its columns; as many as elements: it has one dimension
  std::function<bool(uint64_t)> wrong;
  std::function<bool(uint64_t)> written;  // by the student's kernel
  std::function<double(uint64_t)> expected;
  std::function<double(uint64_t)> got;
};

// Facts, in sentences for the student, each true of all wrong elements that were looked at (a few
// thousand of very many): the place ("all from element 777 on"), then what is there ("rows and
// columns are exchanged"). Empty where nothing of the kind holds.
Sentence common_to_mismatches(const Mismatches& m);

}  // namespace warpshop::lab
