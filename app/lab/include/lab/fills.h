// The names of fills in lab files and specs. core/fill.h defines what they mean.
#pragma once

#include <string_view>

#include "core/fill.h"
#include "core/result.h"

namespace warpshop::lab {

using warpshop::Fill;
using warpshop::fill_bytes;
using warpshop::FillKind;
using warpshop::fnv1a_hex;
using warpshop::mix;
using warpshop::writes;

// A fill by its name in hardware specs: zero none iota f32 f64 u8 bits file=NAME chase=S. Error:
// lists the known names.
Result<Fill> fill_from_spec(std::string_view text);

}  // namespace warpshop::lab
