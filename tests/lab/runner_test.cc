#include "lab/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "core/files.h"
#include "lab/findings.h"
#include "lab/metric_names.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const CheckResult* find_check(const RunResult& result, std::string_view id) {
  for (const CheckResult& check : result.checks) {
    if (check.id == id) return &check;
  }
  return nullptr;
}

class RunnerTest : public testing::Test {
 protected:
  // One runner for all tests: loading the compiler takes longer than most of them.
  static void SetUpTestSuite() {
    Result<Runner> runner = Runner::create();
    ASSERT_TRUE(runner.ok()) << render(runner.errors());
    runner_ = new Runner(std::move(*runner));
  }
  static void TearDownTestSuite() {
    delete runner_;
    runner_ = nullptr;
  }

  RunnerTest() {
    Result<Lab> lab = load_lab(fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture");
    EXPECT_TRUE(lab.ok());
    lab_ = std::move(*lab);
    scale_ = lab_.find_step("scale");
    transpose_ = lab_.find_step("transpose");
    Result<models::GpuProfile> gpu = models::find_gpu_profile(data_dir(), "h200");
    EXPECT_TRUE(gpu.ok());
    gpu_ = *gpu;
  }

  RunRequest request(const Step& step, const std::string& source) const {
    RunRequest out;
    out.lab = &lab_;
    out.step = &step;
    out.source = source;
    out.file_name = step.id + ".cu";
    out.gpu = gpu_;
    return out;
  }
  RunResult run(const Step& step, const std::string& source) const {
    return runner_->run(request(step, source));
  }

  static inline Runner* runner_ = nullptr;
  Lab lab_;
  const Step* scale_ = nullptr;
  const Step* transpose_ = nullptr;
  models::GpuProfile gpu_;
};

TEST_F(RunnerTest, TheSolutionPassesEveryCheck) {
  const RunResult result = run(*scale_, scale_->exercise->solution);
  EXPECT_TRUE(result.passed) << render(result.diagnostics);
  EXPECT_TRUE(result.diagnostics.empty()) << render(result.diagnostics);
  ASSERT_EQ(result.sizes.size(), 2U);
  EXPECT_TRUE(result.sizes[0].correct);
  EXPECT_DOUBLE_EQ(result.sizes[0].useful_bytes, 2 * 4 * 4096);
  EXPECT_EQ(result.stage(Stage::kCompile).state, StageState::kPassed);
  EXPECT_EQ(result.stage(Stage::kCheck).state, StageState::kPassed);
  EXPECT_EQ(result.stage(Stage::kEmulate).state, StageState::kPassed);
  EXPECT_EQ(result.stage(Stage::kCompare).state, StageState::kPassed);
  EXPECT_EQ(result.stage(Stage::kMeasure).state, StageState::kSkipped);

  // 4,096 elements, 128 warps: each loads and stores 128 bytes, 4 sectors, once.
  const KernelRun& student = result.sizes[0].student;
  EXPECT_EQ(student.grid, (emulator::Dim3{16, 1, 1}));
  EXPECT_EQ(student.block, (emulator::Dim3{256, 1, 1}));
  EXPECT_EQ(student.counters.global_load_requests, 128U);
  EXPECT_EQ(student.counters.global_load_sectors, 512U);
  EXPECT_EQ(student.counters.global_store_sectors, 512U);
  EXPECT_EQ(student.counters.global_load_bytes_used, 4096U * 4);
  EXPECT_GT(student.registers, 0);
  EXPECT_DOUBLE_EQ(student.occupancy.fraction, 1);
  EXPECT_FALSE(student.records.empty());
  for (const timing::RecordedAccess& record : student.records)
    EXPECT_EQ(record.warp.linear_block, 0U);
}

TEST_F(RunnerTest, CostsAreGivenToTheStudentsLines) {
  const std::string& source = scale_->exercise->solution;
  const RunResult result = run(*scale_, source);
  const int line = line_of(source, "out[i] = 2.0f * in[i]");
  const LineCost* cost = nullptr;
  for (const LineCost& candidate : result.sizes[0].student.lines) {
    EXPECT_GT(candidate.warp_instructions, 0U);
    if (candidate.line == line) cost = &candidate;
  }
  ASSERT_NE(cost, nullptr);
  EXPECT_EQ(cost->load.requests, 128U);
  EXPECT_EQ(cost->load.sectors, 512U);
  EXPECT_EQ(cost->store.requests, 128U);
  EXPECT_EQ(cost->shared.executions, 0U);
}

TEST_F(RunnerTest, TheSkeletonIsRightButFailsTheStructuralChecks) {
  const RunResult result = run(*scale_, scale_->exercise->skeleton);
  EXPECT_FALSE(result.passed);
  EXPECT_TRUE(find_check(result, "correct")->passed);
  EXPECT_TRUE(find_check(result, "no-findings")->passed);
  const CheckResult* check = find_check(result, "coalesced-loads");
  ASSERT_NE(check, nullptr);
  EXPECT_FALSE(check->passed);
  EXPECT_EQ(check->got, "32 sectors a request");
  EXPECT_EQ(check->wanted, "at most 4");
  EXPECT_THAT(check->message, HasSubstr("Neighbouring lanes"));
  EXPECT_THAT(find_check(result, "as-few-sectors")->got, HasSubstr("at n = 4,096"));
}

TEST_F(RunnerTest, ChecksOnSharedMemoryKnowTheIdeal) {
  // Rows of 32 words: the column that a warp reads lies in one bank. The pad of one word spreads
  // it.
  const std::string unpadded = with(transpose_->exercise->solution, "tile[32][33]", "tile[32][32]");
  const RunResult slow = run(*transpose_, unpadded);
  EXPECT_EQ(find_check(slow, "no-conflicts")->got, "32");
  EXPECT_FALSE(find_check(slow, "no-conflicts")->passed);
  EXPECT_TRUE(find_check(slow, "coalesced-stores")->passed);
  EXPECT_TRUE(run(*transpose_, transpose_->exercise->solution).passed);
}

TEST_F(RunnerTest, TheFirstMismatchIsNamed) {
  const RunResult result = run(
      *scale_, with(scale_->exercise->solution, "2.0f * in[i]", "(i == 17 ? 9.0f : 2.0f * in[i])"));
  EXPECT_FALSE(result.passed);
  const BufferComparison& out = result.sizes[0].outputs.at(0);
  EXPECT_EQ(out.wrong, 1U);
  ASSERT_TRUE(out.first);
  EXPECT_EQ(out.first->index, 17U);
  EXPECT_EQ(out.first->got_text, "9");
  EXPECT_THAT(find_check(result, "correct")->message, HasSubstr("out[17] is 9, expected"));
}

TEST_F(RunnerTest, AWrongResultSaysWhatIsCommonToItAndAsksTheLabsQuestion) {
  const RunResult shifted = run(
      *scale_, with(scale_->exercise->solution, "2.0f * in[i]", "i + 1 < n ? 2.0f * in[i + 1] : 0.0f"));
  EXPECT_THAT(find_check(shifted, "correct")->message,
              AllOf(HasSubstr("Each holds what belongs 1 "), HasSubstr(" further. Which element")));
  const RunResult one_size =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n && n == 4096)"));
  EXPECT_THAT(find_check(one_size, "correct")->message,
              AllOf(HasSubstr("They were never written."), HasSubstr(" all is right: what holds")));
}

