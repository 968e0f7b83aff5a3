// Writes a lab's report, running each kernel on the emulator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "lab/lab.h"
#include "lab/progress.h"
#include "lab/workspace.h"
#include "models/gpu_profile.h"

namespace warpshop::report {

struct KernelText {
  std::string source;
  std::string file_name;  // the name used in messages
  std::string whose;      // StepReport::whose
  bool begun = true;      // false: list the exercise as not started without running it
};

// The text that represents the student's work on an exercise (lab::standing_text); `whose` says
// which version. Error: a file cannot be read.
Result<KernelText> own_text(const lab::Lab& lab, const lab::Step& step,
                            const lab::Progress& progress);

struct LabReportRequest {
  const lab::Lab* lab = nullptr;
  std::vector<const lab::Step*> steps;                          // steps of `lab`
  const lab::Progress* progress = nullptr;                      // null: omit answers
  models::GpuProfile gpu;                                       // maps follow its rules
  std::string author;                                           // may be empty
  std::function<Result<KernelText>(const lab::Step&)> text_of;  // for an exercise
  std::function<void(const lab::Step&)> on_step = {};           // called before each exercise runs
  const StopFlag* stop = nullptr;
};

// The page (html_page). Error: no compiler; a text cannot be read; "stopped" on request.
Result<std::string> lab_report(const LabReportRequest& request);

}  // namespace warpshop::report
