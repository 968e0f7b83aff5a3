// Connects the fake driver, which launches, with the fake CUPTI, which counts.
#pragma once

#include "timing/counters.h"

namespace fake {

bool counting();
void count(const warpshop::timing::Counters& counters);

}  // namespace fake
