// A step's progress as JSON, for progress.json and `progress export` files.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/progress.h"

namespace warpshop::lab {

nlohmann::json json_of_step(const StepProgress& step);
// Throws the JSON library's exceptions.
StepProgress step_of_json(const nlohmann::json& value);

// Merges the progress in `other` into `mine`; if both have an answer, mine wins.
void merge(const StepProgress& other, StepProgress& mine);

}  // namespace warpshop::lab
