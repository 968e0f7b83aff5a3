// Classifies a warp's access as the GPU Teaching Kit judges an index expression. Is it of the form
//
//   A[(anything independent of threadIdx.x) + threadIdx.x] ?
//
// The answer comes from the lanes' addresses in one execution: the differences between lanes 0, 1,
// 2, … are the coefficient of threadIdx.x in the index. Source: GPU Teaching Kit, module 6.2, "How
// to judge if an access is coalesced?".
#pragma once

#include <cstdint>
#include <string>

#include "core/sentence.h"
#include "models/request.h"

namespace warpshop::models {

enum class IndexForm : uint8_t {
  kNone,        // fewer than two active lanes: nothing to classify
  kUniform,     // base: threadIdx.x does not appear, or only divided
  kNeighbours,  // base + threadIdx.x
  kBackwards,   // base - threadIdx.x
  kStrided,     // base + factor × threadIdx.x
  kRows,        // base + threadIdx.x, but a block row (or a condition) ends inside the warp
  kPermuted,    // neighbouring elements in another order, or some of them read by several lanes
  kScattered,   // anything else: the index depends on data or on a remainder of threadIdx.x
};

struct IndexAdvice {
  IndexForm form = IndexForm::kNone;
  // Distance from lane to lane in bytes. kStrided: a whole number of elements only if it is a
  // multiple of the request's width. kRows: from the end of one run to the start of the next.
  int64_t factor_bytes = 0;
  // Consecutive lanes. kRows: per row; kNeighbours: all active lanes; kStrided and kUniform: before
  // the index jumps.
  int run_lanes = 0;
  uint32_t misaligned_bytes = 0;  // kNeighbours: offset of lane 0 from the start of a 32-byte
                                  // sector
  Sentence text = {};             // one or two sentences, for users
  bool operator==(const IndexAdvice&) const = default;
};

IndexAdvice advise_index(const WarpRequestView& request);

}  // namespace warpshop::models
