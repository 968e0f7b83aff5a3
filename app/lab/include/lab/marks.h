// Splits a marked file into the worked solution and the student's skeleton, so that the two cannot
// drift apart. docs/writing-a-lab.md, "Marks".
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop::lab {

struct MarkedText {
  std::string solution;  // without mark lines and without the lines after `//! instead`
  std::string skeleton;  // each marked part replaced by its `//! instead` lines
};

// Error: every unbalanced or unknown mark, with its line; a file without marks.
Result<MarkedText> split_marks(std::string_view text, const std::string& file_name);

}  // namespace warpshop::lab
