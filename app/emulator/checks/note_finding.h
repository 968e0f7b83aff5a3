// Findings of an emulation thread: the first one of an instruction is kept, repetitions are
// counted.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/finding.h"
#include "ptx/module.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

// Notes a finding for a lane of the running warp, or counts it if the same instruction has caused
// it before. Returns the stored finding the first time, and the first time it is more severe, so
// that the caller can fill in the details; otherwise nullptr.
Finding* note_finding(Warp& warp, const MicroOp* op, FindingKind kind, ptx::Space space,
                      std::string_view access, int lane, uint64_t times = 1,
                      Severity severity = Severity::kError);
// True if this emulation thread has noted the finding of the instruction before.
bool already_noted(const Warp& warp, const MicroOp* op, FindingKind kind, ptx::Space space,
                   std::string_view access);
ThreadPlace place_of_lane(const Warp& warp, int lane);

}  // namespace warpshop::emulator
