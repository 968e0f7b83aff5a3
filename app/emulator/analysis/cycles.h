// Loops of a function's control flow.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/cfg.h"

namespace warpshop::emulator {

// Numbers a function's blocks: those on a common cycle, that is, of one outermost loop, have the
// same number.
class Cycles {
 public:
  explicit Cycles(const ControlFlow& flow);
  int of(size_t block) const { return of_[block]; }
  bool is_in_loop(size_t block) const { return in_loop_[block]; }

 private:
  std::vector<int> of_;
  std::vector<bool> in_loop_;
};

}  // namespace warpshop::emulator
