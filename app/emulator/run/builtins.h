// Functions that the device runtime brings and the module only declares: vprintf, __assertfail, malloc, free.
// CUDA C++ Programming Guide, "Formatted Output", "Assertion".
#pragma once

#include <string_view>

#include "run/warp.h"

namespace warpshop::emulator {

enum class Builtin : int { kNone = -1, kPrintf, kAssertFail };

// kNone: not one of them.
Builtin find_builtin(std::string_view name);
// Bytes that the built-in reads of its argument number `index`, from 0.
uint64_t builtin_argument_bytes(std::string_view name, size_t index);

const MicroOp* call_builtin(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator
