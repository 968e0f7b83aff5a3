#include "memory/heap.h"

#include <algorithm>
#include <cstring>

#include "memory/kernel_bytes.h"

namespace warpshop::emulator {
namespace {

constexpr uint64_t kAlignment = 16;
// Unmapped addresses between blocks, so that overruns are found.
constexpr uint64_t kBlockGuard = 256;
// Number of freed blocks to remember, so that a use after free can be reported with its places.
constexpr size_t kMostRemembered = 4096;

uint64_t whole_units(uint64_t value) { return (value + kAlignment - 1) / kAlignment * kAlignment; }

uint64_t room_of(uint64_t size_bytes) { return std::max(whole_units(size_bytes), kAlignment); }

}  // namespace

uint64_t Heap::allocate(uint64_t size_bytes, const Caller& caller) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > limit_bytes_) return 0;
  if (data_ == nullptr) {
    data_.reset(static_cast<uint8_t*>(std::calloc(limit_bytes_ + 64, 1)));
    written_.reset(static_cast<uint8_t*>(std::calloc(limit_bytes_ + 64, 1)));
    if (data_ == nullptr || written_ == nullptr) return 0;
    let_kernels_race(data_.get(), limit_bytes_);
    let_kernels_race(written_.get(), limit_bytes_);
    gaps_[0] = limit_bytes_ / kAlignment * kAlignment;
  }
  const uint64_t bytes = room_of(size_bytes);
  uint64_t offset = 0;
  if (next_address_ + bytes + kBlockGuard > kHeapEnd || !take(bytes, offset)) return 0;
  if (freed_.size() >= kMostRemembered) {
    blocks_.erase(freed_.front());
    freed_.pop_front();
  }
  const int line = caller.place.line;
  const std::string& name =
      *names_.insert("malloc" + (line > 0 ? ", line " + std::to_string(line) : std::string()))
           .first;
  std::memset(written_.get() + offset, 0, bytes);
  const uint64_t address = next_address_;
  Block& block = blocks_[address];
  block.region = {.base = address,
                  .size_bytes = size_bytes,
                  .data = data_.get() + offset,
                  .written = written_.get() + offset,
                  .name = name.c_str()};
  block.allocated = caller;
  next_address_ += bytes + kBlockGuard;
  return address;
}

Heap::Freed Heap::release(uint64_t address, const Caller& caller, Block& block) {
  const std::lock_guard lock(mutex_);
  const Block* known = block_at(address);
  if (known == nullptr || address - known->region.base > known->region.size_bytes)
    return Freed::kUnknown;
  block = *known;
  if (known->is_free) return Freed::kTwice;
  if (address != known->region.base) return Freed::kInside;
  Block& freed = blocks_.find(address)->second;
  freed.is_free = true;
  freed.freed = caller;
  freed_blocks_.fetch_add(1, std::memory_order_release);
  give_back(static_cast<uint64_t>(freed.region.data - data_.get()),
            room_of(freed.region.size_bytes));
  freed_.push_back(address);
  return Freed::kYes;
}

std::optional<Region> Heap::find(uint64_t address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const Block* block = block_at(address);
  if (block == nullptr || block->is_free || !holds(block->region, address, bytes))
    return std::nullopt;
  return block->region;
}

bool Heap::describe(uint64_t address, Block& block) const {
  const std::lock_guard lock(mutex_);
  const Block* found = block_at(address);
  if (found == nullptr) return false;
  block = *found;
  return true;
}

std::vector<Heap::Block> Heap::living() const {
  const std::lock_guard lock(mutex_);
  std::vector<Block> all;
  for (const auto& [address, block] : blocks_) {
    if (!block.is_free) all.push_back(block);
  }
  return all;
}

const Heap::Block* Heap::block_at(uint64_t address) const {
  auto after = blocks_.upper_bound(address);
  return after == blocks_.begin() ? nullptr : &std::prev(after)->second;
}

// Takes space from the first gap that is large enough.
bool Heap::take(uint64_t bytes, uint64_t& offset) {
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    if (gap->second < bytes) continue;
    offset = gap->first;
    const uint64_t rest = gap->second - bytes;
    gaps_.erase(gap);
    if (rest > 0) gaps_[offset + bytes] = rest;
    return true;
  }
  return false;
}

void Heap::give_back(uint64_t offset, uint64_t bytes) {
  auto after = gaps_.lower_bound(offset);
  if (after != gaps_.end() && offset + bytes == after->first) {
    bytes += after->second;
    after = gaps_.erase(after);
  }
  if (after != gaps_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  gaps_[offset] = bytes;
}

std::optional<Region> HeapRegions::find(const Heap& heap, uint32_t site, uint64_t address,
                                        uint64_t bytes) {
  if (of_site_.size() <= site) of_site_.resize(size_t{site} + 1);
  Cached& cached = of_site_[site];
  // Before find(): a later free invalidates the result.
  const uint64_t freed_blocks = heap.freed_blocks();
  if (cached.freed_blocks == freed_blocks && cached.region.size_bytes > 0 &&
      holds(cached.region, address, bytes))
    return cached.region;
  const std::optional<Region> region = heap.find(address, bytes);
  if (region) cached = {.freed_blocks = freed_blocks, .region = *region};
  return region;
}

}  // namespace warpshop::emulator
