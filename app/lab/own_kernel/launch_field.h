// The fields for the first two arguments of <<< >>>, as typed into the form for one's own kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/sentence.h"

namespace warpshop::lab {

// What is wrong with the text as one, two or three numbers over n; empty: nothing that shows before
// it is compiled. Names other than n, whose values only the compiler knows, are let pass.
// `most`: of the numbers multiplied.
Sentence mistake_in_dimensions(std::string_view text, int64_t n, double most);

}  // namespace warpshop::lab
