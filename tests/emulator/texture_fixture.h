// Rows of texture_truth/h200.txt, and the images used for the measurements.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "emulator/texture.h"
#include "texture_truth/points.h"

namespace warpshop::emulator::testing {

inline std::vector<std::string> truth_rows(const std::string& kind) {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/texture_truth/h200.txt");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.find(" " + kind + " k") != std::string::npos) rows.push_back(line);
  }
  return rows;
}

inline uint64_t hash_of(const void* data, size_t bytes, uint64_t hash = 1469598103934665603u) {
  const auto* at = static_cast<const uint8_t*>(data);
  for (size_t n = 0; n < bytes; ++n) hash = (hash ^ at[n]) * 1099511628211u;
  return hash;
}

inline std::vector<uint8_t> image(const ArrayShape& shape, texture_truth::Texels kind) {
  const auto format = static_cast<texture_truth::Format>(shape.format);
  const uint64_t texels = shape.size_bytes_all() / static_cast<uint64_t>(shape.texel_bytes());
  std::vector<uint8_t> out;
  for (uint64_t n = 0; n < texels; ++n) {
    for (int c = 0; c < shape.channels; ++c) {
      const uint32_t t =
          texture_truth::texel(format, kind, static_cast<uint32_t>(n), static_cast<uint32_t>(c));
      const auto* from = reinterpret_cast<const uint8_t*>(&t);
      out.insert(out.end(), from, from + size_bytes(shape.format));
    }
  }
  return out;
}

}  // namespace warpshop::emulator::testing
