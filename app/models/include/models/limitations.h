// Limitations of each model and how they affect its figures; shown wherever those figures appear.
// docs/models.md has the same tables, with sources.
#pragma once

#include <span>
#include <string_view>

namespace warpshop::models {

// kOldTimeModel: for GPUs before compute capability 7.0, whose times are predicted from PTX.
enum class ModelName {
  kTimeModel,
  kOldTimeModel,
  kPartitionModel,
  kDramModel,
  kCoalescingModel,
  kBankModel
};

struct Limitation {
  std::string_view what;
  std::string_view effect;  // on the figures
};

std::string_view title_of(ModelName model);  // "The predicted time"
std::span<const Limitation> limitations_of(ModelName model);

}  // namespace warpshop::models
