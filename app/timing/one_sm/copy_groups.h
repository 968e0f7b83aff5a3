// Arrival times of a warp's asynchronous copies (cp.async), by the groups that it commits and waits
// for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpshop::timing {

class CopyGroups {
 public:
  void add(double arrives) { latest_ = std::max(latest_, arrives); }
  // A group has arrived when all copies before it have.
  void commit() { groups_.push_back(latest_); }
  // When all groups but the newest `left` have arrived.
  double arrival(size_t left) const {
    return groups_.size() > left ? groups_[groups_.size() - 1 - left] : 0;
  }
  // When all copies have arrived, committed or not.
  double all() const { return latest_; }

 private:
  double latest_ = 0;
  std::vector<double> groups_;
};

}  // namespace warpshop::timing
