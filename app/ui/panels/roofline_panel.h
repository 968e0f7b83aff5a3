// The roofline: the student's kernel, the reference and earlier versions under the ceilings of the
// GPU.
#pragma once

#include <optional>
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
    std::string size;               // size_key(): versions of another one are not compared
    timing::Prediction prediction;  // without its timelines
  };
  std::vector<Version> versions;  // the student's texts so far, oldest first, the present one last
  // What the keyboard points at, as the mouse does: one of the points that are drawn.
  std::optional<size_t> hand;
  size_t points = 0;     // that are drawn
  std::string hand_run;  // the id of its run in the history; empty: it is not an earlier version
};

// The keyboard's hand to another point, round and round. False: there are none.
bool move_hand(RooflinePanelState& state, int by);

void roofline_panel(const View& view, RooflinePanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
