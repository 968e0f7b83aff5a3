#include "predict/sharing.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpshop::timing {
namespace {

constexpr uint64_t kRegionBytes = 2048;

// The place of an SM in the own SM's cluster.
constexpr int kNone = 8;
int neighbour(int sm) {
  const int clusters = static_cast<int>(kClusters);
  return sm % clusters == 0 && sm / clusters < kNone ? sm / clusters : kNone;
}

uint64_t scramble(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  return x ^ x >> 32;
}

double chance_of(uint64_t x) { return static_cast<double>(scramble(x) >> 11) * 0x1p-53; }

// One in how many pieces of a region is used, as a place in Chip::sparse_*: log2(all / used), rounded down, for at the
// sample's edge regions look emptier than they are.
size_t sparseness(int all, int used) {
  size_t place = 0;
  while (used > 0 && 2 * used <= all && place < 6) {
    used *= 2;
    ++place;
  }
  return place;
}

}  // namespace

Sharing::Region* Sharing::find(uint64_t id, bool make) {
  if (id == last_id_ && (last_ != nullptr || !make)) return last_;
  last_id_ = id;
  if (make) {
    last_ = &regions_[id];
  } else {
    const auto found = regions_.find(id);
    last_ = found == regions_.end() ? nullptr : &found->second;
  }
  return last_;
}

void Sharing::note(Who who, int sm, emulator::AccessKind kind, const uint64_t* address, uint32_t mask,
                   uint32_t width, uint32_t moment) {
  const auto name = static_cast<uint8_t>(sm % 255 + 1);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t a = address[std::countr_zero(rest)];
    const bool own = who == Who::kOwn || who == Who::kOwnNext || who == Who::kOwnLater;
    Region* region = find(a / kRegionBytes, own);
    if (region == nullptr) continue;
    if (who == Who::kOwn || who == Who::kOwnNext) region->compared = true;
    const uint64_t unit = a % kRegionBytes / 64;
    const uint64_t sector = a % kRegionBytes / 32;
    if (who == Who::kFar) {
      if (((region->own_loaded >> unit & 1) == 0) || region->far_last[unit] == name) continue;
      region->far_last[unit] = name;
      far_hits_[a >> 20] += 1;
      continue;
    }
    if (kind == emulator::AccessKind::kLoad) {
      // A row of DRAM is open for what is asked at about the same time.
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
    if (own) region->own_stored |= uint64_t{1} << sector;
    if (region->store_last[sector] != name) {
      region->store_last[sector] = name;
      if (region->store_sms[sector] < 255) ++region->store_sms[sector];
    }
    const uint32_t bytes = width >= 32 ? ~0U : (1U << width) - 1;
    region->cover[sector] |= bytes << (a % 32);
  }
}

int Sharing::crowd(int own, int all) const { return own + static_cast<int>((all - own) * scale_); }

double Sharing::sharers(uint8_t count) const { return 1 + (count > 1 ? (count - 1) * scale_ : 0); }

void Sharing::settle(const Chip& chip, const std::vector<emulator::DeviceMemory::Allocation>& buffers,
                     const Extent& extent) {
  chip_ = &chip;
  last_ = nullptr;
  last_id_ = ~uint64_t{0};
  seen_ = extent.seen_sms;
  scale_ = extent.seen_sms > 1 ? (extent.active_sms - 1) / (extent.seen_sms - 1) : 1;

  buffers_.assign(buffers.size(), {});
  std::vector<Use> uses(buffers.size());
  const auto buffer_of = [&](uint64_t address) -> size_t {
    const auto after = std::upper_bound(buffers.begin(), buffers.end(), address,
                                        [](uint64_t value, const auto& b) { return value < b.base; });
    return after == buffers.begin() ? buffers.size() : static_cast<size_t>(std::distance(buffers.begin(), after)) - 1;
  };
  for (auto& [id, region] : regions_) {
    region.buffer = buffer_of(id * kRegionBytes + kRegionBytes - 1);
    if (region.buffer < buffers.size()) measure(region, uses[region.buffer]);
  }
  for (const auto& [mib, hits] : far_hits_) {
    const size_t b = buffer_of((mib << 20) + (1 << 20) - 1);
    if (b < buffers.size()) uses[b].far_hits += hits;
  }
  find_hot_lines(chip, extent);

  footprint_bytes = 0;
  double bytes_a_block = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const Use& use = uses[b];
    footprint_bytes += std::min(static_cast<double>(buffers[b].size_bytes),
                                use.own_bytes / extent.own_blocks * extent.grid_blocks);
    bytes_a_block += use.own_bytes / extent.own_blocks;
    if (use.loads > 0) {
      buffers_[b].load_part = use.load_parts / use.loads;
      buffers_[b].load_factor = use.load_factor_parts > 0 ? use.load_factors / use.load_factor_parts : 1;
    }
    if (use.stores > 0) {
      buffers_[b].store_part = use.store_parts / use.stores;
      buffers_[b].store_factor = use.store_factors / use.store_parts;
    }
  }
  const auto keeps = static_cast<double>(chip.l2_keeps_bytes);
  const auto forgets = static_cast<double>(chip.l2_forgets_bytes);
  resident = std::clamp((forgets - footprint_bytes) / (forgets - keeps), 0.0, 1.0);
  const double window = bytes_a_block > 0 ? keeps / bytes_a_block : extent.grid_blocks;
  for (size_t b = 0; b < buffers.size(); ++b) {
    buffers_[b].miss = 1 - resident;
    if (uses[b].load_units <= 0 || extent.far_blocks <= 0) continue;
    double touches = uses[b].far_hits / extent.far_blocks / uses[b].load_units;  // of a unit by a block
    // A buffer that the grid reads several times over is read again by some block, though the few far ones need not
    // show it.
    const double a_block = uses[b].own_bytes / extent.own_blocks / static_cast<double>(buffers[b].size_bytes);
    if (a_block * extent.grid_blocks > 1.5) touches = std::max(touches, a_block);
    buffers_[b].miss *= std::exp(-touches * std::min(window, extent.grid_blocks));
  }
}

