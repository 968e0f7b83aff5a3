// The roofline: the student's kernel, the reference and earlier versions under the ceilings of the GPU.
#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "timing/roofline.h"

namespace warpshop::ui {

struct RooflinePanelState {
  // Where the versions are from; another step or GPU begins anew.
  std::string step, gpu;
  struct Version {
    std::string source;
    timing::Prediction prediction;  // without its timelines
  };
  std::vector<Version> versions;  // the student's texts so far, oldest first, the present one last
};

void roofline_panel(const View& view, RooflinePanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
