// Grading as a Slurm job array: a task for each group of students, gathered at the end. Every node
// must see the submissions and the folder of results under the same path.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "grade/grade.h"

namespace warpshop::grade {

struct SlurmOptions {
  std::vector<std::string> command;  // a task: this, then --group K/N
  std::vector<std::string> sbatch;   // further options: --partition=gpu, --gres=gpu:1, …
  int groups = 1;
  int rounds = 3;  // a group whose task did not finish is submitted again so often
  const StopFlag* stop = nullptr;
  std::function<void(const std::string& text)> say;
};

// Submits the groups that are not complete, waits, submits what a failed node left, and returns
// when all are complete. Error: sbatch refuses, with its words and what helps; or groups that
// failed in every round.
Status run_on_slurm(const Class& submissions, const GradeOptions& options,
                    const SlurmOptions& slurm);

// Groups with a submission that can be read and that no journal holds as it is now, or that has no verdict.
std::vector<int> incomplete_groups(const Class& submissions, const GradeOptions& options,
                                   int groups);

}  // namespace warpshop::grade
