// What the simulated SM's accesses mean for the rest of the chip: which of the data that it asks for others ask for,
// too, what L2 still holds from before, and so how much of DRAM's work is its own.
//
// The SM's own blocks say which regions matter; blocks of other SMs that run at the same time, and some far away in
// the grid, are only looked at for what they do to these regions.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/access.h"
#include "emulator/memory.h"
#include "predict/chip.h"

namespace warpshop::timing {

// Blocks are dealt to the chip's clusters of SMs in turn: every so many-th SM of this count lies beside the first. (Eight
// in an H100 and an H200: H100 whitepaper.)
inline constexpr uint64_t kClusters = 8;

struct DramUse {
  double cost = 0;   // in dense units of 64 bytes
  double read_bytes = 0;
  double write_bytes = 0;
  bool waits = false;  // the one who asks waits for DRAM
};

class Sharing {
 public:
  // Blocks of the SM itself and of other SMs: those that are resident first, those that follow and are compared, too
  // (kOwnNext, kOtherNext), and those after them (kOwnLater).
  enum class Who : uint8_t { kOwn, kOwnNext, kOwnLater, kOther, kOtherNext, kFar };

  // One access of a block that runs on SM `sm`; a far block has a number of its own instead. `moment`: where in the
  // block's way it is; blocks that began together make accesses of one moment at about the same time.
  void note(Who who, int sm, emulator::AccessKind kind, const uint64_t* address, uint32_t mask, uint32_t width,
            uint32_t moment = 0);

  // Stores and atomics of the own SM visit sectors of a line (address / 128) of a region that is known already.
  void note_visits(uint64_t line, uint32_t visits);

  struct Extent {
    double own_blocks = 1;  // of kOwn and kOwnNext
    double grid_blocks = 1;
    double far_blocks = 0;
    double seen_sms = 1;    // whose blocks were noted, the own one included
    double active_sms = 1;
    double blocks_at_once = 1;  // kOwn and kOther, had all SMs been looked at
  };
  // After all was noted: what of each buffer L2 holds.
  void settle(const Chip& chip, const std::vector<emulator::DeviceMemory::Allocation>& buffers, const Extent& extent);

  // SMs, the own one included, whose reads of a unit (address / 64) reach L2 as one request.
  double merged_with(uint64_t unit);

  // The first request for a unit (address / 64) costs the SM's share of its transfer, later ones find it in L2.
  // A copy of a block (1, 2, …) asks for data of its own.
  DramUse load_of(uint64_t unit, uint32_t copy = 0);
  DramUse store_of(uint64_t sector, uint32_t copy = 0);
  // Whether a copy of the block loads the same unit as the block itself: as often as blocks of other SMs do.
  bool shared_with(uint64_t unit, uint32_t copy);

  // Of what all visits of lines that the whole chip writes cost L2, the part that its busiest slice takes; 0: the line
  // (address / 128) is none of them.
  double busiest_slice(uint64_t line);

  double footprint_bytes = 0;  // of the whole grid
  double resident = 1;         // part of it that L2 still holds at the next launch

 private:
  struct Region {  // 2 KiB
    uint32_t loaded = 0;  // by resident blocks of any SM: units of 64 bytes
    uint64_t stored = 0;  // sectors
    uint64_t stored_now = 0;  // likewise by blocks that are resident at a time
    uint32_t own_loaded = 0;
    uint64_t own_stored = 0;
    uint32_t own_asked = 0;
    uint64_t own_sent = 0;
    std::array<uint8_t, 32> load_sms{};
    std::array<uint8_t, 32> load_last{};
    std::array<uint8_t, 32> near_sms{};  // of the own SM's neighbours, those that load at the moment at which it does
    std::array<uint32_t, 32> moment{};   // of its load
    std::array<uint8_t, 64> store_sms{};
    std::array<uint8_t, 64> store_last{};
    std::array<uint8_t, 32> far_last{};
    std::array<uint8_t, 64> far_store_last{};
    std::array<uint32_t, 64> cover{};  // bytes that stores have written
    std::array<uint32_t, 16> line_visits{};  // stores and atomics of the own SM
    uint16_t hot = 0;       // lines that more than half of the SMs write
    bool compared = false;  // with other SMs
    size_t buffer = 0;
  };
  struct Accesses {       // loads of a buffer, or stores and atomics
    double bytes = 0;     // distinct; what others of the compared blocks touch, too, counts in part
    double units = 0;     // distinct, in full: of 64 bytes, or sectors
    double far_hits = 0;  // of far blocks, on these units
    double count = 0;     // of those that were compared
    double parts = 0;
    double factors = 0;
    double factor_parts = 0;
  };
  struct Use {
    Accesses loads;
    Accesses stores;
  };
  // Of a buffer's loads, or of its stores and atomics.
  struct Means {
    double miss = 0;
    double chance = 0;  // that one of the blocks which are there at the same time touches a unit, or a sector, by chance
    // Over what was compared, for what was not.
    double part = 1;
    double factor = 1;
  };
  // What blocks bring into L2 of a buffer, and how soon others come to the same data.
  struct Touches {
    double bytes = 0;  // a block's, without what its neighbours bring at about the same time
    double again = 0;  // touches of a unit by any other block
    double first = 1;  // of the touches by blocks that were compared, the part that would be its
                       // unit's first by chance
    // Of what the compared blocks leave each other, the part that L2 has lost when it lives for so
    // many blocks.
    double missing(double window) const;
    double distinct(double blocks) const;
  };
  // How often a block touches a unit of a buffer, as far blocks show it.
  static double touched_by_a_block(const Accesses& use, const Extent& extent);
  static Means means_of(const Accesses& use, double chance);
  static Touches touches_of(const Accesses& use, const Extent& extent, double group);
  static double window_of(const std::vector<Touches>& all, double keeps, double grid_blocks);
  Region* find(uint64_t id, bool make);
  void measure(const Region& region, Use& use) const;
  double read_factor(const Region& region) const;
  double write_factor(const Region& region, size_t sector) const;
  // Whether it was seen what else of the region is written with the sector.
  static bool knows_peers(const Region& region, size_t sector);
  // Marks the lines that more than half of the SMs write; how unevenly they may lie.
  void find_hot_lines(const Chip& chip, const Extent& extent);
  double sharers(uint8_t count) const;
  // Pieces of a region that are used, when of the other SMs only some were looked at.
  int crowd(int own, int all) const;
  int together(int own, int all, double by_chance) const;

  const Chip* chip_ = nullptr;
  std::unordered_map<uint64_t, Region> regions_;
  struct Buffer {
    Means loads;
    Means stores;
  };
  std::vector<Buffer> buffers_;
  struct FarHits {
    double loads = 0;
    double stores = 0;
  };
  std::unordered_map<uint64_t, FarHits> far_hits_;  // by MiB
  struct Found {
    uint64_t id = ~uint64_t{0};
    Region* region = nullptr;  // null: there is none yet
  };
  std::array<Found, 1024> found_;  // what find() said last, by a part of the scrambled id: a warp comes to up to 32 at once
  std::unordered_set<uint64_t> copies_asked_;  // (copy, unit) and (copy, sector) that copies have asked for or sent
  double seen_ = 1;
  double busiest_slice_ = 0;
  double scale_ = 1;  // SMs of the chip for each one seen
};

}  // namespace warpshop::timing
