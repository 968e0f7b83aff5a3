// The roofline: the student's kernel, the reference and earlier versions below the GPU's ceilings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "timing/roofline.h"

namespace warpshop::ui {

struct RooflinePanelState {
  // Origin of the versions, which are cleared for another step or GPU.
  std::string step, gpu;
  struct Version {
    std::string source;
    std::string size;               // size_key(); only versions of the same size are compared
    timing::Prediction prediction;  // without its timelines
  };
  std::vector<Version> versions;  // the student's texts so far, oldest first, the current one last
  // The drawn point focused with the keyboard, equivalent to hovering.
  std::optional<size_t> focus;
  size_t points = 0;      // number of points drawn
  std::string focus_run;  // history id of its run; empty: it is not an earlier version
};

// Moves the keyboard focus to another point, wrapping around. False if there are none.
bool move_focus(RooflinePanelState& state, int by);

void roofline_panel(const View& view, RooflinePanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
