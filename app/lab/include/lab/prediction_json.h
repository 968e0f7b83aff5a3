// A predicted time with its reasons as JSON; docs/cli.md names the keys. Timelines are left out.
#pragma once

#include <nlohmann/json.hpp>

#include "timing/prediction.h"

namespace warpshop::lab {

nlohmann::ordered_json prediction_json(const timing::Prediction& p);

}  // namespace warpshop::lab
