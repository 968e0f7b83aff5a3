// Stepping through a list with the keyboard, from its end to its start.
#include "state/wrap_index.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(WrapIndex, BehindTheLastComesTheFirst) {
  struct Case {
    size_t at;
    int64_t by;
    size_t count, wanted;
  };
  const Case cases[] = {{0, 1, 3, 1},  {2, 1, 3, 0},   {0, -1, 3, 2}, {1, -1, 3, 0}, {1, 0, 3, 1},
                        {0, -7, 3, 2}, {2, 100, 3, 0}, {0, 1, 1, 0},  {0, -1, 1, 0}, {0, 5, 0, 0}};
  for (const Case& c : cases)
    EXPECT_EQ(wrap_index(c.at, c.by, c.count), c.wanted)
        << c.at << " by " << c.by << " of " << c.count;
}

}  // namespace
}  // namespace warpshop::ui
