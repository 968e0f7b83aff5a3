// What the emulator tells of memory: one record for each warp memory instruction it executes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

inline constexpr int kWarpSize = 32;

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

enum class AccessKind : uint8_t {
  kLoad,
  kStore,
  kAtomic,     // returns the old value
  kReduction,  // red, or an atomic whose result nobody reads: the back end turns it into one
};

// A memory instruction of the decoded kernel: everything about an access that is the same each time.
struct AccessSite {
  int instruction = 0;         // index into ptx::Function::body (of `function`)
  int function = 0;            // index into ptx::Module::functions
  ptx::Space space = ptx::Space::kGlobal;  // as written; kGeneric is resolved for each access
  AccessKind kind = AccessKind::kLoad;
  uint8_t element_bytes = 4;   // one element of the access
  uint8_t elements = 1;        // 2 for .v2, 4 for .v4
  uint8_t width_bytes() const { return static_cast<uint8_t>(element_bytes * elements); }
  bool read_only = false;      // ld.global.nc, ldu, constant
  int ptx_line = 0;
  ptx::SourceLine source;
  std::string text;            // the PTX instruction as written
  // Where the address comes from: the shared or constant variable by its name in the CUDA text, or the kernel's pointer
  // parameter by its place in the list. Empty and -1: neither, several, or not known.
  std::string array;
  int param = -1;

  // How the back end issues this access (SASS), where that differs from the PTX: neighbouring shared
  // loads of one basic block at constant distance become one 8- or 16-byte load. The group is issued
  // once, with the leader's execution: `issued_bytes` wide, starting `issued_offset` bytes from the
  // leader's own address. A follower (`leader` is another site) issues nothing.
  int leader = -1;             // index of the site that issues for this one; -1: issues itself
  int issued_bytes = 0;        // 0: width_bytes()
  int issued_offset = 0;
  int second_bytes = 0;        // a second access of the same instruction (two separate words of a vector); 0: none
  int second_offset = 0;
  bool dropped = false;        // the back end removes it: nobody uses the result
  bool elected = false;        // integer atomic on one address for the whole warp: the back end combines
                               // the lanes' values and lets one lane do it
  std::string backend_note;    // why, for people; empty when PTX and SASS agree
};

// One execution of a site by one warp.
struct WarpAccess {
  uint32_t site = 0;
  ptx::Space space = ptx::Space::kGlobal;  // never kGeneric
  uint32_t active_mask = 0;    // lanes that took part
  // The lanes and the distances between their addresses are those of the site's access before this one, as told to
  // the same sink: what depends on them alone need not be worked out again.
  bool same_pattern = false;
  // Per lane. Global: device address. Shared: bytes from the start of the block's shared memory.
  // Local: bytes from the start of the thread's own local memory. Meaningless for inactive lanes.
  std::array<uint64_t, kWarpSize> address{};
};

// Which warp of the grid is speaking.
struct WarpIdentity {
  Dim3 block;                  // blockIdx
  uint64_t linear_block = 0;   // x + y * grid.x + z * grid.x * grid.y
  uint32_t warp = 0;           // warp of the block
};

// Receives accesses. Each emulation thread has one of its own (see AccessSinkFactory), so that no
// locking is needed; a warp's accesses arrive in its program order.
class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void on_access(const WarpIdentity& warp, const AccessSite& site, const WarpAccess& access) = 0;
};

// Called once for each emulation thread before the first block, on the launching thread.
class AccessSinkFactory {
 public:
  virtual ~AccessSinkFactory() = default;
  virtual AccessSink* make_sink(const std::vector<AccessSite>& sites, int thread_index) = 0;
};

}  // namespace warpshop::emulator
