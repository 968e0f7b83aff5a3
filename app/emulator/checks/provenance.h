// Where addresses come from: which shared or constant variable, or which pointer parameter of the kernel, a register was made
// from. An access through a pointer to one array that lands in its neighbour is an error although both are there.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

struct Origin {
  enum class Kind : uint8_t {
    kNone,       // no address went into it
    kShared,     // of one shared variable: `symbol`
    kConst,      // of one constant variable: `symbol`
    kParam,      // of parameters of the function: `params`. One is the pointer, or the address is not known.
    kMixed,      // of several, or loaded from memory: anything
  };
  Kind kind = Kind::kNone;
  ptx::Symbol symbol{};
  uint64_t params = 0;   // bit n: parameter n
  bool operator==(const Origin&) const = default;
};

// For each register of the function.
std::vector<Origin> register_origins(const ptx::Module& module, const ptx::Function& function);

// Of the address operand of a memory instruction.
Origin origin_of_address(const ptx::Module& module, const ptx::Function& function, const ptx::Operand& address,
                         const std::vector<Origin>& registers);

}  // namespace warpshop::emulator
