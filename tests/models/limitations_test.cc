#include "models/limitations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace warpshop::models {
namespace {

// The limitations that the window shows must match docs/models.md.
TEST(Limitation, EveryRowStandsInTheDocument) {
  const std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/../docs/models.md");
  std::stringstream text;
  text << file.rdbuf();
  std::string document = text.str();
  std::replace(document.begin(), document.end(), '\n', ' ');
  ASSERT_GT(document.size(), 1000U);
  for (const ModelName model :
       {ModelName::kTimeModel, ModelName::kOldTimeModel, ModelName::kPartitionModel,
        ModelName::kDramModel, ModelName::kCoalescingModel, ModelName::kBankModel}) {
    EXPECT_FALSE(title_of(model).empty());
    EXPECT_FALSE(limitations_of(model).empty());
    for (const Limitation& row : limitations_of(model)) {
      EXPECT_NE(document.find(row.what), std::string::npos) << title_of(model) << ": " << row.what;
      EXPECT_FALSE(row.effect.empty());
    }
  }
}

// Number of rows in one of the document's tables of what the predicted
// time omits; the window must show them all.
size_t rows_of_table(std::string_view head) {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/../docs/models.md");
  std::string line;
  bool inside = false;
  size_t rows = 0;
  while (std::getline(file, line)) {
    if (line.starts_with(head)) {
      inside = true;
    } else if (inside && !line.starts_with("|")) {
      break;
    } else if (inside && !line.starts_with("|---")) {
      ++rows;
    }
  }
  return rows;
}

TEST(Limitation, TheTablesOfTheTimeModelsAreWhole) {
  const auto newer = rows_of_table("| omitted | effect on the prediction");
  EXPECT_GT(newer, 0U);
  EXPECT_EQ(newer, limitations_of(ModelName::kTimeModel).size());
  const auto older = rows_of_table("| omitted, on older GPUs | effect on the prediction");
  EXPECT_GT(older, 0U);
  EXPECT_EQ(older, limitations_of(ModelName::kOldTimeModel).size());
}

}  // namespace
}  // namespace warpshop::models
