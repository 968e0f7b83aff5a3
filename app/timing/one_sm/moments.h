// When blocks make their accesses, so that those of different blocks can be compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/access.h"

namespace warpshop::timing {

// Corresponding warps of two blocks execute the same instruction for the n-th time at about the
// same time.
class Moments {
 public:
  // `sites`: of accesses and fetches.
  explicit Moments(size_t sites) : stride_(std::min(sites, kMostSites)) {}

  // Counts this execution. Blocks come one after the other.
  uint32_t next(const emulator::WarpIdentity& warp, uint32_t site) {
    if (warp.linear_block != block_) std::fill(turns_.begin(), turns_.end(), 0U);
    block_ = warp.linear_block;
    const size_t at = warp.warp * stride_ + site;
    if (at >= turns_.size()) turns_.resize(at + stride_);
    constexpr uint32_t kScatter = 2654435761U;  // so that turns and places do not mix
    return static_cast<uint32_t>(warp.warp * kMostSites + site) + turns_[at]++ * kScatter;
  }

 private:
  static constexpr size_t kMostSites = 4096;  // that one warp's can be told apart from another's
  uint64_t block_ = ~uint64_t{0};
  size_t stride_;
  std::vector<uint32_t> turns_;  // by warp and site
};

}  // namespace warpshop::timing
