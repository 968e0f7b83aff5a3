// Numbers that people type, in the window's language, and the same numbers in sentences.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpshop::ui {

// "1,024", "1 024", "-0.5", "1.5e6"; a trailing `unit` is allowed. Nothing if the text is not one
// finite number. Marks are the language's: a German 1,5 is 1.5, and 1.024 is 1024. A point that
// cannot separate thousands is a decimal point in every language.
std::optional<double> typed_number(std::string_view text, std::string_view unit = {});

// "1,024", "0.125": whole numbers in full, others with up to six digits.
std::string number_shown(double value);
// With its unit: "1,024 bytes", "45%", "3.6 ×".
std::string with_unit(double value, std::string_view unit);

}  // namespace warpshop::ui
