// A lecture's script as one self-contained HTML page, to print, to read afterwards, or to speak
// from.
#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "core/stop.h"
#include "lab/lab.h"
#include "models/gpu_profile.h"

namespace warpshop::report {

struct HandoutRequest {
  const lab::Lab* lab = nullptr;  // with a script
  models::GpuProfile gpu;         // for scenes that name none
  bool notes = false;             // with the speaker's notes, minutes, and the instructor's page
  std::function<void(const lab::Scene&)> on_scene = {};  // called before each scene runs
  const StopFlag* stop = nullptr;
};

// Each scene with its words, question, kernel, picture or number, and answer. Error: the lab has no
// script; no compiler; "stopped" on request.
Result<std::string> lecture_handout(const HandoutRequest& request);

}  // namespace warpshop::report
