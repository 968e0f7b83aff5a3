// Predicted times and memory over time, which are computed after a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "runner_fixture.h"
#include "timing/memory_timeline.h"
#include "timing/roofline.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;

TEST_F(RunnerTest, BothKernelsArePredictedSizeBySize) {
  RunRequest asked = request(*scale_, scale_->exercise->skeleton);
  asked.predict = true;
  asked.timeline_warps = 4;
  std::vector<int> predicted_before;  // number of kernels with a prediction, at each call
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
      // With so few blocks, the kernel takes barely longer than an empty launch.
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

// Coalesced floats: on a GTX 280, each half-warp makes one transaction of 64 bytes, in every
// figure. Newer GPUs have no such rules.
TEST_F(RunnerTest, AnOldChipsOwnRulesAreCountedBesideTodays) {
  RunRequest asked = request(*scale_, scale_->exercise->reference);
  asked.gpu = models::find_gpu_profile(data_dir(), "gtx-280").value();
  asked.predict = true;
  const RunResult old = runner_->run(asked);
  ASSERT_FALSE(old.sizes.empty());
  const KernelRun& run = old.sizes.front().student;
  ASSERT_TRUE(run.completed && run.chip && run.prediction);
  const uint64_t requests = run.counters.global_load_requests;
  ASSERT_GT(requests, 0U);
  EXPECT_EQ(run.counters.global_load_sectors, 4 * requests);
  EXPECT_EQ(run.chip->load_transactions, 2 * requests);
  EXPECT_EQ(run.chip->load_bytes, 128 * requests);
  uint64_t of_lines = 0;
  for (const LineCost& line : run.lines) of_lines += line.chip_load.transactions;
  EXPECT_EQ(of_lines, run.chip->load_transactions);
  // The memory chart is drawn from these.
  const timing::UseFlow& loads = run.prediction->flow[timing::MemoryUse::kGlobalLoad];
  EXPECT_DOUBLE_EQ(loads.requests, static_cast<double>(requests));
  EXPECT_DOUBLE_EQ(32 * loads.sectors, static_cast<double>(run.chip->load_bytes));
  EXPECT_FALSE(this->run(*scale_, scale_->exercise->reference).sizes.front().student.chip);
}

// A loop that the map to machine code loses is a kernel that takes no time.
TEST_F(RunnerTest, NoGpuIsPredictedToBeFasterThanItsArithmetic) {
  const Result<Lab> tiling = load_lab(data_dir(), "tiling");
  ASSERT_TRUE(tiling.ok());
  const Step* step = tiling->find_step("tiled");
  Diagnostics problems;
  const auto gpus = models::load_gpu_profiles(data_dir(), &problems);
  ASSERT_TRUE(gpus.ok()) << render(gpus.errors());
  ASSERT_GE(gpus->size(), 24U);
  for (const models::GpuProfile& gpu : *gpus) {
    RunRequest asked = request(*step, step->exercise->solution);
    asked.lab = &*tiling;
    asked.gpu = gpu;
    asked.predict = true;
    const RunResult result = runner_->run(asked);
    ASSERT_TRUE(result.timed_size()) << gpu.id << render(result.diagnostics);
    const auto& prediction = result.timed_size()->student.prediction;
    ASSERT_TRUE(prediction) << gpu.id << render(result.prediction_problems);
    const double n = 1024,
                 giga_s = timing::roofs_of(gpu, timing::RooflineWork::kFlop).back().giga_s;
    EXPECT_GE(prediction->time_us, 2 * n * n * n / giga_s / 1e3) << gpu.id;
  }
}

// Besides the sizes that are checked there is one for times; the
// emulator's run computes none of its elements.
TEST_F(RunnerTest, ARightKernelIsTimedAtTheSizeForTimesFirst) {
  Step timed = *scale_;
  timed.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  RunRequest asked = request(timed, scale_->exercise->skeleton);
  asked.predict = true;
  asked.timeline_warps = 4;
  int calls = 0;
  asked.on_partial = [&](const RunResult& partial) {
    ASSERT_TRUE(partial.timed);
    EXPECT_EQ(partial.timed->student.prediction.has_value(), calls > 0)
        << "what is shown comes first";
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
  // 256 times as many elements as at the first size: launch overhead no longer dominates.
  const timing::Prediction& small = *result.sizes[0].student.prediction;
  EXPECT_GT(student.prediction->time_us - student.prediction->launch_us,
            5 * (small.time_us - small.launch_us));
  EXPECT_EQ(student.prediction->timelines.size(), 4U);
  EXPECT_TRUE(small.timelines.empty());
}

// A speedup is relative to the start, whose time is predicted like the student's.
TEST_F(RunnerTest, AnEstimateOfTheSpeedupHasTheStartsTime) {
  Step step = *scale_;
  step.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  const auto start_of = [&](const std::string& source) {
    RunRequest asked = request(step, source);
    asked.predict = true;
    return runner_->run(asked).timed_size()->start_us;
  };
  EXPECT_FALSE(start_of(step.exercise->solution)) << "nobody asks";
  step.exercise->estimate = Estimate{"How many times?", Estimate::Of::kSpeedup};
  EXPECT_FALSE(start_of(step.exercise->skeleton)) << "it does not pass";
  // As predicted when it is run itself.
  RunRequest asked = request(step, step.exercise->skeleton);
  asked.predict = true;
  const double alone = runner_->run(asked).timed_size()->student.prediction->time_us;
  ASSERT_TRUE(start_of(step.exercise->solution));
  EXPECT_DOUBLE_EQ(*start_of(step.exercise->solution), alone);
  step.exercise->contract.emplace();
  EXPECT_FALSE(start_of(step.exercise->solution)) << "an empty body takes no time to speak of";
  step.exercise->contract.reset();
  step.exercise->estimate->of = Estimate::Of::kTime;
  EXPECT_FALSE(start_of(step.exercise->solution)) << "nobody asks";
}

TEST_F(RunnerTest, AWrongKernelAndARunWithoutTimesHaveNoTimedSize) {
  Step timed = *scale_;
  timed.exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  RunRequest asked =
      request(timed, with(scale_->exercise->solution, "2.0f * in[i]", "3.0f * in[i]"));
  asked.predict = true;
  const RunResult wrong = runner_->run(asked);
  EXPECT_FALSE(wrong.timed);
  ASSERT_TRUE(wrong.student()->prediction);
  EXPECT_EQ(wrong.timed_size(), &wrong.sizes.front());
  asked = request(timed, scale_->exercise->solution);
  EXPECT_FALSE(runner_->run(asked).timed);
}

// Filling the buffers of the large size cannot be stopped, but
// does not delay a student who keeps typing.
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

// In the skeleton, lane k of block b reads element 16 k + b, so lanes are 64 bytes apart. An
// H200 moves one sector for each, a GTX 280 one 128-byte segment for every two.
TEST_F(RunnerTest, TheMemoryIsPlayedOverTimeByTheRulesOfTheGpu) {
  struct Case {
    const char* id;
    uint64_t a_warp;  // transactions per warp
    uint64_t bursts;  // per transaction, of 32 bytes each
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
  asked.on_partial = [&](const RunResult&) { stop.request(); };  // by then, the maps are available
  const RunResult result = runner_->run(asked);
  EXPECT_FALSE(result.sizes[1].reference.prediction) << "it was not over";
  EXPECT_FALSE(result.stopped);
  EXPECT_TRUE(result.student()->completed);
  EXPECT_THAT(render(result.prediction_problems), HasSubstr("stopped"));
}

}  // namespace
}  // namespace warpshop::lab
