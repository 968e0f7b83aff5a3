// The heap of malloc and free in kernels. CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations".
//
// Blocks lie in one stretch of host memory, the arena, which stays until the launch ends. Each gets a device address that
// no block had before: a pointer into a freed block never meets another one.
//
// Safe between emulation threads: what a thread learns of a block is a copy that was made under the lock, so its parts
// belong together and lead into the arena whatever others free meanwhile. A copy that is kept (HeapRegions) is forgotten
// as soon as anything has been freed. A kernel whose threads use and free one block without order may therefore change
// its other blocks' bytes, as on a GPU, and nothing else.
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

// 0x0000'6800'0000'0000 up to the allocations of the host; see address_space.h.
inline constexpr uint64_t kHeapBase = uint64_t{0x6800} << 32;
inline constexpr uint64_t kHeapEnd = uint64_t{0x7000} << 32;
inline bool is_heap_address(uint64_t address) { return address >= kHeapBase && address < kHeapEnd; }

class Heap {
 public:
  // Whoever called malloc or free.
  struct Caller {
    int function = -1;          // in the module
    int instruction = -1;
    SourcePlace place;
    int ptx_line = 0;
    ThreadPlace who;
    uint64_t linear_block = 0;
  };
  struct Block {
    Region region;              // its name stays for the heap's lifetime
    Caller allocated;
    Caller freed;
    bool is_free = false;
  };
  enum class Freed : uint8_t { kYes, kTwice, kInside, kUnknown };

  explicit Heap(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // 16-byte aligned; 0: the heap is full.
  uint64_t allocate(uint64_t size_bytes, const Caller& caller);
  // Not kYes: `block` tells of the block that the pointer meant.
  Freed release(uint64_t address, const Caller& caller, Block& block);

  // The region of the block that holds all of the bytes; none where no living one does.
  std::optional<Region> find(uint64_t address, uint64_t bytes) const;
  // Counts the blocks that were freed: a copy of a region counts until this changes.
  uint64_t freed_blocks() const { return freed_blocks_.load(std::memory_order_acquire); }
  // The block that an address lies in or behind, freed or not; false: none is known any more.
  bool describe(uint64_t address, Block& block) const;
  // What nobody has freed, in order of address.
  std::vector<Block> living() const;

 private:
  const Block* block_at(uint64_t address) const;
  bool take(uint64_t bytes, uint64_t& offset);
  void give_back(uint64_t offset, uint64_t bytes);

  mutable std::mutex mutex_;
  uint64_t limit_bytes_;
  std::unique_ptr<uint8_t, decltype(&std::free)> data_{nullptr, &std::free};
  std::unique_ptr<uint8_t, decltype(&std::free)> written_{nullptr, &std::free};
  std::map<uint64_t, uint64_t> gaps_;             // free parts: offset → bytes
  uint64_t next_address_ = kHeapBase;
  std::map<uint64_t, Block> blocks_;              // by address: all that live, and those freed last
  std::deque<uint64_t> freed_;                    // addresses of these, oldest first
  std::set<std::string> names_;                   // of regions: one for each line that calls malloc
  std::atomic<uint64_t> freed_blocks_{0};
};

// The heap's regions as one emulation thread has met them: one for each site of its kernel, so that a site which stays in
// its block asks for no lock.
class HeapRegions {
 public:
  // As Heap::find.
  std::optional<Region> find(const Heap& heap, uint32_t site, uint64_t address, uint64_t bytes);

 private:
  struct Met {
    uint64_t freed_blocks = 0;
    Region region;              // size 0: none yet
  };
  std::vector<Met> of_site_;
};

}  // namespace warpshop::emulator
