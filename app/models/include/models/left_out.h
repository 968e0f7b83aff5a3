// What each model leaves out, and what that does to its figures: shown wherever a model's figures are. docs/models.md
// has the same tables, with the sources.
#pragma once

#include <span>
#include <string_view>

namespace warpshop::models {

// kOldTimeModel: of GPUs before compute capability 7.0, whose times come from the PTX.
enum class ModelName { kTimeModel, kOldTimeModel, kPartitionModel, kDramModel, kCoalescingModel, kBankModel };

struct LeftOut {
  std::string_view what;
  std::string_view effect;  // on the figures
};

std::string_view title_of(ModelName model);  // "The predicted time"
std::span<const LeftOut> left_out(ModelName model);

}  // namespace warpshop::models
