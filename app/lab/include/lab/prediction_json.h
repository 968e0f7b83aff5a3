// A predicted time and its reasons as JSON, without timelines; docs/cli.md lists the keys.
#pragma once

#include <nlohmann/json.hpp>

#include "timing/prediction.h"

namespace warpshop::lab {

nlohmann::ordered_json prediction_json(const timing::Prediction& p);

}  // namespace warpshop::lab
