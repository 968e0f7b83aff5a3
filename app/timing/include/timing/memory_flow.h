// Traffic between a kernel, the caches and DRAM as simulated by the prediction: the boxes and
// arrows of a memory chart (Nsight Compute Kernel Profiling Guide, "Memory Chart"). All numbers are
// for the whole grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "timing/counters.h"
#include "timing/model_figures.h"

namespace warpshop::timing {

// The purpose of a memory instruction. Reductions count as atomics.
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
  double requests = 0;  // warp-level memory instructions as issued by the back end
  // 32-byte sectors touched by the requests. For atomics, every visit counts, as in
  // timing::Counters. Before compute capability 6.0: bytes of the chip's transactions / 32. Shared
  // memory: 0.
  double sectors = 0;
  double hits = 0;        // sectors that hit in L1 (or in a separate texture cache); loads and
                          // fetches only
  double wavefronts = 0;  // shared memory: bank passes
};

struct MemoryFlow {
  std::array<UseFlow, kMemoryUses> uses{};
  UseFlow& operator[](MemoryUse use) { return uses[static_cast<size_t>(use)]; }
  const UseFlow& operator[](MemoryUse use) const { return uses[static_cast<size_t>(use)]; }

  // The caches that the model has for this GPU.
  bool has_l1 = false;          // for global and local loads, and fetches
  bool has_texture_l1 = false;  // for fetches only
  bool has_texture_l2 = false;  // likewise; absent on chips with a unified L2
  bool has_l2 = false;

  // Between the SMs and the next level: L2, or DRAM if there is no L2.
  double read_bytes = 0;
  double write_bytes = 0;
  double atomic_bytes = 0;

  // Sectors looked up in L2 for loads and fetches, and those that missed. Fewer than read_bytes /
  // 32 if neighbouring SMs share one request for the same data.
  double l2_read_sectors = 0;
  double l2_read_misses = 0;
  double texture_l2_lookups = 0;  // lines
  double texture_l2_hits = 0;

  double dram_read_bytes = 0;  // including sectors that were partly written and had to be filled
  double dram_write_bytes = 0;

  double dram_bytes() const { return dram_read_bytes + dram_write_bytes; }
  double l2_bytes() const { return has_l2 ? read_bytes + write_bytes + atomic_bytes : 0; }
  // L1 lookups and hits of global and local loads, and fetches.
  double l1_sectors() const;
  double l1_hits() const;
  std::optional<double> l1_hit_rate() const;  // 0 to 1; none: no lookups
  std::optional<double> l2_hit_rate() const;  // for reads

  // Replaces the requests that the played blocks stand for by those counted over the whole grid;
  // caches keep their hit rates. `chip`: counts by the rules of the GPU's own generation, if it has
  // any.
  void take_counted(const Counters& counters, const std::optional<ModelFigures>& chip);

  // Adds the counts; a cache exists if it exists in either.
  MemoryFlow& operator+=(const MemoryFlow& other);
  MemoryFlow& operator*=(double factor);
};

}  // namespace warpshop::timing
