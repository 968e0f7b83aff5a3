// Instructions of a launch by what they are, and how far a warp must wait for one before the next.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/launch.h"
#include "ptx/module.h"

namespace warpshop::timing {

// PTX instructions issued by warps, those of the kernel itself: functions that the compiler did not
// inline are left out. What each pipe runs: ptx::Pipe.
struct InstructionCounts {
  uint64_t alu_instructions = 0;
  uint64_t fma_instructions = 0;
  uint64_t fp64_instructions = 0;
  uint64_t special_instructions = 0;   // ptx::Pipe::kXu
  uint64_t software_instructions = 0;  // no unit: the back end writes a sequence for each
  uint64_t texture_instructions = 0;   // ptx::Pipe::kTex: fetches, surface loads and stores
  uint64_t conversion_instructions = 0;
  uint64_t branch_instructions = 0;  // bra, brx
  uint64_t barrier_instructions = 0;
  uint64_t dependent_steps = 0;
  uint64_t load_waits = 0;
  bool operator==(const InstructionCounts&) const = default;
};

// A row for each, as in counter_table().
struct InstructionCountInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  uint64_t InstructionCounts::*field;
};
const std::vector<InstructionCountInfo>& instruction_count_table();

// `counts`: by index in the function's body, LaunchResult::instructions.
//
// `dependent_steps`: in each run of a basic block its longest chain of instructions of which each
// needs the one before. Register copies are no step; chains from block to block are cut.
//
// `load_waits`: how often a warp cannot go on before a load from global memory has come. In a basic
// block, instructions move up over others that are waiting, as the back end moves them, except:
// what needs a value that has not come; a load over a store or atomic that waits (they may mean the
// same place), unless it is read-only (ld.global.nc); a store over a waiting access; anything that
// touches memory over a waiting barrier, fence or call. When nothing can move any more the warp
// waits, once, for all loads on the way. Loads that nobody needed in their block are still on the
// way in the next. Compared with SASS for four kernels: docs/models.md, "Waiting for loads".
InstructionCounts count_instructions(const ptx::Function& function,
                                     std::span<const emulator::InstructionCount> counts);

}  // namespace warpshop::timing
