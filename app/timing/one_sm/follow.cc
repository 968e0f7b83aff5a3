#include "one_sm/follow.h"

#include <bit>

namespace warpshop::timing {

std::shared_ptr<const Code> Follow::code_of(const WarpTrace& trace) {
  std::weak_ptr<const Code>& known = codes_[&trace];
  if (std::shared_ptr<const Code> code = known.lock()) return code;
  auto code = std::make_shared<Code>();
  CodeWalker walker(code_);
  for (const auto& [ptx_block, times] : trace.path) {
    walker.pass(ptx_block, times, [&](const CodePiece& piece) {
      for (const auto& [first, end] : piece.ranges) code->push_back({first, end});
    });
  }
  known = code;
  return code;
}

void Follow::settle_place(Warp& w) {
  if (w.pc < w.range_end) return;
  const Code& code = *w.code;
  while (w.range < code.size() && w.pc >= code[w.range].end) {
    ++w.range;
    if (w.range < code.size()) w.pc = code[w.range].first;
  }
  if (w.range >= code.size()) {
    w.done = true;
  } else {
    w.range_end = code[w.range].end;
  }
}

bool Follow::goes_round(Warp& w, const MachineOp& op) {
  if (w.loop == nullptr || op.kind != MachineKind::kBranch || op.target < 0 || op.target > w.pc)
    return false;
  if (w.loop_rounds-- > 0) return true;
  w.loop = nullptr;
  return false;
}

const MemoryOp* Follow::next(Warp& w) {
  return next_at_site(w, code_.site_of_op[static_cast<size_t>(w.pc)]);
}

const MemoryOp* Follow::next_target(Warp& w) {
  return next_at_site(w, code_.target_of_op[static_cast<size_t>(w.pc)]);
}

const MemoryOp* Follow::next_at_site(Warp& w, int site) {
  if (site < 0) return nullptr;
  if (w.loop != nullptr && w.loop_site == site) return w.loop;
  w.loop = nullptr;
  const auto& ops = w.trace->ops[static_cast<size_t>(site)];
  uint32_t& next = w.next_op[static_cast<size_t>(site)];
  if (next >= ops.size()) return nullptr;  // predicated off
  const MemoryOp& op = ops[next++];
  count(op);
  if (op.rounds > 0) {
    w.loop = &op;
    w.loop_site = site;
    w.loop_rounds = op.rounds - 1;
  }
  return &op;
}

void Follow::count(const MemoryOp& op) {
  if (op.use == MemoryUse::kSharedAtomic && (op.phase != 0 || op.tests)) return;
  const bool shared = op.use == MemoryUse::kSharedLoad || op.use == MemoryUse::kSharedStore ||
                      op.use == MemoryUse::kSharedAtomic;
  if (!shared && op.line_count == 0) return;  // predicated off
  UseFlow& use = flow_[op.use];
  use.requests += 1;
  if (shared) {
    use.wavefronts += op.wavefronts;
  } else if (op.use == MemoryUse::kGlobalAtomic) {
    use.sectors += op.visits;
  } else {
    for (uint32_t n = 0; n < op.line_count; ++n)
      use.sectors += std::popcount(trace_.lines[op.first_line + n].sectors);
  }
}

}  // namespace warpshop::timing
