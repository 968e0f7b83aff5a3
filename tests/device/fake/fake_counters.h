// Between the tests' driver, which launches, and the tests' CUPTI, which counts.
#pragma once

#include "timing/counters.h"

namespace fake {

bool counting();
void count(const warpshop::timing::Counters& counters);

}  // namespace fake
