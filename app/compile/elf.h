// Sections of a cubin, which is an ELF file (System V ABI, "Object Files").
//
// Sizes and offsets come from the file, so each is checked against the bytes present.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::compile {

// Reads little-endian words at checked offsets.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}

  size_t size() const { return data_.size(); }
  template <typename T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > data_.size() || data_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, data_.data() + offset, sizeof value);
    return value;
  }
  std::optional<Bytes> slice(uint64_t offset, uint64_t size) const {
    if (offset > data_.size() || data_.size() - offset < size) return std::nullopt;
    return Bytes(data_.substr(offset, size));
  }
  // The text up to the next NUL; empty if there is none.
  std::string_view text(uint64_t offset) const {
    if (offset >= data_.size()) return {};
    const size_t end = data_.find('\0', offset);
    return end == std::string_view::npos ? std::string_view() : data_.substr(offset, end - offset);
  }

 private:
  std::string_view data_;
};

struct Section {
  std::string_view name;
  uint32_t type = 0;
  uint64_t size_bytes = 0;  // as in the header; NOBITS sections have no bytes
  uint32_t link = 0;
  uint32_t info = 0;
  Bytes bytes{std::string_view()};
};

// The views point into `cubin`. Error: not a GPU ELF file, or truncated.
Result<std::vector<Section>> read_cubin(const std::vector<uint8_t>& cubin);

// nullptr if no section has this name.
const Section* find_section(const std::vector<Section>& sections, std::string_view name);

}  // namespace warpshop::compile
