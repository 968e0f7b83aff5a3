// The predicted times of a run: of both kernels at every size that was run, and at the exercise's
// size for times.
#pragma once

#include <string>

#include "lab/lab.h"
#include "lab/run_result.h"
#include "lab/runner.h"
#include "run/compiled_file.h"
#include "run/exercise_run.h"

namespace warpshop::lab {

// A kernel and its text.
struct KernelWithText {
  const CompiledKernel& kernel;
  const std::string& source;
};

class PredictedTimes {
 public:
  // `lab_predictions` keeps those of the lab's own kernels for later runs.
  PredictedTimes(const RunRequest& request, const Exercise& exercise,
                 RecentCache<timing::Prediction>& lab_predictions)
      : request_(request), exercise_(exercise), lab_predictions_(lab_predictions) {}

  // Adds the size for times, as RunResult::timed, with both launches but without their times.
  void place_timed(KernelWithText student, KernelWithText reference, RunResult& result) const;

  // Size by size, starting with the one on display (the size for times, else the panels'), whose
  // timelines are kept. Stops between two predictions.
  void predict(KernelWithText student, KernelWithText reference, RunResult& result) const;

  // Only the student's kernel at the size for times (RunRequest::only_predict_timed).
  void predict_timed(KernelWithText student, RunResult& result) const;

  // The start's time at the size on display, for an estimate of the speedup.
  void predict_start(KernelWithText start, RunResult& result) const;

 private:
  // Whose kernel: predictions of the lab's own are kept.
  enum class Whose { kStudents, kLabs };

  bool stopped() const { return request_.stop != nullptr && request_.stop->requested(); }
  void place(KernelWithText kernel, const KernelRun& small, SizeResult& size, KernelRun& run) const;
  // False: stopped.
  bool pause_before_timed() const;
  // False: do not try the others.
  bool predict_one(const SizeResult& size, KernelWithText kernel, Whose whose, bool timelines,
                   RunResult& result, KernelRun& out) const;
  Result<timing::Prediction> prediction_of(const SizeResult& size, KernelWithText kernel,
                                           Whose whose, bool timelines) const;

  const RunRequest& request_;
  const Exercise& exercise_;
  RecentCache<timing::Prediction>& lab_predictions_;
};

}  // namespace warpshop::lab
