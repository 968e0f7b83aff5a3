// A RunResult with everything that panels derive from it, computed once, off the window's thread.
#pragma once

#include <array>
#include <vector>

#include "lab/run_result.h"
#include "maps/access_index.h"
#include "maps/tile_map.h"

namespace warpshop::ui {

// The stages of one run.
using Stages = std::array<lab::StageReport, lab::kStageCount>;

struct PreparedResult {
  lab::RunResult result;
  AccessIndex accesses;        // of the student's kernel at the first size
  std::vector<TileMap> tiles;  // one per output of the first size
  bool preview = false;        // only the first size has run
};

PreparedResult prepare(lab::RunResult result, bool preview);
// `of` with the predictions from `result`, a later state of the same run.
PreparedResult with_predictions(const PreparedResult& of, const lab::RunResult& result);

}  // namespace warpshop::ui
