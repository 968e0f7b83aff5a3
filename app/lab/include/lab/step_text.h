// What of a step's text is shown when: a line "<!-- after the run -->" divides it.
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
