// Judges a warp's access as the GPU Teaching Kit judges an index expression: is it of the form
//
//   A[(anything independent of threadIdx.x) + threadIdx.x] ?
//
// Read off the lanes' addresses of one execution: what lanes 0, 1, 2, … do is what the factor of
// threadIdx.x in the index makes them do. Source: GPU Teaching Kit, module 6.2, "How to judge if an
// access is coalesced?".
#pragma once

#include <cstdint>
#include <string>

#include "core/sentence.h"
#include "models/request.h"

namespace warpshop::models {

enum class IndexForm : uint8_t {
  kNone,        // fewer than two lanes are active: nothing to judge
  kUniform,     // base: threadIdx.x is not in it
  kNeighbours,  // base + threadIdx.x
  kBackwards,   // base - threadIdx.x
  kStrided,     // base + factor × threadIdx.x
  kRows,        // base + threadIdx.x, but a row of the block (or a condition) ends inside the warp
  kPermuted,    // neighbouring elements in another order, or some of them by several lanes
  kScattered,   // anything else: the index depends on data, or on a remainder of threadIdx.x
};

struct IndexAdvice {
  IndexForm form = IndexForm::kNone;
  // From lane to lane, in accesses of the request's width; kStrided: whole only if `factor_bytes`
  // is a multiple of the width. kRows: from the end of a run to the begin of the next, in bytes.
  int64_t factor_bytes = 0;
  int run_lanes = 0;              // lanes side by side: kRows: of a row; kNeighbours: all active
  uint32_t misaligned_bytes = 0;  // kNeighbours: from the begin of a 32-byte sector to lane 0's
  bool has_teaching_kit_form() const { return form == IndexForm::kNeighbours; }
  Sentence text = {};  // one or two sentences, for people
  bool operator==(const IndexAdvice&) const = default;
};

IndexAdvice advise_index(const WarpRequestView& request);

}  // namespace warpshop::models
