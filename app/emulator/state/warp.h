// The state of a running warp, its block and the emulation thread that runs them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "access/bulk_copy.h"
#include "emulator/access.h"
#include "emulator/finding.h"
#include "emulator/launch.h"
#include "memory/address_math.h"
#include "memory/address_space.h"
#include "memory/heap.h"
#include "shadows/block_shadow.h"
#include "shadows/shared_shadow.h"
#include "state/cache_line_padding.h"
#include "state/decoded.h"
#include "state/micro_op.h"
#include "state/print_buffer.h"

namespace warpshop::emulator {

struct AsyncCopies;
struct Block;
class ColumnStores;
class SuspendedBlocks;
class PendingCopies;
class RegisterFlows;
class UndefinedValues;
struct Warp;
struct EmulationThread;

enum class WarpStatus : uint8_t { kReady, kWaiting, kDone };

// Zero-initialised bytes at a 64-byte boundary; growing keeps the contents.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  AlignedBytes(const AlignedBytes& other) { *this = other; }
  AlignedBytes& operator=(const AlignedBytes& other) {
    if (this == &other) return *this;
    grow(other.size_);
    if (other.size_ > 0) std::memcpy(data_.get(), other.data_.get(), other.size_);
    return *this;
  }
  uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }
  void grow(size_t size) {
    if (size <= size_) return;
    const size_t rounded = (size + 63) / 64 * 64;
    std::unique_ptr<uint8_t, void (*)(void*)> fresh(
        static_cast<uint8_t*>(std::aligned_alloc(64, rounded)), &std::free);
    if (size_ > 0) std::memcpy(fresh.get(), data_.get(), size_);
    std::memset(fresh.get() + size_, 0, rounded - size_);
    data_ = std::move(fresh);
    size_ = rounded;
  }

 private:
  std::unique_ptr<uint8_t, void (*)(void*)> data_{nullptr, &std::free};
  size_t size_ = 0;
};

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
  uint32_t live = 0;            // lanes that have not exited
  uint32_t first_mask = 0;      // lanes that exist
  uint32_t saved_mask = 0;      // running lanes before the current guard
  uint32_t sync_order = 0;      // __syncwarps so far
  uint32_t released = 0;        // lanes released from a reconvergence point ahead of others
  bool spins = false;           // the running path loops without changing state; see spin.h
  bool polls = false;           // all its paths are in loops that wait for other warps
  bool polled_barrier = false;  // in this slice, at a barrier in memory: see spin.h
  uint32_t polled_turns = 0;    // consecutive turns of its paths spent in such loops
  bool takes_turns = false;     // a path was found spinning: the paths take short turns
  int slice = 0;                // basic blocks left in this time slice
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
  bool arrives = false;                      // some of its lanes have executed a bar.arrive
  std::array<uint32_t, 16> arrived_lanes{};  // by barrier, until all lanes have
  std::shared_ptr<AsyncCopies> copies;       // cp.async not yet waited for; created on first use
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
void set_mask(Warp& warp, uint32_t mask);

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

struct BlockCount {
  uint64_t warps = 0;
  uint64_t lanes = 0;
};
using BlockCounts = PaddedVector<BlockCount>;  // indexed by basic block of the program

// One of a block's sixteen named barriers. PTX ISA §9.7.13 "bar, barrier".
struct Barrier {
  bool in_use = false;                   // a warp has arrived in this phase
  uint32_t expected_threads = 0;         // 0: every warp of the block that still runs
  uint32_t arrived_without_waiting = 0;  // threads, through bar.arrive
};

struct Block {
  Dim3 index;
  uint64_t linear = 0;
  std::vector<uint8_t> shared;                    // static, then dynamic
  SharedShadow shadow;                            // accesses to it since the last barrier
  BlockShadow global_shadow;                      // accesses to global memory since then
  std::vector<BulkCopy> bulk_copies;              // in flight
  std::shared_ptr<PendingCopies> pending_copies;  // cp.async; created on first use
  std::array<Barrier, 16> barriers;
  uint32_t arrived_at = 0;     // bit mask: barriers with arrivals since the last check
  uint32_t barrier_turns = 0;  // arrivals so far
  uint32_t live_threads = 0;
  bool failed = false;  // a finding ended the kernel
  // What other blocks have done may be ordered before what this block does from here on, since it
  // has read what they may have written: with an atomic or a strong load, or with a plain load
  // (has_loaded_stored) and a fence.
  bool may_follow_others = false;
  bool has_loaded_stored = false;

  // Orders everything its threads did so far before everything they do from here on.
  void pass_barrier() {
    shadow.pass_barrier();
    global_shadow.pass_barrier();
  }
};

// State of a launch that the emulation threads share: read-only or atomic. See launch_state.h.
struct Launch;

// Progress of a block's warps in taking turns.
struct Turns {
  uint32_t started = 0;   // warps that have started
  bool in_round = false;  // all have, and a round of turns is in progress
  size_t at = 0;          // of the round: index of the next warp in EmulationThread::running
  bool progress = false;  // of the round: a warp ran or a barrier opened
  bool waits = false;     // the block has to wait for other blocks
};

