// A step's progress as JSON: progress.json, and files of `progress export`.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/workspace.h"

namespace warpshop::lab {

nlohmann::json json_of_step(const StepProgress& step);
// Throws what the JSON library throws.
StepProgress step_of_json(const nlohmann::json& value);

// What was reached in `other` is reached in `mine`; where both have an answer, mine counts.
void merge(const StepProgress& other, StepProgress& mine);

}  // namespace warpshop::lab
