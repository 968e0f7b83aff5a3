// A kernel's PTX as a back end of the chip's time would issue it, where no compiler of today makes its machine code:
// what each PTX instruction costs, what vanishes into another, and in which order a basic block is issued.
// docs/models.md, "Time on older GPUs", has the rules and their sources.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/program.h"
#include "predict/machine.h"

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
  uint8_t slots = 1;          // machine instructions; 0: it vanishes, and its result is there when its sources are
  int site = -1;              // of a memory access, or of a fetch (FetchSites)
  int operand_site = -1;      // of a load from shared memory that is an operand of this instruction
  int ptx_line = 0;
  std::vector<int> reads;     // registers; of functions that are called, behind the kernel's own
  std::vector<int> writes;
};

struct PtxCode {
  std::vector<PtxOp> ops;
  std::vector<std::pair<int, int>> blocks;  // by basic block of the program: first op, end
  int registers = 0;                        // PTX registers of all functions
  int live_registers = 0;                   // 32-bit registers that a thread needs at once
};

PtxCode make_ptx_code(const emulator::Program& program, const Machine& machine);

}  // namespace warpshop::timing
