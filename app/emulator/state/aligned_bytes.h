// Bytes of a warp's registers, aligned for the host's widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace warpshop::emulator {

// Zero-initialised bytes at a 64-byte boundary; growing keeps the contents.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  AlignedBytes(const AlignedBytes& other) { *this = other; }
  AlignedBytes& operator=(const AlignedBytes& other) {
    if (this == &other) return *this;
    grow(other.size_);
    if (other.size_ > 0) std::memcpy(data_.get(), other.data_.get(), other.size_);
    return *this;
  }
  uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }
  void grow(size_t size) {
    if (size <= size_) return;
    const size_t rounded = (size + 63) / 64 * 64;
    std::unique_ptr<uint8_t, void (*)(void*)> fresh(
        static_cast<uint8_t*>(std::aligned_alloc(64, rounded)), &std::free);
    if (size_ > 0) std::memcpy(fresh.get(), data_.get(), size_);
    std::memset(fresh.get() + size_, 0, rounded - size_);
    data_ = std::move(fresh);
    size_ = rounded;
  }

 private:
  std::unique_ptr<uint8_t, void (*)(void*)> data_{nullptr, &std::free};
  size_t size_ = 0;
};

}  // namespace warpshop::emulator
