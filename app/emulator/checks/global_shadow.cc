#include "checks/global_shadow.h"

#include <bit>

namespace warpshop::emulator {
namespace {

constexpr uint32_t kSeveral = 0xffffffffu;
constexpr size_t kMaxHazards = 8;

uint32_t tag_of(uint64_t block) { return static_cast<uint32_t>((block + 1) % 0x7ffffff0u) << 1; }
uint64_t block_of(uint32_t tag) { return (tag >> 1) - 1; }

std::unique_ptr<uint32_t[], decltype(&std::free)> zeroed(uint64_t count) {
  return {static_cast<uint32_t*>(std::calloc(count, sizeof(uint32_t))), &std::free};
}

}  // namespace

GlobalShadow::GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads)
    : shift_(granule_bytes == 1 ? 0 : 2),
      writers_(zeroed((size_bytes >> shift_) + 4)),
      readers_(reads ? zeroed((size_bytes >> shift_) + 4) : Tags(nullptr, &std::free)) {}

void GlobalShadow::on_read(uint64_t block, const uint64_t* address, uint64_t base, uint32_t mask, int bytes,
                           std::vector<BlockHazard>& hazards) {
  if (writers_ == nullptr || readers_ == nullptr) return;
  const uint32_t me = tag_of(block);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t first = (address[lane] - base) >> shift_;
    for (int g = 0; g < (bytes + (1 << shift_) - 1) >> shift_; ++g) {
      const uint64_t granule = first + static_cast<uint64_t>(g);
      const uint32_t writer = at(writers_, granule).load(std::memory_order_relaxed);
      if (writer != 0 && (writer | 1) != (me | 1) && hazards.size() < kMaxHazards) {
        hazards.push_back({.lane = lane, .offset = granule << shift_, .other_block = block_of(writer), .other_wrote = true});
      }
      auto reader = at(readers_, granule);
      const uint32_t before = reader.load(std::memory_order_relaxed);
      if (before != me && before != kSeveral) reader.store(before == 0 ? me : kSeveral, std::memory_order_relaxed);
    }
  }
}

void GlobalShadow::on_write(uint64_t block, const uint64_t* address, uint64_t base, uint32_t mask, int bytes,
                            bool atomic, std::vector<BlockHazard>& hazards) {
  if (writers_ == nullptr) return;
  const uint32_t me = tag_of(block) | (atomic ? 1 : 0);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t first = (address[lane] - base) >> shift_;
    for (int g = 0; g < (bytes + (1 << shift_) - 1) >> shift_; ++g) {
      const uint64_t granule = first + static_cast<uint64_t>(g);
      auto writer = at(writers_, granule);
      const uint32_t before = writer.load(std::memory_order_relaxed);
      if (before != 0 && (before | 1) != (me | 1) && !(atomic && (before & 1)) && hazards.size() < kMaxHazards) {
        hazards.push_back({.lane = lane,
                           .offset = granule << shift_,
                           .other_block = block_of(before),
                           .other_wrote = true,
                           .needs_values = !atomic && (before & 1) == 0});
      }
      if (readers_ != nullptr) {
        const uint32_t reader = at(readers_, granule).load(std::memory_order_relaxed);
        if (reader != 0 && reader != (me & ~1u) && hazards.size() < kMaxHazards) {
          hazards.push_back({.lane = lane,
                             .offset = granule << shift_,
                             .other_block = reader == kSeveral ? 0 : block_of(reader),
                             .several = reader == kSeveral});
        }
      }
      if (before != me) writer.store(me, std::memory_order_relaxed);
    }
  }
}

}  // namespace warpshop::emulator
