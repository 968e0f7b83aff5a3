#include "one_sm/sharing.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "steady_exp.h"

namespace warpshop::timing {
namespace {

constexpr uint64_t kRegionBytes = 2048;

// An SM's index within the own SM's cluster. A chip fills one cluster after the other with
// consecutive blocks: by %smid, an H200's blocks 8 to 23 run on 16 SMs of one.
constexpr int kNone = 8;
int neighbour(int sm) { return std::min(sm, kNone); }

uint64_t scramble(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  return x ^ x >> 32;
}

double chance_of(uint64_t x) { return static_cast<double>(scramble(x) >> 11) * 0x1p-53; }

// For random accesses with a mean of x per piece, the fraction that are first on their piece: (1 −
// e^−x) / x.
double first_of(double x) { return x > 1e-9 ? (1 - steady_exp(-x)) / x : 1; }

// Which one in n pieces of a region is used, as an index into OneSmFigures::sparse_*: log2(all /
// used), rounded down because regions at the sample's edge look emptier than they are.
size_t sparseness(int all, int used) {
  size_t place = 0;
  while (used > 0 && 2 * used <= all && place < 6) {
    used *= 2;
    ++place;
  }
  return place;
}

// What blocks of later waves share, as a part of what those of the first one do.
constexpr double kLaterWaves = 0.4;

}  // namespace

// Blocks of one SM start one after the other and get out of step: with 4 and 16 of them, those of
// the first wave share a half and a quarter. A later block starts wherever one has finished, so its
// neighbours in the grid may run anywhere (tests/microbench, "waves_counted").
double in_step(double blocks_per_sm, int resident) {
  const double at_once = std::clamp<double>(blocks_per_sm, 1, std::max(1, resident));
  const double waves = std::max(1.0, blocks_per_sm / at_once);
  return (1 + kLaterWaves * (waves - 1)) / waves / std::sqrt(at_once);
}

Sharing::Region* Sharing::look_up(uint64_t id, bool make) {
  if (make) return &regions_[id];
  const auto known = regions_.find(id);
  return known == regions_.end() ? nullptr : &known->second;
}

inline Sharing::Region* Sharing::find(uint64_t id, bool make) {
  Found& found = found_[id * 0x9e3779b97f4a7c15 >> (64 - std::bit_width(found_.size() - 1))];
  if (id == found.id && (found.region != nullptr || !make)) return found.region;
  found = {id, look_up(id, make)};
  return found.region;
}

namespace {

// Calls take(piece) for each piece, in the order of the lanes. A lane that touches the previous
// lane's unit or sector adds only its bytes.
template <typename Take>
void split(emulator::AccessKind kind, const uint64_t* address, uint32_t mask, uint32_t width,
           Take take) {
  const int piece_bits = kind == emulator::AccessKind::kLoad ? 6 : 5;  // a unit or a sector
  const uint32_t bytes = width >= 32 ? ~0U : (1U << width) - 1;
  Sharing::Piece piece;
  bool any = false;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t a = address[std::countr_zero(rest)];
    if (!any || a >> piece_bits != piece.address >> piece_bits) {
      if (any) take(piece);
      piece = {.address = a};
      any = true;
    }
    piece.bytes |= bytes << (a % 32);
  }
  if (any) take(piece);
}

}  // namespace

void Sharing::find_pieces(emulator::AccessKind kind, const uint64_t* address, uint32_t mask,
                          uint32_t width, uint64_t from, Pieces& out) {
  out.clear();
  split(kind, address, mask, width, [&](const Piece& piece) {
    out.push_back({piece.address - from, piece.bytes});
  });
}

void Sharing::note(Who who, int sm, emulator::AccessKind kind, const uint64_t* address,
                   uint32_t mask, uint32_t width, uint32_t moment) {
  std::array<Piece, 32> pieces;
  size_t count = 0;
  split(kind, address, mask, width, [&](const Piece& piece) { pieces[count++] = piece; });
  note(who, sm, kind, std::span(pieces).first(count), 0, moment);
}

