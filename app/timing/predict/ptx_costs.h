// What one PTX instruction becomes on a chip of some time, seen alone. Private to the prediction.
#pragma once

#include <vector>

#include "predict/machine.h"
#include "ptx/module.h"

namespace warpshop::timing {

struct PtxCost {
  Unit unit = Unit::kInt;
  int slots = 1;  // machine instructions; 0: none
};

// How many bits a register's values have at most, by register: what a multiplication of narrow numbers may know.
std::vector<int> value_bits(const ptx::Function& function);

// Logic of predicates, or a comparison with such logic in it.
bool is_predicate_logic(const ptx::Instruction& instruction);

// `shared_address`: the result is an address of shared memory, which has 32 bits. `bits`: as value_bits() has them.
PtxCost cost_of(const ptx::Instruction& instruction, models::ComputeCapability capability, bool shared_address,
                const std::vector<int>& bits);

}  // namespace warpshop::timing
