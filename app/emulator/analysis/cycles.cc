#include "analysis/cycles.h"

#include <algorithm>
#include <utility>

namespace warpshop::emulator {
namespace {

// Tarjan, "Depth-First Search and
// Linear Graph Algorithms", SIAM Journal on Computing 1, 1972, without recursion.
class Numbering {
 public:
  explicit Numbering(const ControlFlow& flow)
      : flow_(flow), order_(flow.blocks.size(), 0), low_(order_), of_(flow.blocks.size(), -1) {
    for (size_t b = 0; b < order_.size(); ++b) {
      if (order_[b] == 0) visit(b);
    }
  }
  std::vector<int> take() { return std::move(of_); }

 private:
  struct Open {
    size_t block = 0;
    size_t next = 0;  // of its successors
  };

  void enter(size_t block, std::vector<Open>& open) {
    order_[block] = low_[block] = ++entered_;
    path_.push_back(block);
    open.push_back({.block = block});
  }

  void visit(size_t start) {
    std::vector<Open> open;
    enter(start, open);
    while (!open.empty()) {
      const size_t block = open.back().block;
      const std::vector<int>& successors = flow_.blocks[block].successors;
      if (open.back().next < successors.size()) {
        const int next = successors[open.back().next++];
        if (next == flow_.exit_block()) continue;
        const auto n = static_cast<size_t>(next);
        if (order_[n] == 0) {
          enter(n, open);
        } else if (of_[n] < 0) {
          low_[block] = std::min(low_[block], order_[n]);
        }
        continue;
      }
      open.pop_back();
      if (!open.empty()) low_[open.back().block] = std::min(low_[open.back().block], low_[block]);
      if (low_[block] != order_[block]) continue;
      for (size_t member = path_.size(); member-- > 0;) {
        const size_t at = path_.back();
        path_.pop_back();
        of_[at] = count_;
        if (at == block) break;
      }
      ++count_;
    }
  }

  const ControlFlow& flow_;
  std::vector<int> order_;  // order in which blocks were entered, from 1
  std::vector<int> low_;
  std::vector<int> of_;
  std::vector<size_t> path_;
  int entered_ = 0;
  int count_ = 0;
};

}  // namespace

Cycles::Cycles(const ControlFlow& flow)
    : of_(Numbering(flow).take()), in_loop_(flow.blocks.size(), false) {
  for (size_t b = 0; b < of_.size(); ++b) {
    const std::vector<int>& successors = flow.blocks[b].successors;
    in_loop_[b] = std::any_of(successors.begin(), successors.end(), [&](int next) {
      return next != flow.exit_block() && of_[static_cast<size_t>(next)] == of_[b];
    });
  }
}

}  // namespace warpshop::emulator