TEST_F(RunnerTest, ElementsThatAreNeverWrittenAreWrong) {
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n - 1)"));
  EXPECT_EQ(result.sizes[0].outputs.at(0).first->got_text, "never written");
  EXPECT_EQ(result.sizes[0].outputs.at(0).first->index, 4095U);
}

struct BadKernel {
  const char* name;
  const char* from;
  const char* to;
  const char* kind;     // of a diagnostic, or of a finding
  const char* message;  // part of it
  const char* at;       // the line where this stands in the text; nullptr: any
};

// Each gives a message with file, line, what was expected and what to do, and the runner goes on.
TEST_F(RunnerTest, BadKernelsAreExplained) {
  const BadKernel kCases[] = {
      {"does_not_compile", "2.0f * in[i]", "2.0f * inn[i]", "compile", "inn", "inn[i]"},
      {"missing_semicolon", "out[i] = 2.0f * in[i];", "out[i] = 2.0f * in[i]", "compile",
       "expected", "}"},
      {"never_ends", "if (i < n) out[i]", "while (n > 0) out[i]", "timeout", "", nullptr},
      {"reads_past_the_buffer", "2.0f * in[i]", "2.0f * in[i + 1]", "out-of-bounds", "in",
       "in[i + 1]"},
      {"writes_far_away", "out[i] =", "out[i + 100000000] =", "out-of-bounds", "",
       "out[i + 100000000]"},
      {"too_much_shared_memory", "dim3(256)}", "dim3(256), 400000}", "launch", "shared",
       "Launch launch"},
      {"grid_of_zero", "dim3((n + 255) / 256)", "dim3(0)", "launch", "grid", "Launch launch"},
      {"block_too_large", "dim3(256)}", "dim3(2048)}", "launch", "1024", "Launch launch"},
      {"kernel_has_another_name", "void scale(", "void scal(", "kernel", "no kernel 'scale'",
       nullptr},
      {"no_launch_function", "Launch launch(int n)", "Launch lunch(int n)", "launch",
       "no launch function 'launch'", nullptr},
      {"launch_with_two_parameters", "launch(int n)", "launch(int n, int m)", "launch",
       "cannot be called so", "Launch launch"},
      {"launch_divides_by_nothing", "dim3((n + 255) / 256)", "dim3(*(unsigned*)0)", "launch",
       "the launch function fails", nullptr},
      {"launch_never_ends", "  return {dim3(",
       "  for (volatile int i = 0; n > 0; i = i + 1) {}\n  return {dim3(", "launch", "does not end",
       "Launch launch"},
      {"another_parameter", "float* out, int n)", "float* out, int n, int m)", "launch",
       "has 4 parameters", nullptr},
      {"parameter_of_another_size", "float* out, int n)", "float* out, long long n)", "launch",
       "parameters", nullptr},
  };
  for (const BadKernel& c : kCases) {
    SCOPED_TRACE(c.name);
    RunRequest bad = request(*scale_, with(scale_->exercise->solution, c.from, c.to));
    bad.instruction_budget = 20'000'000;
    const RunResult result = runner_->run(bad);
    EXPECT_FALSE(result.passed);
    EXPECT_FALSE(result.checks.empty());
    bool found = false;
    const auto look = [&](std::string_view kind, const SourcePlace& place,
                          const std::string& message) {
      const bool at_line = c.at == nullptr || place.line == line_of(bad.source, c.at);
      found |= kind == c.kind && at_line && message.find(c.message) != std::string::npos &&
               place.file == "scale.cu";
    };
    std::string seen = render(result.diagnostics);
    for (const Diagnostic& d : result.diagnostics) look(d.kind, d.place, d.message);
    for (const SizeResult& size : result.sizes) {
      for (const emulator::Finding& finding : size.student.findings) {
        look(emulator::name_of(finding.kind), finding.place, finding.message);
        seen += "\n" + std::string(emulator::name_of(finding.kind)) + " " + finding.place.file +
                ":" + std::to_string(finding.place.line) + " " + finding.message;
      }
    }
    EXPECT_TRUE(found) << seen;
  }
  EXPECT_TRUE(run(*scale_, scale_->exercise->solution).passed) << "the runner works on";
}

