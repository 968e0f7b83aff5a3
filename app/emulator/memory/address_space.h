// The generic address space of a launch and the regions of global memory that a kernel may access.
//
//   0x0001'0000'0000'0000  shared window   (generic = window + byte in the block's shared memory)
//   0x0002'0000'0000'0000  local window    (generic = window + byte in the thread's local memory)
//   0x0003'0000'0000'0000  constant window
//   0x0004'0000'0000'0000  parameter window (kernel parameters)
//   0x0000'6000'0000'0000  variables of the module (.global)
//   0x0000'6400'0000'0000  workspace of a cooperative launch
//   0x0000'6800'0000'0000  malloc in kernels (heap.h)
//   0x0000'7000'0000'0000  allocations (memory.cc)
//
// Windows are above every address that a signed 32-bit offset can reach from an allocation. PTX ISA
// §5.1 requires such windows but leaves their addresses open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/memory.h"
#include "ptx/module.h"

namespace warpshop::emulator {

class GlobalShadow;

inline constexpr uint64_t kWindowMask = uint64_t{0xffff} << 48;
inline constexpr uint64_t kSharedWindow = uint64_t{1} << 48;
inline constexpr uint64_t kLocalWindow = uint64_t{2} << 48;
inline constexpr uint64_t kConstWindow = uint64_t{3} << 48;
inline constexpr uint64_t kParamWindow = uint64_t{4} << 48;
// In the shared window, separate from every block's own memory: shared memory reserved by the
// hardware for system software, of which cooperative groups use 288 bytes. PTX ISA §10
// "%reserved_smem_offset_…"; begin 0, end 288, cap 1024 and both numbered offsets 0 on an H200
// (driver 580), where the block's own memory starts at 1024.
inline constexpr uint64_t kReservedShared = uint64_t{1} << 24;
inline constexpr uint32_t kReservedSharedBytes = 288;
inline constexpr uint32_t kReservedSharedCap = 1024;
// Bits 25 to 29 of a shared address say whose memory it is: state/cluster.h.
inline constexpr uint64_t kModuleGlobals = uint64_t{0x6000} << 32;
inline constexpr uint64_t kGridWorkspace = uint64_t{0x6400} << 32;

// Start of a space's window among generic addresses; 0 for global memory.
constexpr uint64_t window_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::kShared:
      return kSharedWindow;
    case ptx::Space::kLocal:
      return kLocalWindow;
    case ptx::Space::kConst:
      return kConstWindow;
    case ptx::Space::kParam:
      return kParamWindow;
    default:
      return 0;
  }
}

// The space that a generic address points to.
constexpr ptx::Space space_of_window(uint64_t address) {
  switch (address & kWindowMask) {
    case kSharedWindow:
      return ptx::Space::kShared;
    case kLocalWindow:
      return ptx::Space::kLocal;
    case kConstWindow:
      return ptx::Space::kConst;
    case kParamWindow:
      return ptx::Space::kParam;
    default:
      return ptx::Space::kGlobal;
  }
}

// A range of addresses that a kernel may access.
struct Region {
  uint64_t base = 0;
  uint64_t size_bytes = 0;
  uint8_t* data = nullptr;
  uint8_t* written = nullptr;  // one flag per byte, 0: never written; nullptr: all written
  const char* name = "";
  uint32_t element_bytes = 0;      // as declared by the host; 0: unknown
  GlobalShadow* shadow = nullptr;  // for races between blocks; nullptr: not watched
  bool watch_warps = false;        // for races between the warps of a block
  // Deferred until the block's turn ends; never read sooner (column_stores.h).
  bool stores_may_wait = false;
};

inline bool holds(const Region& region, uint64_t address, uint64_t bytes) {
  const uint64_t offset = address - region.base;
  return offset <= region.size_bytes && region.size_bytes - offset >= bytes;
}

// Location of a module's variable, assigned by the decoder.
struct VariablePlace {
  ptx::Space space = ptx::Space::kGlobal;
  uint64_t offset = 0;  // address in its space: device address for .global, bytes for .const
};

}  // namespace warpshop::emulator
