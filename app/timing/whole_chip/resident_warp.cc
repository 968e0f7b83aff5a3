#include "whole_chip/resident_warp.h"

#include <algorithm>

namespace warpshop::timing {

void ResidentWarp::enter(const PtxCode& code) {
  if (trace->path.empty()) {
    done = true;
    return;
  }
  const auto& range = code.blocks[trace->path.front().first];
  op = range.first;
  end = range.second;
  settle(code);
}

void ResidentWarp::skip(const PtxCode& code, double part) {
  uint64_t runs = 0;
  for (const auto& [number, times] : trace->path) runs += times;
  auto left = static_cast<uint64_t>(part * static_cast<double>(runs));
  while (left > 0 && !done) {
    const auto& [number, times] = trace->path[step];
    const auto now = static_cast<uint32_t>(std::min<uint64_t>(left, times - turn));
    const auto& range = code.blocks[number];
    for (int n = range.first; n < range.second; ++n) {
      const PtxOp& passed = code.ops[static_cast<size_t>(n)];
      if (passed.site >= 0) next_access[static_cast<size_t>(passed.site)] += now;
      if (passed.operand_site >= 0) next_access[static_cast<size_t>(passed.operand_site)] += now;
    }
    left -= now;
    turn += now;
    if (turn >= times) {
      turn = 0;
      ++step;
    }
    if (step >= trace->path.size()) done = true;
  }
  if (done) return;
  const auto& range = code.blocks[trace->path[step].first];
  op = range.first;
  end = range.second;
  settle(code);
}

void ResidentWarp::settle(const PtxCode& code) {
  for (;;) {
    while (op >= end) {
      if (++turn >= trace->path[step].second) {
        turn = 0;
        if (++step >= trace->path.size()) {
          done = true;
          return;
        }
      }
      const auto& range = code.blocks[trace->path[step].first];
      op = range.first;
      end = range.second;
    }
    const PtxOp& next = op_in(code);
    if (next.slots != 0) return;
    double there = 0;
    WarpState state = WarpState::kWait;
    const auto unknown = [&](int r) { return ready[static_cast<size_t>(r)] == kNoTime; };
    if (std::any_of(next.reads.begin(), next.reads.end(), unknown) ||
        std::any_of(next.writes.begin(), next.writes.end(), unknown)) {
      return;  // continues when memory has answered
    }
    for (int r : next.reads) {
      if (ready[static_cast<size_t>(r)] <= there) continue;
      there = ready[static_cast<size_t>(r)];
      state = why[static_cast<size_t>(r)];
    }
    for (int r : next.writes) {
      ready[static_cast<size_t>(r)] = there;
      why[static_cast<size_t>(r)] = state;
    }
    ++op;
  }
}

void ResidentWarp::work_out_needs(const PtxCode& code) {
  needs = barrier_until;
  waits_for = WarpState::kBarrier;
  const PtxOp& next = op_in(code);
  const auto wait_for = [&](int r) {
    const double there = ready[static_cast<size_t>(r)];
    if (there <= needs) return;
    needs = there;
    waits_for = why[static_cast<size_t>(r)];
  };
  for (int r : next.reads) wait_for(r);
  // A pending write to a register must complete before it is overwritten.
  for (int r : next.writes) wait_for(r);
}

}  // namespace warpshop::timing
