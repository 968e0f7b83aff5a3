// A kernel's PTX as the back end of its time would have issued it, for chips that current compilers
// no longer support: the cost of each PTX instruction, which ones are folded into others, and the
// issue order within a basic block. docs/models.md, "Time on older GPUs", has the rules and their
// sources.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/program.h"
#include "whole_chip/figures.h"

namespace warpshop::timing {

struct PtxOp {
  enum class Kind : uint8_t {
    kArithmetic,
    kGlobalLoad,
    kGlobalStore,
    kGlobalAtomic,
    kShared,  // load, store, atomic
    kTexture,
    kBarrier,
  };
  Kind kind = Kind::kArithmetic;
  Unit unit = Unit::kNone;
  uint8_t slots = 1;      // machine instructions; 0: folded away, its result is ready when its
                          // sources are
  int site = -1;          // of a memory access or a fetch (FetchSites)
  int operand_site = -1;  // of a shared-memory load folded into this instruction as an operand
  int ptx_line = 0;
  std::vector<int> reads;  // registers; those of called functions follow the kernel's own
  std::vector<int> writes;
};

struct PtxCode {
  std::vector<PtxOp> ops;
  std::vector<std::pair<int, int>> blocks;  // by basic block of the program: first op, end
  int registers = 0;                        // PTX registers of all functions
};

PtxCode make_ptx_code(const emulator::Program& program, const WholeChipFigures& chip);

}  // namespace warpshop::timing
