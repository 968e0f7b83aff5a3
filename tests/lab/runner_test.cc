#include "lab/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "lab/film.h"
#include "lab/findings.h"
#include "lab/metric_names.h"
#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

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

  // 4,096 elements make 128 warps; each loads and stores 128 bytes, 4 sectors, once.
  const KernelRun& student = result.sizes[0].student;
  EXPECT_EQ(student.grid, (Dim3{16, 1, 1}));
  EXPECT_EQ(student.block, (Dim3{256, 1, 1}));
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

// 64 values live at the same time do not fit into 32 registers; without the bound they do.
TEST_F(RunnerTest, SpillsAreCountedFromTheMachineCode) {
  const std::string body =
      "scale(const float* in, float* out, int n) {\n"
      "  float v[64], sum = 0;\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "#pragma unroll\n"
      "  for (int k = 0; k < 64; ++k) v[k] = in[(i + 37 * k) % n];\n"
      "#pragma unroll\n"
      "  for (int j = 0; j < 128; ++j) sum = sum * v[j % 64] + 1;\n"
      "  if (i < n) out[i] = sum;\n"
      "}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3(n / 256), dim3(256)}; }\n";
  const RunResult tight = run(*scale_, "__global__ void __launch_bounds__(1024, 2) " + body);
  ASSERT_FALSE(tight.sizes.empty());
  EXPECT_GE(tight.sizes[0].student.spill_bytes, 64U);
  const RunResult wide = run(*scale_, "__global__ void " + body);
  ASSERT_FALSE(wide.sizes.empty());
  EXPECT_EQ(wide.sizes[0].student.spill_bytes, 0U);
  EXPECT_EQ(wide.sizes[0].student.copy_groups_in_flight, 0U);
}

// An exercise may request a cooperative launch. In an ordinary
// launch, the grid barrier cannot be passed.
TEST_F(RunnerTest, ACooperativeExerciseHasABarrierOfTheGrid) {
  const std::string source = "#include <cooperative_groups.h>\n" +
                             with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
                                  "if (i < n) out[i] = 2.0f * in[i];\n"
                                  "  cooperative_groups::this_grid().sync();");
  Step together = *scale_;
  together.exercise->cooperative = true;
  const RunResult result = run(together, source);
  EXPECT_TRUE(result.sizes.at(0).correct) << render(result.diagnostics);
  EXPECT_TRUE(find_check(result, "no-findings")->passed);
  const RunResult alone = run(*scale_, source);
  EXPECT_FALSE(alone.passed);
  EXPECT_FALSE(find_check(alone, "no-findings")->passed);
}

// A kernel must not write to its inputs, even through a cast and even if its outputs are correct.
TEST_F(RunnerTest, AnInputThatTheKernelChangesIsNotCorrect) {
  const std::string source = with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
                                  "if (i >= n) return;\n  out[i] = 2.0f * in[i];\n  if (i == 5 || "
                                  "i == 9) const_cast<float*>(in)[i] = 7.0f;");
  const RunResult result = run(*scale_, source);
  EXPECT_FALSE(result.passed);
  const CheckResult* correct = find_check(result, "correct");
  ASSERT_NE(correct, nullptr);
  EXPECT_FALSE(correct->passed);
  EXPECT_THAT(correct->got.english(),
              HasSubstr("the kernel changed its input in: 2 of 4,096 elements wrong"));
  EXPECT_THAT(correct->message.english(),
              AllOf(HasSubstr("in[5] was "), HasSubstr("and is 7 after the run")));
  ASSERT_EQ(result.sizes.front().outputs.size(), 2U);
  EXPECT_EQ(result.sizes.front().outputs.front().wrong, 0U);
  EXPECT_TRUE(result.sizes.front().outputs.back().is_input);
  // Writing back the same value changes nothing.
  const std::string harmless = with(source, "= 7.0f", "= in[i]");
  EXPECT_EQ(run(*scale_, harmless).sizes.front().outputs.size(), 1U);
}

