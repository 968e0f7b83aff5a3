// DRAM below the partitions: bursts and what of them was used, channels, banks, and rows that are
// open or must be opened first.
//
//   address ──▶ channel (models/partitions.h) ──▶ bank, row ──▶ burst
//
//   core    ████████████ row: cells → row buffer            slow
//   buffer        ██ one burst, all its bits at once        core clock
//   interface       ▌▌▌▌ in `burst_steps` transfers         `burst_steps` times the core clock
//
// Source: GPU Teaching Kit, module 6.1 (core arrays, bursts, banks, channels) and 6.2 (burst
// sections); burst sizes by memory type in assets/gpus. Where a channel puts an address is not
// published: rows go round the banks in turn, as simulators assume (docs/models.md, "DRAM").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/gpu_profile.h"
#include "models/partitions.h"
#include "models/request.h"

namespace warpshop::models {

struct DramSpec {
  PartitionMap channels;      // each partition is a channel of its own
  uint32_t burst_bytes = 32;  // a burst section: what one access of the memory chips delivers
  int burst_steps = 4;        // transfers of a burst: so many times the core is slower
  int banks = 8;              // of a channel
  uint32_t row_bytes = 2048;  // of a bank
  uint32_t row_steps = 88;    // transfers that could have been made while a bank opens a row
  Sentence note = {};      // what is assumed, for people; empty: nothing
};

// Unknown numbers are assumed, and the note says which. `burst_steps` is burst / channel width;
// `row_steps` is 40 ns (assumed for every memory) at the data rate of a pin.
DramSpec dram_of(const GpuProfile& gpu);

struct DramPlace {
  int channel = 0;
  int bank = 0;
  uint64_t row = 0;     // of the bank
  uint32_t column = 0;  // byte of the row
  bool operator==(const DramPlace&) const = default;
};
DramPlace dram_place_of(const DramSpec& spec, uint64_t address);

// ---- what one request of a warp fetches
// -------------------------------------------------------------

inline constexpr uint32_t kMaxBurstBytes = 256;

struct BurstSection {
  uint64_t address = 0;                              // a multiple of burst_bytes
  uint32_t lanes = 0;                                // that asked for a byte of it
  std::array<uint64_t, kMaxBurstBytes / 64> used{};  // bit b of word b / 64: byte address + b
  DramPlace place;
  uint32_t bytes_used() const;
};

struct BurstResult {
  std::vector<BurstSection> sections;  // ascending
  uint32_t burst_bytes = 32;
  uint64_t bytes_moved() const { return uint64_t{burst_bytes} * sections.size(); }
  uint64_t bytes_used() const;
  // The Teaching Kit's word: all locations fall into as few sections as their bytes need.
  bool is_fully_coalesced() const;
};

// `burst_bytes` of the spec: a power of two up to 256.
BurstResult explain_bursts(const DramSpec& spec, const WarpRequest& request);

// ---- service over time
// -------------------------------------------------------------------------------

enum class RowState : uint8_t {
  kHit,       // the row was open
  kEmpty,     // the bank had none open: the first access
  kConflict,  // another row had to be closed
};

struct ServedBurst {
  uint64_t address = 0;
  uint64_t time = 0;   // of the record
  uint64_t block = 0;  // of the record
  AccessOrigin from = {};  // of the record
  DramPlace place;
  RowState row = RowState::kHit;
  // In transfers of the channel's interface. A row that must be opened keeps its bank busy from
  // core_begin to transfer_begin at the latest.
  uint64_t core_begin = 0;
  uint64_t transfer_begin = 0;
  uint64_t transfer_end = 0;
};

struct ChannelService {
  uint64_t bursts = 0;
  uint64_t row_hits = 0;
  uint64_t busy_steps = 0;  // transfers made
  uint64_t end_step = 0;    // of the last transfer
};

struct DramService {
  DramSpec spec;
  std::vector<ServedBurst> bursts;       // in the order of service; channels side by side
  std::vector<ChannelService> channels;  // one for each
  uint64_t row_hits = 0;
  uint64_t row_misses = 0;  // empty and conflict
  double row_hit_fraction() const;
  uint64_t end_step() const;  // of the slowest channel
  // Part of the time until the end in which the interfaces transfer; the rest is dead time.
  double interface_use() const;
};

// The controllers of a channel see the records of `window_length` units of time together and take
// those first whose row is open, as a queue of that depth would; windows follow each other. Banks
// open rows while others transfer. A record that touches several sections is as many bursts.
// `keep_bursts` false: totals alone.
DramService serve_dram(const DramSpec& spec, std::span<const MemoryRecord> records,
                       uint64_t window_length, bool keep_bursts = true);

}  // namespace warpshop::models
