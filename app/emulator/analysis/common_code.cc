#include "analysis/common_code.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/cycles.h"

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