void Sharing::note(Who who, int sm, emulator::AccessKind kind, std::span<const Piece> pieces,
                   uint64_t from, uint32_t moment) {
  const auto name = static_cast<uint8_t>(sm % 255 + 1);
  const bool own = who == Who::kOwn || who == Who::kOwnNext || who == Who::kOwnLater;
  for (const Piece& piece : pieces) {
    const uint64_t a = from + piece.address;
    Region* region = find(a / kRegionBytes, own);
    if (region == nullptr) continue;
    if (who == Who::kOwn || who == Who::kOwnNext) region->compared = true;
    const uint64_t unit = a % kRegionBytes / 64;
    const uint64_t sector = a % kRegionBytes / 32;
    if (who == Who::kFar) {
      const bool loads = kind == emulator::AccessKind::kLoad;
      if (loads ? (region->own_loaded >> unit & 1) == 0 : (region->own_stored >> sector & 1) == 0)
        continue;
      uint8_t& last = loads ? region->far_last[unit] : region->far_store_last[sector];
      if (last == name) continue;
      last = name;
      FarHits& hits = far_hits_[a >> 20];
      (loads ? hits.loads : hits.stores) += 1;
      continue;
    }
    if (kind == emulator::AccessKind::kLoad) {
      // A DRAM row stays open for requests made at about the same time.
      if (who == Who::kOwn || who == Who::kOther) region->loaded |= 1U << unit;
      if (own) region->own_loaded |= 1U << unit;
      const int place = neighbour(sm);
      if (own && region->near_sms[unit] == 0) {
        region->near_sms[unit] = 1;
        region->moment[unit] = moment;
      } else if (place < kNone && region->near_sms[unit] != 0 && region->moment[unit] == moment) {
        region->near_sms[unit] |= static_cast<uint8_t>(1U << place);
      }
      if (region->load_last[unit] != name) {
        region->load_last[unit] = name;
        if (region->load_sms[unit] < 255) ++region->load_sms[unit];
      }
      continue;
    }
    region->stored |= uint64_t{1} << sector;
    if (who == Who::kOwn || who == Who::kOther) region->stored_now |= uint64_t{1} << sector;
    if (own) region->own_stored |= uint64_t{1} << sector;
    if (region->store_last[sector] != name) {
      region->store_last[sector] = name;
      if (region->store_sms[sector] < 255) ++region->store_sms[sector];
    }
    region->cover[sector] |= piece.bytes;
  }
}

int Sharing::crowd(int own, int all) const { return own + static_cast<int>((all - own) * scale_); }

double Sharing::sharers(uint8_t count) const { return 1 + (count > 1 ? (count - 1) * scale_ : 0); }