TEST_F(RunnerTest, ABlockThatNeedsTooManyRegistersIsRefusedAsOnTheGpu) {
  // 200 values alive at once: more than 64 registers, which 1,024 threads cannot have on an SM of
  // 65,536.
  const std::string kernel =
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  float v[120];\n"
      "  for (int k = 0; k < 120; ++k) v[k] = in[(threadIdx.x + k) % n];\n"
      "  float s = 0;\n"
      "  for (int k = 0; k < 120; ++k) for (int j = k; j < 120; j += 7) s = s * v[j] + v[k];\n"
      "  out[threadIdx.x] = s;\n"
      "}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(1024)}; }\n";
  const RunResult result = run(*scale_, kernel);
  EXPECT_FALSE(result.passed);
  ASSERT_FALSE(result.diagnostics.empty());
  bool found = false;
  for (const Diagnostic& d : result.diagnostics)
    found |= d.message.english().find("registers") != std::string::npos;
  EXPECT_TRUE(found) << render(result.diagnostics);
}

TEST_F(RunnerTest, AStopEndsAnEndlessKernelSoon) {
  StopFlag stop;
  RunRequest endless = request(
      *scale_, with(scale_->exercise->solution, "if (i < n) out[i]", "while (n > 0) out[i]"));
  endless.instruction_budget = uint64_t{1} << 62;
  endless.stop = &stop;
  RunResult result;
  std::thread running([&] { result = runner_->run(endless); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto asked = std::chrono::steady_clock::now();
  stop.request();
  running.join();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(5));
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.stage(Stage::kEmulate).state, StageState::kStopped);
}

