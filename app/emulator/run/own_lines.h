// Memory that an emulation thread writes all the time lies in cache lines of its own: where two threads write to one
// line, each waits for the other's cache.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace warpshop::emulator {

// Lines come from memory in pairs on x86-64 (Intel 64 Optimization Reference Manual, "Spatial prefetcher").
inline constexpr size_t kOwnLines = 128;

// For std::vector: begins at a boundary of kOwnLines and fills up to the next.
template <typename T>
struct OwnLines {
  using value_type = T;
  OwnLines() = default;
  template <typename U>
  OwnLines(const OwnLines<U>&) {}
  T* allocate(size_t count) { return static_cast<T*>(::operator new(bytes(count), std::align_val_t(kOwnLines))); }
  void deallocate(T* at, size_t) { ::operator delete(at, std::align_val_t(kOwnLines)); }
  bool operator==(const OwnLines&) const { return true; }

 private:
  static size_t bytes(size_t count) { return (count * sizeof(T) + kOwnLines - 1) / kOwnLines * kOwnLines; }
};

template <typename T>
using OwnLinesVector = std::vector<T, OwnLines<T>>;

}  // namespace warpshop::emulator
