// The recorded accesses of a run in the order in which the scrubber plays them, each with its cost.
// Built once per result, off the window's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/access_cost.h"
#include "lab/run_result.h"
#include "models/bank_generations.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "models/transactions.h"

namespace warpshop::ui {

struct AccessEntry {
  size_t record = 0;    // index into KernelRun::records
  size_t part = 0;      // which of the requests that this access is issued as: 0, rarely 1
  int line = 0;         // the student's line; 0: unknown
  int within = 0;       // the line of the student's function that it calls; 0: in no such function
  bool shared = false;  // counts banks and wavefronts; else transactions and sectors
  emulator::AccessKind kind = emulator::AccessKind::kLoad;
  // Sectors, or wavefronts for shared memory; before
  // compute capability 5.0, pieces of 32 bytes, or passes.
  int cost = 0;
  int ideal = 0;
  int waste() const { return cost - ideal; }
};

// A warp's accesses: entries[first] to entries[first + count - 1], in program order.
struct WarpAccesses {
  emulator::WarpIdentity warp;
  size_t first = 0;
  size_t count = 0;
};

struct AccessIndex {
  std::vector<AccessEntry> entries;
  std::vector<WarpAccesses> warps;
  bool any_shared = false;

  const WarpAccesses& warp_of(size_t entry) const;
  // The first access with the greatest cost above its ideal; nullopt if there are no accesses.
  std::optional<size_t> worst() const;
  // The most expensive access of a line by the warp of `near`, else by any warp.
  std::optional<size_t> of_line(int line, std::optional<size_t> near) const;
  // A warp's access to global memory by its number, from 0, as counted by timing::MemoryTimeline;
  // nullopt if it is not recorded.
  std::optional<size_t> of_global(uint64_t block, uint32_t warp, uint32_t step) const;
  // The inverse of of_global; nullopt if the entry goes to shared memory.
  std::optional<uint32_t> global_step(size_t entry) const;
  // The same warp's nearest access in program order to shared memory, or to other memory; on a tie,
  // the earlier one. `entry` itself if it is of that kind; nullopt if the warp has none.
  std::optional<size_t> nearest(size_t entry, bool shared) const;
  // The same access in the warp `by` places further on (clamped).
  size_t in_other_warp(size_t entry, int by) const;
  // The access `by` places further on in the same warp (clamped).
  size_t in_same_warp(size_t entry, int by) const;
};

// Accesses to global and shared memory, as the back end issues them:
// one that it drops or merges into another has no entry, one that it
// splits has two. Costs follow the rules of the GPU's generation.
AccessIndex index_accesses(const lab::KernelRun& run, const models::GpuProfile& gpu);
// By the rules of compute capability 5.0 and newer.
AccessIndex index_accesses(const lab::KernelRun& run);

// Maps the selection in an older result to a newer one: the same warp and line, else the same place
// in the program, else the most expensive access.
std::optional<size_t> carry_selection(const AccessIndex& older, std::optional<size_t> selected,
                                      const AccessIndex& newer);

// The models' input for an entry.
models::WarpRequest request_of(const lab::KernelRun& run, const AccessEntry& entry);
const emulator::AccessSite& site_of(const lab::KernelRun& run, const AccessEntry& entry);

using lab::student_line;

}  // namespace warpshop::ui
