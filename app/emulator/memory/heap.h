// The heap of malloc and free in kernels. CUDA C++ Programming Guide, "Dynamic Global Memory
// Allocation and Operations".
//
// All blocks are in one range of host memory, the arena, which lives until the launch ends. Each
// gets a device address that no earlier block had, so a pointer into a freed block never refers to
// another one.
//
// Thread-safe: a thread sees a block only as a copy made under the lock, so its fields are
// consistent and point into the arena whatever other threads free. A stored copy (HeapRegions) is
// dropped as soon as any block has been freed. A kernel whose threads use and free a block without
// synchronisation can therefore change bytes of its other blocks, as on a GPU, and nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emulator/finding.h"
#include "memory/address_space.h"

namespace warpshop::emulator {

// 0x0000'6800'0000'0000 up to the host's allocations; see address_space.h.
inline constexpr uint64_t kHeapBase = uint64_t{0x6800} << 32;
inline constexpr uint64_t kHeapEnd = uint64_t{0x7000} << 32;
inline bool is_heap_address(uint64_t address) { return address >= kHeapBase && address < kHeapEnd; }

class Heap {
 public:
  // The caller of malloc or free.
  struct Caller {
    int function = -1;  // in the module
    int instruction = -1;
    SourcePlace place;
    int ptx_line = 0;
    ThreadPlace who;
    uint64_t linear_block = 0;
  };
  struct Block {
    Region region;  // its name lives as long as the heap
    Caller allocated;
    Caller freed;
    bool is_free = false;
  };
  enum class Freed : uint8_t { kYes, kTwice, kInside, kUnknown };

  explicit Heap(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // 16-byte aligned; 0: the heap is full.
  uint64_t allocate(uint64_t size_bytes, const Caller& caller);
  // Unless it returns kYes, `block` describes the block that the pointer meant.
  Freed release(uint64_t address, const Caller& caller, Block& block);

  // The region of the live block that contains all of the bytes, if any.
  std::optional<Region> find(uint64_t address, uint64_t bytes) const;
  // Number of blocks freed so far: a copy of a region is valid until it changes.
  uint64_t freed_blocks() const { return freed_blocks_.load(std::memory_order_acquire); }
  // The block that contains or precedes an address, freed or not; false: unknown or forgotten.
  bool describe(uint64_t address, Block& block) const;
  // Blocks not freed yet, in ascending address.
  std::vector<Block> living() const;

 private:
  const Block* block_at(uint64_t address) const;
  bool take(uint64_t bytes, uint64_t& offset);
  void give_back(uint64_t offset, uint64_t bytes);

  mutable std::mutex mutex_;
  uint64_t limit_bytes_;
  std::unique_ptr<uint8_t, decltype(&std::free)> data_{nullptr, &std::free};
  std::unique_ptr<uint8_t, decltype(&std::free)> written_{nullptr, &std::free};
  std::map<uint64_t, uint64_t> gaps_;  // free parts: offset → bytes
  uint64_t next_address_ = kHeapBase;
  std::map<uint64_t, Block> blocks_;  // by address: live ones, and those freed last
  std::deque<uint64_t> freed_;        // addresses of the latter, oldest first
  std::set<std::string> names_;       // of regions: one per line that calls malloc
  std::atomic<uint64_t> freed_blocks_{0};
};

// One emulation thread's cache of heap regions: one per site of the kernel, so that a site that
// stays in its block needs no lock.
class HeapRegions {
 public:
  // As Heap::find.
  std::optional<Region> find(const Heap& heap, uint32_t site, uint64_t address, uint64_t bytes);

 private:
  struct Cached {
    uint64_t freed_blocks = 0;
    Region region;  // size 0: none yet
  };
  std::vector<Cached> of_site_;
};

}  // namespace warpshop::emulator
