// The names of fills in lab files and specs. core/fill.h defines what they mean.
#pragma once

#include <string_view>

#include "core/fill.h"
#include "core/result.h"

namespace warpshop::lab {

// A fill by its name in hardware specs: zero none iota f32 f64 u8 bits file=NAME chase=S. Error:
// lists the known names.
Result<Fill> fill_from_spec(std::string_view text);

}  // namespace warpshop::lab
