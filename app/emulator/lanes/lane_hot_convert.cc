// Handlers of unit FastConvert; compiled once for each instruction set (see CMakeLists.txt).
#include "lanes/lane_loop.h"
#include "lanes/lane_ops_convert.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::WARPSHOP_LANES {

#define LIST(...) __VA_ARGS__
#define ROW_FastConvert(form, operation, dest, sources, pipe, anchor) \
  handler_of<operation, dest, LIST sources>(),
const Handler kFastConvert[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