void Sharing::settle(const OneSmFigures& chip,
                     const std::vector<emulator::DeviceMemory::Allocation>& buffers,
                     const Extent& extent) {
  chip_ = &chip;
  found_.fill({});
  seen_ = extent.seen_sms;
  in_step_ = extent.in_step;
  scale_ = extent.seen_sms > 1 ? (extent.active_sms - 1) / (extent.seen_sms - 1) : 1;

  buffers_.assign(buffers.size(), {});
  std::vector<Use> uses(buffers.size());
  const auto buffer_of = [&](uint64_t address) -> size_t {
    const auto after =
        std::upper_bound(buffers.begin(), buffers.end(), address,
                         [](uint64_t value, const auto& b) { return value < b.base; });
    return after == buffers.begin()
               ? buffers.size()
               : static_cast<size_t>(std::distance(buffers.begin(), after)) - 1;
  };
  for (auto& [id, region] : regions_) {
    region.buffer = buffer_of(id * kRegionBytes + kRegionBytes - 1);
    if (region.buffer >= buffers.size()) continue;
    uses[region.buffer].loads.units += std::popcount(region.own_loaded);
    uses[region.buffer].stores.units += std::popcount(region.own_stored);
  }
  for (const auto& [mib, hits] : far_hits_) {
    const size_t b = buffer_of((mib << 20) + (1 << 20) - 1);
    if (b >= buffers.size()) continue;
    uses[b].loads.far_hits += hits.loads;
    uses[b].stores.far_hits += hits.stores;
  }
  for (size_t b = 0; b < buffers.size(); ++b) {
    const auto chance = [&](const Accesses& a) {
      return 1 - steady_exp(-touched_by_block(a, extent) * extent.blocks_at_once);
    };
    buffers_[b].loads.chance = chance(uses[b].loads);
    buffers_[b].stores.chance = chance(uses[b].stores);
  }
  // In the order of their addresses: the sums' last bits must not depend on the library's hashes.
  std::vector<std::pair<uint64_t, const Region*>> in_order;
  for (const auto& [id, region] : regions_) {
    if (region.buffer < buffers.size()) in_order.emplace_back(id, &region);
  }
  std::sort(in_order.begin(), in_order.end());
  for (const auto& [id, region] : in_order) measure(*region, uses[region->buffer]);
  find_hot_lines(chip, extent);

  footprint_bytes = 0;
  std::vector<Touches> load_touches(buffers.size());
  std::vector<Touches> store_touches(buffers.size());
  const double group = extent.own_blocks * extent.active_sms;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const Use& use = uses[b];
    const auto size = static_cast<double>(buffers[b].size_bytes);
    const double bytes_per_block = (use.loads.bytes + use.stores.bytes) / extent.own_blocks;
    footprint_bytes += std::min(size, bytes_per_block * extent.grid_blocks);
    buffers_[b].loads = means_of(use.loads, buffers_[b].loads.chance);
    buffers_[b].stores = means_of(use.stores, buffers_[b].stores.chance);
    load_touches[b] = touches_of(use.loads, extent, group);
    store_touches[b] = touches_of(use.stores, extent, group);
    // A buffer that the grid reads several times is read again by some block, even if the few
    // sampled far blocks do not show it.
    if (bytes_per_block / size * extent.grid_blocks > 1.5 && extent.far_blocks > 0) {
      load_touches[b].again = std::max(load_touches[b].again, bytes_per_block / size);
    }
  }
  const auto keeps = static_cast<double>(chip.l2_keeps_bytes);
  const auto forgets = static_cast<double>(chip.l2_forgets_bytes);
  resident = std::clamp((forgets - footprint_bytes) / (forgets - keeps), 0.0, 1.0);
  std::vector<Touches> all = load_touches;
  all.insert(all.end(), store_touches.begin(), store_touches.end());
  const double window = window_of(all, keeps, extent.grid_blocks);
  for (size_t b = 0; b < buffers.size(); ++b) {
    buffers_[b].loads.miss = (1 - resident) * load_touches[b].missing(window);
    buffers_[b].stores.miss = (1 - resident) * store_touches[b].missing(window);
  }
}

double Sharing::touched_by_block(const Accesses& use, const Extent& extent) {
  return use.units > 0 && extent.far_blocks > 0 ? use.far_hits / extent.far_blocks / use.units : 0;
}

Sharing::Means Sharing::means_of(const Accesses& use, double chance) {
  Means means{.chance = chance};
  if (use.count <= 0) return means;
  means.part = use.parts / use.count;
  means.factor = use.factor_parts > 0 ? use.factors / use.factor_parts : 1;
  return means;
}

// What a block's accesses to a buffer mean for L2. `again`: how often another block accesses the
// same data.
Sharing::Touches Sharing::touches_of(const Accesses& use, const Extent& extent, double group) {
  Touches t;
  t.bytes = use.bytes / extent.own_blocks;
  if (use.units <= 0 || use.count <= 0 || extent.far_blocks <= 0) return t;
  t.again = touched_by_block(use, extent);
  // Part of what the compared blocks share is shared only because all blocks keep coming back to
  // it.
  t.first = std::max(first_of(t.again * group), use.parts / use.count);
  t.bytes /= t.first;
  return t;
}

double Sharing::Touches::missing(double window) const {
  return steady_exp(-again * window) / first;
}

// Distinct bytes that this many blocks bring in.
double Sharing::Touches::distinct(double blocks) const {
  return bytes * blocks * first_of(again * blocks);
}

