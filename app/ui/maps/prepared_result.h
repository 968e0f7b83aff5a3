// A RunResult with what the panels draw of it, worked out once and off the window's thread.
#pragma once

#include <vector>

#include "lab/run_result.h"
#include "maps/access_index.h"
#include "maps/tile_map.h"

namespace warpshop::ui {

struct PreparedResult {
  lab::RunResult result;
  AccessIndex accesses;        // of the student's kernel at the first size
  std::vector<TileMap> tiles;  // one for each output of the first size
  bool preview = false;        // only the first size has been run
};

PreparedResult prepare(lab::RunResult result, bool preview);
// `of` with the predictions of `result`, a later state of the same run.
PreparedResult with_predictions(const PreparedResult& of, const lab::RunResult& result);

}  // namespace warpshop::ui
