// Versions that were run are kept with their figures, even after a crash.
#include "state/run_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/files.h"
#include "home_folder.h"
#include "panels/history_panel.h"

namespace warpshop::ui {
namespace {

class RunHistoryTest : public HomeFolderTest {
 protected:
  std::filesystem::path folder() const { return home() / "runs/coalescing/stride"; }
  static lab::RunResult result(const std::string& text, uint64_t sectors, bool completed = true) {
    lab::RunResult out;
    out.source = text;
    out.gpu.id = "h200";
    out.passed = true;
    out.sizes.resize(1);
    out.sizes.front().correct = true;
    out.sizes.front().student.completed = completed;
    out.sizes.front().student.counters.global_load_sectors = sectors;
    return out;
  }
};

TEST_F(RunHistoryTest, VersionsTextsAndTheBaselineSurviveTheSession) {
  RunHistory history;
  history.open(folder());
  ASSERT_NE(history.add(result("one", 32), "2026-01-02T03:04:05Z"), nullptr);
  ASSERT_NE(history.add(result("two", 4), "2026-01-02T03:05:05Z"), nullptr);
  ASSERT_TRUE(history.pin("1").ok());

  RunHistory again;
  again.open(folder());
  ASSERT_EQ(again.runs().size(), 2u);
  EXPECT_EQ(again.runs()[0].counter("global_load_sectors"), 32u);
  EXPECT_EQ(again.runs()[1].counter("global_load_sectors"), 4u);
  EXPECT_EQ(again.runs()[1].counter("shared_wavefronts"), 0u);
  EXPECT_EQ(again.runs()[1].at, "2026-01-02T03:05:05Z");
  ASSERT_NE(again.baseline(), nullptr);
  EXPECT_EQ(again.baseline()->id, "1");
  EXPECT_EQ(again.text_of(again.runs()[0]).value(), "one");
  EXPECT_EQ(again.text_of(again.runs()[1]).value(), "two");
  ASSERT_TRUE(again.pin("").ok());
  history.open(folder());
  EXPECT_EQ(history.baseline(), nullptr);
}

TEST_F(RunHistoryTest, RunsOfTwoWindowsHaveTwoNumbers) {
  RunHistory first, second;
  first.open(folder());
  second.open(folder());
  ASSERT_NE(first.add(result("of the first", 32), "2026-01-02T03:04:05Z"), nullptr);
  ASSERT_NE(second.add(result("of the second", 4), "2026-01-02T03:04:06Z"), nullptr);
  RunHistory again;
  again.open(folder());
  ASSERT_EQ(again.runs().size(), 2u);
  for (const RunRecord& run : again.runs()) EXPECT_EQ(again.find(run.id), &run);
  EXPECT_EQ(again.text_of(*again.find("2")).value(), "of the second");
}

TEST_F(RunHistoryTest, APredictionComesAfterItsRunAndIsKeptOnce) {
  RunHistory history;
  history.open(folder());
  lab::RunResult one = result("one", 32);
  ASSERT_NE(history.add(one, "2026-01-02T03:04:05Z"), nullptr);
  one.timed = one.sizes.front();
  one.timed->useful_bytes = 8e6;
  one.timed->student.prediction.emplace().time_us = 20;
  one.timed->student.prediction->flop = 1e6;
  history.add_prediction(one);
  history.add_prediction(one);
  history.add_prediction(result("two", 4));   // this text was never run
  lab::RunResult wrong = result("wrong", 8);  // predicted only at the small sizes
  ASSERT_NE(history.add(wrong, "2026-01-02T03:05:05Z"), nullptr);
  wrong.sizes.front().student.prediction.emplace().time_us = 5;
  history.add_prediction(wrong);
  RunHistory again;
  again.open(folder());
  ASSERT_EQ(again.runs().size(), 2u);
  EXPECT_FALSE(again.runs()[1].predicted_us);
  EXPECT_EQ(again.runs()[0].predicted_us, 20);
  EXPECT_EQ(again.runs()[0].predicted_gb_s, 400);    // 8 MB in 20 µs
  EXPECT_EQ(again.runs()[0].predicted_gflop_s, 50);  // 1 MFLOP in 20 µs
  const std::string file = read_file(folder() / "runs.jsonl").value();
  EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), 3);
}

// Figures of different sizes are kept apart.
TEST_F(RunHistoryTest, AVersionKeepsTheSizesThatItsFiguresAreOf) {
  RunHistory history;
  history.open(folder());
  lab::RunResult one = result("one", 32);
  one.sizes.front().size = {"65,536 elements", {{"n", 65536}}};
  ASSERT_NE(history.add(one, "2026-01-02T03:04:05Z"), nullptr);
  one.timed.emplace().size = {"16,777,216 elements", {{"n", 16777216}, {"steps", 2}}};
  one.timed->student.prediction.emplace().time_us = 20;
  history.add_prediction(one);
  one.sizes.front().size.variables["n"] =
      32768;  // the lab was edited, which alone makes it another run
  ASSERT_NE(history.add(one, "2026-01-02T03:05:05Z"), nullptr);
  RunHistory again;
  again.open(folder());
  ASSERT_EQ(again.runs().size(), 2u);
  EXPECT_EQ(again.runs()[0].size, "n=65536");
  EXPECT_EQ(again.runs()[0].timed_size, "n=16777216 steps=2");
  EXPECT_EQ(again.runs()[1].size, "n=32768");
  EXPECT_EQ(again.runs()[1].timed_size, "");
}

TEST_F(RunHistoryTest, TheSameTextAgainIsNoNewVersionAndAKernelThatFailedIsNone) {
  RunHistory history;
  history.open(folder());
  EXPECT_NE(history.add(result("one", 32), "2026-01-02T03:04:05Z"), nullptr);
  EXPECT_EQ(history.add(result("one", 32), "2026-01-02T03:04:06Z"), nullptr);
  EXPECT_EQ(history.add(result("broken", 0, false), "2026-01-02T03:04:07Z"), nullptr);
  EXPECT_EQ(history.add(lab::RunResult{}, "2026-01-02T03:04:08Z"), nullptr);
  EXPECT_NE(history.add(result("two", 4), "2026-01-02T03:04:09Z"), nullptr);
  EXPECT_NE(history.add(result("one", 32), "2026-01-02T03:04:10Z"), nullptr);  // returns to it
  EXPECT_EQ(history.runs().size(), 3u);
  size_t texts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "texts"))
    texts += entry.is_regular_file();
  EXPECT_EQ(texts, 2u);
}

TEST_F(RunHistoryTest, ACrashAtAnyByteKeepsTheWholeLines) {
  RunHistory history;
  history.open(folder());
  for (int n = 1; n <= 3; ++n)
    history.add(result("version " + std::to_string(n), static_cast<uint64_t>(n)),
                "2026-01-02T03:04:05Z");
  const std::string whole = read_file(folder() / "runs.jsonl").value();
  for (size_t size = 0; size <= whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    std::ofstream(folder() / "runs.jsonl", std::ios::trunc) << part;
    RunHistory opened;
    opened.open(folder());
    const auto lines = static_cast<size_t>(std::count(part.begin(), part.end(), '\n'));
    // The last line may be complete except for its line end.
    EXPECT_GE(opened.runs().size(), lines) << size;
    EXPECT_LE(opened.runs().size(), lines + 1) << size;
    ASSERT_NE(opened.add(result("new", 9), "2026-01-02T03:04:06Z"), nullptr);
    RunHistory again;
    again.open(folder());
    EXPECT_EQ(again.runs().size(), opened.runs().size()) << size;
    EXPECT_EQ(again.runs().back().counter("global_load_sectors"), 9u);
  }
}

TEST_F(RunHistoryTest, ALineThatNamesAPathOutsideIsPassedOver) {
  ASSERT_TRUE(write_file_atomically(
                  folder() / "runs.jsonl",
                  R"({"id":"1","text":"../../../etc/passwd","at":"","gpu":"","counters":{}})"
                  "\n")
                  .ok());
  RunHistory history;
  history.open(folder());
  EXPECT_TRUE(history.runs().empty());
}

TEST_F(RunHistoryTest, TheOldestAreForgottenButNotTheBaseline) {
  RunHistory history;
  history.open(folder());
  for (size_t n = 0; n < RunHistory::kMostRuns + 20; ++n) {
    ASSERT_NE(history.add(result("version " + std::to_string(n), n + 1), "2026-01-02T03:04:05Z"),
              nullptr);
  }
  ASSERT_TRUE(history.pin("2").ok());
  history.open(folder());
  EXPECT_EQ(history.runs().size(), RunHistory::kMostRuns);
  ASSERT_NE(history.baseline(), nullptr);
  EXPECT_EQ(history.text_of(*history.baseline()).value(), "version 1");
  EXPECT_EQ(history.runs().back().counter("global_load_sectors"), RunHistory::kMostRuns + 20);
  size_t texts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "texts"))
    texts += entry.is_regular_file();
  EXPECT_EQ(texts, RunHistory::kMostRuns);
}

// A version as the window runs it by itself after an edit.
lab::RunResult typed(const std::string& text, bool passed, uint64_t sectors = 32) {
  lab::RunResult out;
  out.source = text;
  out.gpu.id = "h200";
  out.passed = passed;
  out.sizes.resize(1);
  out.sizes.front().student.completed = true;
  out.sizes.front().student.counters.global_load_sectors = sectors;
  return out;
}

// The texts of the versions, oldest first.
std::vector<std::string> texts_of(const RunHistory& history) {
  std::vector<std::string> out;
  for (const RunRecord& run : history.runs()) out.push_back(history.text_of(run).value());
  return out;
}

TEST_F(RunHistoryTest, RunsDuringOneBurstOfTypingAreOneVersion) {
  struct Run {
    const char* text;
    const char* at;
    bool passed;
    bool typing;
  };
  struct Case {
    const char* what;
    std::vector<Run> runs;
    std::vector<std::string> kept;
  };
  const char *t0 = "2026-01-02T03:04:05Z", *t1 = "2026-01-02T03:04:07Z",
             *t2 = "2026-01-02T03:04:09Z", *later = "2026-01-02T03:05:09Z";
  const Case cases[] = {
      {"half-typed texts",
       {{"i", t0, false, true}, {"i +", t1, false, true}, {"i + 1", t2, false, true}},
       {"i + 1"}},
      {"a failure that stood still",
       {{"i", t0, false, true}, {"i + 1", later, false, true}},
       {"i", "i + 1"}},
      {"a pass", {{"i", t0, true, true}, {"i +", t1, false, true}}, {"i", "i +"}},
      {"a pass with a comment added",
       {{"i", t0, true, true}, {"i  // x", t1, true, true}},
       {"i  // x"}},
      {"a run that was asked for", {{"i", t0, false, false}, {"j", t1, false, true}}, {"i", "j"}},
      {"the same text asked for",
       {{"i", t0, false, true}, {"i", t1, false, false}, {"j", t2, false, true}},
       {"i", "j"}},
      {"asking for the next", {{"i", t0, false, true}, {"j", t1, false, false}}, {"i", "j"}},
      {"a large change",
       {{"a\nb\nc\nd\ne", t0, false, true}, {"a\n1\n2\n3\n4\ne", t1, false, true}},
       {"a\nb\nc\nd\ne", "a\n1\n2\n3\n4\ne"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    std::filesystem::remove_all(folder());
    RunHistory history;
    history.open(folder());
    for (const Run& run : c.runs) history.add(typed(run.text, run.passed), run.at, run.typing);
    EXPECT_EQ(texts_of(history), c.kept);
    RunHistory again;
    again.open(folder());
    EXPECT_EQ(texts_of(again), c.kept);
    for (size_t n = 0; n < again.runs().size(); ++n)
      EXPECT_EQ(again.runs()[n].id, std::to_string(n + 1));
  }
}

TEST_F(RunHistoryTest, ABaselineStaysWhileItIsTypedOn) {
  RunHistory history;
  history.open(folder());
  history.add(typed("i", false), "2026-01-02T03:04:05Z", true);
  ASSERT_TRUE(history.pin("1").ok());
  history.add(typed("i + 1", false), "2026-01-02T03:04:06Z", true);
  EXPECT_EQ(texts_of(history), (std::vector<std::string>{"i", "i + 1"}));
  ASSERT_NE(history.baseline(), nullptr);
  EXPECT_EQ(history.text_of(*history.baseline()).value(), "i");
}

TEST(RunHistoryWords, DifferencesReadAtAGlance) {
  struct Case {
    double before, now;
    const char* text;
  };
  for (const Case& c :
       {Case{0, 5, ""}, Case{4, 4, "="}, Case{32, 4, "−88%"}, Case{100, 97, "−3.0%"},
        Case{4, 32, "+700%"}, Case{4, 128, "32×"}, Case{1000, 1001, "+0.1%"}}) {
    EXPECT_EQ(delta_text(c.before, c.now), c.text) << c.before << " → " << c.now;
  }
}

// However many attempts follow it, the last version that passed is not dropped with the old runs.
TEST_F(RunHistoryTest, TheLastVersionThatPassedIsNotForgotten) {
  {
    RunHistory history;
    history.open(folder());
    ASSERT_NE(history.add(result("an early pass", 8), "2026-01-02T03:04:05Z"), nullptr);
    ASSERT_NE(history.add(result("the last pass", 4), "2026-01-02T03:04:06Z"), nullptr);
    for (size_t n = 0; n < RunHistory::kMostRuns + 5; ++n) {
      lab::RunResult failed = result("try " + std::to_string(n), 32);
      failed.passed = false;
      ASSERT_NE(history.add(failed, "2026-01-02T03:05:05Z"), nullptr);
    }
  }
  RunHistory again;
  again.open(folder());  // drops the oldest
  ASSERT_EQ(again.runs().size(), RunHistory::kMostRuns);
  EXPECT_TRUE(again.runs().front().passed);
  EXPECT_EQ(again.text_of(again.runs().front()).value(), "the last pass");
  EXPECT_FALSE(again.runs()[1].passed);
}

}  // namespace
}  // namespace warpshop::ui
