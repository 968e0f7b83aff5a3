// Products and sums that the back end (ptxas) fuses into one operation: PTX ISA §9.7.3.3 and
// §9.7.3.5 allow it for `mul` and `add`/`sub` without a rounding modifier, and NVRTC leaves every
// `x − a·b` and `a·b − c·d` to it. The result is rounded once instead of twice, so its bits change.
// docs/models.md, "What the back end changes".
#pragma once

#include <map>

#include "analysis/cfg.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// Replaces an add or sub by ±(a·b) ± c.
struct Contraction {
  int product = -1;  // index of the mul, whose operands 1 and 2 are a and b
  int addend = 1;    // the operand of the add or sub that is c
  bool negate_product = false;
  bool negate_addend = false;
};

// Key: index of the add or sub. Rules, read from ptxas 13.0's output for sm_90
// (tests/emulator/contraction):
// - mul, add and sub have no rounding modifier and the same type and .ftz; mul has no .sat and no
//   guard.
// - Every use of the product, through mov and neg, is such an add or sub in the basic block of the
//   mul; in any block if a factor is a constant or a parameter of the kernel. IEEE 754 divisions,
//   square roots and reciprocals end a block, since they branch, and so do divisions of 64-bit
//   integers.
// - Of two products, the one with fewer uses is fused, otherwise the first; the other is then used
//   by a fused operation and stays a product. A product is also left alone while it shares any of
//   its sums with one that has fewer uses.
// Loops are analysed as written in the PTX: fusion across the iterations of loops that ptxas
// unrolls is not modelled.
std::map<int, Contraction> find_contractions(const ptx::Function& function,
                                             const ControlFlow& flow);

}  // namespace warpshop::emulator
