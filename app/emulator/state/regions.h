// The memory that an access is checked against, by the space that it is in.
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"
#include "ptx/module.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {

// The region of global memory that contains all of the bytes: a buffer, a variable, or a block of
// malloc. A copy, since another thread may free the block; valid for one access of the site.
std::optional<Region> region_of_global(EmulationThread& worker, uint32_t site, uint64_t address,
                                       uint64_t bytes);

// The region of any other space; for local memory it is lane 0's, and only its bounds are valid.
Region region_of_space(Warp& warp, const MicroOp* op, ptx::Space space);

// Determines the part of shared memory that each site may access; call it once the worker's block
// has its memory.
void find_shared_regions(EmulationThread& worker);

// True for an address in reserved shared memory, unless it is derived from one of the kernel's
// arrays.
inline bool is_reserved(const Launch& launch, uint32_t site, uint64_t address) {
  return launch.program->uses_reserved_shared && address - kReservedShared < kReservedSharedBytes &&
         !launch.program->site_bases[site].one_array;
}

inline Region reserved_region(EmulationThread& worker) {
  return {.base = kReservedShared,
          .size_bytes = kReservedSharedBytes,
          .data = worker.block.shared.data() + worker.launch->reserved_shared_at,
          .name = "shared memory"};
}

}  // namespace warpshop::emulator
