// An emulation thread: the block that it runs, what it has found and counted, and its caches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emulator/access.h"
#include "emulator/finding.h"
#include "emulator/launch.h"
#include "memory/address_math.h"
#include "memory/address_space.h"
#include "memory/heap.h"
#include "ptx/module.h"
#include "shadows/global_shadow.h"
#include "state/block.h"
#include "state/cache_line_padding.h"
#include "state/print_buffer.h"
#include "state/warp.h"

namespace warpshop::emulator {

class ColumnStores;
class SuspendedBlocks;
class RegisterFlows;

struct BlockCount {
  uint64_t warps = 0;
  uint64_t lanes = 0;
};
using BlockCounts = PaddedVector<BlockCount>;  // indexed by basic block of the program

// State of a launch that the emulation threads share: read-only or atomic. See launch_state.h.
struct Launch;

// Progress of a block's warps in taking turns.
struct Turns {
  uint32_t started = 0;   // warps that have started
  bool in_round = false;  // all have, and a round of turns is in progress
  size_t at = 0;          // of the round: index of the next warp in EmulationThread::running
  bool progress = false;  // of the round: a warp ran or a barrier opened
  bool waits = false;     // the block has to wait for other blocks
  uint32_t waited = 0;    // how often it had to
  uint32_t gave_way = 0;  // how often it let other blocks run in the middle of its work
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
  // Scratch: lanes whose shared address is in another block of the cluster.
  uint32_t remote_lanes = 0;
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
  uint64_t busy_turns = 0;                 // of warps that did not only wait
  uint32_t rounds = 0;                     // of all warps, since the thread started
  uint64_t clock = 0;                      // value of %clock
  uint64_t longest_warp = 0;               // LaunchResult::longest_warp so far
  double squared_work = 0;                 // LaunchResult::squared_work so far
  uint64_t remote_requests = 0;            // LaunchResult::remote_requests so far
  // Reads of shared memory by warps of blocks with asynchronous copies; of these, by the groups of
  // copies in flight, reads with as many or more as the last index in the last.
  uint64_t shared_reads = 0;
  std::array<uint64_t, 9> reads_behind_groups{};
  uint32_t largest_group = 0;   // bytes of a thread's group of asynchronous copies, so far
  Turns turns;                  // of the running block
  uint64_t findings_noted = 0;  // including repetitions
  StepWatch* watch = nullptr;   // for one warp of the block
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

// Ends the kernel: every block stops before its next basic block.
void fail_launch(Warp& warp);

}  // namespace warpshop::emulator
