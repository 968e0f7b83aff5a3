// A class graded on the emulator and on a GPU: the worker of the tests, whose GPU is the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "class_folder.h"
#include "core/files.h"

namespace warpshop::grade {
namespace {

using ::testing::HasSubstr;

device::WorkerClient worker(const std::string& trouble = "") {
  device::WorkerOptions options;
  options.command = {"env", "FAKE_CUDA=" + trouble, "WARPSHOP_LIBNVML=none.so",
                     WARPSHOP_FAKE_WORKER};
  return device::WorkerClient(options);
}

GradeResult grade_on(const ClassFolder& folder, device::WorkerClient& client) {
  GradeOptions options = folder.options();
  options.worker = &client;
  const Result<Class> found = folder.find();
  EXPECT_TRUE(found.ok());
  Result<GradeResult> result = grade(found.value(), options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
  return result.value();
}

std::string wrong_scale(const ClassFolder& folder) {
  std::string text = folder.solution("scale");
  text.replace(text.find("2.0f"), 4, "3.0f");
  return text;
}

TEST(GradeOnGpu, ThoseThatPassAreMeasuredAndTheOthersNeverReachTheGpu) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", folder.solution("scale"));
  folder.hand_in("ada", "fixture/transpose.cu", folder.solution("transpose"));
  folder.hand_in("bob", "fixture-scale.cu", wrong_scale(folder));
  folder.hand_in("cy", "fixture-scale.cu", "int x = ;");
  device::WorkerClient client = worker();
  const GradeResult result = grade_on(folder, client);
  EXPECT_TRUE(result.problems.empty()) << render(result.problems);
  for (const char* step : {"scale", "transpose"}) {
    SCOPED_TRACE(step);
    const Grade* ada = find_grade(result, "ada", step);
    ASSERT_NE(ada, nullptr);
    EXPECT_EQ(ada->verdict, Verdict::kPassed) << ada->reason;
    EXPECT_EQ(ada->checks.back().id, "gpu-correct");
    ASSERT_TRUE(ada->measured.has_value());
    EXPECT_EQ(ada->measured->gpu, "Fake GPU");
    EXPECT_NEAR(ada->measured->student_us, 10, 0.1);  // its clock: 10 µs a launch
    EXPECT_NEAR(ada->measured->reference_us, 10, 0.1);
  }
  for (const char* student : {"bob", "cy"}) {
    const Grade* other = find_grade(result, student, "scale");
    ASSERT_NE(other, nullptr);
    EXPECT_FALSE(other->measured.has_value());
    for (const CheckLine& check : other->checks) EXPECT_NE(check.id, "gpu-correct");
  }
  const nlohmann::json json =
      nlohmann::json::parse(grades_json(folder.find().value(), result));
  EXPECT_THAT(json.dump(), HasSubstr("Fake GPU"));
  EXPECT_THAT(grades_csv(result), HasSubstr(",10.0"));

  EXPECT_EQ(grade_on(folder, client).graded_now, 0U);  // nothing twice
}

// A worker has no textures: the emulator's verdict stands, and nothing says that a GPU agreed.
TEST(GradeOnGpu, AnExerciseWithTexturesIsJudgedByTheEmulatorAlone) {
  const std::filesystem::path data = std::filesystem::path(WARPSHOP_TESTS_DIR).parent_path();
  ::setenv("WARPSHOP_DATA", data.c_str(), 1);
  const std::vector<lab::Lab> labs = lab::load_labs(data).labs;
  const auto soup = std::find_if(labs.begin(), labs.end(),
                                 [](const lab::Lab& lab) { return lab.id == "convolution-soup"; });
  ASSERT_NE(soup, labs.end());
  TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "class/ada/convolution-soup/textures.cu",
                                    soup->find_step("textures")->exercise->solution)
                  .ok());
  const Result<Class> found = find_submissions(folder.path() / "class", labs, {});
  ASSERT_TRUE(found.ok());
  device::WorkerClient client = worker();
  GradeOptions options;
  options.out = folder.path() / "out";
  options.gpu = models::find_gpu_profile(data, "h200").value();
  options.worker = &client;
  const Result<GradeResult> result = grade(found.value(), options);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const Grade* ada = find_grade(result.value(), "ada", "textures");
  ASSERT_NE(ada, nullptr);
  EXPECT_EQ(ada->verdict, Verdict::kPassed) << ada->reason;
  EXPECT_FALSE(ada->measured.has_value());
  for (const CheckLine& check : ada->checks) EXPECT_NE(check.id, "gpu-correct");
  EXPECT_THAT(ada->messages, ::testing::Contains(HasSubstr("textures")));
}

TEST(GradeOnGpu, AGpuThatCannotBeUsedIsNobodysFaultAndIsTriedAgain) {
  struct Trouble {
    const char* what;
    const char* reason;
  };
  const Trouble kCases[] = {
      {"no-driver", "no NVIDIA driver"},
      {"no-gpu", "finds no NVIDIA GPU"},
      {"old-gpu", "compute capability 6.0"},
      {"older-driver", "older than the compiler"},
      {"busy", "busy"},
  };
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu", folder.solution("scale"));
  folder.hand_in("bob", "fixture-scale.cu", wrong_scale(folder));
  for (const Trouble& c : kCases) {
    SCOPED_TRACE(c.what);
    device::WorkerClient client = worker(c.what);
    const GradeResult result = grade_on(folder, client);
    const Grade* ada = find_grade(result, "ada", "scale");
    ASSERT_NE(ada, nullptr);
    EXPECT_EQ(ada->verdict, Verdict::kNoVerdict);
    EXPECT_THAT(ada->reason, HasSubstr(c.reason));
    ASSERT_FALSE(result.problems.empty());
    EXPECT_FALSE(result.problems.front().help.empty());
    EXPECT_EQ(find_grade(result, "bob", "scale")->verdict, Verdict::kFailed);
  }
  device::WorkerClient client = worker();
  const GradeResult result = grade_on(folder, client);
  EXPECT_EQ(result.graded_now, 1U);  // bob's grade stood
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kPassed);
}

}  // namespace
}  // namespace warpshop::grade
