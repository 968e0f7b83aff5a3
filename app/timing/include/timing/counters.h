// Structural counters of a launch, named as in the Nsight-based hardware truth, and the accesses
// they are counted from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "emulator/access.h"
#include "timing/contention.h"

namespace warpshop::timing {

struct Counters {
#define COUNTER(name, unit, meaning, metric) uint64_t name = 0;
#include "core/counters.def"
  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;

  // Of copies in bulk and tensor copies, in either direction.
  uint64_t bulk_sectors() const {
    return bulk_load_sectors + bulk_store_sectors + bulk_reduction_sectors;
  }
  // Distinct sectors that each access to global memory touches, copies in bulk included.
  uint64_t moved_sectors() const { return theoretical_sectors + bulk_sectors(); }
};

// One row per counter: its name in results and checks, its unit and its meaning.
struct CounterInfo {
  std::string_view name;
  std::string_view unit;     // "request", "sector", "wavefront", "instruction", "byte"
  std::string_view meaning;  // one sentence
  std::string_view nsight;   // the equivalent metric; empty for our own counters
  uint64_t Counters::*field;
};
const std::vector<CounterInfo>& counter_table();

// The cost of one memory instruction over the whole grid. `executions` and `lanes` count the PTX
// instruction; the rest counts what the back end issues for it, so that sites add up to the totals.
// A site merged into its neighbour's access has only the first two.
struct SiteCounters {
  uint64_t executions = 0;  // warp instructions
  uint64_t lanes = 0;       // active lanes, summed over executions
  uint64_t requests = 0;
  uint64_t sectors = 0;
  uint64_t sectors_ideal = 0;
  uint64_t wavefronts = 0;
  uint64_t wavefronts_ideal = 0;
  uint64_t bytes_used = 0;
  uint32_t worst_sectors = 0;  // of a single execution
  uint32_t worst_wavefronts = 0;
  SiteCounters& operator+=(const SiteCounters& other);  // maximum of the worst values, sum of the
                                                        // rest
};

// One recorded execution, for the maps.
struct RecordedAccess {
  emulator::WarpIdentity warp;
  emulator::WarpAccess access;
};

struct RecordSelection {
  std::vector<uint64_t> blocks = {0};  // linear indices of the blocks to record in full
  uint32_t max_records = 65536;        // per launch
};

// Counts every access of a launch on all emulation threads and records those of selected blocks.
// Pass it as LaunchOptions::accesses, launch, then read it. Each counter serves one launch.
class AccessCounter : public emulator::AccessSinkFactory {
 public:
  explicit AccessCounter(RecordSelection selection = {});
  ~AccessCounter() override;
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>& sites,
                                  int thread_index) override;
  Counters totals() const;
  std::vector<SiteCounters> by_site() const;
  // Without the words' names. Call it once, after the launch.
  LaunchContention contention() const;
  // Sorted by block, then warp, then program order.
  std::vector<RecordedAccess> records() const;
  bool records_truncated() const;

 private:
  class Sink;
  RecordSelection selection_;
  std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace warpshop::timing
