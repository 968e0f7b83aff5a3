#include "state/guard.h"

#include "state/warp.h"

namespace warpshop::emulator::control {

const MicroOp* guard(Warp& warp, const MicroOp* op) {
  uint32_t predicate = *warp.reg<uint32_t>(op->a);
  if (op->flags & 1u) predicate = ~predicate;
  const uint32_t lanes = warp.mask & predicate;
  if (lanes == 0) return op + op->imm;
  warp.saved_mask = warp.mask;
  if (lanes != warp.mask) set_mask(warp, lanes);
  return op + 1;
}

const MicroOp* unguard(Warp& warp, const MicroOp* op) {
  if (warp.mask != warp.saved_mask) set_mask(warp, warp.saved_mask);
  return op + 1;
}

}  // namespace warpshop::emulator::control
