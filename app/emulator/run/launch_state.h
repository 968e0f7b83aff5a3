// What the emulation threads of one launch share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "memory/address_space.h"
#include "memory/heap.h"
#include "decode/decoded.h"
#include "emulator/launch.h"
#include "run/dealing.h"
#include "run/own_lines.h"
#include "run/turnstile.h"

namespace warpshop::emulator {

struct BoundTexture;   // texture/sampler.h

struct Launch {
  const DecodedProgram* program = nullptr;
  const LaunchConfig* config = nullptr;
  const LaunchOptions* options = nullptr;
  std::vector<uint8_t> params;          // the kernel's parameter block
  std::vector<Region> regions;          // ascending base
  // For each site the buffer that its address was made from: an access that lands in another is wrong although that
  // is there. nullptr: not known.
  std::vector<const Region*> home_of_site;
  std::vector<std::unique_ptr<GlobalShadow>> shadows;
  std::vector<BoundTexture> textures;   // by handle, from TextureMemory::kFirstHandle
  std::vector<uint8_t> globals;         // .global variables of the module
  // Of a cooperative launch, at kGridWorkspace: its size, and the word on which this_grid().sync() counts blocks
  // (cooperative_groups/details/driver_abi.h, sync.h).
  std::array<uint32_t, 2> grid_workspace{8, 0};
  std::optional<Heap> heap;             // of malloc
  uint32_t shared_bytes = 0;            // static + dynamic
  uint32_t reserved_shared_at = 0;      // in Block::shared, behind these: what is kept for the system, where it is used
  uint32_t warps_per_block = 0;
  uint32_t threads_per_block = 0;
  uint32_t local_stride = 0;            // bytes of local memory a thread
  uint32_t param_stride = 0;            // bytes of call frames a thread
  uint64_t total_blocks = 0;
  int slice_blocks = 0;                 // basic blocks that a warp runs before another takes its turn
  uint64_t start_ns = 0;
  std::atomic<bool> halt{false};        // a finding that ends the kernel, a budget, or the user
  std::atomic<bool> user_stopped{false};
  std::atomic<uint64_t> parked_blocks{0};   // that wait for others; see run/parking.h
  BlockDealing dealing;
  std::vector<uint8_t> in_turn;         // by site: those that wait at the turnstile; empty: none does
  Turnstile turnstile;
  // What follows changes all the time; what stands above is read all the time.
  alignas(kOwnLines) std::atomic<uint64_t> finished_blocks{0};
  std::atomic<uint64_t> lanes_executed{0};
  std::atomic<uint64_t> progress{0};        // turns of warps that did more than wait, while blocks were parked

  // The buffer or variable that holds `bytes` bytes at `address`; nullptr: none does. It stays for the whole launch.
  const Region* find(uint64_t address, uint64_t bytes) const;
  // The region nearest to an address, for messages; nullptr when there is none.
  const Region* nearest(uint64_t address) const;
};

}  // namespace warpshop::emulator
