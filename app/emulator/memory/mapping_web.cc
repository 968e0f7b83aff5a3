// WebAssembly's memory is one array, which only grows.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "memory/mapping.h"

namespace warpshop::emulator {

std::unique_ptr<Mapping> Mapping::in_large_pages(uint64_t) { return nullptr; }

std::unique_ptr<Mapping> Mapping::repeating(uint64_t size_bytes, std::span<const uint8_t> pattern) {
  constexpr uint64_t kReadPastEnd = 4096;
  if (size_bytes > SIZE_MAX - kReadPastEnd) return nullptr;
  void* at = std::malloc(static_cast<size_t>(size_bytes + kReadPastEnd));
  if (at == nullptr) return nullptr;
  auto* data = static_cast<uint8_t*>(at);
  for (uint64_t offset = 0; offset < size_bytes; offset += pattern.size()) {
    const auto part = static_cast<size_t>(std::min<uint64_t>(pattern.size(), size_bytes - offset));
    std::copy_n(pattern.data(), part, data + offset);
  }
  std::fill_n(data + size_bytes, kReadPastEnd, uint8_t{0});
  return std::make_unique<Mapping>(at, size_bytes, data);
}

Mapping::~Mapping() { std::free(at_); }

}  // namespace warpshop::emulator
