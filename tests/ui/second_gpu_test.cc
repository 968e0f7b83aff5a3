#include "state/second_gpu.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

models::GpuProfile gpu(const char* id, int year) {
  models::GpuProfile made;
  made.id = id;
  made.year = year;
  return made;
}

TEST(SecondGpu, IsTheChosenOneUnlessThatIsTheFirst) {
  const std::vector<models::GpuProfile> gpus = {gpu("8800-gt", 2007), gpu("k40c", 2013),
                                                gpu("h100", 2022), gpu("b200", 2024),
                                                gpu("h200", 2024)};
  EXPECT_EQ(second_gpu(gpus, "h200", "8800-gt"), "8800-gt");
  EXPECT_EQ(second_gpu(gpus, "h200", "k40c"), "k40c");
  EXPECT_EQ(second_gpu(gpus, "8800-gt", "8800-gt"), "h200");
  EXPECT_EQ(second_gpu(gpus, "h200", "h200"), "8800-gt");
  EXPECT_EQ(second_gpu(gpus, "k40c", "k40c"), "h200");  // 11 years apart, versus 6
  EXPECT_EQ(second_gpu(gpus, "h200", "a GPU of a later version"), "8800-gt");
  EXPECT_EQ(second_gpu({gpu("h200", 2024)}, "h200", "h200"), "");
}

}  // namespace
}  // namespace warpshop::ui