// What a region adds to its buffer's means.
void Sharing::measure(const Region& region, Use& use) const {
  for (size_t unit = 0; unit < 32; ++unit) {
    double bytes = 0;
    if ((region.own_loaded >> unit & 1) != 0) {
      use.load_units += 1;
      if (region.compared) {
        const double part = 1 / sharers(region.load_sms[unit]);
        bytes = 64 * part;
        use.loads += 1;
        use.load_parts += part;
        if (region.loaded != 0) {
          use.load_factors += part * read_factor(region);
          use.load_factor_parts += part;
        }
      }
    }
    for (size_t s = 2 * unit; s < 2 * unit + 2 && region.compared; ++s) {
      if ((region.own_stored >> s & 1) == 0) continue;
      const double part = 1 / sharers(region.store_sms[s]);
      use.stores += 1;
      use.store_parts += part;
      use.store_factors += part * write_factor(region, s);
      if ((region.own_loaded >> unit & 1) == 0) bytes += 32 * part;
    }
    use.own_bytes += bytes;
  }
}

double Sharing::read_factor(const Region& region) const {
  return chip_->sparse_read[std::min<size_t>(
      5, sparseness(32, crowd(std::popcount(region.own_loaded & region.loaded), std::popcount(region.loaded))))];
}

double Sharing::write_factor(const Region& region, size_t sector) const {
  const double transfers = region.cover[sector] != ~0U ? 2 : 1;  // a sector written in part is read first
  return transfers *
         chip_->sparse_write[sparseness(64, crowd(std::popcount(region.own_stored), std::popcount(region.stored)))];
}

void Sharing::note_visits(uint64_t line, uint32_t visits) {
  if (Region* region = find(line / 16, false)) region->line_visits[line % 16] += visits;
}

// Few lines that all SMs write crowd on few slices. The part of their visits that the busiest slice gets: the mean of
// several ways to deal them to slices, for the chip's own is not published. What is dealt is 256 bytes: eight lines side by
// side work like four slices (tests/microbench, "atomic": windows of 1 to 256 lines; shared-atomic-256).
void Sharing::find_hot_lines(const Chip& chip, const Extent& extent) {
  constexpr uint64_t kTries = 16;
  constexpr uint64_t kLinesDealt = 2;
  if (extent.active_sms <= 1) return;
  std::vector<std::vector<double>> slices(kTries, std::vector<double>(static_cast<size_t>(chip.l2_slices), 0.0));
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
      for (uint64_t t = 0; t < kTries; ++t) {
        slices[t][scramble((id * 16 + line) / kLinesDealt * kTries + t) % slices[t].size()] += count;
      }
    }
  }
  if (visits <= 0) return;
  double sum = 0;
  for (const std::vector<double>& one : slices) sum += *std::max_element(one.begin(), one.end()) / visits;
  busiest_slice_ = sum / static_cast<double>(kTries);
}

double Sharing::busiest_slice(uint64_t line) {
  const Region* region = busiest_slice_ > 0 ? find(line / 16, false) : nullptr;
  return region != nullptr && (region->hot >> line % 16 & 1) != 0 ? busiest_slice_ : 0;
}

double Sharing::merged_with(uint64_t unit) {
  const Region* region = find(unit / 32, false);
  if (region == nullptr) return 1;
  const unsigned near = region->near_sms[unit % 32] & ((1U << chip_->merging_sms) - 1);
  return std::max(1, std::popcount(near));
}

bool Sharing::shared_with(uint64_t unit, uint32_t copy) {
  const Region* region = find(unit / 32, false);
  if (region == nullptr || !region->compared || seen_ <= 1) return false;
  const double others = std::max(0, std::max(region->load_sms[unit % 32], region->load_sms[unit % 32 ^ 1]) - 1);
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
  const Buffer& buffer = buffers_[region->buffer];
  const double part = buffer.miss * (region->compared ? 1 / sharers(region->load_sms[at]) : buffer.load_part);
  const double factor = region->loaded != 0 ? read_factor(*region) : buffer.load_factor;
  return {.cost = part * factor, .bytes = part * 64, .waits = chance_of(unit) < part};
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
  const Buffer& buffer = buffers_[region->buffer];
  const double part = buffer.miss * (region->compared ? 1 / sharers(region->store_sms[at]) : buffer.store_part);
  const double factor = region->compared ? write_factor(*region, at) : buffer.store_factor;
  return {.cost = part * 0.5 * factor,
          .bytes = part * (region->cover[at] != ~0U ? 64 : 32),
          .waits = false};
}

}  // namespace warpshop::timing