// The number of blocks after which L2 has brought in as much as it holds; data untouched since then
// has been evicted (least recently used).
double Sharing::window_of(const std::vector<Touches>& all, double keeps, double grid_blocks) {
  const auto brought = [&](double blocks) {
    double bytes = 0;
    for (const Touches& t : all) bytes += t.distinct(blocks);
    return bytes;
  };
  if (brought(grid_blocks) <= keeps) return grid_blocks;
  double low = 0;
  double high = grid_blocks;
  for (int n = 0; n < 60; ++n) {
    const double middle = (low + high) / 2;
    (brought(middle) < keeps ? low : high) = middle;
  }
  return low;
}

// Adds a region's contribution to its buffer's means.
void Sharing::measure(const Region& region, Use& use) const {
  for (size_t unit = 0; unit < 32; ++unit) {
    const bool loaded = (region.own_loaded >> unit & 1) != 0;
    if (loaded && region.compared) {
      const double part = 1 / sharers(region.load_sms[unit]);
      use.loads.bytes += 64 * part;
      use.loads.count += 1;
      use.loads.parts += part;
      if (region.loaded != 0) {
        use.loads.factors += part * read_factor(region);
        use.loads.factor_parts += part;
      }
    }
    for (size_t s = 2 * unit; s < 2 * unit + 2; ++s) {
      if ((region.own_stored >> s & 1) == 0 || !region.compared) continue;
      const double part = 1 / sharers(region.store_sms[s]);
      use.stores.count += 1;
      use.stores.parts += part;
      if (knows_peers(region, s)) {
        use.stores.factors += part * write_factor(region, s);
        use.stores.factor_parts += part;
      }
      if (!loaded) use.stores.bytes += 32 * part;
    }
  }
}

double Sharing::read_factor(const Region& region) const {
  const int own = std::popcount(region.own_loaded & region.loaded);
  const int used =
      together(own, std::popcount(region.loaded), 32 * buffers_[region.buffer].loads.chance);
  return chip_->sparse_read[std::min<size_t>(5, sparseness(32, used))];
}

// Pieces of a region used at about the same time. Random accesses meet in a region by chance, but
// then they are far apart in DRAM's queues, so these do not count.
int Sharing::together(int own, int all, double by_chance) const {
  return std::max({1, own, static_cast<int>(std::lround(crowd(own, all) - by_chance))});
}

// A fully written sector waits in L2 and goes to DRAM together with everything else written in its
// row by then; a partly written one is read immediately, together with what is requested from its
// row at about the same time.
bool Sharing::knows_peers(const Region& region, size_t sector) {
  return region.compared && (region.cover[sector] == ~0U || region.stored_now != 0);
}

double Sharing::write_factor(const Region& region, size_t sector) const {
  const bool whole = region.cover[sector] == ~0U;
  const uint64_t peers = whole ? region.stored : region.stored_now;
  const int own = std::popcount(region.own_stored & peers);
  const int used =
      together(own, std::popcount(peers), whole ? 0 : 64 * buffers_[region.buffer].stores.chance);
  return (whole ? 1 : 2) * chip_->sparse_write[sparseness(64, used)];
}

void Sharing::note_visits(uint64_t line, uint32_t visits) {
  if (Region* region = find(line / 16, false)) region->line_visits[line % 16] += visits;
}

