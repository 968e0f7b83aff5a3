#include "checks/global_shadow.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpshop::emulator {
namespace {

constexpr int kLineGranules = 32;
constexpr uint32_t kMixed = 0xffffffffu;     // a line's tag: look at its granules
constexpr uint32_t kSeveral = 0xffffffffu;   // a granule's tag: read by more than one block
constexpr size_t kMaxHazards = 8;
constexpr auto kRelaxed = std::memory_order_relaxed;

uint32_t tag_of(uint64_t block) { return static_cast<uint32_t>((block + 1) % 0x7ffffff0u) << 1; }
uint64_t block_of(uint32_t tag) { return (tag >> 1) - 1; }
bool same_block(uint32_t a, uint32_t b) { return (a | 1) == (b | 1); }

uint32_t tag_of_line(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t bits_of_line(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
uint64_t line_word(uint32_t tag, uint32_t bits) { return uint64_t{bits} << 32 | tag; }

template <typename T>
std::unique_ptr<T[], decltype(&std::free)> zeroed(uint64_t count) {
  return {static_cast<T*>(std::calloc(count, sizeof(T))), &std::free};
}

}  // namespace

void GlobalShadow::Owners::allocate(uint64_t line_count) {
  lines = zeroed<uint64_t>(line_count);
  granules = zeroed<uint32_t>(line_count * kLineGranules);
}

void GlobalShadow::Owners::spread(uint64_t n) const {
  const uint64_t word = line(n).load(kRelaxed);
  if (tag_of_line(word) == kMixed) return;
  for (uint32_t rest = bits_of_line(word); rest != 0; rest &= rest - 1) {
    granule(n * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest))).store(tag_of_line(word), kRelaxed);
  }
  line(n).store(line_word(kMixed, 0), std::memory_order_release);
}

GlobalShadow::GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads)
    : size_bytes_(size_bytes), shift_(granule_bytes == 1 ? 0 : 2) {
  const uint64_t lines = (size_bytes >> shift_) / kLineGranules + 2;
  writers_.allocate(lines);
  if (reads) readers_.allocate(lines);
}

// Calls visit(line, bits) for the lines of an access. Neighbouring lanes that share a line come together.
template <typename Visit>
void GlobalShadow::for_each_line(const GlobalTouch& touch, Visit visit) const {
  const int granule_bytes = 1 << shift_;
  const int granules = std::max(1, touch.bytes >> shift_);
  if (touch.contiguous && touch.bytes >= granule_bytes) {
    uint64_t at = (touch.address[0] - touch.base) >> shift_;
    for (int left = 32 * granules; left > 0;) {
      const int from = static_cast<int>(at % kLineGranules);
      const int count = std::min(kLineGranules - from, left);
      const uint32_t bits = count == kLineGranules ? ~0u : ((1u << count) - 1) << from;
      visit(at / kLineGranules, bits);
      at += static_cast<uint64_t>(count);
      left -= count;
    }
    return;
  }
  // An aligned access of at most 16 bytes lies in one line.
  const uint32_t unit = (1u << granules) - 1;
  uint64_t line = ~uint64_t{0};
  uint32_t bits = 0;
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const uint64_t at = (touch.address[std::countr_zero(rest)] - touch.base) >> shift_;
    if (at / kLineGranules != line) {
      if (bits != 0) visit(line, bits);
      line = at / kLineGranules;
      bits = 0;
    }
    bits |= unit << (at % kLineGranules);
  }
  if (bits != 0) visit(line, bits);
}

// The lane whose access holds a granule.
int GlobalShadow::lane_at(const GlobalTouch& touch, uint64_t granule) const {
  const auto granules = static_cast<uint64_t>(std::max(1, touch.bytes >> shift_));
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t first = (touch.address[lane] - touch.base) >> shift_;
    if (granule - first < granules) return lane;
  }
  return std::countr_zero(touch.mask);
}

void GlobalShadow::meet_writers(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                                std::vector<BlockHazard>& hazards) const {
  const uint64_t word = writers_.line(line).load(std::memory_order_acquire);
  for (uint32_t rest = bits; rest != 0 && hazards.size() < kMaxHazards; rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t granule = line * kLineGranules + bit;
    uint32_t writer = writers_.granule(granule).load(kRelaxed);
    if (tag_of_line(word) != kMixed) writer = ((bits_of_line(word) >> bit) & 1u) ? tag_of_line(word) : 0;
    if (writer == 0 || same_block(writer, me)) continue;
    hazards.push_back({.lane = lane_at(touch, granule),
                       .offset = granule << shift_,
                       .other_block = block_of(writer),
                       .other_wrote = true});
  }
}

void GlobalShadow::read_mixed(uint32_t me, uint64_t line, uint32_t bits) {
  readers_.spread(line);
  for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    auto reader = readers_.granule(line * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest)));
    const uint32_t before = reader.load(kRelaxed);
    if (before != me && before != kSeveral) reader.store(before == 0 ? me : kSeveral, kRelaxed);
  }
}

