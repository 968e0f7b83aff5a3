// The origin of addresses: the shared or constant variable, or the kernel's pointer parameter, from
// which a register is derived. An access through a pointer to one array that lands in its neighbour
// is an error although both exist.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

struct Origin {
  enum class Kind : uint8_t {
    kNone,    // not derived from an address
    kShared,  // from one shared variable: `symbol`
    kConst,   // from one constant variable: `symbol`
    kParam,   // from the function's parameters `params`. One is the pointer, or it is unknown.
    kMixed,   // from several, or loaded from memory: unknown
  };
  Kind kind = Kind::kNone;
  ptx::Symbol symbol{};
  uint64_t params = 0;  // bit n: parameter n
  bool operator==(const Origin&) const = default;
};

// Indexed by register of the function.
std::vector<Origin> register_origins(const ptx::Module& module, const ptx::Function& function);

// Origin of the address operand of a memory instruction.
Origin origin_of_address(const ptx::Module& module, const ptx::Function& function,
                         const ptx::Operand& address, const std::vector<Origin>& registers);

}  // namespace warpshop::emulator
