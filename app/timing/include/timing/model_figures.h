// A launch's accesses evaluated by the rules of any GPU, not only the one it is shown for: for
// example, what a GTX 280 would have made of them. For labs about one generation.
//
// Over time, blocks are assumed to run in waves (as many as fit on the GPU at once) and to advance
// in lockstep within a wave: the k-th global accesses of all its warps meet at the partitions and
// banks. This is the worst case for camping, and close to what the lectures measured
// (docs/models.md, "Partitions").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "emulator/access.h"
#include "models/gpu_profile.h"
#include "models/partitions.h"

namespace warpshop::timing {

struct ModelFigures {
  uint64_t load_transactions = 0;  // global memory, by the GPU's coalescing rule
  uint64_t store_transactions = 0;
  uint64_t load_bytes = 0;  // moved by them
  uint64_t store_bytes = 0;
  uint64_t load_bursts = 0;  // DRAM bursts, without any cache
  uint64_t store_bursts = 0;
  uint64_t shared_passes = 0;  // loads, stores and atomics, by the GPU's banks
  uint64_t shared_parts = 0;   // passes needed without conflicts
  // Results over time. Absent: the launch makes more transactions than are kept.
  struct OverTime {
    double partition_slowdown = 1;  // models::PartitionLoad::slowdown
    double row_hit_pct = 100;       // bursts that hit an open DRAM row, 0 to 100
  };
  std::optional<OverTime> over_time;
};

// What one memory instruction of the kernel cost by these rules, over the whole grid.
struct ModelSite {
  uint64_t accesses = 0;      // of warps, as the back end issues them
  uint64_t transactions = 0;  // global memory
  uint64_t bytes = 0;         // moved by them
  uint64_t ideal_bytes = 0;   // models::TransactionCounts::ideal_bytes
  uint64_t passes = 0;        // shared memory
  uint64_t parts = 0;         // the passes that they would take without a conflict
  ModelSite& operator+=(const ModelSite& other);
};

// One row per figure, as in counter_table().
struct ModelFigureInfo {
  std::string_view name;  // "model.load_transactions"
  std::string_view unit;
  std::string_view meaning;
  std::optional<double> (*value)(const ModelFigures& figures);
};
const std::vector<ModelFigureInfo>& model_figure_table();

// Counts on all emulation threads. Each counter serves one launch.
class ModelCounter : public emulator::AccessSinkFactory {
 public:
  // `resident_blocks`: blocks per wave, on the whole GPU; 0 counts as 1. `max_records`:
  // transactions kept.
  ModelCounter(const models::GpuProfile& gpu, uint64_t resident_blocks,
               uint64_t max_records = 4'000'000);
  ~ModelCounter() override;
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>& sites,
                                  int thread_index) override;
  ModelFigures figures() const;
  std::vector<ModelSite> by_site() const;
  // Every transaction, sorted by time: the index of the access, continuing across waves. None:
  // there are more than are kept.
  std::optional<std::vector<models::MemoryRecord>> records() const;

 private:
  class Sink;
  models::GpuProfile gpu_;
  uint64_t resident_blocks_;
  uint64_t max_records_;
  std::vector<std::unique_ptr<Sink>> sinks_;
};

// Forwards every access to both.
class AccessTee : public emulator::AccessSinkFactory {
 public:
  AccessTee(emulator::AccessSinkFactory& first, emulator::AccessSinkFactory& second);
  ~AccessTee() override;
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>& sites,
                                  int thread_index) override;

 private:
  class Sink;
  emulator::AccessSinkFactory& first_;
  emulator::AccessSinkFactory& second_;
  std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace warpshop::timing