TEST_F(RunnerTest, BothKernelsArePredictedSizeBySize) {
  RunRequest asked = request(*scale_, scale_->exercise->skeleton);
  asked.predict = true;
  asked.timeline_warps = 4;
  std::vector<int> predicted_before;  // kernels with a prediction, at each call
  asked.on_partial = [&](const RunResult& partial) {
    ASSERT_EQ(partial.sizes.size(), 2U);
    EXPECT_FALSE(partial.checks.empty()) << "all but the predictions is known";
    int count = 0;
    for (const SizeResult& size : partial.sizes) {
      count += (size.student.prediction ? 1 : 0) + (size.reference.prediction ? 1 : 0);
    }
    predicted_before.push_back(count);
  };
  const RunResult result = runner_->run(asked);
  EXPECT_EQ(predicted_before, (std::vector<int>{0, 2}));
  EXPECT_TRUE(result.prediction_problems.empty()) << render(result.prediction_problems);
  for (const SizeResult& size : result.sizes) {
    for (const KernelRun* run : {&size.student, &size.reference}) {
      ASSERT_TRUE(run->prediction);
      // So few blocks take little more than an empty launch.
      EXPECT_GT(run->prediction->time_us, run->prediction->launch_us);
      EXPECT_LT(run->prediction->time_us, run->prediction->launch_us + 10);
    }
  }
  EXPECT_GT(result.student()->prediction->l2_bytes, result.reference()->prediction->l2_bytes)
      << "32 sectors a request beside 4";
  for (const KernelRun* run : {result.student(), result.reference()}) {
    const auto& timelines = run->prediction->timelines;
    ASSERT_EQ(timelines.size(), 4U);
    for (const timing::WarpTimeline& line : timelines) {
      ASSERT_FALSE(line.intervals.empty());
      for (size_t i = 1; i < line.intervals.size(); ++i) {
        const timing::WarpInterval& before = line.intervals[i - 1];
        EXPECT_NEAR(line.intervals[i].start_cycle, before.start_cycle + before.cycles, 1e-6);
      }
    }
  }
  EXPECT_TRUE(result.sizes[1].student.prediction->timelines.empty());
}

