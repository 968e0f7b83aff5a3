#include "operations/fragment.h"

#include <bit>

#include "access/memory_ops.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::matrix {

const MicroOp* place_fragment(Warp& warp, const MicroOp* op) {
  const FragmentPlace& place = warp.worker->launch->program->fragment_places[op->imm];
  const uint32_t* stride = warp.reg<uint32_t>(op->b);
  uint64_t* to = warp.reg<uint64_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint64_t base = 0;
    if (op->a != kNoRegister) {
      base =
          (op->flags & kBase32) ? warp.reg<uint32_t>(op->a)[lane] : warp.reg<uint64_t>(op->a)[lane];
    }
    const uint64_t elements = static_cast<uint64_t>(place.line[lane]) * stride[lane] +
                              static_cast<uint64_t>(place.inside[lane]);
    to[lane] = base + place.offset_bytes + elements * static_cast<uint64_t>(place.bits) / 8;
  }
  return op + 1;
}

const MicroOp* pack_bytes(Warp& warp, const MicroOp* op) {
  const RegisterList& from = warp.worker->launch->program->lists[op->a];
  uint32_t* to = warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t word = 0;
    for (int byte = 0; byte < from.count; ++byte) {
      word |= (warp.reg<uint32_t>(from.offset[byte])[lane] & 0xffu) << (8 * byte);
    }
    to[lane] = word;
  }
  return op + 1;
}

}  // namespace warpshop::emulator::matrix
