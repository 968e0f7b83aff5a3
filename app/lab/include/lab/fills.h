// Fills as lab files and specs name them. What they mean is in core/fill.h.
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

// A fill as hardware specs name it: zero none iota f32 f64 u8 bits file=NAME chase=S. Error: the
// names there are.
Result<Fill> fill_from_spec(std::string_view text);

}  // namespace warpshop::lab
