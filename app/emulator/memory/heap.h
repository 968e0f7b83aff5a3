// The heap of malloc and free in kernels. CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations".
//
// Blocks lie in one stretch of host memory, but each gets a device address that no block had before: a pointer into
// a freed block never meets another one. Safe between emulation threads.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
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
    Region region;              // size 0 once it is freed
    uint64_t size_bytes = 0;
    std::string name;
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

  // The region that holds all of the bytes; nullptr: there is none. It stays in place for the heap's lifetime.
  const Region* find(uint64_t address, uint64_t bytes);
  // The block that an address lies in or behind, freed or not; false: none is known any more.
  bool describe(uint64_t address, Block& block);
  // What nobody has freed, in order of address.
  std::vector<Block> living() const;

 private:
  Block* block_at(uint64_t address);
  bool take(uint64_t bytes, uint64_t& offset);
  void give_back(uint64_t offset, uint64_t bytes);

  mutable std::mutex mutex_;
  uint64_t limit_bytes_;
  std::unique_ptr<uint8_t, decltype(&std::free)> data_{nullptr, &std::free};
  std::unique_ptr<uint8_t, decltype(&std::free)> written_{nullptr, &std::free};
  std::map<uint64_t, uint64_t> gaps_;             // free parts: offset → bytes
  uint64_t next_address_ = kHeapBase;
  std::deque<Block> blocks_;                      // never moved; used again after a long time
  std::map<uint64_t, Block*> by_address_;
  std::deque<Block*> freed_;                      // oldest first
};

}  // namespace warpshop::emulator