// Beside the sizes that are checked there is one for times: no element of it is computed by the emulator's run.
TEST_F(RunnerTest, ARightKernelIsTimedAtTheSizeForTimesFirst) {
  Step timed = *scale_;
  timed.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  RunRequest asked = request(timed, scale_->exercise->skeleton);
  asked.predict = true;
  asked.timeline_warps = 4;
  int calls = 0;
  asked.on_partial = [&](const RunResult& partial) {
    ASSERT_TRUE(partial.timed);
    EXPECT_EQ(partial.timed->student.prediction.has_value(), calls > 0) << "what is shown comes first";
    EXPECT_FALSE(partial.sizes[1].student.prediction);
    ++calls;
  };
  const RunResult result = runner_->run(asked);
  EXPECT_EQ(calls, 3);
  ASSERT_TRUE(result.timed);
  EXPECT_EQ(result.timed->size.label, "a million");
  EXPECT_EQ(result.timed->useful_bytes, 2.0 * 4 * (1 << 20));
  const KernelRun& student = result.timed->student;
  EXPECT_EQ(uint64_t{student.grid.x} * student.block.x, 1U << 20);
  EXPECT_EQ(student.warp_instructions, 0U);
  ASSERT_TRUE(student.prediction);
  ASSERT_TRUE(result.timed->reference.prediction);
  EXPECT_EQ(result.timed_size(), &*result.timed);
  // 256 times the elements of the first size: the launch is no longer all that takes time.
  const timing::Prediction& small = *result.sizes[0].student.prediction;
  EXPECT_GT(student.prediction->time_us - student.prediction->launch_us, 5 * (small.time_us - small.launch_us));
  EXPECT_EQ(student.prediction->timelines.size(), 4U);
  EXPECT_TRUE(small.timelines.empty());
}

TEST_F(RunnerTest, AWrongKernelAndARunWithoutTimesHaveNoTimedSize) {
  Step timed = *scale_;
  timed.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  RunRequest asked = request(timed, with(scale_->exercise->solution, "2.0f * in[i]", "3.0f * in[i]"));
  asked.predict = true;
  const RunResult wrong = runner_->run(asked);
  EXPECT_FALSE(wrong.timed);
  ASSERT_TRUE(wrong.student()->prediction);
  EXPECT_EQ(wrong.timed_size(), &wrong.sizes.front());
  asked = request(timed, scale_->exercise->solution);
  EXPECT_FALSE(runner_->run(asked).timed);
}

// Whoever types on is not kept waiting by the large size's buffers, which hear no stop while they are filled.
TEST_F(RunnerTest, AStopInThePauseBeforeTheSizeForTimesIsHeardAndNothingIsPredicted) {
  Step timed = *scale_;
  timed.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  RunRequest asked = request(timed, scale_->exercise->skeleton);
  asked.predict = true;
  asked.pause_before_timed = std::chrono::hours(1);
  StopFlag stop;
  asked.stop = &stop;
  std::thread later;
  asked.on_partial = [&](const RunResult&) {
    if (!later.joinable()) later = std::thread([&] { stop.request(); });
  };
  const RunResult result = runner_->run(asked);
  later.join();
  ASSERT_TRUE(result.timed);
  EXPECT_FALSE(result.timed->student.prediction);
  EXPECT_FALSE(result.sizes.front().student.prediction);
  EXPECT_TRUE(result.sizes.front().correct) << "what was found before stays";
  EXPECT_FALSE(result.stopped);
}

// The skeleton's lane k of block b reads element 16 k + b: lanes are 64 bytes apart. An H200 moves a
// sector for each; a GTX 280 a segment of 128 bytes for each two.
TEST_F(RunnerTest, TheMemoryIsPlayedOverTimeByTheRulesOfTheGpu) {
  struct Case {
    const char* id;
    uint64_t a_warp;  // transactions
    uint64_t bursts;  // of 32 bytes in each
  };
  for (const auto& [id, a_warp, bursts] : {Case{"gtx-280", 16, 4}, Case{"h200", 32, 1}}) {
    RunRequest asked = request(*scale_, scale_->exercise->skeleton);
    asked.gpu = *models::find_gpu_profile(data_dir(), id);
    asked.memory_timeline = true;
    const RunResult result = runner_->run(asked);
    ASSERT_NE(result.student()->memory, nullptr) << id;
    const timing::MemoryTimeline& memory = *result.student()->memory;
    EXPECT_EQ(memory.gpu, id);
    EXPECT_EQ(memory.blocks, 16U);
    EXPECT_EQ(memory.grid_blocks, 16U);
    EXPECT_EQ(memory.steps, 2U) << "a load and a store";
    EXPECT_EQ(memory.transactions, 128U * 2 * a_warp) << id;
    EXPECT_EQ(memory.dram.row_hits + memory.dram.row_misses, memory.transactions * bursts) << id;
    EXPECT_EQ(memory.load.map.illustration, std::string(id) == "h200");
    EXPECT_EQ(result.reference()->memory, nullptr);
  }
}

