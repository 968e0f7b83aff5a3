// A report of kernels that are run for it, each on the emulator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "lab/lab.h"
#include "lab/workspace.h"
#include "models/gpu_profile.h"

namespace warpshop::report {

struct KernelText {
  std::string source;
  std::string file_name;  // as messages name it
  std::string whose;      // StepReport::whose
  bool begun = true;      // false: the exercise is not run, and listed as not begun
};

// What stands for the student's work on an exercise (lab::standing_text), and in `whose` which
// version that is. Error: a file that cannot be read.
Result<KernelText> own_text(const lab::Lab& lab, const lab::Step& step, const lab::Progress& progress);

struct LabReportRequest {
  const lab::Lab* lab = nullptr;
  std::vector<const lab::Step*> steps;       // of `lab`
  const lab::Progress* progress = nullptr;   // null: answers are left out
  models::GpuProfile gpu;                    // whose maps are drawn
  std::string author;                        // may be empty
  std::function<Result<KernelText>(const lab::Step&)> text_of;  // of an exercise
  std::function<void(const lab::Step&)> on_step = {};           // before an exercise is run
  const StopFlag* stop = nullptr;
};

// The page (html_page). Error: no compiler; a text that cannot be had; "stopped", where `stop` asked for it.
Result<std::string> lab_report(const LabReportRequest& request);

}  // namespace warpshop::report
