// Handlers of unit Approx.
#include "lane_once.h"
#include "lane_ops_approx.h"
#include "lane_tables.h"

namespace warpshop::emulator::lanes_base {

#define LIST(...) __VA_ARGS__
#define ROW_Approx(form, operation, dest, sources, pipe, anchor) \
  &once_handler<operation, dest, LIST sources>,
const Handler kApprox[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
