// Functions that the device runtime provides and the module only declares: vprintf, __assertfail,
// malloc, free. CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
// Allocation and Operations".
#pragma once

#include <string_view>

#include "state/warp.h"

namespace warpshop::emulator {

enum class Builtin : int { kNone = -1, kPrintf, kAssertFail, kMalloc, kFree };

// kNone: not a built-in.
Builtin find_builtin(std::string_view name);
// Size of the built-in's argument `index` (from 0).
uint64_t builtin_argument_bytes(std::string_view name, size_t index);
uint64_t builtin_result_bytes(std::string_view name);
// malloc and free (operations/heap_calls.cc).
void call_malloc(Warp& warp, const MicroOp* op, const CallSite& site);
void call_free(Warp& warp, const MicroOp* op, const CallSite& site);
// The first `bytes` bytes of a lane's argument; the place for its result. Zero and nullptr: the
// call has none.
uint64_t builtin_argument(Warp& warp, const CallSite& site, int lane, size_t index, int bytes);
uint8_t* builtin_result(Warp& warp, const CallSite& site, int lane);

const MicroOp* call_builtin(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator
