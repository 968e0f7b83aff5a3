// Recorded times of real GPUs: reading them, the place of each mistake, and
// whether they belong to the texts as shipped.
#include "lab/recorded_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/text_id.h"
#include "lab/lab.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kTimesData = fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data";

constexpr const char* kTimes = R"(# a list
[[gpu]]
profile = "h200"
name = "NVIDIA H200"
driver = "580.159.04"
times = [
  { step = "scale", kernel = "start", text = "0123-4", size = { n = 4096 }, )"
                               R"(warm_us = 12.5, cold_us = 11, spread_us = 0.25, empty_us = 2.8 },
]
)";

TEST(RecordedTimes, AreReadWithTheLab) {
  const TemporaryFolder folder;
  fs::copy(kTimesData, folder.path(), fs::copy_options::recursive);
  folder.write("labs/fixture/times.toml", kTimes);
  const Result<Lab> lab = load_lab(folder.path(), "fixture");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  ASSERT_EQ(lab->recorded_times.size(), 1U);
  const RecordedTimes& gpu = lab->recorded_times.front();
  EXPECT_EQ(gpu.gpu, "h200");
  EXPECT_EQ(gpu.name, "NVIDIA H200");
  EXPECT_EQ(gpu.driver, "580.159.04");
  ASSERT_EQ(gpu.times.size(), 1U);
  const RecordedTime& time = gpu.times.front();
  EXPECT_EQ(time.step, "scale");
  EXPECT_EQ(time.text, "0123-4");
  EXPECT_EQ(time.size, (std::map<std::string, int64_t>{{"n", 4096}}));
  EXPECT_EQ(time.warm_us, 12.5);
  EXPECT_EQ(time.cold_us, 11);
  EXPECT_EQ(time.spread_us, 0.25);
  EXPECT_EQ(time.empty_us, 2.8);
  std::string without = kTimes;
  without.replace(without.find(" cold_us = 11, spread_us = 0.25,"), 32, "");
  folder.write("labs/fixture/times.toml", without);
  const Result<Lab> warm = load_lab(folder.path(), "fixture");
  ASSERT_TRUE(warm.ok()) << render(warm.errors());
  EXPECT_EQ(warm->recorded_times.front().times.front().cold_us, 0);
}

TEST(RecordedTimes, MistakesAreToldWithTheirPlace) {
  const struct {
    const char* from;
    const char* to;
    int line;
    const char* message;
  } kCases[] = {
      {"\"scale\"", "\"scail\"", 7, "'scail' is no exercise of this lab"},
      {"\"scale\"", "\"reading\"", 7, "'reading' is no exercise of this lab"},
      {"\"start\"", "\"begin\"", 7, R"("begin" is none of "start", "solution", "reference")"},
      {"warm_us = 12.5", "warm_us = -1", 7, "'warm_us' must be microseconds above 0"},
      {"warm_us = 12.5, ", "", 7, "'warm_us' must be microseconds above 0"},
      {"{ n = 4096 }", "{ n = \"4096\" }", 7, "'n' must be a whole number"},
      {"empty_us = 2.8", "empty_us = 2.8, hot_us = 1", 7, "hot_us"},
      {"driver = \"580.159.04\"\n", "", 2, "driver"},
      {"times = [", "times = [[", 8, "end-of-file"},
  };
  for (const auto& c : kCases) {
    const TemporaryFolder folder;
    fs::copy(kTimesData, folder.path(), fs::copy_options::recursive);
    std::string text = kTimes;
    text.replace(text.find(c.from), std::string(c.from).size(), c.to);
    folder.write("labs/fixture/times.toml", text);
    const Result<Lab> lab = load_lab(folder.path(), "fixture");
    ASSERT_FALSE(lab.ok()) << c.to;
    EXPECT_THAT(lab.errors().front().place.file, HasSubstr("times.toml")) << c.to;
    EXPECT_EQ(lab.errors().front().place.line, c.line) << c.to << ": " << render(lab.errors());
    EXPECT_THAT(lab.errors().front().message.english(), HasSubstr(c.message));
  }
}

// Recorded times are stale once the kernel or the size changes: measure again
// (tests/device/README.md) or remove the row.
TEST(RecordedTimes, OfTheShippedLabsAreOfTheirTextsAndSizes) {
  const LabLibrary library = load_labs(fs::path(WARPSHOP_TESTS_DIR).parent_path());
  ASSERT_TRUE(library.problems.empty()) << render(library.problems);
  std::set<std::string> exercises, measured;
  for (const Lab& lab : library.labs) {
    for (const Step& step : lab.steps) {
      if (step.exercise) exercises.insert(lab.id + "/" + step.id);
    }
    for (const RecordedTimes& gpu : lab.recorded_times) {
      for (const RecordedTime& time : gpu.times) {
        const Exercise& exercise = *lab.find_step(time.step)->exercise;
        const std::string& text = time.kernel == "start"      ? exercise.skeleton
                                  : time.kernel == "solution" ? exercise.solution
                                                              : exercise.reference;
        const std::string name = lab.id + "/" + time.step + ", " + time.kernel + ", " + gpu.gpu;
        EXPECT_EQ(time.text, text_id(text)) << name;
        EXPECT_EQ(time.size, exercise.timed->variables) << name;
        EXPECT_LT(time.empty_us, time.warm_us) << name;
        // tests/texts/stated.py compares the times that are stated in texts.
        const bool stated = time.cold_us == 0;
        if (time.kernel == "reference" || stated) measured.insert(lab.id + "/" + time.step);
      }
    }
  }
  EXPECT_EQ(measured, exercises);
}

}  // namespace
}  // namespace warpshop::lab
