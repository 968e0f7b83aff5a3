// Which launch of a profile is compared with a run, and which figures have nothing to compare.
#include "lab/profile_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile_text.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;

Profile transposes() {
  Result<Profile> profile = read_profile(fixture("transpose-raw.csv"), "p.csv");
  EXPECT_TRUE(profile.ok());
  return *profile;
}

TEST(ProfileComparison, PairsFiguresAndSaysWhyOthersHaveNone) {
  const Result<ProfileComparison> c = compare_profile(transposes(), transpose_run(), h200(), true);
  ASSERT_TRUE(c.ok()) << render(c.errors());
  EXPECT_TRUE(c->same_gpu);
  const ComparedFigure& equal = *c->find("shared_load_wavefronts");
  EXPECT_EQ(equal.ratio(), 1);
  EXPECT_FALSE(equal.differs());
  EXPECT_EQ(equal.provenance, Provenance::kSimulated);
  const ComparedFigure& other = *c->find("global_load_sectors");
  EXPECT_EQ(other.ratio(), 8000 / 8192.0);
  EXPECT_TRUE(other.differs());
  const ComparedFigure& predicted = *c->find("sass_instructions");
  EXPECT_EQ(predicted.provenance, Provenance::kPredicted);
  EXPECT_EQ(predicted.ratio(), 2);
  EXPECT_FALSE(predicted.differs());
  EXPECT_EQ(c->find("registers")->ratio(), 1);
  EXPECT_EQ(c->find("theoretical_occupancy_pct")->ratio(), 1);
  EXPECT_THAT(c->find("global_load_bytes_used")->note.english(), HasSubstr("no equivalent"));
  EXPECT_THAT(c->find("local_load_instructions")->note.english(),
              HasSubstr("smsp__sass_inst_executed_op_local_ld"));
  // Neither the run nor the profile has any.
  EXPECT_EQ(c->find("global_atomic_requests"), nullptr);
  EXPECT_EQ(c->time.ours, 5);
  EXPECT_EQ(c->time.profiled, 3.49);
}

TEST(ProfileComparison, OfSeveralLaunchesTheMedianIsShown) {
  const Result<ProfileComparison> c = compare_profile(transposes(), transpose_run(), h200(), true);
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->fitting, 3U);
  EXPECT_EQ(c->launch.id, "2");
  ASSERT_EQ(c->notes.size(), 1U);
  EXPECT_THAT(c->notes[0].english(), HasSubstr("3 launches of the profile fit"));
  ASSERT_EQ(c->time_notes.size(), 3U);
  EXPECT_THAT(c->time_notes[0].english(), HasSubstr("1,490 MHz, the prediction's 1,980 MHz"));
  EXPECT_THAT(c->time_notes[1].english(), HasSubstr("empties the caches"));
  EXPECT_THAT(c->time_notes[2].english(), HasSubstr("4.0 µs of the predicted time is launch"));
}

TEST(ProfileComparison, SaysWhichLaunchesTheProfileHas) {
  KernelRun run = transpose_run();
  run.kernel = "k_copy";
  Result<ProfileComparison> c = compare_profile(transposes(), run, h200(), true);
  ASSERT_FALSE(c.ok());
  EXPECT_EQ(c.errors().front().message.english(),
            "the profile has no launch of k_copy; it has k_fill(float *, int); "
            "k_transpose_tiled(const float *, float *, int)");
  run = transpose_run();
  run.grid = {16, 16, 1};
  c = compare_profile(transposes(), run, h200(), true);
  ASSERT_FALSE(c.ok());
  EXPECT_THAT(c.errors().front().message.english(),
              HasSubstr("grid (8, 8, 1), block (32, 8, 1); this run has grid (16, 16, 1)"));
  run = transpose_run();
  run.block = {8, 32, 1};
  EXPECT_FALSE(compare_profile(transposes(), run, h200(), true).ok());
}

TEST(ProfileComparison, TimesOfAnotherGpuAreNotCompared) {
  models::GpuProfile gpu = h200();
  gpu.name = "NVIDIA H100 SXM";
  const Result<ProfileComparison> named = compare_profile(transposes(), transpose_run(), gpu, true);
  ASSERT_TRUE(named.ok());
  EXPECT_FALSE(named->same_gpu);
  EXPECT_EQ(named->time.ratio(), std::nullopt);
  EXPECT_EQ(named->time.profiled, 3.49);
  EXPECT_TRUE(named->time_notes.empty());
  EXPECT_EQ(named->find("shared_load_wavefronts")->ratio(), 1);
  EXPECT_THAT(named->notes[1].english(), HasSubstr("another GPU: NVIDIA H200 (9.0)"));

  // The page details has the capability alone.
  const Result<Profile> details = read_profile(fixture("transpose-details.csv"), "p.csv");
  EXPECT_TRUE(compare_profile(*details, transpose_run(), gpu, true)->same_gpu);
  gpu.capability = {8, 9};
  EXPECT_FALSE(compare_profile(*details, transpose_run(), gpu, true)->same_gpu);
}

TEST(ProfileComparison, ANearMetricHasNoRatio) {
  const Result<Profile> profile = read_profile(
      replaced(details_of({{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "65,600"}}),
               "scale(float *)", "k_transpose_tiled"),
      "p.csv");
  ASSERT_TRUE(profile.ok());
  KernelRun run = transpose_run();
  run.grid = {16, 1, 1};
  run.block = {256, 1, 1};
  const Result<ProfileComparison> c = compare_profile(*profile, run, h200(), true);
  ASSERT_TRUE(c.ok()) << render(c.errors());
  const ComparedFigure& figure = *c->find("shared_load_wavefronts");
  EXPECT_EQ(figure.profiled, 65600);
  EXPECT_EQ(figure.ratio(), std::nullopt);
  EXPECT_FALSE(figure.differs());
  EXPECT_THAT(figure.note.english(), HasSubstr("also counts"));
}

TEST(ProfileComparison, ChoosesTheSizesThatFit) {
  RunResult result;
  result.gpu = h200();
  result.sizes.resize(2);
  result.sizes[0].student = transpose_run();
  result.sizes[0].student.grid = {4, 4, 1};
  result.sizes[1].student = transpose_run();
  result.timed.emplace().student = transpose_run();
  result.timed->student.counters = {};
  const Profile profile = transposes();
  const Result<std::vector<ProfiledSize>> sizes = compare_profile(profile, result);
  ASSERT_TRUE(sizes.ok());
  ASSERT_EQ(sizes->size(), 2U);
  EXPECT_EQ((*sizes)[0].size, &result.sizes[1]);
  EXPECT_EQ((*sizes)[0].comparison.find("shared_load_wavefronts")->ratio(), 1);
  // Nothing is counted at the size for times.
  EXPECT_EQ((*sizes)[1].size, &*result.timed);
  EXPECT_EQ((*sizes)[1].comparison.find("shared_load_wavefronts")->ours, std::nullopt);
  EXPECT_THAT((*sizes)[1].comparison.find("shared_load_wavefronts")->note.english(),
              HasSubstr("not counted at this size"));
  result.sizes.pop_back();
  result.timed.reset();
  EXPECT_FALSE(compare_profile(profile, result).ok());
}

}  // namespace
}  // namespace warpshop::lab
