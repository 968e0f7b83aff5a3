// Grades a class on the emulator and on a GPU: the tests' worker, whose GPU is the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
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

std::string wrong_kernel(const ClassFolder& folder) {
  std::string text = folder.solution("scale");
  text.replace(text.find("2.0f"), 4, "3.0f");
  return text;
}

TEST(GradeOnGpu, ThoseThatPassAreMeasuredAndTheOthersNeverReachTheGpu) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", folder.solution("scale"));
  folder.hand_in("ada", "fixture/transpose.cu", folder.solution("transpose"));
  folder.hand_in("bob", "fixture-scale.cu", wrong_kernel(folder));
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
  const nlohmann::json json = nlohmann::json::parse(grades_json(folder.find().value(), result));
  EXPECT_THAT(json.dump(), HasSubstr("Fake GPU"));
  EXPECT_THAT(grades_csv(result), HasSubstr(",10.0"));

  EXPECT_EQ(grade_on(folder, client).graded_now, 0U);  // nothing is graded twice
}

// The worker gets what was compiled in the sandbox: it could not read the student's header.
TEST(GradeOnGpu, NoSourceIsCompiledOutsideTheSandbox) {
  ClassFolder folder;
  std::string text = folder.solution("scale");
  text.replace(text.find("2.0f"), 4, "OWN");
  folder.hand_in("ada", "fixture/scale.cu", "#include \"own.h\"\n" + text);
  folder.hand_in("ada", "fixture/own.h", "#define OWN 2.0f\n");
  device::WorkerClient client = worker();
  const GradeResult result = grade_on(folder, client);
  const Grade* ada = find_grade(result, "ada", "scale");
  EXPECT_EQ(ada->verdict, Verdict::kPassed) << ada->reason;
  EXPECT_TRUE(ada->measured.has_value());
}

TEST(GradeOnGpu, AnExerciseWithTexturesIsMeasuredLikeTheOthers) {
  const std::filesystem::path data = std::filesystem::path(WARPSHOP_TESTS_DIR).parent_path();
  ::setenv("WARPSHOP_DATA", data.c_str(), 1);
  std::vector<lab::Lab> labs = lab::load_labs(data).labs;
  const auto soup = std::find_if(labs.begin(), labs.end(),
                                 [](const lab::Lab& lab) { return lab.id == "convolution-soup"; });
  ASSERT_NE(soup, labs.end());
  for (lab::Step& step : soup->steps) {  // small: the tests' GPU is slow
    if (step.id == "textures") step.exercise->sizes = {{"64 × 16", {{"w", 64}, {"h", 16}}}};
  }
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
  options.worker_time_limit_s = 300;  // the tests' GPU is an emulator on a machine that may be busy
  const Result<GradeResult> result = grade(found.value(), options);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const Grade* ada = find_grade(result.value(), "ada", "textures");
  ASSERT_NE(ada, nullptr);
  EXPECT_EQ(ada->verdict, Verdict::kPassed) << ada->reason;
  EXPECT_EQ(ada->checks.back().id, "gpu-correct");
  ASSERT_TRUE(ada->measured.has_value());
  EXPECT_NEAR(ada->measured->student_us, 10, 0.1);  // its clock: 10 µs a launch
}

// A worker whose output goes through a shell filter.
device::WorkerClient worker_through(const std::string& filter) {
  device::WorkerOptions options;
  options.command = {
      "sh", "-c",
      std::string("FAKE_CUDA= WARPSHOP_LIBNVML=none.so ") + WARPSHOP_FAKE_WORKER + " | " + filter};
  return device::WorkerClient(options);
}

// Adds a table, so that the PTX does not fit into a pipe.
std::string with_table(const std::string& solution) {
  std::string table = "__device__ volatile unsigned table[16000] = {";
  for (int i = 0; i < 16000; ++i)
    table += std::to_string(2654435761U * static_cast<unsigned>(i + 1)) + "U,";
  std::string text = table + "};\n" + solution;
  return text.replace(text.find("  if (i < n)"), 0, "  if (n < 0) out[0] = table[i];\n");
}

