// The predicted times of one text on every GPU, as far as known. No drawing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/sentence.h"
#include "lab/run_result.h"

namespace warpshop::ui {

struct GpuTime {
  double us = 0;  // at the size for times; 0: none
  Sentence why;   // there is none
};

struct GpuTimes {
  std::string step, source;                          // of this text of this step
  std::map<std::string, GpuTime, std::less<>> of{};  // by the GPU's id
  bool running = false;

  const GpuTime* find(std::string_view gpu) const {
    const auto found = of.find(gpu);
    return found == of.end() ? nullptr : &found->second;
  }
};

// The time that a run for one GPU predicted at the size for times, or why it predicted none.
// Nothing: it was stopped before.
std::optional<GpuTime> gpu_time_of(const lab::RunResult& result);

}  // namespace warpshop::ui
