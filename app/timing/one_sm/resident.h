// What the simulated SM holds: resident blocks with their warps, and its four schedulers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "one_sm/copy_groups.h"
#include "one_sm/machine_code.h"
#include "one_sm/trace.h"

namespace warpshop::timing {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct Range {
  int first = 0;
  int end = 0;
};

struct Block;

using Code = std::vector<Range>;

struct Warp {
  // Schedulers look at these of all their warps in each cycle: they lie together.
  double needs = 0;  // end of all dependency barriers waited for
  bool at_barrier = false;
  bool done = false;
  WarpState why = WarpState::kWait;
  int pc = 0;
  int range_end = 0;  // of the range that it is in; 0: none yet
  double ready = 0;   // end of the fixed delay
  double barrier_until = 0;
  double last_issue = 0;
  size_t range = 0;
  const WarpTrace* trace = nullptr;
  Block* block = nullptr;
  std::shared_ptr<const Code> code;
  uint32_t copy = 0;               // of the trace
  std::vector<uint32_t> next_op;   // by site
  const MemoryOp* loop = nullptr;  // the atomic whose loop it runs, at that site
  int loop_site = -1;
  int loop_rounds = 0;  // that are left after this one
  std::array<double, 6> slot{};
  std::array<bool, 6> slot_long{};
  CopyGroups copies;
  CopyGroups products;  // of warpgroups
  int timeline = -1;
};

// A phase of an mbarrier object.
struct Phase {
  uint32_t left = 0;  // arrivals and copies that it waits for
  double complete = 0;
  struct Waiter {
    Warp* warp = nullptr;
    uint8_t slot = 0;
    double since = 0;
    int ptx_line = 0;
  };
  std::vector<Waiter> waiting;
};

struct Block {
  std::vector<Warp> warps;
  std::vector<Phase> phases;
  uint32_t live = 0;
  uint32_t arrived = 0;
  double start = 0;
  double stays = 0;  // resident until its stores are taken and its copies have arrived
};

struct Scheduler {
  std::vector<Warp*> warps;
  std::array<double, static_cast<size_t>(MachinePipe::kCount)> pipe_free{};
  std::array<double, static_cast<size_t>(MachinePipe::kCount)>
      pipe_since{};                   // when it was last idle
  std::array<double, 2> port_free{};  // of the register file's banks
  double shared_free = 0;             // when it can receive more from shared memory
  double free = 0;
  double next = kNever;  // time of its next issue
  Warp* chosen = nullptr;
  Warp* last = nullptr;  // issued most recently
  bool stale = true;
};

}  // namespace warpshop::timing
