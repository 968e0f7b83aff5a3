// Finds questions whose answers can be had without thinking. Private to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"

namespace warpshop::lab {

// What gives answers of the step away, as sentences that start with "lab.toml:LINE": a right answer
// that stands in the text shown before its question, or that its length sets apart from the other
// choices; a table in that text with the worked solution's row.
std::vector<std::string> leaks_of(const Step& step);

// Lines of the worked solution that its skeleton does not have, blank lines and comments aside.
int new_lines(const Exercise& exercise);

// How many times as fast as the start the worked solution was, by the recorded times of `gpu`.
// None: not recorded.
std::optional<double> recorded_gain(const Lab& lab, const Step& step, std::string_view gpu);

}  // namespace warpshop::lab
