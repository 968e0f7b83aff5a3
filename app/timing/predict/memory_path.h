// The way of global accesses from the load/store unit of one SM through L1, its share of L2 and its share of DRAM.
// Each stage is a server: it knows when it is free next, so the time of the answer is known when the request is made.
//
// Stores pass through L1, too: what they write can be read there, and it waits a moment for other stores to the same
// sectors before it goes to L2. Measured on an H200 by the counters of labs/*/h200.csv: what a block has written and
// reads again is not asked of L2, and eight warps that write four bytes each of the same sectors at about the same time
// cost L2 one sector, not eight.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "predict/chip.h"
#include "predict/sharing.h"
#include "predict/trace.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

struct MemoryTotals {
  double l1_tags = 0;         // cycles that the tag stage was taken
  double l2_cycles = 0;       // that this SM's share of L2 was taken
  double slice_cycles = 0;    // that its share of the busiest slice was taken by lines that all SMs write
  double dram_cycles = 0;     // likewise DRAM
  double load_latency = 0;    // sum over lines
  double loads = 0;           // lines
  double byte_cycles = 0;     // bytes times the cycles that they were on their way
};

class MemoryPath {
 public:
  // `shared_bytes`: of the unified memory, what the resident blocks and the chosen carveout leave L1. `active_sms`
  // share L2 and DRAM.
  MemoryPath(const Chip& chip, Sharing& sharing, uint64_t l1_bytes, int active_sms);

  // When the load/store unit takes a further global access that becomes ready at `now`.
  double accepts(double now) const;
  // The cycle in which the last data is there. `copy`: of a block that plays again what another did; what it has for
  // itself lies elsewhere.
  double load(double now, const LineAccess* lines, size_t count, uint32_t wavefronts, uint32_t copy = 0,
              MemoryUse use = MemoryUse::kGlobalLoad);
  // `left`: the last part has left the load/store unit; `taken`: L2 has it all.
  struct Stored {
    double left = 0;
    double taken = 0;
  };
  Stored store(double now, const LineAccess* lines, size_t count, uint32_t copy = 0);
  // The cycle in which the old values are there. `returned`: somebody wants them.
  double atomic(double now, const LineAccess* lines, size_t count, uint32_t copy = 0, bool returned = true);
  // When all that was asked for is done.
  double drained() const;
  const MemoryTotals& totals() const { return totals_; }
  // This SM's part of what L1, L2 and DRAM move so far, and its hits; who asked how often is the simulation's to count.
  const MemoryFlow& flow() const { return flow_; }

 private:
  struct Line {
    uint64_t tag = ~uint64_t{0};
    uint8_t sectors = 0;
    double used = 0;
    double ready = 0;  // of the sectors that came last
    std::array<uint8_t, 4> written{};  // bytes of each sector that stores have put into it
  };
  // Stores to a line that wait for others to its sectors.
  struct Gathered {
    uint64_t tag = ~uint64_t{0};
    uint8_t sectors = 0;
    std::array<uint8_t, 4> bytes{};
    double leaves = 0;         // until then
    double charged = 0;        // of L2's time for it
  };
  Line* find(uint64_t line);
  Line& place(uint64_t line);
  uint64_t place_of(uint64_t line, uint32_t copy, bool loads) const;
  // Puts a store's part of a line into L1; returns L2's time for what does not join stores before it.
  double gather(double at, const LineAccess& access, uint64_t tag);
  double ask_l2(double at, double cost);
  // Of a line that may be one of few that all SMs write: its slice is the busiest one.
  double ask_slice(double at, uint64_t line, double cost);
  // DRAM's work for a sector that is written.
  void write_back(double start, uint64_t sector, uint32_t copy);
  void note_dram(const DramUse& use);
  double write_load(double at, double more);
  // DRAM's time for work of the given cost in dense units; more while it turns between reads and writes.
  double dram_time(double at, double cost);
  // Data of the sectors in `missing`; asks DRAM for what this SM is the one to ask for.
  double fetch(double at, uint64_t line, uint32_t missing, uint32_t copy);

  const Chip& chip_;
  Sharing& sharing_;
  double share_;  // of SMs: how much longer a stage of the chip takes for this one
  std::vector<Line> lines_;
  std::array<Gathered, 16> gathered_;
  size_t next_gathered_ = 0;
  size_t ways_ = 1;
  size_t sets_ = 1;
  double tag_free_ = 0;
  double l2_free_ = 0;
  double slice_free_ = 0;  // the busiest slice of L2
  double dram_free_ = 0;
  double port_free_ = 0;
  double last_store_ = 0;
  // Part of DRAM's time that goes into writes: a mean that forgets.
  double write_load_ = 0;
  double write_load_at_ = 0;
  MemoryTotals totals_;
  MemoryFlow flow_;
};

}  // namespace warpshop::timing
