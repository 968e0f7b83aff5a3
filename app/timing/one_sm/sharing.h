// How the simulated SM's accesses interact with the rest of the chip: which data other SMs request
// as well, what L2 still holds from before, and therefore how much of DRAM's work belongs to this
// SM.
//
// The SM's own blocks determine which regions matter. Blocks of other SMs running at the same time,
// and some far away in the grid, are emulated only for their effect on these regions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/access.h"
#include "emulator/memory.h"
#include "one_sm/figures.h"

namespace warpshop::timing {

struct DramUse {
  double cost = 0;  // in dense units of 64 bytes
  double read_bytes = 0;
  double write_bytes = 0;
  bool waits = false;  // the requester has to wait for DRAM
};

// How much the blocks of a grid share of the requests to L2 that they would share with those of
// neighbouring SMs, were each alone on its SM and all resident at once. `resident`: blocks per SM
// at one time.
double in_step(double blocks_per_sm, int resident);

class Sharing {
 public:
  // Blocks of the SM itself and of other SMs: initially resident ones; their successors, which are
  // compared as well (kOwnNext, kOtherNext); and those after them (kOwnLater).
  enum class Who : uint8_t { kOwn, kOwnNext, kOwnLater, kOther, kOtherNext, kFar };

  // What an access touches of memory: units of 64 bytes, or sectors if it writes. Accesses at
  // different places often have the same pieces, so these can be kept and used again.
  struct Piece {
    uint64_t address = 0;  // any in it, less `from`
    uint32_t bytes = 0;    // of a sector: which of them
  };
  using Pieces = std::vector<Piece>;
  static void find_pieces(emulator::AccessKind kind, const uint64_t* address, uint32_t mask,
                          uint32_t width, uint64_t from, Pieces& out);

  // Records one access of a block on SM `sm`; for a far block, `sm` is a number of its own.
  // `moment`: progress of the block; blocks that started together make accesses with the same
  // moment at about the same time. `from`: added to the pieces' addresses.
  void note(Who who, int sm, emulator::AccessKind kind, std::span<const Piece> pieces,
            uint64_t from, uint32_t moment = 0);
  void note(Who who, int sm, emulator::AccessKind kind, const uint64_t* address, uint32_t mask,
            uint32_t width, uint32_t moment = 0);

  // Records visits by stores and atomics of the own SM to sectors of a line (address / 128) in a
  // known region.
  void note_visits(uint64_t line, uint32_t visits);

  struct Extent {
    double own_blocks = 1;  // kOwn and kOwnNext
    double grid_blocks = 1;
    double far_blocks = 0;
    double seen_sms = 1;  // SMs with recorded blocks, including the own one
    double active_sms = 1;
    double blocks_at_once = 1;  // kOwn and kOther, scaled up to all SMs
    double in_step = 1;         // see in_step()
    // Where small buffers start in their 4 KiB of real memory, as addresses here do at 0.
    uint64_t buffers_start = 0;
  };
  // Call after all accesses are recorded: determines what L2 holds of each buffer.
  void settle(const OneSmFigures& chip,
              const std::vector<emulator::DeviceMemory::Allocation>& buffers, const Extent& extent);

  // By n − 1: a part of something for each number n of SMs, including the own one, whose reads may
  // share requests to L2.
  using Parts = std::array<double, 4>;
  // The part of its requests for a unit (address / 64) that the own SM makes, if it makes `parts`
  // of those that it shares in step with its neighbours.
  double part_of_requests(uint64_t unit, const Parts& parts);

  // The first request for a unit (address / 64) costs the SM's share of its transfer; later ones
  // hit in L2. A copy of a block (1, 2, …) requests its own data.
  DramUse load_of(uint64_t unit, uint32_t copy = 0);
  DramUse store_of(uint64_t sector, uint32_t copy = 0);
  // True if a copy of the block loads the same unit as the block itself, which happens as often as
  // blocks of other SMs do so.
  bool shared_with(uint64_t unit, uint32_t copy);

  // The fraction of L2's cost for all visits to lines written by the whole chip that falls on its
  // busiest slice; 0 if this line (address / 128) is not one of them.
  double busiest_slice(uint64_t line);

