// Follows a warp through its machine code and the accesses of its trace.
#pragma once

#include <memory>
#include <unordered_map>

#include "one_sm/code_map.h"
#include "one_sm/resident.h"
#include "one_sm/trace.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

class Follow {
 public:
  // Counts the requests that warps make into `flow`.
  Follow(const CodeMap& code, const Trace& trace, MemoryFlow& flow)
      : code_(code), trace_(trace), flow_(flow) {}

  // A warp's instructions, shared by all copies running at the same time.
  std::shared_ptr<const Code> code_of(const WarpTrace& trace);
  // Skips empty ranges; done after the last one.
  static void settle_place(Warp& w);
  // At a backward branch: does an atomic's loop go round once more? The trace has the atomic only
  // once, with its number of rounds.
  static bool goes_round(Warp& w, const MachineOp& op);
  // What the warp's current instruction accesses; null: it is predicated off.
  const MemoryOp* next(Warp& w);
  // Likewise where its copy stores.
  const MemoryOp* next_target(Warp& w);

 private:
  const MemoryOp* next_at_site(Warp& w, int site);
  // The memory model counts what L1 and L2 make of a request.
  void count(const MemoryOp& op);

  const CodeMap& code_;
  const Trace& trace_;
  MemoryFlow& flow_;
  std::unordered_map<const WarpTrace*, std::weak_ptr<const Code>> codes_;
};

}  // namespace warpshop::timing