// While a slow GPU measures one submission, the others' results are kept and their clocks stop.
TEST(GradeOnGpu, TheTimeOfOneIsNotTakenFromAnother) {
  ClassFolder folder;
  for (const char* student : {"a", "b", "c", "d"})
    folder.hand_in(student, "fixture-scale.cu", with_table(folder.solution("scale")));
  device::WorkerClient slow = worker_through(
      "while IFS= read -r line; do case \"$line\" in *'\"type\":\"result\"'*) sleep 3;; esac; "
      "printf '%s\\n' \"$line\"; done");
  GradeOptions options = folder.options();
  options.worker = &slow;
  options.jobs = 4;
  options.wall_limit_s = 12;  // four submissions at two sizes take 24 s on this GPU
  const Result<GradeResult> result = grade(folder.find().value(), options);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  for (const Grade& grade : result.value().grades)
    EXPECT_EQ(grade.verdict, Verdict::kPassed) << grade.student << ": " << grade.reason;
}

// A worker that compares nothing has not confirmed the results.
TEST(GradeOnGpu, AnAnswerWithoutOutputsIsNoVerdict) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu", folder.solution("scale"));
  device::WorkerClient empty = worker_through("sed -u 's/\"outputs\":\\[[^]]*\\]/\"outputs\":[]/'");
  const GradeResult result = grade_on(folder, empty);
  const Grade* ada = find_grade(result, "ada", "scale");
  EXPECT_EQ(ada->verdict, Verdict::kNoVerdict);
  EXPECT_THAT(ada->reason, HasSubstr("does not fit its job"));
  device::WorkerClient good = worker();
  EXPECT_EQ(find_grade(grade_on(folder, good), "ada", "scale")->verdict, Verdict::kPassed);
}

StopFlag stopped_by_signal;

// Ctrl-C while a GPU works is not the student's fault: the submission is graded when grading
// resumes.
TEST(GradeOnGpu, AStopWhileMeasuringIsNoVerdict) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu", folder.solution("scale"));
  // A worker that accepts a job and never finishes it, like a hanging kernel.
  device::WorkerOptions through;
  through.command = {"sh", "-c",
                     std::string("echo | FAKE_CUDA= ") + WARPSHOP_FAKE_WORKER +
                         " | head -n 1; read job && kill -USR1 $PPID; sleep 60"};
  device::WorkerClient client(through);
  ::signal(SIGUSR1, [](int) { stopped_by_signal.request(); });
  GradeOptions options = folder.options();
  options.worker = &client;
  options.stop = &stopped_by_signal;
  const Result<GradeResult> result = grade(folder.find().value(), options);
  ::signal(SIGUSR1, SIG_DFL);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  EXPECT_TRUE(stopped_by_signal.requested());
  EXPECT_EQ(result.value().graded_now, 1U);
  EXPECT_EQ(find_grade(result.value(), "ada", "scale")->verdict, Verdict::kNoVerdict);

  device::WorkerClient good = worker();
  const GradeResult again = grade_on(folder, good);
  EXPECT_EQ(again.graded_now, 1U);
  EXPECT_EQ(find_grade(again, "ada", "scale")->verdict, Verdict::kPassed);
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
  folder.hand_in("bob", "fixture-scale.cu", wrong_kernel(folder));
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
  device::WorkerClient missing(device::WorkerOptions{.command = {"no-such-program"}});
  EXPECT_EQ(find_grade(grade_on(folder, missing), "ada", "scale")->verdict, Verdict::kNoVerdict);
  device::WorkerClient client = worker();
  const GradeResult result = grade_on(folder, client);
  EXPECT_EQ(result.graded_now, 1U);  // bob's grade was kept
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kPassed);
}

}  // namespace
}  // namespace warpshop::grade
