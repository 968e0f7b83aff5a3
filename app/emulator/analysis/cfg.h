// Basic blocks of a function, and where diverged lanes reconverge.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

// A PTX instruction in the order of the decoded code. A guarded instruction that may block or call
// (`@p bar.sync`, `@p call`), or that has many targets (`@p brx.idx`), is preceded by a synthetic
// branch around it, so that the participating lanes form a path of their own.
struct CodeItem {
  int instruction = -1;      // index into ptx::Function::body
  bool skip_branch = false;  // synthetic: branch over the next item unless the guard holds
  bool unguarded = false;    // its guard has moved to the synthetic branch before it
};

struct BasicBlock {
  int first = 0;  // items [first, end)
  int end = 0;
  std::vector<int> successors;  // blocks; exit_block() for the end of the function
  int reconvergence = -1;       // immediate post-dominator; exit_block() if only at the end
  bool is_reconvergence_point = false;
};

struct ControlFlow {
  std::vector<CodeItem> items;
  std::vector<BasicBlock> blocks;
  std::vector<int> block_of_item;   // by item
  std::vector<int> block_of_label;  // by ptx label; exit_block() for one at the very end
  int exit_block() const { return static_cast<int>(blocks.size()); }
};

// Stack reconvergence at immediate post-dominators: Fung et al., "Dynamic Warp Formation and
// Scheduling for Efficient GPU Control Flow", MICRO 2007, section 3. Post-dominators by Cooper,
// Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
ControlFlow build_control_flow(const ptx::Function& function);

// Kinds of control transfer.
bool is_branch(const ptx::Instruction& i);    // bra, brx.idx
bool ends_thread(const ptx::Instruction& i);  // ret, exit, trap
bool is_call(const ptx::Instruction& i);

}  // namespace warpshop::emulator
