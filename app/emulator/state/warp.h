// The state of a running warp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/access.h"
#include "state/aligned_bytes.h"
#include "state/decoded.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct AsyncCopies;
struct Block;
struct EmulationThread;
class UndefinedValues;

enum class WarpStatus : uint8_t { kReady, kWaiting, kDone };

// Observes every step of one warp.
class StepWatch {
 public:
  virtual ~StepWatch() = default;
  virtual void before(Warp& warp, const MicroOp* op) = 0;
  virtual void paused(Warp& warp) = 0;  // it does not run again until its next turn
};

// The reason a path waits.
enum class Wait : uint8_t {
  kNothing,
  kBarrier,  // for the block's other threads
  kLanes,    // for lanes in the member mask of the instruction at pc
};

// Lanes that run together. The top of Warp::paths runs; its pc is the warp's own. See paths.h.
struct Path {
  const MicroOp* pc = nullptr;  // where to continue; stale for the running path
  // Block header at which it joins the path below; nullptr: none.
  const MicroOp* reconvergence = nullptr;
  uint32_t mask = 0;
  uint16_t frame = 0;  // in Warp::frames
  Wait wait = Wait::kNothing;
};

// A call in progress, or the kernel itself: the location of its registers and of its part of each
// thread's memory. Paths may be in different calls at the same time, so the frames form a tree.
struct CallFrame {
  const DecodedFunction* function = nullptr;
  const CallSite* site = nullptr;  // of the call; nullptr for the kernel
  const MicroOp* return_to = nullptr;
  uint32_t register_base = 0;
  uint32_t param_base = 0;
  uint32_t local_base = 0;
  uint16_t parent = 0;
  uint16_t depth = 0;  // number of callers
};

// Result of bar.red over the predicates. PTX ISA §9.7.13.1.
struct BarrierOutcome {
  uint32_t count = 0;
  bool all = true;
  bool any = false;
};

struct Warp : LaneState {
  const MicroOp* pc = nullptr;  // where to continue after a pause
  WarpStatus status = WarpStatus::kReady;
  uint32_t live = 0;        // lanes that have not exited
  uint32_t first_mask = 0;  // lanes that exist
  uint32_t saved_mask = 0;  // running lanes before the current guard
  uint32_t sync_order = 0;  // __syncwarps so far
  uint32_t released = 0;    // lanes released from a reconvergence point ahead of others
  bool spins = false;       // the running path loops without changing state; see spin.h
  bool polls = false;       // all its paths are in loops that wait for other warps
  const MicroOp* polled_object = nullptr;  // test of an mbarrier object whose phase ran: see below
  uint32_t object_arrivals = 0;            // pending then
  uint32_t object_bytes = 0;               // likewise, two's complement
  bool cut_short = false;       // its slice was, by a seed: whether it polls is not known
  uint32_t meetings = 0;        // with cut_short: atomics and the like until the slice ends
  bool polled_barrier = false;  // in this slice, at a barrier in memory: see give_turn
  uint32_t polled_turns = 0;    // consecutive turns of its paths spent in such loops
  bool takes_turns = false;     // a path was found spinning: the paths take short turns
  int slice = 0;                // basic blocks left in this time slice
  uint64_t instructions = 0;    // executed so far, but for turns that only waited
  uint32_t index = 0;           // in its block
  Block* block = nullptr;
  EmulationThread* worker = nullptr;
  const DecodedFunction* function = nullptr;
  std::vector<Path> paths;
  std::vector<CallFrame> frames;       // [0]: the kernel; a callee comes after its caller
  uint16_t frame_index = 0;            // of the running function
  AlignedBytes registers;              // of all frames
  std::vector<uint8_t> local;          // per lane: local_stride bytes
  std::vector<uint8_t> local_written;  // likewise: 0 where the thread has not written
  uint32_t local_stride = 0;
  uint32_t local_base = 0;  // of the running function's frame, in each lane's part
  std::array<uint32_t, kWarpSize> alloca_bytes{};  // taken by each lane
  std::vector<uint8_t> params;                     // call frames: per lane, param_stride bytes
  uint32_t param_base = 0;
  int barrier = -1;            // the barrier it waits at
  uint32_t barrier_lanes = 0;  // lanes that have arrived there; 0: not waiting
  const MicroOp* barrier_op = nullptr;
  uint32_t barrier_turn = 0;                 // position of its arrival among the block's warps
  BarrierOutcome barrier_given;              // bar.red: of its own lanes
  BarrierOutcome barrier_outcome;            // bar.red: of all threads, when it was last released
  uint32_t cluster_lanes = 0;                // have arrived at the cluster's barrier
  bool cluster_arrived = false;              // all live lanes have, in the running phase
  uint32_t cluster_arrivals = 0;             // of the warp so far
  uint32_t cluster_waits = 0;                // completed
  bool arrives = false;                      // some of its lanes have executed a bar.arrive
  std::array<uint32_t, 16> arrived_lanes{};  // by barrier, until all lanes have
  std::shared_ptr<AsyncCopies> copies;       // cp.async not yet waited for; created on first use
  uint64_t known_arrivals = 0;               // Block::arrivals when it last met other warps
  uint64_t fenced_block = ~uint64_t{0};      // the last one in which it executed a wgmma.fence
  StepWatch* watch = nullptr;                // usually none
  // Created when a shuffle first reads one; checks/undefined_values.h.
  std::shared_ptr<UndefinedValues> undefined;

  Path& top() { return paths.back(); }
  template <typename T>
  T* reg(uint32_t offset) {
    return reinterpret_cast<T*>(frame + offset);
  }
};

// Sets the running lanes.
inline void set_mask(Warp& warp, uint32_t mask) {
  warp.mask = mask;
  warp.full = mask == 0xffffffffu;
  warp.active = warp.full ? kWarpSize : static_cast<uint32_t>(std::popcount(mask));
  if (warp.full) return;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane)
    warp.lane_mask[lane] = 0u - ((mask >> lane) & 1u);
}

// The warp has tested a barrier in memory (an mbarrier object, or one of cooperative groups) that
// is still closed: end its turn after this test, so that waiting adds little to the counters. Only
// for some tests in a row, since a longer wait may be a loop that counts its tries; `always` for
// barriers that only other threads' arrivals can open.
inline void give_turn(Warp& warp, bool always) {
  constexpr uint32_t kShortTurns = 64;
  if (!always && warp.polled_turns >= kShortTurns) return;
  warp.polled_barrier = true;
  warp.slice = 1;
}

// Runs the warp from `op` until it yields, reporting each step to its watch.
inline void run_watched(Warp& warp, const MicroOp* op) {
  while (op != nullptr) {
    warp.watch->before(warp, op);
    op = op->run(warp, op);
  }
  warp.watch->paused(warp);
}

// Runs the warp from warp.pc until it yields.
inline void run_until_pause(Warp& warp) {
  const MicroOp* op = warp.pc;
  if (warp.watch != nullptr) return run_watched(warp, op);
  while (op != nullptr) op = op->run(warp, op);
}

}  // namespace warpshop::emulator
