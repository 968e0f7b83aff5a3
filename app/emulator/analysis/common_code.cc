#include "analysis/common_code.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpshop::emulator {
namespace {

bool block_has_effect(const ptx::Function& function, const ControlFlow& flow,
                      const BasicBlock& block) {
  constexpr std::array<std::string_view, 8> kWith = {"st",      "red",  "atom", "bar",
                                                     "barrier", "call", "cp",   "sust"};
  for (int n = block.first; n < block.end; ++n) {
    const int instruction = flow.items[static_cast<size_t>(n)].instruction;
    const std::string& opcode = function.body[static_cast<size_t>(instruction)].opcode;
    if (std::find(kWith.begin(), kWith.end(), opcode) != kWith.end()) return true;
  }
  return false;
}

// Numbers the blocks; blocks on a common cycle get the same number. Tarjan, "Depth-First Search and
// Linear Graph Algorithms", SIAM Journal on Computing 1, 1972, without recursion.
class Cycles {
 public:
  explicit Cycles(const ControlFlow& flow)
      : flow_(flow), order_(flow.blocks.size(), 0), low_(order_), of_(flow.blocks.size(), -1) {
    for (size_t b = 0; b < order_.size(); ++b) {
      if (order_[b] == 0) visit(b);
    }
  }
  int of(size_t block) const { return of_[block]; }

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

std::vector<bool> common_code_after(const ptx::Function& function, const ControlFlow& flow) {
  const int exit = flow.exit_block();
  const auto post_dominator = [&](size_t b) { return flow.blocks[b].reconvergence; };
  // All threads execute the first block and its post-dominators.
  std::vector<bool> shared_effect(flow.blocks.size(), false);
  for (int b = 0; b != exit; b = post_dominator(static_cast<size_t>(b))) {
    const auto at = static_cast<size_t>(b);
    shared_effect[at] = block_has_effect(function, flow, flow.blocks[at]);
  }
  // Once a post-dominator shares no cycle with the block, neither do those after it.
  const Cycles cycles(flow);
  enum class Answer : uint8_t { kUnknown, kNo, kYes };
  std::vector<Answer> at_or_after(flow.blocks.size(), Answer::kUnknown);
  const auto any_from = [&](int start) {
    std::vector<size_t> way;
    int b = start;
    while (b != exit && at_or_after[static_cast<size_t>(b)] == Answer::kUnknown &&
           !shared_effect[static_cast<size_t>(b)]) {
      way.push_back(static_cast<size_t>(b));
      b = post_dominator(static_cast<size_t>(b));
    }
    const bool yes = b != exit && (shared_effect[static_cast<size_t>(b)] ||
                                   at_or_after[static_cast<size_t>(b)] == Answer::kYes);
    for (const size_t block : way) at_or_after[block] = yes ? Answer::kYes : Answer::kNo;
    return yes;
  };
  // The first post-dominator that shares no cycle with the block: the same for all those before it
  // on their cycle.
  constexpr int kUnknown = -1;
  std::vector<int> leaves_to(flow.blocks.size(), kUnknown);
  const auto leave = [&](size_t start) {
    std::vector<size_t> way;
    size_t b = start;
    int place = leaves_to[b];
    while (place == kUnknown) {
      way.push_back(b);
      const int p = post_dominator(b);
      if (p == exit || cycles.of(static_cast<size_t>(p)) != cycles.of(b)) {
        place = p;
      } else {
        b = static_cast<size_t>(p);
        place = leaves_to[b];
      }
    }
    for (const size_t passed : way) leaves_to[passed] = place;
    return place;
  };
  std::vector<bool> out(flow.blocks.size(), false);
  for (size_t b = 0; b < out.size(); ++b) {
    const int p = leave(b);
    out[b] = p != exit && any_from(p);
  }
  return out;
}

}  // namespace warpshop::emulator