TEST_F(RunnerTest, AReferenceThatChangesItsInputIsTheLabsMistake) {
  Step step = *scale_;
  step.exercise->reference = with(step.exercise->reference, "out[i] = 2.0f * in[i];",
                                  "{ out[i] = 2.0f * in[i]; const_cast<float*>(in)[0] = 7.0f; }");
  const RunResult result = run(step, scale_->exercise->solution);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics.front().kind.name(), "lab-file");
  EXPECT_THAT(result.diagnostics.front().message.english(), HasSubstr("changes its input in"));
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
  EXPECT_EQ(check->got, "32 sectors per request");
  EXPECT_EQ(check->wanted, "at most 4");
  EXPECT_THAT(check->message, HasSubstr("Neighbouring lanes"));
  EXPECT_THAT(find_check(result, "as-few-sectors")->got, HasSubstr("at n = 4,096"));
  EXPECT_EQ(result.main_check(), check);
  EXPECT_EQ(check->value, 32);
  EXPECT_EQ(check->unit, "sectors per request");
}

// Numbers are numbers before anything has run, too: a language may write them its own way.
TEST_F(RunnerTest, LimitsAndValuesAreNumbersInAnyLanguage) {
  class Commas final : public Phrases {
   public:
    std::string_view text(std::string_view english) const override { return english; }
    std::string_view counted(uint64_t count, std::string_view one,
                             std::string_view more) const override {
      return count == 1 ? one : more;
    }
    std::string number(std::string_view english) const override {
      std::string out(english);
      for (char& c : out) c = c == '.' ? ',' : c == ',' ? '.' : c;
      return out;
    }
  } language;
  Step step = *scale_;
  step.exercise->checks[0].at_most = "1.3";
  step.exercise->checks[1].at_most = "1.5 * reference.global_load_sectors";
  RunRequest broken = request(step, "__global__ void scale(");
  const RunResult not_run = runner_->run(broken);
  EXPECT_EQ(find_check(not_run, "coalesced-loads")->wanted.in(language), "at most 1,3");
  EXPECT_EQ(find_check(not_run, "as-few-sectors")->wanted.in(language),
            "at most 1.5 * reference.global_load_sectors");
  const RunResult wrong = run(step, with(step.exercise->solution, "2.0f * in[i]", "1234567.0f"));
  EXPECT_THAT(find_check(wrong, "correct")->message.in(language), HasSubstr(" is 1.234.567, "));
}

TEST_F(RunnerTest, AFigureOfOneHasItsUnitInTheSingular) {
  const RunResult result = run(
      *scale_,
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[0];\n}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }\n");
  const CheckResult* check = find_check(result, "coalesced-loads");
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->got, "1 sector per request");
  EXPECT_EQ(check->unit, "sector per request");
}

// Sectors per request are undefined without requests: the check says what the kernel did not do.
TEST_F(RunnerTest, AQuotientOfNothingIsToldInWords) {
  const RunResult result = run(
      *scale_,
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = 2.0f;\n}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }\n");
  const CheckResult* check = find_check(result, "coalesced-loads");
  ASSERT_NE(check, nullptr);
  EXPECT_FALSE(check->passed);
  EXPECT_EQ(check->got, "there was no load from global memory");
  EXPECT_THAT(
      check->message.english(),
      testing::StartsWith("There is nothing to judge: there was no load from global memory. "));
  EXPECT_THAT(check->message.english(), Not(HasSubstr("division")));
}

// A kernel that does nothing does not do it in few accesses.
TEST_F(RunnerTest, AShareOfNothingIsNoPass) {
  Result<Lab> lab = load_lab(data_dir(), "first-kernels");
  ASSERT_TRUE(lab.ok());
  const Step* step = lab->find_step("one-element");
  ASSERT_NE(step, nullptr);
  RunRequest empty = request(*step, step->exercise->skeleton);
  empty.lab = &*lab;
  const RunResult nothing = runner_->run(empty);
  const CheckResult* check = find_check(nothing, "one-load-each");
  ASSERT_NE(check, nullptr);
  EXPECT_FALSE(check->passed);
  EXPECT_EQ(check->got,
            "there was no load from global memory, there was no store to global memory");
  EXPECT_FALSE(check->value.has_value());
  RunRequest solved = empty;
  solved.source = step->exercise->solution;
  const RunResult done = runner_->run(solved);
  EXPECT_TRUE(find_check(done, "one-load-each")->passed);
  EXPECT_EQ(find_check(done, "one-load-each")->value, 1);
}

