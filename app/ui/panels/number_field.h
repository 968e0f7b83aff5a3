// A field for a number that the student types, with its unit and a button.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpshop::ui {

struct NumberFieldState {
  std::string text;
  bool nonsense = false;   // what was submitted is no such number
  bool refocus = false;    // takes the keyboard focus in the next frame
  bool by_return = false;  // how the number was last submitted
};

// Returns the number once Enter or the button submits one. `id` is unique in the window.
// `positive`: 0 and less are refused. `given`: the number submitted before, if any.
std::optional<double> number_field(const std::string& id, std::string_view unit, bool positive,
                                   const std::optional<double>& given, NumberFieldState& state);

}  // namespace warpshop::ui