TEST_F(RunnerTest, WhyATimeIsNotPredictedIsSaidAndChangesNothingElse) {
  RunRequest asked = request(*scale_, scale_->exercise->solution);
  asked.predict = true;
  asked.gpu.launch_us.reset();
  const RunResult result = runner_->run(asked);
  EXPECT_TRUE(result.passed);
  EXPECT_FALSE(result.student()->prediction);
  EXPECT_THAT(render(result.prediction_problems), HasSubstr("its profile lacks launch_us"));
}

TEST_F(RunnerTest, AStopEndsThePredictionSoonAndKeepsTheResult) {
  StopFlag stop;
  RunRequest asked =
      request(*scale_, with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
                            "float v = i < n ? in[i] : 0;\n"
                            "  for (int k = 0; k < 20000; ++k) v = v * 0.5f + 1.0f;\n"
                            "  if (i < n) out[i] = v;"));
  asked.predict = true;
  asked.stop = &stop;
  asked.on_partial = [&](const RunResult&) { stop.request(); };  // the maps are there
  const RunResult result = runner_->run(asked);
  EXPECT_FALSE(result.sizes[1].reference.prediction) << "it was not over";
  EXPECT_FALSE(result.stopped);
  EXPECT_TRUE(result.student()->completed);
  EXPECT_THAT(render(result.prediction_problems), HasSubstr("stopped"));
}

TEST_F(RunnerTest, ARepeatedRunCompilesNothingAndSaysTheSame) {
  const RunResult first = run(*scale_, scale_->exercise->skeleton);
  const RunResult second = run(*scale_, scale_->exercise->skeleton);
  EXPECT_LT(second.stage(Stage::kCompile).seconds, 0.005);
  ASSERT_EQ(first.checks.size(), second.checks.size());
  for (size_t i = 0; i < first.checks.size(); ++i) {
    EXPECT_EQ(first.checks[i].got, second.checks[i].got);
    EXPECT_EQ(first.checks[i].passed, second.checks[i].passed);
  }
  EXPECT_EQ(first.sizes[0].reference.counters.global_load_sectors,
            second.sizes[0].reference.counters.global_load_sectors);
}

TEST_F(RunnerTest, APreviewRunsTheFirstSizeAndNeverPasses) {
  RunRequest preview = request(*scale_, scale_->exercise->solution);
  preview.first_size_only = true;
  const RunResult result = runner_->run(preview);
  EXPECT_EQ(result.sizes.size(), 1U);
  EXPECT_FALSE(result.passed);
  EXPECT_TRUE(find_check(result, "coalesced-loads")->passed);
}

TEST_F(RunnerTest, StagesAreToldAsTheyChange) {
  std::vector<std::pair<Stage, StageState>> seen;
  RunRequest watched = request(*scale_, scale_->exercise->solution + "\n// told\n");
  watched.on_stage = [&](const std::array<StageReport, kStageCount>& stages) {
    for (int i = 0; i < kStageCount; ++i) {
      const auto entry = std::pair{static_cast<Stage>(i), stages[static_cast<size_t>(i)].state};
      if (std::find(seen.begin(), seen.end(), entry) == seen.end()) seen.push_back(entry);
    }
  };
  runner_->run(watched);
  const auto at = [&](Stage stage, StageState state) {
    return std::find(seen.begin(), seen.end(), std::pair{stage, state}) - seen.begin();
  };
  EXPECT_LT(at(Stage::kCompile, StageState::kRunning), at(Stage::kCompile, StageState::kPassed));
  EXPECT_LT(at(Stage::kCompile, StageState::kPassed), at(Stage::kEmulate, StageState::kRunning));
  EXPECT_LT(at(Stage::kEmulate, StageState::kRunning), at(Stage::kCompare, StageState::kPassed));
  EXPECT_LT(static_cast<size_t>(at(Stage::kCompare, StageState::kPassed)), seen.size());
}

