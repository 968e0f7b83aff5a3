// Grades as a Slurm job array: one task per group of students, gathered at the end. Every node must
// see the submissions and the results folder under the same path.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "grade/grade.h"

namespace warpshop::grade {

struct SlurmOptions {
  std::vector<std::string> command;  // a task's command, without --group K/N
  std::vector<std::string> sbatch;   // further options: --partition=gpu, --gres=gpu:1, …
  int groups = 1;
  int rounds = 3;  // attempts per group whose task does not finish
  const StopFlag* stop = nullptr;
  std::function<void(const std::string& text)> say;
};

// Submits the incomplete groups, waits, resubmits what a failed node left, and returns when all are
// complete. Error: sbatch refuses, with its message and advice; or some groups failed in every
// round.
Status run_on_slurm(const Class& submissions, const GradeOptions& options,
                    const SlurmOptions& slurm);

// Groups with a readable submission whose current version is in no journal or has no verdict.
std::vector<int> incomplete_groups(const Class& submissions, const GradeOptions& options,
                                   int groups);

}  // namespace warpshop::grade
