// The operation of cp.reduce.async.bulk and red.async on each element.
#pragma once

#include <string_view>

#include "access/memory_ops.h"
#include "ptx/module.h"
#include "state/copies_in_flight.h"

namespace warpshop::emulator {

// nullptr: no such reduction. Sums of f32 flush subnormal numbers.
Reduction find_reduction(AtomicOperation operation, ptx::Type type);

}  // namespace warpshop::emulator
