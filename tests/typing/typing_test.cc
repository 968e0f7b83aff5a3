// What is typed key by key arrives unchanged.
#include <nlohmann/json.hpp>

#include "app/class_link.h"
#include "core/files.h"
#include "lab/workspace.h"
#include "typing/typed_lines.h"
#include "typing/typist.h"

namespace warpshop::ui {
namespace {

class TypedTextTest : public TypingTest {};

TEST_F(TypedTextTest, ASmallKernelIsTypedSlowlyWithItsIndentation) {
  open("coalescing", "one-warp");
  slowly_ = true;
  const std::string kernel =
      "__global__ void twice(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) {\n"
      "    out[i] = 2.0f * in[i];\n"
      "  }\n"
      "}\n";
  type("<Ctrl+A><Delete>");
  type_text(without_indentation(kernel));
  EXPECT_EQ(text(), kernel);
}

std::vector<std::string> lab_ids() {
  std::vector<std::string> ids;
  for (const lab::Lab& lab : lab::load_labs(data_dir()).labs) ids.push_back(lab.id);
  return ids;
}

// What the page tells the class after each frame.
TEST_F(TypingTest, AStepThatIsOpenedHasNotPassedWhatTheOneBeforeHas) {
  open("coalescing", "one-warp");
  put(app().session().step()->exercise->solution);
  type("<F6>");
  ASSERT_TRUE(wait_until(
      [this] { return !app().busy() && app().view().latest && !app().view().latest_stale; }));
  ClassLink link;
  const auto told = [&] { return nlohmann::json::parse(link.news(app().view()).value()); };
  EXPECT_GT(told()["passed"].size(), 0);
  app().send(command::OpenStep{"coalescing", "stride"});
  app().frame(false);
  const nlohmann::json now = told();
  EXPECT_EQ(now["step"], "stride");
  EXPECT_EQ(now["passed"].size(), 0);
}

class TypedLabTest : public TypingTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(TypedLabTest, EverySolutionArrivesAsTypedAndPasses) {
  const Result<lab::Lab> lab = lab::load_lab(data_dir(), GetParam());
  ASSERT_TRUE(lab.ok());
  bool opened = false;
  for (const lab::Step& step : lab->steps) {
    if (!step.exercise) continue;
    SCOPED_TRACE(step.id);
    if (!std::exchange(opened, true)) {
      open(lab->id, step.id);
    } else {
      go_to(lab->id, step.id);
    }
    const std::string solution = step.exercise->solution;
    type("<Ctrl+A><Delete>");
    type_text(without_indentation(solution));
    ASSERT_EQ(lines_without_indentation(text()), lines_without_indentation(solution));
    type("<F6>");
    ASSERT_TRUE(wait_until(
        [this] { return !app().busy() && app().view().latest && !app().view().latest_stale; }));
    for (const lab::CheckResult& check : app().view().latest->result.checks)
      EXPECT_TRUE(check.passed) << check.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, TypedLabTest, ::testing::ValuesIn(lab_ids()), [](const auto& lab) {
  std::string name = lab.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace warpshop::ui
