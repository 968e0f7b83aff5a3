// A predicted time and its reasons as JSON, without timelines; docs/cli.md lists the keys.
#pragma once

#include <nlohmann/json.hpp>

#include "models/gpu_profile.h"
#include "timing/prediction.h"

namespace warpshop::lab {

nlohmann::ordered_json prediction_json(const timing::Prediction& p);

// What is known of the error of the GPU's predicted times; null where nothing is.
nlohmann::ordered_json known_error_json(const models::GpuProfile& gpu);

}  // namespace warpshop::lab
