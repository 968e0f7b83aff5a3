// The state that the emulation threads of one launch share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/launch.h"
#include "memory/address_space.h"
#include "memory/heap.h"
#include "shadows/global_shadow.h"
#include "shadows/grid_shadow.h"
#include "state/block_scheduler.h"
#include "state/cache_line_padding.h"
#include "state/decoded.h"
#include "state/stores_in_flight.h"
#include "state/turnstile.h"

namespace warpshop::emulator {

struct BoundTexture;  // texture/sampler.h

struct Launch {
  const DecodedProgram* program = nullptr;
  const LaunchConfig* config = nullptr;
  const LaunchOptions* options = nullptr;
  std::vector<uint8_t> params;  // the kernel's parameter block
  std::vector<Region> regions;  // ascending base
  // For each site the buffer from which its address is derived: an access that lands in another
  // buffer is wrong even though that memory exists. nullptr: unknown.
  std::vector<const Region*> base_of_site;
  std::vector<std::unique_ptr<GlobalShadow>> shadows;
  std::unique_ptr<GridShadow> grid_shadow;  // of a kernel that orders its blocks; nullptr: none
  std::vector<BoundTexture> textures;       // by handle, from TextureMemory::kFirstHandle
  std::vector<uint8_t> globals;             // .global variables of the module
  // Of a cooperative launch, at kGridWorkspace: its size, and the word in which this_grid().sync()
  // counts blocks (cooperative_groups/details/driver_abi.h, sync.h).
  std::array<uint32_t, 2> grid_workspace{8, 0};
  std::optional<Heap> heap;         // of malloc
  uint32_t shared_bytes = 0;        // static + dynamic
  uint32_t reserved_shared_at = 0;  // offset in Block::shared of the system's part, if it is used
  uint32_t warps_per_block = 0;
  uint32_t threads_per_block = 0;
  uint32_t local_stride = 0;  // bytes of local memory per thread
  uint32_t param_stride = 0;  // bytes of call frames per thread
  uint64_t total_blocks = 0;
  int emulation_threads = 1;
  Dim3 grid;                      // blocks; of some kernels, config's counts clusters
  Dim3 cluster;                   // blocks per cluster
  bool explicit_cluster = false;  // the launch or the kernel asks for clusters
  bool in_clusters = false;       // the blocks of a cluster run together: run/cluster_run.h
  uint64_t positions = 0;         // that the scheduler hands out: blocks, or clusters
  int slice_blocks = 0;           // basic blocks in a warp's time slice
  std::atomic<bool> halt{false};  // set by a fatal finding, a budget, or the user
  std::atomic<bool> user_stopped{false};
  std::atomic<bool> blocks_raced{false};      // LaunchOptions::ends_at_block_races
  std::atomic<uint64_t> suspended_blocks{0};  // see run/suspended_blocks.h
  BlockScheduler scheduler;
  std::vector<uint8_t> in_turn;  // per site: 1 if ordered by the turnstile; empty: none is
  Turnstile turnstile;
  StoresInFlight stores;
  // Written all the time, unlike the members above, which are read all the time.
  alignas(kCacheLinePadding) std::atomic<uint64_t> finished_blocks{0};
  std::atomic<uint64_t> lanes_executed{0};
  // Turns in which a warp did more than wait, while blocks are suspended.
  std::atomic<uint64_t> progress{0};

  // The number of a block in its cluster. PTX ISA §10 "%cluster_ctarank".
  uint32_t rank_of(const Dim3& block) const {
    return block.x % cluster.x +
           cluster.x * (block.y % cluster.y + cluster.y * (block.z % cluster.z));
  }

  // The buffer or variable that holds `bytes` bytes at `address`, for the whole launch; nullptr:
  // none.
  const Region* find(uint64_t address, uint64_t bytes) const;
  // The region nearest to an address, for messages; nullptr if there is none.
  const Region* nearest(uint64_t address) const;
};

}  // namespace warpshop::emulator
