// DRAM behind the partitions: bursts and the bytes used of each, channels, banks, and row hits and
// misses.
//
//   address ──▶ channel (models/partitions.h) ──▶ bank, row ──▶ burst
//
//   core    ████████████ row: cells → row buffer            slow
//   buffer        ██ one burst, all its bits at once        core clock
//   interface       ▌▌▌▌ in `burst_steps` transfers         `burst_steps` × the core clock
//
// Source: GPU Teaching Kit, module 6.1 (core arrays, bursts, banks, channels) and 6.2 (burst
// sections); burst sizes by memory type in assets/gpus. The mapping from addresses to banks within
// a channel is not published: consecutive rows go to consecutive banks, as simulators assume
// (docs/models.md, "DRAM").
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
  PartitionMap channels;      // each partition is one channel
  uint32_t burst_bytes = 32;  // a burst section: what one DRAM access delivers
  int burst_steps = 4;        // transfers per burst; the core is slower by this factor
  int banks = 8;              // per channel
  uint32_t row_bytes = 2048;  // per bank
  uint32_t row_steps = 88;    // transfers that fit into the time it takes a bank to open a row
  Sentence note = {};         // assumptions, for users; empty: none
};

// Assumes values for unknown numbers and lists them in the note. `burst_steps` is burst / channel
// width; `row_steps` is 40 ns (assumed for all memory types) at the data rate of one pin.
DramSpec dram_of(const GpuProfile& gpu);

struct DramPlace {
  int channel = 0;
  int bank = 0;
  uint64_t row = 0;     // within the bank
  uint32_t column = 0;  // byte offset in the row
  bool operator==(const DramPlace&) const = default;
};
DramPlace dram_place_of(const DramSpec& spec, uint64_t address);

// --- Bursts of one warp request ---

inline constexpr uint32_t kMaxBurstBytes = 256;

struct BurstSection {
  uint64_t address = 0;                              // a multiple of burst_bytes
  uint32_t lanes = 0;                                // that requested a byte of it
  std::array<uint64_t, kMaxBurstBytes / 64> used{};  // bit b of word b / 64: byte address + b
  DramPlace place;
  uint32_t bytes_used() const;
};

struct BurstResult {
  std::vector<BurstSection> sections;  // ascending
  uint32_t burst_bytes = 32;
  uint64_t bytes_moved() const { return uint64_t{burst_bytes} * sections.size(); }
  uint64_t bytes_used() const;
  uint64_t ideal_sections() const;  // the fewest that hold as many bytes
  // As the Teaching Kit defines it: all locations fall into as few sections as their bytes need.
  bool is_fully_coalesced() const;
};

// `burst_bytes` of the spec: a power of two, at most 256.
BurstResult explain_bursts(const DramSpec& spec, const WarpRequest& request);

// --- Service over time ---

enum class RowState : uint8_t {
  kHit,       // the row was open
  kEmpty,     // the bank had no open row: its first access
  kConflict,  // another row had to be closed first
};

struct ServedBurst {
  uint64_t address = 0;
  uint64_t time = 0;       // from the record
  uint64_t block = 0;      // from the record
  AccessOrigin from = {};  // from the record
  DramPlace place;
  RowState row = RowState::kHit;
  // In transfers of the channel's interface. Opening a row occupies its bank from core_begin, at
  // the latest until transfer_begin.
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
  std::vector<ServedBurst> bursts;       // in service order, channels interleaved
  std::vector<ChannelService> channels;  // one for each
  uint64_t row_hits = 0;
  uint64_t row_misses = 0;  // empty and conflict
  double row_hit_fraction() const;
  uint64_t end_step() const;  // of the slowest channel
  // Fraction of the time until the end in which the interfaces transfer data; the rest is dead
  // time.
  double interface_use() const;
};

// Serves each window of `window_length` time units first-ready: each channel's controller sees the
// window's records together and serves those whose row is open first, like a queue of that depth.
// Windows do not overlap. Banks open rows while others transfer. A record that spans several
// sections becomes one burst per section. `keep_bursts` false: totals only.
DramService serve_dram(const DramSpec& spec, std::span<const MemoryRecord> records,
                       uint64_t window_length, bool keep_bursts = true);

}  // namespace warpshop::models
