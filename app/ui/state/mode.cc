#include "state/mode.h"

namespace warpshop::ui {

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::kStudent:
      return "student";
    case Mode::kAnalysis:
      return "analysis";
    case Mode::kMinimal:
      return "minimal";
  }
  return "student";
}

std::string_view title_of(Mode mode) {
  switch (mode) {
    case Mode::kStudent:
      return "Student";
    case Mode::kAnalysis:
      return "Analysis";
    case Mode::kMinimal:
      return "Minimal";
  }
  return "Student";
}

}  // namespace warpshop::ui
