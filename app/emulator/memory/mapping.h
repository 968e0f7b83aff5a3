// Zero bytes from the system that cost nothing until they are touched, for large buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace warpshop::emulator {

class Mapping {
 public:
  // In large pages, if the system has them and a buffer of this size gains by them: a warp that
  // accesses a column touches 32 small pages at once. nullptr: none for this size.
  static std::unique_ptr<Mapping> in_large_pages(uint64_t size_bytes);
  // Repeats `pattern`, a whole number of pages, from `data` on. A few bytes more may be read.
  // nullptr: the system has no memory left.
  static std::unique_ptr<Mapping> repeating(uint64_t size_bytes, std::span<const uint8_t> pattern);

  Mapping(void* at, uint64_t size_bytes, uint8_t* data)
      : at_(at), size_bytes_(size_bytes), data_(data) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  uint8_t* data() const { return data_; }

 private:
  void* at_;
  uint64_t size_bytes_;
  uint8_t* data_;
};

}  // namespace warpshop::emulator
