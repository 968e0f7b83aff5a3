// Splits a step's text at the line "<!-- after the run -->": the part below waits for a run.
#pragma once

#include <string_view>

namespace warpshop::lab {

inline constexpr std::string_view kAfterRunMark = "<!-- after the run -->";

struct StepText {
  std::string_view before;     // always shown
  std::string_view after_run;  // what would answer the questions: shown once they are answered and,
                               // in an exercise, a version has run. Empty: the text has no mark
};

// Parts of `text`, without the mark's line.
StepText parts_of(std::string_view text);

}  // namespace warpshop::lab
