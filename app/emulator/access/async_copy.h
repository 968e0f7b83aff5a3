// cp.async: copies from global to shared memory that become visible only when their thread waits
// for them. PTX ISA §9.7.9.25 "cp.async", "cp.async.commit_group", "cp.async.wait_group".
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "access/access_check.h"
#include "emulator/access.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct DecodedFunction;

// Copies that a warp's threads have started but not yet waited for. The source is read when the
// copy starts (the manual allows any time up to the wait); shared memory changes at the wait.
// Conflicting accesses between the two are reported (checks/copy_watch.h). A copy that is never
// waited for never arrives.
struct AsyncCopies {
  struct Copy {
    const MicroOp* op = nullptr;  // the cp.async, for findings and its site
    const DecodedFunction* function = nullptr;
    uint32_t lanes = 0;                      // lanes whose part has not arrived
    uint32_t watched = 0;                    // of these, the lanes recorded in PendingCopies
    std::array<uint64_t, kWarpSize> to{};    // shared address
    std::array<uint64_t, kWarpSize> from{};  // global address
    std::array<uint8_t, kWarpSize> from_bytes{};
    std::array<uint32_t, kWarpSize> group{};  // the copy's group, numbered per thread
    std::array<std::array<uint8_t, 16>, kWarpSize> bytes{};
  };
  // Warp objects are reused for other blocks: copies of another block's warp are dropped.
  uint64_t block = ~uint64_t{0};
  uint32_t warp = 0;
  std::vector<Copy> pending;                 // in the order of their start
  std::array<uint32_t, kWarpSize> groups{};  // committed by each thread so far
};

// The values that a copy writes when it arrives.
class CopiedValues final : public StoreValues {
 public:
  CopiedValues(const AsyncCopies::Copy& copy, size_t bytes) : copy_(copy), bytes_(bytes) {}
  void lane(int lane, uint8_t* to) const override {
    std::memcpy(to, copy_.bytes[static_cast<size_t>(lane)].data(), bytes_);
  }

 private:
  const AsyncCopies::Copy& copy_;
  size_t bytes_;
};

namespace async_copy {

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

}  // namespace async_copy
}  // namespace warpshop::emulator
