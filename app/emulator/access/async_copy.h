// cp.async: copies from global to shared memory that become visible only when their thread waits
// for them. PTX ISA §9.7.9.25 "cp.async", "cp.async.commit_group", "cp.async.wait_group".
#pragma once

#include <cstddef>
#include <cstdint>

#include "state/copies_in_flight.h"
#include "state/micro_op.h"

namespace warpshop::emulator::async_copy {

// Maximum number of pending copies of a warp. Beyond it, the oldest arrives without a wait, which
// the manual allows, so that a loop without a wait does not exhaust the host's memory.
inline constexpr size_t kMostPending = 4096;

// cp.async: a source address register, imm source offset, flags as of a load, site that of the
// read. The next op is the write: a, imm, flags, site of shared memory, b: a 64-bit register of its
// own. b: register with the number of bytes to read (kNoRegister: all); c: ignore predicate
// (kNoRegister: none); e: bytes to write.
const MicroOp* start(Warp& warp, const MicroOp* op);
// Follows it and holds the place of the write; does nothing when executed.
const MicroOp* place(Warp& warp, const MicroOp* op);
const MicroOp* commit_group(Warp& warp, const MicroOp* op);
// imm: groups that may stay pending; kWaitForAll: waits also for copies in no group. a: a 64-bit
// register of this instruction's own.
const MicroOp* wait_group(Warp& warp, const MicroOp* op);
inline constexpr uint64_t kWaitForAll = ~uint64_t{0};

enum CopyFlag : uint32_t { kIgnoreNegated = 1u << 2 };

}  // namespace warpshop::emulator::async_copy
