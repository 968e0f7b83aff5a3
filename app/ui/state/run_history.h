// Every version of an exercise that was run, with what was counted: the text is kept once, the
// figures line by line in a file that a crash can only cut short. No drawing.
//
//   runs/LAB/STEP/runs.jsonl     one line per run, or {"pinned":"…"}: the baseline that others are
//                                compared with, or {"predicted":"…", …}: the prediction for an
//                                earlier line's run
//   runs/LAB/STEP/texts/ID.cu    the texts
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::ui {

struct RunRecord {
  std::string id;       // of the run
  std::string text_id;  // of the version
  std::string at;       // ISO 8601, UTC
  std::string gpu;      // id of the profile
  bool passed = false;
  bool correct = false;
  // By their names, at the first size; zero ones are left out.
  std::map<std::string, uint64_t> counters;
  std::string size;  // that size: size_key(); empty: the record is from before sizes were kept
  std::string timed_size;  // likewise of what is predicted
  std::optional<double>
      predicted_us;  // of the kernel at the size for times, where a time was predicted
  std::optional<double> predicted_gb_s;     // useful bytes by it
  std::optional<double> predicted_gflop_s;  // floating-point operations by it
  std::optional<double> measured_gb_s;      // where it was measured

  uint64_t counter(std::string_view name) const;
};

// What a size is, in every language: "n=65536".
std::string size_key(const lab::ProblemSize& size);

class RunHistory {
 public:
  static constexpr size_t kMostRuns = 300;

  void open(std::filesystem::path folder);
  void close() { *this = {}; }

  // Null where the run has nothing to keep (it did not run to its end) or is the one before over
  // again.
  const RunRecord* add(const lab::RunResult& result, const std::string& at);
  Status pin(const std::string& id);  // "": none
  // The predicted time of the result's text at the size for times, once it is known, to its newest
  // run. Nothing where there is none (times of the small sizes say something else), or where the
  // run has it already.
  void add_prediction(const lab::RunResult& result);
  const Status& problem() const { return problem_; }  // of the last writing

  const std::vector<RunRecord>& runs() const { return runs_; }  // the oldest first
  const RunRecord* find(std::string_view id) const;
  const RunRecord* baseline() const { return find(pinned_); }
  Result<std::string> text_of(const RunRecord& run) const;

 private:
  Status append(const std::string& line);
  void forget_oldest();
  std::string next_id() const;

  std::filesystem::path folder_;
  std::vector<RunRecord> runs_;
  std::string pinned_;
  Status problem_ = success();
};

}  // namespace warpshop::ui
