#include "lab/proof.h"

#include <gtest/gtest.h>

#include "core/files.h"

namespace warpshop::lab {
namespace {

Runner& runner() {
  static Runner instance = std::move(Runner::create().value());
  return instance;
}

void expect_proved(const Lab& lab) {
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  const std::vector<ProofItem> items = prove_lab(runner(), lab, gpu);
  EXPECT_FALSE(items.empty());
  for (const ProofItem& item : items) {
    EXPECT_TRUE(item.holds) << lab.id << "/" << item.step << " " << item.what << ": " << item.found;
  }
}

// Every lab in labs/: its skeletons fail, its solutions pass, its wrong kernels fail as they
// should.
TEST(Proof, EveryLabHoldsWhatItPromises) {
  const LabLibrary library = load_labs(data_dir());
  EXPECT_TRUE(library.problems.empty()) << render(library.problems);
  ASSERT_FALSE(library.labs.empty());
  for (const Lab& lab : library.labs) expect_proved(lab);
}

TEST(Proof, TheFixtureHolds) {
  expect_proved(
      load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value());
}

// A lab that promises too much is found out.
TEST(Proof, FalsePromisesAreFound) {
  Lab lab = load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value();
  lab.steps.pop_back();
  Exercise& exercise = *lab.steps[1].exercise;
  const std::string solution = exercise.solution;
  exercise.solution = exercise.skeleton;                // a solution that fails
  exercise.skeleton = "this is not C++";                // a skeleton that does not compile
  exercise.wrong = {{"good.cu", solution, "correct"}};  // a wrong kernel that is right
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  const std::vector<ProofItem> items = prove_lab(runner(), lab, gpu);
  ASSERT_EQ(items.size(), 3U);
  for (const ProofItem& item : items) EXPECT_FALSE(item.holds) << item.what;
}

}  // namespace
}  // namespace warpshop::lab
