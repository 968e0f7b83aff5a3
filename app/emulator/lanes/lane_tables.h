// Handler tables that the compiled units provide to lane_forms.cc: for each unit of
// ptx/instructions.def an array of handlers in the order of the unit's rows.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator {

#define WARPSHOP_HOT_TABLES(isa)       \
  namespace isa {                      \
  extern const Handler kInteger[];     \
  extern const Handler kFloat[];       \
  extern const Handler kSelect[];      \
  extern const Handler kFastConvert[]; \
  extern const Handler kBits[];        \
  extern const Handler kHalf[];        \
  }
WARPSHOP_HOT_TABLES(lanes_base)
#if defined(__x86_64__)
WARPSHOP_HOT_TABLES(lanes_avx2)
WARPSHOP_HOT_TABLES(lanes_avx512)
#endif
#undef WARPSHOP_HOT_TABLES

namespace lanes_base {
extern const Handler kCarry[];
extern const Handler kCompare[];
extern const Handler kRound[];
extern const Handler kApprox[];

// By width of the destination register (16, 32, 64) and of the source: null if PTX does not allow
// the form between such registers.
struct ConvertRow {
  Handler run[3][3];
};
extern const ConvertRow kConvert[];
}  // namespace lanes_base

}  // namespace warpshop::emulator
