// The worker with the test's own kernel runner: when it runs, stops and reports.
#include "work/run_worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>

#include "state/slow_compiler.h"

namespace warpshop::ui {
namespace {

struct Fixture {
  std::shared_ptr<lab::LabLibrary> labs = std::make_shared<lab::LabLibrary>();
  std::binary_semaphore woken{0};

  explicit Fixture(size_t sizes) {
    labs->labs.resize(1);
    labs->labs[0].steps.resize(1);
    labs->labs[0].steps[0].exercise.emplace();
    labs->labs[0].steps[0].exercise->sizes.resize(sizes);
  }
  RunJob job(std::string source, bool preview = false) {
    RunJob j;
    j.labs = labs;
    j.lab = &labs->labs[0];
    j.step = &labs->labs[0].steps[0];
    j.source = std::move(source);
    j.preview_first = preview;
    return j;
  }
  // Collects updates until one says that the job is finished.
  std::vector<RunUpdate> updates_of(RunWorker& worker, uint64_t job) {
    std::vector<RunUpdate> all;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      for (RunUpdate& update : worker.poll()) {
        if (update.job != job) continue;
        all.push_back(update);
        if (update.finished) return all;
      }
      (void)woken.try_acquire_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "the job did not finish";
    return all;
  }
};

lab::RunResult result_of(const lab::RunRequest& request) {
  lab::RunResult result;
  result.source = request.source;
  result.stopped = request.stop->requested();
  result.sizes.resize(1);
  result.stages[0] = {lab::StageState::kPassed, request.first_size_only ? 0.2 : 0.0, ""};
  request.on_stage(result.stages);
  return result;
}

TEST(RunWorker, APreviewComesBeforeTheWholeRun) {
  Fixture f(3);
  RunWorker worker([] { return Result<RunWorker::RunFunction>(result_of); },
                   [&] { f.woken.release(); });
  const auto updates = f.updates_of(worker, worker.submit(f.job("text", true)));
  std::vector<bool> previews;
  for (const RunUpdate& update : updates) {
    if (update.result) previews.push_back(update.result->preview);
  }
  EXPECT_EQ(previews, (std::vector<bool>{true, false}));
  // The kernel was compiled in the first run; the second run keeps that time instead of showing
  // zero.
  EXPECT_EQ(updates.back().stages[0].seconds, 0.2);
  EXPECT_FALSE(worker.missing().has_value());
}

TEST(RunWorker, OneSizeNeedsNoPreview) {
  Fixture f(1);
  std::atomic<int> runs{0};
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          ++runs;
          EXPECT_FALSE(request.first_size_only);
          return result_of(request);
        });
      },
      [&] { f.woken.release(); });
  f.updates_of(worker, worker.submit(f.job("text", true)));
  EXPECT_EQ(runs, 1);
}

TEST(RunWorker, PredictionsFollowTheFinishedResult) {
  Fixture f(1);
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          lab::RunResult result = result_of(request);
          EXPECT_TRUE(request.predict);
          request.on_partial(result);
          result.sizes[0].student.prediction.emplace().time_us = 7;
          request.on_partial(result);
          result.sizes[0].reference.prediction.emplace().time_us = 9;
          return result;
        });
      },
      [&] { f.woken.release(); });
  RunJob job = f.job("text");
  job.predict = true;
  worker.submit(std::move(job));
  std::vector<RunUpdate> results;  // without updates that only change the stages
  for (bool busy = true; busy;) {
    busy = worker.busy();
    for (RunUpdate& update : worker.poll()) {
      if (update.result) results.push_back(update);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(results.size(), 3U);
  EXPECT_TRUE(results[0].finished);
  EXPECT_FALSE(results[0].predictions) << "the maps are there, and the run counts as over";
  const std::vector<RunUpdate> later(results.begin() + 1, results.end());
  ASSERT_EQ(later.size(), 2U);
  for (const RunUpdate& update : later) {
    EXPECT_TRUE(update.predictions);
    ASSERT_TRUE(update.result);
    EXPECT_EQ(update.result->result.sizes[0].student.prediction->time_us, 7);
  }
  EXPECT_FALSE(later[0].result->result.sizes[0].reference.prediction);
  EXPECT_EQ(later[1].result->result.sizes[0].reference.prediction->time_us, 9);
}

TEST(RunWorker, TimesOnOtherGpusComeOneByOneUntilAStop) {
  Fixture f(1);
  std::binary_semaphore at_third{0};
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          EXPECT_TRUE(request.only_predict_timed);
          lab::RunResult result;
          if (request.gpu.id == "first")
            result.timed.emplace().student.prediction.emplace().time_us = 7;
          if (request.gpu.id == "second")
            result.prediction_problems = {make_error("predict", "the block does not fit")};
          if (request.gpu.id == "third") {
            at_third.release();
            while (!request.stop->requested())
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          return result;
        });
      },
      [&] { f.woken.release(); });
  RunJob job = f.job("text");
  for (const char* id : {"first", "second", "third", "fourth"}) job.times_on.emplace_back().id = id;
  worker.submit(std::move(job));
  at_third.acquire();
  worker.stop();
  while (worker.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::vector<RunUpdate> updates = worker.poll();
  ASSERT_EQ(updates.size(), 2U);
  EXPECT_EQ(updates[0].gpu, "first");
  EXPECT_EQ(updates[0].time.us, 7);
  EXPECT_EQ(updates[1].gpu, "second");
  EXPECT_EQ(updates[1].time.us, 0);
  EXPECT_EQ(updates[1].time.why.english(), "the block does not fit");
}

