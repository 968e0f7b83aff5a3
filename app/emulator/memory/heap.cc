#include "memory/heap.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warpshop::emulator {
namespace {

constexpr uint64_t kAlignment = 16;
// Unmapped addresses between blocks, so that running over an end is found.
constexpr uint64_t kBehindBlock = 256;
// How many freed blocks are remembered, so that a use after free is told with its places.
constexpr size_t kMostRemembered = 4096;

uint64_t whole_units(uint64_t value) { return (value + kAlignment - 1) / kAlignment * kAlignment; }

// Other emulation threads may look at the region of a block while it is freed.
void set_size(Region& region, uint64_t bytes) {
  std::atomic_ref<uint64_t>(region.size_bytes).store(bytes, std::memory_order_release);
}

}  // namespace

uint64_t Heap::allocate(uint64_t size_bytes, const Caller& caller) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > limit_bytes_) return 0;
  if (data_ == nullptr) {
    data_.reset(static_cast<uint8_t*>(std::calloc(limit_bytes_ + 64, 1)));
    written_.reset(static_cast<uint8_t*>(std::calloc(limit_bytes_ + 64, 1)));
    if (data_ == nullptr || written_ == nullptr) return 0;
    gaps_[0] = limit_bytes_ / kAlignment * kAlignment;
  }
  const uint64_t bytes = std::max(whole_units(size_bytes), kAlignment);
  uint64_t offset = 0;
  if (!take(bytes, offset) || next_address_ + bytes + kBehindBlock > kHeapEnd) return 0;
  Block* block = nullptr;
  if (freed_.size() >= kMostRemembered) {
    block = freed_.front();
    freed_.pop_front();
    by_address_.erase(block->region.base);
    *block = Block();
  } else {
    block = &blocks_.emplace_back();
  }
  block->size_bytes = size_bytes;
  block->allocated = caller;
  block->name = "malloc" + (caller.place.line > 0 ? ", line " + std::to_string(caller.place.line) : std::string());
  std::memset(written_.get() + offset, 0, bytes);
  block->region.base = next_address_;
  block->region.data = data_.get() + offset;
  block->region.written = written_.get() + offset;
  block->region.name = block->name.c_str();
  set_size(block->region, size_bytes);
  by_address_[next_address_] = block;
  next_address_ += bytes + kBehindBlock;
  return block->region.base;
}

Heap::Freed Heap::release(uint64_t address, const Caller& caller, Block& block) {
  const std::lock_guard lock(mutex_);
  Block* found = block_at(address);
  if (found == nullptr || address - found->region.base > found->size_bytes) return Freed::kUnknown;
  block = *found;
  if (found->is_free) return Freed::kTwice;
  if (address != found->region.base) return Freed::kInside;
  found->is_free = true;
  found->freed = caller;
  set_size(found->region, 0);
  give_back(static_cast<uint64_t>(found->region.data - data_.get()), std::max(whole_units(found->size_bytes), kAlignment));
  freed_.push_back(found);
  return Freed::kYes;
}

const Region* Heap::find(uint64_t address, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const Block* block = block_at(address);
  if (block == nullptr || block->is_free) return nullptr;
  const uint64_t offset = address - block->region.base;
  return offset <= block->size_bytes && block->size_bytes - offset >= bytes ? &block->region : nullptr;
}

bool Heap::describe(uint64_t address, Block& block) {
  const std::lock_guard lock(mutex_);
  const Block* found = block_at(address);
  if (found == nullptr) return false;
  block = *found;
  return true;
}

std::vector<Heap::Block> Heap::living() const {
  const std::lock_guard lock(mutex_);
  std::vector<Block> all;
  for (const auto& [address, block] : by_address_) {
    if (!block->is_free) all.push_back(*block);
  }
  return all;
}

Heap::Block* Heap::block_at(uint64_t address) {
  auto after = by_address_.upper_bound(address);
  return after == by_address_.begin() ? nullptr : std::prev(after)->second;
}

// The first gap that is large enough.
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

}  // namespace warpshop::emulator
