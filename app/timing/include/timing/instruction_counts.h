// Instruction counts of a launch by kind, and how often warps have to wait for results.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/launch.h"
#include "ptx/module.h"

namespace warpshop::timing {

// PTX instructions issued by warps. ptx::Pipe lists what each pipe runs.
struct InstructionCounts {
  uint64_t alu_instructions = 0;
  uint64_t fma_instructions = 0;
  uint64_t fp64_instructions = 0;
  uint64_t special_instructions = 0;   // ptx::Pipe::kXu
  uint64_t software_instructions = 0;  // no unit: the back end emits a sequence for each
  uint64_t texture_instructions = 0;   // ptx::Pipe::kTex: fetches, surface loads and stores
  uint64_t conversion_instructions = 0;
  uint64_t branch_instructions = 0;  // bra, brx
  uint64_t barrier_instructions = 0;
  uint64_t mbarrier_arrivals = 0;        // mbarrier.arrive, .arrive_drop
  uint64_t shuffle_instructions = 0;     // shfl
  uint64_t vote_instructions = 0;        // vote, match, redux, elect, activemask
  uint64_t tensor_instructions = 0;      // mma, wmma.mma, wgmma.mma_async
  uint64_t async_copy_instructions = 0;  // cp.async and cp.async.bulk, without commits and waits
  uint64_t copy_waits = 0;  // cp.async.wait_all and the like, tests of mbarrier objects
  uint64_t dependent_steps = 0;
  uint64_t load_waits = 0;
  bool operator==(const InstructionCounts&) const = default;
};

// One row per counter, as in counter_table().
struct InstructionCountInfo {
  std::string_view name;
  std::string_view unit;
  uint64_t InstructionCounts::*field;
  std::string_view meaning;
};
const std::vector<InstructionCountInfo>& instruction_count_table();
InstructionCounts& operator+=(InstructionCounts& sum, const InstructionCounts& more);

// `counts`: indexed like the function's body, LaunchResult::instructions.
//
// `dependent_steps`: the longest dependency chain in each execution of a basic block. Register
// copies do not count, and chains end at the block's boundaries. A load of shared or local memory,
// and a volatile or other strong one of global memory, needs the stores there before it.
//
// `load_waits`: how often a warp stalls on global loads. Within a basic block, instructions are
// hoisted above ones that are waiting, as the back end does, except for: instructions that need a
// value not yet loaded; loads above a waiting store or atomic (they may alias), unless read-only
// (ld.global.nc); stores above a waiting access; and any memory access above a waiting barrier,
// fence or call. When nothing more can be hoisted, the warp waits once for all loads in flight.
// Loads not needed within their block stay in flight in the next. Compared with SASS for four
// kernels: docs/models.md, "Waiting for loads".
//
// Counts one function, the kernel or one that it calls: their sum is the launch's.
InstructionCounts count_instructions(const ptx::Function& function,
                                     std::span<const emulator::InstructionCount> counts);

}  // namespace warpshop::timing
