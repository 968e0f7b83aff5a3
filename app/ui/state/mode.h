// Modes of the window: each has its own set of panels and their places.
#pragma once

#include <string_view>

namespace warpshop::ui {

enum class Mode {
  kStudent,   // steps, editor, maps, results
  kAnalysis,  // all maps and counters at once, with little room for text
  kMinimal,   // the editor and one panel beside it
};
inline constexpr Mode kModes[] = {Mode::kStudent, Mode::kAnalysis, Mode::kMinimal};
std::string_view name_of(Mode mode);   // "student": for files and settings
std::string_view title_of(Mode mode);  // "Student": for people

}  // namespace warpshop::ui
