// Draws the maps as SVG from the models' explanations, each with its facts in words and as a table.
#pragma once

#include <string>
#include <string_view>

#include "lab/run_result.h"

namespace warpshop::report {

// The pictures' fill pattern with this id, which the style names as --waste; include once, before
// the first picture.
std::string picture_patterns(std::string_view id);

// A <figure> of one recorded access: lanes and transactions by the rules of the GPU's generation,
// or lanes and shared-memory banks, pass by pass. `id`: unique in the page; `source`: the kernel's
// text.
std::string access_figure(const lab::RunResult& result, const timing::RecordedAccess& access,
                          std::string_view id, std::string_view source);

// A <figure> that shows which parts of an output are wrong.
std::string mismatch_figure(const lab::BufferComparison& output, std::string_view id);

}  // namespace warpshop::report
