#include "text/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Completion, NamesOfTheTextComeBeforeThoseOfCuda) {
  const char* text =
      "__global__ void f(float* threshold) {\n  // thrown away\n  int thr = "
      "threshold[threadIdx.x];\n";
  const std::vector<std::string> found = completions(text, "thr");
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[0], "threadIdx");  // in the text and shorter
  EXPECT_EQ(found[1], "threshold");
  EXPECT_THAT(found, Not(Contains("thr")));     // already there
  EXPECT_THAT(found, Not(Contains("thrown")));  // only in a comment
}

TEST(Completion, KnowsCudaWithoutATextAndIgnoresCase) {
  EXPECT_THAT(completions("", "blockd"), ElementsAre("blockDim"));
  EXPECT_THAT(completions("", "__syncth"), Contains("__syncthreads()"));
  EXPECT_THAT(completions("", "atomica"), Contains("atomicAdd"));
  EXPECT_THAT(completions("", "syncthr"),
              Contains("__syncthreads()"));  // within a word, from three letters on
}

TEST(Completion, AFunctionWithoutParametersComesWithItsParentheses) {
  EXPECT_THAT(completions("", "__threadfence_b"), ElementsAre("__threadfence_block()"));
  EXPECT_THAT(completions("", "atomica"), Contains("atomicAdd"));
}

TEST(Completion, OffersNoWordsThatAKernelCannotUse) {
  EXPECT_THAT(completions("", "thr"), Contains("threadIdx"));
  EXPECT_THAT(completions("", "thr"), Not(Contains("throw")));
  EXPECT_THAT(completions("", "thr"), Not(Contains("thread_local")));
  EXPECT_THAT(completions("int throw_line;", "thr"), Contains("throw_line"));
}

TEST(Completion, SaysNothingForALetterOrNoise) {
  EXPECT_THAT(completions("int tile;", "t"), IsEmpty());
  EXPECT_THAT(completions("int tile;", "qqq"), IsEmpty());
  EXPECT_EQ(completions("", "__", 3).size(), 3u);
}

TEST(Completion, AWordThatIsWholeNeedsNone) {
  EXPECT_THAT(completions("int row; int rows; row", "row"), IsEmpty());
  EXPECT_THAT(completions("int rows; row", "row"), Contains("rows"));
  EXPECT_THAT(completions("int in; int inner; in", "in"), IsEmpty());
}

}  // namespace
}  // namespace warpshop::ui
