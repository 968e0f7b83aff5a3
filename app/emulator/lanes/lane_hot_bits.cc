// Handlers of unit Bits; compiled once for each instruction set (see CMakeLists.txt).
#include "lanes/lane_once.h"
#include "lanes/lane_ops_bits.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::WARPSHOP_LANES {
namespace {

// mov.b128: its register is an array of low halves followed by one of high halves.
const MicroOp* move_128(Warp& warp, const MicroOp* op) {
  for (const uint32_t half : {0u, 256u})
    store_lanes(warp, op->d + half, lanes_at<U64>(warp, op->a + half));
  return op + 1;
}

template <typename Op, typename D, typename... S>
constexpr Handler bits_handler() {
  if constexpr (requires { sizeof(D); })
    return handler_of<Op, D, S...>();
  else
    return &move_128;
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Bits(form, operation, dest, sources, pipe, anchor) \
  bits_handler<operation, dest, LIST sources>(),
const Handler kBits[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