  double footprint_bytes = 0;  // of the whole grid
  double resident = 1;         // fraction of it that L2 still holds at the next launch

 private:
  struct Region {             // 2 KiB
    uint32_t loaded = 0;      // by resident blocks of any SM: units of 64 bytes
    uint64_t stored = 0;      // sectors
    uint64_t stored_now = 0;  // likewise, by blocks resident at the same time
    uint32_t own_loaded = 0;
    uint64_t own_stored = 0;
    uint32_t own_asked = 0;
    uint64_t own_sent = 0;
    std::array<uint8_t, 32> load_sms{};
    std::array<uint8_t, 32> load_last{};
    std::array<uint8_t, 32> near_sms{};  // neighbours of the own SM that load at the same moment
    std::array<uint32_t, 32> moment{};   // of its load
    std::array<uint8_t, 64> store_sms{};
    std::array<uint8_t, 64> store_last{};
    std::array<uint8_t, 32> far_last{};
    std::array<uint8_t, 64> far_store_last{};
    std::array<uint32_t, 64> cover{};        // bytes written by stores
    std::array<uint32_t, 16> line_visits{};  // stores and atomics of the own SM
    uint16_t hot = 0;                        // lines written by more than half of the SMs
    bool compared = false;                   // with other SMs
    size_t buffer = 0;
  };
  struct Accesses {       // loads of a buffer, or stores and atomics
    double bytes = 0;     // distinct; those that other compared blocks touch as well count in part
    double units = 0;     // distinct, in full: of 64 bytes, or sectors
    double far_hits = 0;  // by far blocks, on these units
    double count = 0;     // of compared units
    double parts = 0;
    double factors = 0;
    double factor_parts = 0;
  };
  struct Use {
    Accesses loads;
    Accesses stores;
  };
  // For a buffer's loads, or for its stores and atomics.
  struct Means {
    double miss = 0;
    double chance = 0;  // that a concurrently resident block touches a given unit or sector by
                        // chance
    // From what was compared, for what was not.
    double part = 1;
    double factor = 1;
  };
  // What blocks bring into L2 of a buffer, and how soon others access the same data.
  struct Touches {
    double bytes = 0;  // per block, without what its neighbours bring at about the same time
    double again = 0;  // accesses to a unit by any other block
    // The fraction of the compared blocks' accesses that would be their unit's first, by chance.
    double first = 1;
    // The fraction of the data that compared blocks leave each other which L2 has lost if it
    // retains `window` blocks.
    double missing(double window) const;
    double distinct(double blocks) const;
  };
  // How often a block touches a unit of a buffer, estimated from far blocks.
  static double touched_by_block(const Accesses& use, const Extent& extent);
  static Means means_of(const Accesses& use, double chance);
  static Touches touches_of(const Accesses& use, const Extent& extent, double group);
  static double window_of(const std::vector<Touches>& all, double keeps, double grid_blocks);
  Region* find(uint64_t id, bool make);
  Region* look_up(uint64_t id, bool make);  // likewise, past the cache
  void measure(const Region& region, Use& use) const;
  double read_factor(const Region& region) const;
  double write_factor(const Region& region, size_t sector) const;
  // True if it is known what else in the region is written together with the sector.
  static bool knows_peers(const Region& region, size_t sector);
  // Marks the lines that more than half of the SMs write, and computes how unevenly they may be
  // distributed.
  void find_hot_lines(const OneSmFigures& chip, const Extent& extent);
  double sharers(uint8_t count) const;
  // Pieces of a region in use, extrapolated when only some of the other SMs were sampled.
  int crowd(int own, int all) const;
  int together(int own, int all, double by_chance) const;

  const OneSmFigures* chip_ = nullptr;
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
  // Cache of find(), by part of the hashed id; one warp accesses up to 32 regions at once.
  std::array<Found, 1024> found_;
  std::unordered_set<uint64_t> copies_asked_;  // (copy, unit) requested and (copy, sector) sent
  double seen_ = 1;
  double in_step_ = 1;
  double busiest_slice_ = 0;
  double scale_ = 1;  // SMs of the chip for each one seen
};

}  // namespace warpshop::timing
