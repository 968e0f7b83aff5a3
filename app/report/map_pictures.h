// The maps as SVG, drawn from the models' explanations, each with its facts in words and as a
// table.
#pragma once

#include <string>
#include <string_view>

#include "lab/run_result.h"

namespace warpshop::report {

// The patterns that the pictures are filled with; once in a page, before the first of them.
std::string picture_patterns();

// A <figure> of one recorded access: lanes and the transactions of the GPU's generation, or lanes
// and the banks of shared memory, pass by pass. `id` is unique in the page; `source` is the
// kernel's text.
std::string access_figure(const lab::RunResult& result, const timing::RecordedAccess& access,
                          std::string_view id, std::string_view source);

// A <figure> of an output with wrong elements: which parts of it are wrong.
std::string mismatch_figure(const lab::BufferComparison& output, std::string_view id);

}  // namespace warpshop::report
