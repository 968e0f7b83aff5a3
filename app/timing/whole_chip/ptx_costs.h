// The cost of a single PTX instruction on older chips. Private to the prediction.
#pragma once

#include <vector>

#include "ptx/module.h"
#include "whole_chip/figures.h"

namespace warpshop::timing {

struct PtxCost {
  Unit unit = Unit::kInt;
  int slots = 1;  // machine instructions; 0: none
};

// The maximum number of significant bits per register, which allows cheaper multiplications of
// narrow values.
std::vector<int> value_bits(const ptx::Function& function);

// True for predicate logic, or a comparison that includes such logic.
bool is_predicate_logic(const ptx::Instruction& instruction);

// `shared_address`: the result is a shared-memory address, which has 32 bits. `bits`: from
// value_bits().
PtxCost cost_of(const ptx::Instruction& instruction, models::ComputeCapability capability,
                bool shared_address, const std::vector<int>& bits);

}  // namespace warpshop::timing