TEST_F(RunnerTest, ABrokenReferenceIsTheLabsFault) {
  Lab lab = lab_;
  Step& step = lab.steps[1];
  step.exercise->reference =
      "__global__ void scale(const float* in, float* out, int n) { out[n] = nothing; }";
  RunRequest broken = request(step, scale_->exercise->solution);
  broken.lab = &lab;
  const RunResult result = runner_->run(broken);
  EXPECT_FALSE(result.passed);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics.front().kind, "lab-file");
  EXPECT_THAT(result.diagnostics.front().message,
              HasSubstr("the lab's reference kernel is broken"));
}

TEST_F(RunnerTest, EveryNameThatChecksMayUseHasAValue) {
  Step step = *transpose_;
  step.exercise->model_gpu = models::find_gpu_profile(data_dir(), "gtx-280").value();
  const RunResult result = run(step, step.exercise->solution);
  const KernelRun& student = result.sizes[0].student;
  for (const MetricName& name : metric_names()) {
    EXPECT_TRUE(metric_value(student, name.name)) << name.name;
    EXPECT_FALSE(name.meaning.empty()) << name.name;
  }
  EXPECT_EQ(metric_value(student, "threads_per_block"), 256);
  EXPECT_EQ(metric_value(student, "blocks"), 4);
  EXPECT_EQ(metric_value(student, "static_shared"), 32 * 33 * 4);
  EXPECT_EQ(metric_value(student, "ideal.global_load_sectors"), 64 * 64 * 4 / 32);
  EXPECT_FALSE(metric_value(student, "nothing"));
  // 64 × 64 floats by half-warps of 64 aligned bytes, in and out; the reference is judged alike.
  EXPECT_EQ(metric_value(student, "model.load_transactions"), 64 * 64 / 16);
  EXPECT_EQ(metric_value(student, "model.store_bytes"), 64 * 64 * 4);
  EXPECT_TRUE(metric_value(result.sizes[0].reference, "model.load_bursts"));
  // Nobody asked for another GPU: there are no figures of it.
  const RunResult plain = run(*transpose_, transpose_->exercise->solution);
  EXPECT_FALSE(metric_value(plain.sizes[0].student, "model.load_transactions"));
  EXPECT_FALSE(metric_value(plain.sizes[0].reference, "model.load_transactions"));
}

TEST_F(RunnerTest, AWarpOfTheRunCanBePlayedAgain) {
  const RunResult result = run(*transpose_, transpose_->exercise->solution);
  const KernelRun& student = result.sizes[0].student;
  ASSERT_NE(student.films, nullptr);
  Result<Film> film = student.films->open(3, 5, nullptr);
  ASSERT_TRUE(film.ok()) << render(film.errors());
  const FilmScript& script = *film->script();
  EXPECT_EQ(script.block, 3u);
  EXPECT_EQ(script.warp, 5u);
  EXPECT_FALSE(script.truncated);
  ASSERT_GT(script.steps.size(), 20u);
  // Every warp executes the same instructions: what the counts of the launch say of each line of PTX.
  uint64_t expected = 0;
  const uint64_t warps = student.grid.count() * student.block.count() / 32;
  for (const PtxLineCost& line : student.ptx_lines) expected += line.warp_instructions / warps;
  EXPECT_EQ(script.steps.size(), expected);
  // One barrier, and the last access is the store to the output.
  size_t last = 0, barriers = 0;
  for (size_t n = 0; n < script.steps.size(); ++n) {
    if (script.steps[n].flags & emulator::kStepAccess) last = n;
    barriers += (script.steps[n].flags & emulator::kStepBarrier) != 0;
  }
  EXPECT_EQ(barriers, 1u);
  const FilmInstruction& store = script.at(last);
  EXPECT_TRUE(store.text.starts_with("st.global")) << store.text;
  const std::string source = transpose_->exercise->solution;
  size_t begin = 0;
  for (int line = 1; line < store.line; ++line) begin = source.find('\n', begin) + 1;
  EXPECT_THAT(source.substr(begin, source.find('\n', begin) - begin), HasSubstr("out["));
  const emulator::ReplayState state = film->at(last);
  ASSERT_EQ(state.accesses.size(), 1u);
  EXPECT_NE(state.accesses[0].after, state.accesses[0].before);

  EXPECT_FALSE(student.films->open(student.grid.count(), 0, nullptr).ok());
}