void GlobalShadow::on_read(const GlobalTouch& touch, std::vector<BlockHazard>& hazards) {
  if (!writers_ || !readers_) return;
  const uint32_t me = tag_of(touch.block);
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    const uint64_t writer = writers_.line(line).load(kRelaxed);
    const bool met = tag_of_line(writer) == kMixed ||
                     (!same_block(tag_of_line(writer), me) && (bits_of_line(writer) & bits) != 0);
    if (met) meet_writers(touch, me, line, bits, hazards);
    const uint64_t reader = readers_.line(line).load(kRelaxed);
    if (reader != 0 && tag_of_line(reader) != me) return read_mixed(me, line, bits);
    if ((bits & ~bits_of_line(reader)) != 0) {
      readers_.line(line).store(line_word(me, bits_of_line(reader) | bits), kRelaxed);
    }
  });
}

void GlobalShadow::meet_readers(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                                std::vector<BlockHazard>& hazards) const {
  const uint64_t word = readers_.line(line).load(std::memory_order_acquire);
  for (uint32_t rest = bits; rest != 0 && hazards.size() < kMaxHazards; rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t granule = line * kLineGranules + bit;
    uint32_t reader = readers_.granule(granule).load(kRelaxed);
    if (tag_of_line(word) != kMixed) reader = ((bits_of_line(word) >> bit) & 1u) ? tag_of_line(word) : 0;
    if (reader == 0 || reader == (me & ~1u)) continue;
    hazards.push_back({.lane = lane_at(touch, granule),
                       .offset = granule << shift_,
                       .other_block = reader == kSeveral ? 0 : block_of(reader),
                       .several = reader == kSeveral});
  }
}

void GlobalShadow::write_mixed(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                               std::vector<BlockHazard>& hazards) {
  writers_.spread(line);
  for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    const uint64_t granule = line * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest));
    auto writer = writers_.granule(granule);
    const uint32_t before = writer.load(kRelaxed);
    if (before != 0 && !same_block(before, me) && !(touch.atomic && (before & 1)) && hazards.size() < kMaxHazards) {
      hazards.push_back({.lane = lane_at(touch, granule),
                         .offset = granule << shift_,
                         .other_block = block_of(before),
                         .other_wrote = true,
                         .needs_values = !touch.atomic && (before & 1) == 0});
    }
    if (before != me) writer.store(me, kRelaxed);
  }
}

void GlobalShadow::on_write(const GlobalTouch& touch, std::vector<BlockHazard>& hazards) {
  if (!writers_) return;
  const uint32_t me = tag_of(touch.block) | (touch.atomic ? 1 : 0);
  const bool watch_readers = static_cast<bool>(readers_);
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    if (watch_readers) {
      const uint64_t reader = readers_.line(line).load(kRelaxed);
      const bool met = tag_of_line(reader) == kMixed ||
                       (tag_of_line(reader) != (me & ~1u) && (bits_of_line(reader) & bits) != 0);
      if (met) meet_readers(touch, me, line, bits, hazards);
    }
    const uint64_t writer = writers_.line(line).load(kRelaxed);
    if (writer != 0 && tag_of_line(writer) != me) return write_mixed(touch, me, line, bits, hazards);
    if ((bits & ~bits_of_line(writer)) != 0) {
      writers_.line(line).store(line_word(me, bits_of_line(writer) | bits), kRelaxed);
    }
  });
}

bool GlobalShadow::covers(const GlobalTouch& touch) const {
  if (!writers_) return false;
  bool all = true;
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    const uint64_t writer = writers_.line(line).load(std::memory_order_acquire);
    if (tag_of_line(writer) != kMixed) {
      all = all && (bits & ~bits_of_line(writer)) == 0;
      return;
    }
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      const uint64_t granule = line * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest));
      all = all && writers_.granule(granule).load(kRelaxed) != 0;
    }
  });
  return all;
}

bool GlobalShadow::mark_written(uint8_t* written) const {
  if (!writers_) return false;
  const uint64_t granules = (size_bytes_ + (uint64_t{1} << shift_) - 1) >> shift_;
  const uint64_t whole = granules / kLineGranules;
  const bool all = granules % kLineGranules == 0 && std::all_of(&writers_.lines[0], &writers_.lines[whole], [](uint64_t word) {
                     return bits_of_line(word) == ~0u;
                   });
  if (all) return true;
  bool complete = true;
  for (uint64_t g = 0; g < granules;) {
    const uint64_t line = g / kLineGranules;
    const uint64_t word = writers_.lines[line];
    const uint64_t last = std::min(granules, g + kLineGranules);
    if (word == 0) complete = false;
    if (word == 0 || bits_of_line(word) == ~0u) {
      if (word != 0) std::memset(written + (g << shift_), 1, std::min(last << shift_, size_bytes_) - (g << shift_));
      g = last;
      continue;
    }
    for (; g < last; ++g) {
      const bool here = tag_of_line(word) == kMixed ? writers_.granules[g] != 0
                                                    : ((bits_of_line(word) >> (g % kLineGranules)) & 1u) != 0;
      complete = complete && here;
      if (!here) continue;
      std::memset(written + (g << shift_), 1, std::min((g + 1) << shift_, size_bytes_) - (g << shift_));
    }
  }
  return complete;
}

}  // namespace warpshop::emulator
