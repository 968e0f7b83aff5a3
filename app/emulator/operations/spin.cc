#include "operations/spin.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"

namespace warpshop::emulator {
namespace {

// Loops that poll a lock or a flag have few basic blocks.
constexpr int kBlocksOfSpin = 64;
// Loops that sleep between tries sometimes contain an inner loop.
constexpr int kBlocksOfPoll = 256;

// True if the path returns to its starting point with all registers unchanged. Then it loops
// forever unless another thread changes memory: a loop that makes progress changes a register, such
// as its counter or a loaded value (in a reduced program perhaps none, where it only polls). A loop
// of stores only changes no register either, but counts as polling.
bool comes_back_unchanged(Warp& warp) {
  const MicroOp* start = warp.pc;
  const uint32_t mask = warp.mask;
  const uint16_t frame_index = warp.frame_index;
  const size_t paths = warp.paths.size();
  const std::vector<uint8_t> registers(warp.frame, warp.frame + warp.function->frame_bytes);
  const uint32_t carry = warp.carry;
  for (int n = 0; n < kBlocksOfSpin; ++n) {
    warp.slice = 2;  // one block: its header takes one, the next header the other
    run_until_pause(warp);
    if (warp.status != WarpStatus::kReady || warp.slice > 0) return false;
    if (warp.pc != start || warp.frame_index != frame_index) continue;
    return warp.mask == mask && warp.paths.size() == paths && warp.carry == carry &&
           std::memcmp(registers.data(), warp.frame, registers.size()) == 0;
  }
  return false;
}

// True if the path runs for a while and only tests whether other threads have changed memory. It
// may count its tries or sleep longer from try to try, so its registers prove nothing.
bool only_polls(Warp& warp) {
  const EmulationThread& worker = *warp.worker;
  const DecodedProgram& program = *worker.launch->program;
  if (!program.may_poll) return false;
  const BlockCounts before = worker.counts;
  warp.slice = kBlocksOfPoll;
  run_until_pause(warp);
  if (warp.status != WarpStatus::kReady || warp.slice > 0) return false;
  bool polls = false;
  for (size_t b = 0; b < before.size(); ++b) {
    if (worker.counts[b].warps == before[b].warps) continue;
    if (program.polling[b].changes) return false;
    polls = polls || program.polling[b].polls;
  }
  return polls;
}

// The address registers of the function's loads and atomics, of the active lanes: for memory that
// other threads may change.
std::vector<uint64_t> addresses_read(Warp& warp) {
  std::vector<uint64_t> out;
  for (const MicroOp& op : warp.function->code) {
    if (op.site == kNoSite || op.a == kNoRegister) continue;
    const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op.instruction)];
    const ptx::Space space = written_space(&op);
    const bool others = space == ptx::Space::kGlobal || space == ptx::Space::kShared ||
                        space == ptx::Space::kGeneric;
    if (!others || (i.opcode != "ld" && i.opcode != "atom")) continue;
    for (uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      out.push_back((op.flags & kBase32) != 0 ? warp.reg<uint32_t>(op.a)[lane]
                                              : warp.reg<uint64_t>(op.a)[lane]);
    }
  }
  return out;
}

// The leaf that has not run for the longest time, except the running one: each turn moves a path to
// the end.
uint32_t next_runnable(const Warp& warp) {
  for (size_t n = 0; n + 1 < warp.paths.size(); ++n) {
    if (control::is_leaf(warp, n) && warp.paths[n].wait == Wait::kNothing)
      return warp.paths[n].mask;
  }
  return 0;
}

}  // namespace

void end_slice_of_paths(Warp& warp) {
  warp.polls = warp.spins = false;
  if (warp.paths.size() > 1 && !warp.polled_barrier) warp.spins = comes_back_unchanged(warp);
  if (warp.status != WarpStatus::kReady) return;
  if (!warp.polled_barrier && !warp.spins && !only_polls(warp)) {
    warp.polled_turns = 0;
    return;
  }
  // The warp polls once each of its paths has polled in turn.
  warp.polls = warp.worker->launch->program->may_poll && ++warp.polled_turns >= warp.paths.size();
  if (warp.paths.size() == 1 || !control::has_independent_lanes(warp)) return;
  warp.takes_turns = true;
  warp.top().pc = warp.pc;
  control::merge_leaves(warp);
  uint32_t next = control::release_arrived(warp);
  if (next == 0) next = next_runnable(warp);
  if (next == 0) return;
  warp.pc = control::run_leaf(warp, next);
  warp.spins = false;
}

bool walks_through_memory(Warp& warp) {
  const MicroOp* start = warp.pc;
  const uint32_t mask = warp.mask;
  const uint16_t frame_index = warp.frame_index;
  const std::vector<uint64_t> addresses = addresses_read(warp);
  for (int n = 0; n < kBlocksOfSpin; ++n) {
    warp.slice = 2;  // one block, as above
    run_until_pause(warp);
    if (warp.status != WarpStatus::kReady || warp.slice > 0) return true;
    if (warp.pc == start && warp.frame_index == frame_index)
      return warp.mask != mask || addresses_read(warp) != addresses;
  }
  return false;
}

SpinDeadlock spin_deadlock_of(const Warp& warp) {
  SpinDeadlock found;
  if (warp.status != WarpStatus::kReady || !warp.spins) return found;
  for (size_t n = warp.paths.size() - 1; n-- > 0;) {
    uint32_t below = 0;  // lanes in later paths
    for (size_t m = n + 1; m < warp.paths.size(); ++m) below |= warp.paths[m].mask;
    const uint32_t waiting = warp.paths[n].mask & ~below;
    if (waiting == 0) continue;
    found.spinning = warp.mask;
    found.waiting = waiting;
    found.waiting_at = control::source_of(warp, warp.paths[n]);
    return found;
  }
  return found;
}

}  // namespace warpshop::emulator