TEST(MainCheck, IsTheFirstThatFailsOfTheLabsOwnElseTheFirst) {
  RunResult result;
  EXPECT_EQ(result.main_check(), nullptr);
  for (const char* id : {"correct", "first", "second"}) {
    result.checks.emplace_back().id = id;
    result.checks.back().passed = true;
  }
  result.checks.front().passed = false;
  EXPECT_EQ(result.main_check(), nullptr) << "no value is known";
  for (CheckResult& check : result.checks) {
    if (check.id != "correct") check.value = 4;
  }
  EXPECT_EQ(result.main_check()->id, "first");
  result.checks[2].passed = false;
  EXPECT_EQ(result.main_check()->id, "second");
}

// Which counters are marked as worse: 2,049 is not worse than 2,048.
TEST(MainCheck, AnythingBelowATenthMoreIsNotWorse) {
  const struct {
    double yours, reference;
    bool worse;
  } kCases[] = {{2049, 2048, false}, {11, 10, false}, {11.01, 10, true},
                {1, 0, true},        {0, 0, false},   {5, 10, false}};
  for (const auto& c : kCases)
    EXPECT_EQ(is_worse(c.yours, c.reference), c.worse) << c.yours << ", " << c.reference;
}

TEST_F(RunnerTest, ChecksOnSharedMemoryKnowTheIdeal) {
  // With rows of 32 words, a warp's column lies in a single
  // bank. One word of padding spreads it out.
  const std::string unpadded = with(transpose_->exercise->solution, "tile[32][33]", "tile[32][32]");
  const RunResult slow = run(*transpose_, unpadded);
  EXPECT_EQ(find_check(slow, "no-conflicts")->got, "32");
  EXPECT_FALSE(find_check(slow, "no-conflicts")->passed);
  EXPECT_TRUE(find_check(slow, "coalesced-stores")->passed);
  EXPECT_TRUE(run(*transpose_, transpose_->exercise->solution).passed);
}

