// The emulator's device memory: allocations in a 64-bit address space of their own. A kernel can
// access no other memory of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::emulator {

using DevicePointer = uint64_t;

class DeviceMemory {
 public:
  // Allocations start at 512-byte boundaries with unmapped guard space of at least 4 KiB between
  // them, as cudaMalloc aligns (measured: H200, hardware truth README).
  static constexpr uint64_t kAlignment = 512;

  // 32-bit hosts have 4 GiB for these buffers, their shadows and all else.
  static constexpr uint64_t kCapacityBytes = uint64_t{sizeof(void*) > 4 ? 4 : 1} << 30;
  explicit DeviceMemory(uint64_t capacity_bytes = kCapacityBytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&&) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) noexcept;

  // Findings use `name` ("in", "out") and, if known, the element size. Bytes are zero but count as
  // uninitialised until mark_written or a store. Error: the capacity would be exceeded.
  Result<DevicePointer> allocate(uint64_t size_bytes, std::string name, uint32_t element_bytes = 0);

  // The same for a buffer that repeats `pattern` (a whole number of pages) throughout and counts as
  // written. However large it is, it takes only the space of the pattern and of the pages that a
  // kernel stores to.
  Result<DevicePointer> allocate_repeating(uint64_t size_bytes, std::string name,
                                           std::span<const uint8_t> pattern);

  // The allocation's bytes, for filling and comparing between launches.
  std::span<uint8_t> bytes(DevicePointer base);
  std::span<const uint8_t> bytes(DevicePointer base) const;
  void mark_written(DevicePointer base);
  void mark_unwritten(DevicePointer base);

  struct Allocation {
    DevicePointer base = 0;
    uint64_t size_bytes = 0;
    std::string name;
    uint32_t element_bytes = 0;  // 0: unknown
    uint8_t* data = nullptr;     // size_bytes
    uint8_t* written = nullptr;  // one flag per byte, 0: never written; nullptr: all written
  };
  // nullptr if no allocation contains the address. O(log n).
  const Allocation* find(DevicePointer address) const;
  const std::vector<Allocation>& allocations() const;  // ascending base

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::emulator
