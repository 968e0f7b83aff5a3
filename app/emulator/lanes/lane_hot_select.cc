// Handlers of unit Select; compiled once for each instruction set (see CMakeLists.txt).
#include "lanes/lane_loop.h"
#include "lanes/lane_ops.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::WARPSHOP_LANES {

#define LIST(...) __VA_ARGS__
#define ROW_Select(form, operation, dest, sources, pipe, anchor) \
  handler_of<operation, dest, LIST sources>(),
const Handler kSelect[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