TEST_F(RunnerTest, WhatAnEndlessKernelPrintsIsSeenWhileItRuns) {
  StopFlag stop;
  emulator::LivePrints prints;
  RunRequest endless = request(
      *scale_,
      with(scale_->exercise->solution, "if (i < n) out[i]",
           "for (int turn = 0; n > 0; ++turn) if (i == 5) printf(\"turn %d\\n\", turn); out[i]"));
  endless.instruction_budget = uint64_t{1} << 62;
  endless.stop = &stop;
  endless.prints = &prints;
  RunResult result;
  std::thread running([&] { result = runner_->run(endless); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (prints.calls() < 3 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const emulator::LivePrints::Text seen = prints.text();
  stop.request();
  running.join();
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(seen.text.starts_with("turn 0\nturn 1\nturn 2\n")) << seen.text.substr(0, 200);
  ASSERT_GE(seen.calls.size(), 3U);
  EXPECT_EQ(seen.calls[0].block, 0U);
  EXPECT_EQ(seen.calls[0].thread, 5U);
  EXPECT_EQ(seen.block, (Dim3{256, 1, 1}));
}

TEST_F(RunnerTest, AStopEndsAnEndlessKernelSoon) {
  StopFlag stop;
  RunRequest endless = request(
      *scale_, with(scale_->exercise->solution, "if (i < n) out[i]", "while (n > 0) out[i]"));
  endless.instruction_budget = uint64_t{1} << 62;
  endless.stop = &stop;
  std::atomic<bool> emulates{false};
  endless.on_stage = [&](const std::array<StageReport, kStageCount>& stages) {
    if (stages[static_cast<size_t>(Stage::kEmulate)].state == StageState::kRunning) emulates = true;
    emulates.notify_all();
  };
  RunResult result;
  std::thread running([&] { result = runner_->run(endless); });
  emulates.wait(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // in the midst of it
  stop.request();
  running.join();  // the budget would take years
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.stage(Stage::kEmulate).state, StageState::kStopped);
}

TEST_F(RunnerTest, ARepeatedRunCompilesNothingAndSaysTheSame) {
  const RunResult first = run(*scale_, scale_->exercise->skeleton);
  const RunResult second = run(*scale_, scale_->exercise->skeleton);
  ASSERT_TRUE(first.student() && second.student());
  EXPECT_NE(first.student()->cubin, nullptr);
  EXPECT_EQ(first.student()->cubin, second.student()->cubin) << "it was compiled again";
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
  EXPECT_EQ(result.diagnostics.front().kind.name(), "lab-file");
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
  // 64 × 64 floats, read and written by half-warps as 64 aligned
  // bytes; the reference is judged likewise.
  EXPECT_EQ(metric_value(student, "model.load_transactions"), 64 * 64 / 16);
  EXPECT_EQ(metric_value(student, "model.store_bytes"), 64 * 64 * 4);
  EXPECT_TRUE(metric_value(result.sizes[0].reference, "model.load_bursts"));
  // No other GPU was requested, so there are no figures for another one.
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
  // Every warp executes the same instructions, so the counts of
  // the launch give those of each PTX line.
  uint64_t expected = 0;
  const uint64_t warps = student.grid.count() * student.block.count() / 32;
  for (const PtxLineCost& line : student.ptx_lines) expected += line.warp_instructions / warps;
  EXPECT_EQ(script.steps.size(), expected);
  // There is one barrier, and the last access is the store to the output.
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
  const RunResult result = run(*scale_, with(scale_->exercise->solution, "2.0f * in[i]",
                                             "(i == 300 ? 9.0f : 2.0f * in[i])"));
  const KernelRun& student = result.sizes[0].student;
  ASSERT_NE(student.films, nullptr);
  const auto writer = student.films->writer_of("out", 300, nullptr);
  ASSERT_TRUE(writer.ok()) << render(writer.errors());
  ASSERT_TRUE(writer->has_value());
  const uint64_t threads = student.block.x;
  EXPECT_EQ((*writer)->block, 300 / threads);
  EXPECT_EQ((*writer)->warp, 300 % threads / 32);
  EXPECT_EQ((*writer)->lane, static_cast<int>(300 % 32));
  // In that warp's film the access is a store, and 9 is stored at its lane's address.
  Result<Film> film = student.films->open((*writer)->block, (*writer)->warp, nullptr);
  ASSERT_TRUE(film.ok());
  bool found = false;
  for (size_t n = 0; n < film->script()->steps.size(); ++n) {
    const emulator::ReplayStep& step = film->script()->steps[n];
    if ((*writer)->access < step.first_access ||
        (*writer)->access >= step.first_access + step.accesses)
      continue;
    EXPECT_TRUE(film->script()->at(n).text.find("st.global") != std::string::npos)
        << film->script()->at(n).text;
    const emulator::ReplayState state = film->at(n);
    float value = 0;
    std::memcpy(&value, state.accesses.at(0).after[static_cast<size_t>((*writer)->lane)].data(),
                sizeof value);
    EXPECT_EQ(value, 9.0f);
    found = true;
  }
  EXPECT_TRUE(found);
  EXPECT_FALSE(student.films->writer_of("out", 1 << 30, nullptr).ok());
  EXPECT_FALSE(student.films->writer_of("in", 0, nullptr).ok());
  // This kernel omits the last element.
  const RunResult short_of =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n - 1)"));
  const auto nobody = short_of.sizes[0].student.films->writer_of("out", 4095, nullptr);
  ASSERT_TRUE(nobody.ok());
  EXPECT_FALSE(nobody->has_value());
}

// One more faulty line than the number of findings that a launch keeps.
TEST_F(RunnerTest, MoreFindingsThanAreKeptAreSaid) {
  const auto kernel_with = [&](int lines) {
    std::string stores;
    for (int n = 0; n < lines; ++n)
      stores +=
          "if (i == " + std::to_string(n) + ") out[n + " + std::to_string(100 * n) + "] = 1.0f;\n";
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
