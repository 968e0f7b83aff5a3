// The versions of an exercise that were run, with their counters. Each text is stored once; the
// figures are appended line by line to a file that a crash can at most truncate. No drawing.
//
// Runs during one burst of typing are one version, that of the last one, unless a person would know
// it again: it passed, it stood still for a while, or much changed after it.
//
//   runs/LAB/STEP/runs.jsonl     one line per run, or {"pinned":"…"}: the baseline with which
//                                others are compared, or {"predicted":"…", …}: the prediction for
//                                an earlier line's run; "replaces":"TEXT": in the place of the
//                                run before it, of that text
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
  // By name, at the first size; zeros are left out.
  std::map<std::string, uint64_t> counters;
  std::string size;  // the first size's size_key(); empty: a record from before sizes were stored
  std::string timed_size;  // likewise, of the size that is predicted
  // Of the kernel at the size for timing, if a time was predicted.
  std::optional<double> predicted_us;
  std::optional<double> predicted_gb_s;     // useful bytes ÷ predicted time
  std::optional<double> predicted_gflop_s;  // operations ÷ predicted time
  std::optional<double> measured_gb_s;      // if it was measured

  uint64_t counter(std::string_view name) const;
};

// A size's key, the same in every language: "n=65536".
std::string size_key(const lab::ProblemSize& size);

class RunHistory {
 public:
  static constexpr size_t kMostRuns = 300;

  void open(std::filesystem::path folder);
  void close() { *this = {}; }

  // Null if there is nothing to store: the run did not finish, or repeats the previous one.
  // `typing`: it began by itself after an edit, rather than on request.
  const RunRecord* add(const lab::RunResult& result, const std::string& at, bool typing = false);
  Status pin(const std::string& id);  // "": no baseline
  // Adds the predicted time of the result's text at the size for timing to
  // that text's newest run. Does nothing if there is no such time (times
  // of the small sizes are not comparable) or the run already has it.
  void add_prediction(const lab::RunResult& result);
  const Status& problem() const { return problem_; }  // of the last write

  const std::vector<RunRecord>& runs() const { return runs_; }  // oldest first
  const RunRecord* find(std::string_view id) const;
  const RunRecord* baseline() const { return find(pinned_); }
  Result<std::string> text_of(const RunRecord& run) const;

 private:
  Status append(const std::string& line);
  void forget_oldest();
  bool is_half_typed(const RunRecord& last, const RunRecord& next, const std::string& text) const;
  std::string next_id() const;

  std::filesystem::path folder_;
  std::vector<RunRecord> runs_;
  std::string pinned_;
  std::optional<std::string> typed_text_;  // of the last run, if it began by itself
  Status problem_ = success();
};

}  // namespace warpshop::ui
