#include "maps/prepared_result.h"

#include <utility>

namespace warpshop::ui {

PreparedResult prepare(lab::RunResult result, bool preview) {
  PreparedResult prepared;
  prepared.preview = preview;
  if (!result.sizes.empty()) {
    prepared.accesses = index_accesses(result.sizes.front().student, result.gpu);
    for (const lab::BufferComparison& output : result.sizes.front().outputs) {
      prepared.tiles.push_back(map_tiles(output));
    }
  }
  prepared.result = std::move(result);
  return prepared;
}

PreparedResult with_predictions(const PreparedResult& of, const lab::RunResult& result) {
  PreparedResult out = of;
  for (size_t i = 0; i < out.result.sizes.size(); ++i) {
    out.result.sizes[i].student.prediction = result.sizes[i].student.prediction;
    out.result.sizes[i].student.memory = result.sizes[i].student.memory;
    out.result.sizes[i].reference.prediction = result.sizes[i].reference.prediction;
  }
  out.result.timed = result.timed;
  out.result.prediction_problems = result.prediction_problems;
  return out;
}

}  // namespace warpshop::ui
