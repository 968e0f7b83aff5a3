// Numbers as Nsight Compute prints them: with grouped thousands and the decimal mark of the
// profiled machine's language.
#pragma once

#include <optional>
#include <string_view>

namespace warpshop::lab {

enum class DecimalMark { kPoint, kComma };

// What the text says of the decimal mark: "1,234.5" and "12.5" have a point, "1.234,5" and "12,5" a
// comma. None: either reading is a number ("1,234", "12"), or it is no number.
std::optional<DecimalMark> decimal_mark_of(std::string_view text);

// Nothing: not a number in either notation. A text that fits only one is read so, others by `mark`.
std::optional<double> read_grouped_number(std::string_view text, DecimalMark mark);

}  // namespace warpshop::lab
