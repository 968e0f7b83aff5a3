// One record per executed warp memory instruction, passed to an AccessSink.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/sentence.h"
#include "ptx/module.h"

namespace warpshop::emulator {

inline constexpr int kWarpSize = 32;

enum class AccessKind : uint8_t {
  kLoad,
  kStore,
  kAtomic,     // returns the old value
  kReduction,  // red, or an atomic whose result is unused: the back end turns it into a red
};

// The unit that makes an access. Only kOrdinary is counted as loads, stores and atomics; a
// cp.async counts as a global load.
enum class AccessPath : uint8_t {
  kOrdinary,
  kMatrix,     // ldmatrix, stmatrix, and the parts of wmma.load that become one
  kAsyncCopy,  // cp.async
  kBulk,       // the copy engine: cp.async.bulk, cp.reduce.async.bulk, tensor copies
  kProduct,    // wgmma.mma_async
  kBarrier,    // an mbarrier object: no counter of memory has these
};

// A memory instruction of the decoded kernel: the part of an access that is the same every time.
struct AccessSite {
  int instruction = 0;                     // index into ptx::Function::body (of `function`)
  int function = 0;                        // index into ptx::Module::functions
  ptx::Space space = ptx::Space::kGlobal;  // as written; kGeneric is resolved for each access
  AccessKind kind = AccessKind::kLoad;
  AccessPath path = AccessPath::kOrdinary;
  uint8_t element_bytes = 4;  // one element of the access
  uint8_t elements = 1;       // 2 for .v2, 4 for .v4
  uint8_t width_bytes() const { return static_cast<uint8_t>(element_bytes * elements); }
  bool read_only = false;  // ld.global.nc, ldu, constant
  int ptx_line = 0;
  ptx::SourceLine source;
  std::string text;  // the PTX instruction as written
  // The shared or constant variable (by its CUDA name) or the pointer parameter (by its index) from
  // which the address is derived. Empty and -1: neither, several, or unknown.
  std::string array;
  int param = -1;

  // How the back end issues this access (SASS) where that differs from the PTX: neighbouring shared
  // loads of one basic block at a constant distance become one 8- or 16-byte load. The group is
  // issued once, when its leader executes: `issued_bytes` wide, starting `issued_offset` bytes from
  // the leader's address. A follower (`leader` is another site) issues nothing.
  int leader = -1;       // index of the site that issues for this one; -1: issues itself
  int issued_bytes = 0;  // 0: width_bytes()
  int issued_offset = 0;
  int second_bytes = 0;  // second access of the instruction (two words of a vector); 0: none
  int second_offset = 0;
  bool dropped = false;   // removed by the back end: its result is unused
  bool elected = false;   // integer atomic by the whole warp on one address: the back end
                          // combines the lanes' values and one lane performs it
  Sentence backend_note;  // the reason, for students; empty if PTX and SASS agree
};

// One execution of a site by one warp.
struct WarpAccess {
  uint32_t site = 0;
  ptx::Space space = ptx::Space::kGlobal;  // never kGeneric
  uint32_t active_mask = 0;                // lanes that took part
  // The active lanes and the distances between their addresses are those of the site's previous
  // access reported to this sink, so results that depend only on them can be reused.
  bool same_pattern = false;
  // Per lane. Global: device address. Shared: bytes from the start of the block's shared memory.
  // Local: bytes from the start of the thread's own local memory. Meaningless for inactive lanes.
  std::array<uint64_t, kWarpSize> address{};
};

// Identifies a warp of the grid.
struct WarpIdentity {
  Dim3 block;                 // blockIdx
  uint64_t linear_block = 0;  // x + y * grid.x + z * grid.x * grid.y
  uint32_t warp = 0;          // warp of the block
};

// Receives accesses. Each emulation thread has its own sink (see AccessSinkFactory), so no locking
// is needed; a warp's accesses arrive in program order.
class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void on_access(const WarpIdentity& warp, const AccessSite& site,
                         const WarpAccess& access) = 0;
  // A cp.async starts. `from`: the lanes that read, `to`: those that write; `some_bytes`: a lane
  // reads a part of its bytes, and the rest is filled with zeros.
  virtual void on_copy(const WarpIdentity& warp, const std::vector<AccessSite>& sites,
                       const WarpAccess& from, const WarpAccess& to, bool /*some_bytes*/) {
    if (from.active_mask != 0) on_access(warp, sites[from.site], from);
    if (to.active_mask != 0) on_access(warp, sites[to.site], to);
  }
  // So many sectors of a tensor copy's box lie outside the tensor: they arrive as zeros.
  virtual void on_box_outside(uint32_t /*site*/, uint32_t /*sectors*/) {}
  // A warp's wgmma.mma_async reads this many bytes of shared memory, its part of the factors.
  virtual void on_product_read(uint32_t /*site*/, uint32_t /*bytes*/) {}
  // No more accesses of this block will arrive. Not called for blocks that a launch abandons.
  virtual void on_block_end(uint64_t /*linear_block*/) {}
};

// Called once for each emulation thread before the first block, on the launching thread.
class AccessSinkFactory {
 public:
  virtual ~AccessSinkFactory() = default;
  virtual AccessSink* make_sink(const std::vector<AccessSite>& sites, int thread_index) = 0;
};

}  // namespace warpshop::emulator