// A compiler that ignores a stop delays nobody who closes the window.
TEST(RunWorker, SaysWhetherItEndsInTime) {
  Fixture f(1);
  std::binary_semaphore begun{0}, done{0};
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          begun.release();
          done.acquire();
          return result_of(request);
        });
      },
      [&] { f.woken.release(); });
  worker.submit(f.job("a"));
  begun.acquire();
  EXPECT_FALSE(worker.ends_within(0.01));
  done.release();
  EXPECT_TRUE(worker.ends_within(20));
}

TEST(SlowCompiler, OnlyALongSilenceIsTold) {
  SlowCompiler compiler;
  EXPECT_FALSE(compiler.slow(false, 100));
  EXPECT_FALSE(compiler.slow(true, 104.9));
  EXPECT_TRUE(compiler.slow(true, 105.1));
  compiler.news(106);  // an earlier text is done, and the newest one starts
  EXPECT_FALSE(compiler.slow(true, 107));
  EXPECT_TRUE(compiler.slow(true, 112));
  EXPECT_FALSE(compiler.slow(false, 113));
}

TEST(RunWorker, AStopWhilePredictingLeavesTheResultInPlace) {
  Fixture f(1);
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          lab::RunResult result = result_of(request);
          request.on_partial(result);
          while (!request.stop->requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return result;
        });
      },
      [&] { f.woken.release(); });
  RunJob job = f.job("text");
  job.predict = true;
  const auto updates = f.updates_of(worker, worker.submit(std::move(job)));
  EXPECT_TRUE(updates.back().finished);
  worker.stop();
  while (worker.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const RunUpdate& update : worker.poll()) EXPECT_FALSE(update.result);
}

TEST(RunWorker, TheNewestTextStopsTheOneThatRuns) {
  Fixture f(1);
  std::binary_semaphore started{0};
  std::atomic<bool> stopped{false};
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          if (request.source == "slow") {
            started.release();
            while (!request.stop->requested())
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            stopped = true;
          }
          return result_of(request);
        });
      },
      [&] { f.woken.release(); });
  worker.submit(f.job("slow"));
  started.acquire();
  worker.submit(f.job("skipped"));  // replaced before it started
  const uint64_t last = worker.submit(f.job("newest"));
  const auto updates = f.updates_of(worker, last);
  EXPECT_TRUE(stopped);
  ASSERT_TRUE(updates.back().result);
  EXPECT_EQ(updates.back().result->result.source, "newest");
}

TEST(RunWorker, StopEndsARunSoon) {
  Fixture f(1);
  std::binary_semaphore started{0};
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
          started.release();
          while (!request.stop->requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return result_of(request);
        });
      },
      [&] { f.woken.release(); });
  const uint64_t job = worker.submit(f.job("endless"));
  started.acquire();
  EXPECT_TRUE(worker.busy());
  worker.stop();
  const auto updates = f.updates_of(worker, job);
  ASSERT_TRUE(updates.back().result);
  EXPECT_TRUE(updates.back().result->result.stopped);
}

// Whoever draws only when something has come must learn of it, or never asks again for what a busy
// worker refused.
TEST(RunWorker, ThatItHasBecomeIdleIsToldOnceAfterTheLastUpdate) {
  Fixture f(1);
  RunWorker worker(
      [&] {
        return Result<RunWorker::RunFunction>(
            [&](const lab::RunRequest& request) { return result_of(request); });
      },
      [&] { f.woken.release(); });
  EXPECT_FALSE(worker.take_idle());
  for (int round = 0; round < 2; ++round) {
    f.updates_of(worker, worker.submit(f.job("text")));
    bool told = worker.take_idle();
    for (int waits = 0; waits < 400 && !told; ++waits) {
      (void)f.woken.try_acquire_for(std::chrono::milliseconds(50));
      told = worker.take_idle();
    }
    EXPECT_TRUE(told);
    EXPECT_FALSE(worker.busy());
    EXPECT_FALSE(worker.take_idle());
  }
}

TEST(RunWorker, AMissingCompilerIsSaidAndTheWindowGoesOn) {
  Fixture f(1);
  RunWorker worker(
      [] { return Result<RunWorker::RunFunction>(make_error("nvrtc", "no NVRTC", "run ./start")); },
      [&] { f.woken.release(); });
  const auto updates = f.updates_of(worker, worker.submit(f.job("text")));
  EXPECT_EQ(updates.back().stages[0].state, lab::StageState::kFailed);
  ASSERT_TRUE(worker.missing().has_value());
  EXPECT_EQ(worker.missing()->front().message, "no NVRTC");
}

TEST(RunWorker, ClosingTheWindowStopsTheRun) {
  Fixture f(1);
  std::binary_semaphore started{0};
  {
    RunWorker worker(
        [&] {
          return Result<RunWorker::RunFunction>([&](const lab::RunRequest& request) {
            started.release();
            while (!request.stop->requested())
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return result_of(request);
          });
        },
        [&] { f.woken.release(); });
    worker.submit(f.job("endless"));
    started.acquire();
  }  // would not return if the run continued
}

}  // namespace
}  // namespace warpshop::ui