// If all SMs write only a few lines, those crowd on a few slices. A KiB lies in two slices, 256
// bytes by turns, the four of 4 KiB in eight different ones, and 16 KiB in 32: that is what an
// H200's counters of slices say (tests/microbench, "few_lines"). Where each 16 KiB lie is not
// published, so the busiest slice's part of the visits is the mean over several distributions.
void Sharing::find_hot_lines(const OneSmFigures& chip, const Extent& extent) {
  constexpr uint64_t kTries = 16;
  constexpr uint64_t kLinesOfPage = 32;
  constexpr uint64_t kPagesApart = 4;
  if (extent.active_sms <= 1) return;
  std::vector<std::vector<double>> slices(
      kTries, std::vector<double>(static_cast<size_t>(chip.l2_slices), 0.0));
  double visits = 0;
  for (auto& [id, region] : regions_) {
    if (!region.compared) continue;
    for (size_t line = 0; line < 16; ++line) {
      if (region.line_visits[line] == 0) continue;
      uint8_t sms = 0;
      for (size_t s = 4 * line; s < 4 * line + 4; ++s) sms = std::max(sms, region.store_sms[s]);
      if (sharers(sms) <= 0.5 * extent.active_sms) continue;
      region.hot |= static_cast<uint16_t>(1U << line);
      const double count = region.line_visits[line];
      visits += count;
      const uint64_t number = id * 16 + line + extent.buffers_start / 128;
      const uint64_t page = number / kLinesOfPage;
      const uint64_t in_page = number % kLinesOfPage;
      const uint64_t turn = in_page / 8 * 2 + in_page / 2 % 2;  // which of eight slices
      const uint64_t each = std::max<uint64_t>(1, slices.front().size() / 8);
      for (uint64_t t = 0; t < kTries; ++t) {
        const uint64_t place = page % kPagesApart + scramble(page / kPagesApart * kTries + t);
        slices[t][(turn * each + place % each) % slices[t].size()] += count;
      }
    }
  }
  if (visits <= 0) return;
  double sum = 0;
  for (const std::vector<double>& one : slices)
    sum += *std::max_element(one.begin(), one.end()) / visits;
  busiest_slice_ = sum / static_cast<double>(kTries);
}

double Sharing::busiest_slice(uint64_t line) {
  const Region* region = busiest_slice_ > 0 ? find(line / 16, false) : nullptr;
  return region != nullptr && (region->hot >> line % 16 & 1) != 0 ? busiest_slice_ : 0;
}

double Sharing::part_of_requests(uint64_t unit, const Parts& parts) {
  const Region* region = find(unit / 32, false);
  if (region == nullptr) return 1;
  const unsigned near = region->near_sms[unit % 32] & ((1U << chip_->merging_sms) - 1);
  const auto sms = static_cast<size_t>(std::max(1, std::popcount(near)));
  return 1 - in_step_ * (1 - parts[sms - 1]);
}

bool Sharing::shared_with(uint64_t unit, uint32_t copy) {
  const Region* region = find(unit / 32, false);
  if (region == nullptr || !region->compared || seen_ <= 1) return false;
  const double others =
      std::max(0, std::max(region->load_sms[unit % 32], region->load_sms[unit % 32 ^ 1]) - 1);
  return chance_of(unit * 64 + copy) < others / (seen_ - 1);
}

DramUse Sharing::load_of(uint64_t unit, uint32_t copy) {
  Region* region = find(unit / 32, false);
  if (region == nullptr || region->buffer >= buffers_.size()) return {};
  const auto at = static_cast<size_t>(unit % 32);
  if (copy == 0) {
    if ((region->own_asked >> at & 1) != 0) return {};
    region->own_asked |= 1U << at;
  } else if (!copies_asked_.insert(uint64_t{copy} << 58 | unit << 1).second) {
    return {};
  }
  const Means& means = buffers_[region->buffer].loads;
  const double part =
      means.miss * (region->compared ? 1 / sharers(region->load_sms[at]) : means.part);
  const double factor = region->loaded != 0 ? read_factor(*region) : means.factor;
  return {.cost = part * factor, .read_bytes = part * 64, .waits = chance_of(unit) < part};
}

DramUse Sharing::store_of(uint64_t sector, uint32_t copy) {
  Region* region = find(sector / 64, false);
  if (region == nullptr || region->buffer >= buffers_.size()) return {};
  const auto at = static_cast<size_t>(sector % 64);
  if (copy == 0) {
    if ((region->own_sent >> at & 1) != 0) return {};
    region->own_sent |= uint64_t{1} << at;
  } else if (!copies_asked_.insert(uint64_t{copy} << 58 | sector << 1 | 1).second) {
    return {};
  }
  const Means& means = buffers_[region->buffer].stores;
  const double part =
      means.miss * (region->compared ? 1 / sharers(region->store_sms[at]) : means.part);
  const double factor = knows_peers(*region, at) ? write_factor(*region, at) : means.factor;
  return {.cost = part * 0.5 * factor,
          .read_bytes = region->cover[at] != ~0U ? part * 32 : 0,
          .write_bytes = part * 32,
          .waits = false};
}

}  // namespace warpshop::timing
