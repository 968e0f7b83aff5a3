// One marked file is both the worked solution and the student's skeleton, so that they cannot
// drift. docs/writing-a-lab.md, "Marks".
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop::lab {

struct MarkedText {
  std::string solution;  // without mark lines and without what stands after `//! instead`
  std::string skeleton;  // each marked part replaced by its `//! instead` lines
};

// Error: every unbalanced or unknown mark with its line; a file without any mark.
Result<MarkedText> split_marks(std::string_view text, const std::string& file_name);

}  // namespace warpshop::lab
