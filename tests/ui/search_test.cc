#include "text/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warpshop::ui {
namespace {

TEST(Search, WhatIsTypedComesBeforeWhatBeginsWithIt) {
  const std::vector<std::string> best_first = {"Rows", "Rows of any length", "Any length of rows"};
  for (size_t n = 1; n < best_first.size(); ++n)
    EXPECT_LT(*match("rows", best_first[n - 1], ""), *match("rows", best_first[n], "")) << n;
  EXPECT_LT(*match("rows of any", "Rows of any length", ""),
            *match("rows of any", "Any of these", "rows"));
  EXPECT_FALSE(match("rows of all", "Rows of any length", "columns"));
}

TEST(Search, TheNameOfAPanelIsInsideASentence) {
  const int panel = *match("bank", "Go to the banks", "", NameAt::kAnyWord);
  EXPECT_LT(panel, *match("bank", "A padded tile", "bank conflicts"));
  EXPECT_LT(panel, *match("bank", "One bank", ""));
  EXPECT_LE(panel, *match("bank", "Banks fill the gaps", ""));
  EXPECT_GT(*match("anks", "Go to the banks", "", NameAt::kAnyWord), panel) << "inside a word";
}

}  // namespace
}  // namespace warpshop::ui
