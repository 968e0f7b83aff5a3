// What a launch moves between its kernel, the caches and DRAM: the boxes and arrows of a memory chart (Nsight Compute
// Kernel Profiling Guide, "Memory Chart"), as the prediction plays them. All of the whole grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "timing/counters.h"
#include "timing/model_figures.h"

namespace warpshop::timing {

// What a kernel's memory instructions are for. Reductions count as atomics.
enum class MemoryUse : uint8_t {
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kLocalLoad,
  kLocalStore,
  kTexture,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kCount,
};
inline constexpr size_t kMemoryUses = static_cast<size_t>(MemoryUse::kCount);

struct UseFlow {
  double requests = 0;    // memory instructions of warps, as the back end issues them
  // Of 32 bytes that the requests touch. Of atomics, each visit counts, as timing::Counters has it. Before compute capability
  // 6.0: bytes of the chip's transactions / 32. Shared memory: 0.
  double sectors = 0;
  double hits = 0;        // of them, that L1 had (the texture cache, where that is another); loads and fetches alone
  double wavefronts = 0;  // shared memory: passes through the banks
};

struct MemoryFlow {
  std::array<UseFlow, kMemoryUses> uses{};
  UseFlow& operator[](MemoryUse use) { return uses[static_cast<size_t>(use)]; }
  const UseFlow& operator[](MemoryUse use) const { return uses[static_cast<size_t>(use)]; }

  // Which caches the model has on this GPU.
  bool has_l1 = false;          // in front of global and local loads, and of fetches
  bool has_texture_l1 = false;  // of fetches alone
  bool has_texture_l2 = false;  // likewise; chips with an L2 for all have none
  bool has_l2 = false;

  // Between the SMs and what is behind them: L2, or DRAM where there is none.
  double read_bytes = 0;
  double write_bytes = 0;
  double atomic_bytes = 0;

  // Sectors that L2 looks up for loads and fetches, and those of them that it has not. Fewer than read_bytes / 32 where SMs that
  // lie together ask for the same data with one request.
  double l2_read_sectors = 0;
  double l2_read_misses = 0;
  double texture_l2_lookups = 0;  // lines
  double texture_l2_hits = 0;

  double dram_read_bytes = 0;  // of sectors that were written in part, too, which are filled up
  double dram_write_bytes = 0;

  double dram_bytes() const { return dram_read_bytes + dram_write_bytes; }
  double l2_bytes() const { return has_l2 ? read_bytes + write_bytes + atomic_bytes : 0; }
  // What L1 looks up and finds: global and local loads, and fetches.
  double l1_sectors() const;
  double l1_hits() const;
  std::optional<double> l1_hit_rate() const;  // 0 to 1; none: nothing is looked up
  std::optional<double> l2_hit_rate() const;  // of reads

  // What the instructions ask for, as it was counted over the whole grid, in the place of what blocks that were played stand for; the
  // caches keep their hit rates. `chip`: by the GPU's own rules, where it has such.
  void take_counted(const Counters& counters, const std::optional<ModelFigures>& chip);

  // The counts of both; the caches are those of either.
  MemoryFlow& operator+=(const MemoryFlow& other);
  MemoryFlow& operator*=(double factor);
};

}  // namespace warpshop::timing
