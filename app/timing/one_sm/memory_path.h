// The path of global accesses from one SM's load/store unit through L1 and the SM's shares of L2
// and DRAM. Each stage is a server that knows when it is next free, so the completion time is known
// when the request is made.
//
// Stores go through L1 as well: loads can read the written bytes there, and a store waits briefly
// so that others to the same sectors can join it on the way to L2. Measured on an H200 by the
// counters of labs/*/h200.csv: data that a block has written and reads again is not requested from
// L2, and eight warps that write four bytes each to the same sectors at about the same time cost L2
// one sector, not eight.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "one_sm/figures.h"
#include "one_sm/sharing.h"
#include "one_sm/trace.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

struct MemoryTotals {
  double l1_tags = 0;       // cycles the tag stage was busy
  double l2_cycles = 0;     // cycles this SM's share of L2 was busy
  double slice_cycles = 0;  // cycles its share of the busiest slice was busy with lines that all
                            // SMs write
  double dram_cycles = 0;   // cycles its share of DRAM was busy
  double load_latency = 0;  // summed over lines
  double loads = 0;         // lines
  double byte_cycles = 0;   // bytes × cycles in flight
};

class MemoryPath {
 public:
  // `l1_bytes`: the part of the unified memory left to L1 by the chosen shared-memory carveout.
  // `active_sms` share L2 and DRAM.
  MemoryPath(const OneSmFigures& chip, Sharing& sharing, uint64_t l1_bytes, int active_sms);

  // When the load/store unit accepts another global access that becomes ready at `now`.
  double accepts(double now) const;
  // Returns the cycle in which the last data arrives. `copy`: number of a block that replays
  // another one's trace; its private data has other addresses. `bypass`: L1 is neither asked nor
  // filled.
  double load(double now, const AccessedLines& lines, uint32_t wavefronts, uint32_t copy = 0,
              MemoryUse use = MemoryUse::kGlobalLoad, bool bypass = false);
  // More sectors of the lines of the load just made, which L2 delivers again.
  void load_again(double now, int sectors);
  // A copy in bulk into shared memory, which passes neither the load/store unit nor L1: when its
  // last data arrives.
  double bulk(double now, const AccessedLines& lines, uint32_t copy = 0);
  // `left`: the last part has left the load/store unit; `taken`: L2 has accepted everything.
  struct Stored {
    double left = 0;
    double taken = 0;
  };
  Stored store(double now, const AccessedLines& lines, uint32_t copy = 0);
  // Returns the cycle in which the old values arrive. `returned`: the old values are used.
  double atomic(double now, const AccessedLines& lines, uint32_t copy = 0, bool returned = true);
  // When all outstanding requests are done.
  double drained() const;
  const MemoryTotals& totals() const { return totals_; }
  // This SM's part of the traffic through L1, L2 and DRAM so far, with its hits. The simulation
  // counts requests.
  const MemoryFlow& flow() const { return flow_; }

 private:
  // What stores have written of a line's sectors.
  class Written {
   public:
    void add(const LineAccess& access);
    bool has(size_t sector, uint8_t words) const { return (words & ~words_[sector]) == 0; }
    // Each of the sector's words, and as many bytes: the same word twice fills none.
    bool whole(size_t sector) const { return words_[sector] == 0xff && bytes_[sector] == 32; }

   private:
    std::array<uint8_t, 4> bytes_{};
    std::array<uint8_t, 4> words_{};
  };
  struct Line {
    uint8_t sectors = 0;
    double used = 0;
    double ready = 0;  // of the sectors that arrived last
    Written written{};
  };
  // Stores to a line that wait for others to its sectors.
  struct Gathered {
    uint64_t tag = ~uint64_t{0};
    uint8_t sectors = 0;
    Written written{};
    double leaves = 0;    // waits until then
    double charged = 0;   // L2 time charged for it
    double occupied = 0;  // likewise, time of the SM's way to L2
  };
  size_t first_of_set(uint64_t line) const;
  Line* find(uint64_t line);
  Line& place(uint64_t line);
  uint64_t place_of(uint64_t line, uint32_t copy, bool loads) const;
  // What a store's part of a line costs that cannot join earlier stores.
  struct StoreCost {
    double leaving = 0;  // cycles on the SM's way to L2
    double l2 = 0;
  };
  // Puts a store's part of a line into L1.
  StoreCost gather(double at, const LineAccess& access, uint64_t tag);
  double ask_l2(double at, double cost);
  // For a line that may be one of the few that all SMs write, whose slice is the busiest.
  double ask_slice(double at, uint64_t line, double cost);
  // DRAM's work for a sector that is written.
  void write_back(double start, uint64_t sector, uint32_t copy);
  void note_dram(const DramUse& use);
  // A server's load: an exponentially decaying mean of its busy time.
  class RecentLoad {
   public:
    double at(double now);
    void add(double now, double busy);

   private:
    double load_ = 0;
    double at_ = 0;
  };
  // DRAM time for work of the given cost in dense units, including extra time for switching between
  // reads and writes.
  double dram_time(double at, double cost);
  // Takes DRAM time; returns when it starts.
  double take_dram(double at, double taken);
  // From a request's arrival at DRAM until it is served, because of requests of other SMs.
  double dram_queue(double at);
  // Requests the sectors in `missing`, from DRAM where this SM is responsible for them; returns
  // when the data arrives. `part_of`: this SM's part of the requests that 1 to 4 SMs share.
  double fetch(double at, uint64_t line, uint32_t missing, uint32_t copy, double port_bytes,
               const Sharing::Parts& part_of);
  // The launch's first access of all waits.
  double after_first(double at);

  const OneSmFigures& chip_;
  Sharing& sharing_;
  double share_;  // of SMs: how much longer a chip-wide stage takes for this one
  std::vector<Line> lines_;
  std::vector<uint64_t> tags_;  // of the lines: a set's lie together, since each access reads them
  std::array<Gathered, 16> gathered_;
  size_t next_gathered_ = 0;
  size_t ways_ = 1;
  size_t sets_ = 1;
  double tag_free_ = 0;
  double opened_ = -1;       // when the launch's first access may go on; negative: not yet made
  double leaving_free_ = 0;  // of stored data on its way to L2
  double l2_free_ = 0;
  double slice_free_ = 0;  // the busiest L2 slice
  double dram_free_ = 0;
  double port_free_ = 0;
  double bulk_free_ = 0;  // the unit that makes requests of copies in bulk
  double last_store_ = 0;
  RecentLoad dram_load_;
  RecentLoad write_load_;  // the part of DRAM's time that is spent on writes
  MemoryTotals totals_;
  MemoryFlow flow_;
};

}  // namespace warpshop::timing
