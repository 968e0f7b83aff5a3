// Pads per-thread data to cache lines to avoid false sharing.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace warpshop::emulator {

// x86-64 fetches lines in pairs (Intel 64 Optimization Reference Manual, "Spatial prefetcher").
inline constexpr size_t kCacheLinePadding = 128;

// Allocator for std::vector: starts at a multiple of kCacheLinePadding and pads to the next.
template <typename T>
struct PaddedAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  PaddedAllocator() = default;
  template <typename U>
  PaddedAllocator(const PaddedAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(bytes(count), std::align_val_t(kCacheLinePadding)));
  }
  void deallocate(T* at, size_t) { ::operator delete(at, std::align_val_t(kCacheLinePadding)); }
  bool operator==(const PaddedAllocator&) const { return true; }

 private:
  static size_t bytes(size_t count) {
    return (count * sizeof(T) + kCacheLinePadding - 1) / kCacheLinePadding * kCacheLinePadding;
  }
};

template <typename T>
using PaddedVector = std::vector<T, PaddedAllocator<T>>;

}  // namespace warpshop::emulator
