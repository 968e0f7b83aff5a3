// Products and sums that the back end (ptxas) makes one fused operation: PTX ISA §9.7.3.3 and §9.7.3.5 allow it for
// `mul` and `add`/`sub` without a rounding modifier, and NVRTC leaves every `x − a·b` and `a·b − c·d` to it. The
// result is rounded once instead of twice, so it changes bits. docs/models.md, "What the back end changes".
#pragma once

#include <map>

#include "decode/cfg.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// ±(a·b) ± c in place of an add or sub.
struct Contraction {
  int product = -1;        // index of the mul, whose operands 1 and 2 are a and b
  int addend = 1;          // which operand of the add or sub is c
  bool negate_product = false;
  bool negate_addend = false;
};

// By index of the add or sub. Rules, read from what ptxas 13.0 makes of PTX for sm_90 (tests/emulator/contraction):
// - mul, add and sub without rounding modifier, of one type and .ftz; mul without .sat and without guard.
// - Every use of the product, through mov and neg, is such an add or sub, in the basic block of the mul; in any block
//   where a factor is a constant or a parameter of the kernel. Divisions, square roots and reciprocals that are rounded as
//   IEEE 754 says end a block, as they branch, and so do divisions of 64-bit integers.
// - Of two products the one with fewer uses is fused, else the first; the other is then used by a fused operation and
//   stays a product. A product is left alone, too, while it meets one with fewer uses in any of its sums.
// Loops are looked at as the PTX has them: what ptxas fuses across the turns of a loop that it unrolls is not seen.
std::map<int, Contraction> find_contractions(const ptx::Function& function, const ControlFlow& flow);

}  // namespace warpshop::emulator