TEST_F(RunnerTest, WhoWroteAnElementIsFound) {
  const RunResult result = run(
      *scale_, with(scale_->exercise->solution, "2.0f * in[i]", "(i == 300 ? 9.0f : 2.0f * in[i])"));
  const KernelRun& student = result.sizes[0].student;
  ASSERT_NE(student.films, nullptr);
  const auto writer = student.films->writer_of("out", 300, nullptr);
  ASSERT_TRUE(writer.ok()) << render(writer.errors());
  ASSERT_TRUE(writer->has_value());
  const uint64_t threads = student.block.x;
  EXPECT_EQ((*writer)->block, 300 / threads);
  EXPECT_EQ((*writer)->warp, 300 % threads / 32);
  EXPECT_EQ((*writer)->lane, static_cast<int>(300 % 32));
  // In that warp's film the access is a store, and its lane's address holds the 9.
  Result<Film> film = student.films->open((*writer)->block, (*writer)->warp, nullptr);
  ASSERT_TRUE(film.ok());
  bool found = false;
  for (size_t n = 0; n < film->script()->steps.size(); ++n) {
    const emulator::ReplayStep& step = film->script()->steps[n];
    if ((*writer)->access < step.first_access || (*writer)->access >= step.first_access + step.accesses) continue;
    EXPECT_TRUE(film->script()->at(n).text.find("st.global") != std::string::npos) << film->script()->at(n).text;
    const emulator::ReplayState state = film->at(n);
    float value = 0;
    std::memcpy(&value, state.accesses.at(0).after[static_cast<size_t>((*writer)->lane)].data(), sizeof value);
    EXPECT_EQ(value, 9.0f);
    found = true;
  }
  EXPECT_TRUE(found);
  EXPECT_FALSE(student.films->writer_of("out", 1 << 30, nullptr).ok());
  EXPECT_FALSE(student.films->writer_of("in", 0, nullptr).ok());
  // The last element is left out by this one.
  const RunResult short_of =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n - 1)"));
  const auto nobody = short_of.sizes[0].student.films->writer_of("out", 4095, nullptr);
  ASSERT_TRUE(nobody.ok());
  EXPECT_FALSE(nobody->has_value());
}

// As many wrong lines as a launch keeps findings, and one more.
TEST_F(RunnerTest, MoreFindingsThanAreKeptAreSaid) {
  const auto kernel_with = [&](int lines) {
    std::string stores;
    for (int n = 0; n < lines; ++n) stores += "if (i == " + std::to_string(n) + ") out[n + " + std::to_string(100 * n) + "] = 1.0f;\n";
    return with(scale_->exercise->solution, "if (i < n)", stores + "if (i < n)");
  };
  const RunResult many = run(*scale_, kernel_with(65)), few = run(*scale_, kernel_with(64));
  EXPECT_EQ(many.sizes.at(0).student.findings.size(), 64u);
  EXPECT_TRUE(many.sizes.at(0).student.more_findings);
  EXPECT_TRUE(more_findings(many));
  EXPECT_EQ(few.sizes.at(0).student.findings.size(), 64u);
  EXPECT_FALSE(few.sizes.at(0).student.more_findings);
  EXPECT_FALSE(more_findings(few));
}

}  // namespace
}  // namespace warpshop::lab