// One emulation thread.
struct alignas(kCacheLinePadding) EmulationThread {
  Launch* launch = nullptr;
  int index = 0;
  AccessSink* sink = nullptr;
  PathSink* path = nullptr;
  TextureSink* fetches = nullptr;
  WarpIdentity identity;
  WarpAccess access;                               // scratch of the memory handlers
  std::array<ptx::Space, kWarpSize> lane_space{};  // scratch: where each lane's address points
  // Scratch: lanes reading uninitialised local memory; undefined_values.h.
  uint32_t unwritten_local = 0;
  std::vector<const Region*> region_of_site;  // buffers and variables, which are permanent
  HeapRegions heap_regions;
  std::vector<Region> shared_of_site;
  std::vector<AddressPattern> pattern_of_site;
  BlockCounts counts;
  std::vector<uint8_t> tid;  // per warp of a block: tid.x, tid.y, tid.z as u32[32] each
  Block block;
  std::vector<std::unique_ptr<Warp>> pool;
  std::vector<std::unique_ptr<Warp>> running;
  std::vector<Hazard> hazards;             // scratch
  std::vector<BlockHazard> block_hazards;  // scratch
  std::vector<WarpHazard> warp_hazards;    // scratch
  std::shared_ptr<ColumnStores> columns;   // deferred stores; created on first use
  std::shared_ptr<RegisterFlows> flows;    // created on first use; checks/undefined_values.cc
  uint64_t counted_lanes = 0;              // thread instructions reported to the budget so far
  uint32_t rounds = 0;                     // of all warps, since the thread started
  uint64_t clock = 0;                      // value of %clock
  Turns turns;                             // of the running block
  uint64_t findings_noted = 0;             // including repetitions
  StepWatch* watch = nullptr;              // for one warp of the block
  uint32_t watched_warp = 0;

  struct FindingKey {
    FindingKind kind;
    int space;
    int access;
    int function;
    int instruction;
    auto operator<=>(const FindingKey&) const = default;
  };
  struct FoundOnce {
    Finding finding;
    uint64_t block = 0;
    uint32_t warp = 0;
    // Report the most severe; break ties by lowest block index, since threads steal blocks out of
    // order.
    bool gives_way_to(Severity severity, uint64_t other) const {
      return severity < finding.severity || (severity == finding.severity && other < block);
    }
  };
  std::map<FindingKey, FoundOnce> findings;
  PrintBuffer printed;
  uint64_t order_state = 0;    // random state of the turns' order; 0: not shuffled
  bool waits_in_turn = false;  // the block waits at its first ordered access; see state/turnstile.h
  bool may_suspend = false;    // other blocks can run while this one waits
  const SuspendedBlocks* suspended = nullptr;  // by this thread; see run/suspended_blocks.h
};

// Notes a finding for a lane of the running warp, or counts it if the same instruction has caused
// it before. Returns the stored finding the first time, and the first time it is more severe, so
// that the caller can fill in the details; otherwise nullptr.
Finding* note_finding(Warp& warp, const MicroOp* op, FindingKind kind, ptx::Space space,
                      std::string_view access, int lane, uint64_t times = 1,
                      Severity severity = Severity::kError);
ThreadPlace place_of_lane(const Warp& warp, int lane);
// Ends the kernel: every block stops before its next basic block.
void fail_launch(Warp& warp);

// The parts of the execution engine; each is a Handler or called by one.
namespace control {
const MicroOp* enter_block(Warp& warp, const MicroOp* op);
const MicroOp* enter_reconvergence_block(Warp& warp, const MicroOp* op);
const MicroOp* branch(Warp& warp, const MicroOp* op);
const MicroOp* branch_if(Warp& warp, const MicroOp* op);
const MicroOp* branch_indexed(Warp& warp, const MicroOp* op);
const MicroOp* guard(Warp& warp, const MicroOp* op);
const MicroOp* unguard(Warp& warp, const MicroOp* op);
const MicroOp* exit_lanes(Warp& warp, const MicroOp* op);
const MicroOp* exit_guarded(Warp& warp, const MicroOp* op);
const MicroOp* trap(Warp& warp, const MicroOp* op);
const MicroOp* barrier(Warp& warp, const MicroOp* op);
const MicroOp* barrier_result(Warp& warp, const MicroOp* op);
const MicroOp* call(Warp& warp, const MicroOp* op);
// a: u64, the pointer; imm: index of a CallSite with `sites`.
const MicroOp* call_indirect(Warp& warp, const MicroOp* op);
// d, a: u32 or u64 (flags: bytes of a lane); imm: alignment.
const MicroOp* alloca_bytes(Warp& warp, const MicroOp* op);
const MicroOp* stack_save(Warp& warp, const MicroOp* op);
const MicroOp* stack_restore(Warp& warp, const MicroOp* op);
// Saves the bytes taken so far in alloca_mark.
const MicroOp* alloca_enter(Warp& warp, const MicroOp* op);
void alloca_leave(Warp& warp);
const MicroOp* return_from_call(Warp& warp, const MicroOp* op);
// Flags of a barrier micro-op. The id is in `a` (kIdInRegister) or `imm`'s low half, the thread
// count in `b` (kCountInRegister) or imm's high half, the predicate of bar.red in `c`.
enum BarrierFlag : uint32_t {
  kPredicateNegated = 1u << 2,
  kIdInRegister = 1u << 8,
  kCountInRegister = 1u << 9,
  kArriveOnly = 1u << 10,
  kReduce = 1u << 11,
  kAnyLanes = 1u << 12,  // barrier.sync without .aligned: lanes may come one by one
};
enum class BarrierResult : uint32_t { kCount, kAll, kAny };  // MicroOp::flags of barrier_result
}  // namespace control

}  // namespace warpshop::emulator
