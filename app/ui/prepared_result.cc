#include "prepared_result.h"

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

}  // namespace warpshop::ui
