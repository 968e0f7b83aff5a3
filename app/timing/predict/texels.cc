#include "predict/texels.h"

#include <algorithm>

namespace warpshop::timing {
namespace {

constexpr uint64_t kArrays = uint64_t{1} << 56;
constexpr int kArrayBits = 33;  // an array has at most 4 GiB before its tiles are padded
constexpr uint64_t kTileBytes = 64;

uint64_t base_of(int array) { return kArrays + (static_cast<uint64_t>(array) << kArrayBits); }

uint64_t in_tile(TexelLayout layout, uint64_t x, uint64_t y) {
  if (layout != TexelLayout::kSectors) return y * kTileBytes + x;
  return x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

}  // namespace

FetchSites::FetchSites(const emulator::Program& program)
    : first_(program.access_sites().size()), numbers_(program.module().functions.size()) {
  for (const emulator::Program::BasicBlock& block : program.basic_blocks()) {
    const auto& body = program.module().functions[static_cast<size_t>(block.function)].body;
    for (const int n : block.instructions) {
      const ptx::Instruction& i = body[static_cast<size_t>(n)];
      if (i.opcode != "tex" && i.opcode != "tld4") continue;
      std::vector<int>& numbers = numbers_[static_cast<size_t>(block.function)];
      numbers.resize(body.size(), -1);
      int& known = numbers[static_cast<size_t>(n)];
      if (known < 0) known = number(lines_.size());
      lines_.push_back(i.ptx_line);
    }
  }
}

int FetchSites::find(int function, int instruction) const {
  const std::vector<int>& numbers = numbers_[static_cast<size_t>(function)];
  const auto n = static_cast<size_t>(instruction);
  return n < numbers.size() ? numbers[n] : -1;
}

TexelLayout texel_layout_of(models::ComputeCapability capability) {
  if (capability.major >= 5) return TexelLayout::kSectors;
  return capability.major >= 2 ? TexelLayout::kRows8 : TexelLayout::kRows4;
}

uint64_t texel_address(TexelLayout layout, const emulator::TextureObject& texture,
                       uint64_t offset) {
  if (texture.array < 0) return texture.base + offset;
  const uint64_t base = base_of(texture.array);
  const uint64_t height = texture.shape.height;
  if (height == 0) return base + offset;
  const uint64_t pitch = texture.pitch_bytes;
  const int row_bits = layout == TexelLayout::kRows4 ? 2 : 3;
  const uint64_t rows = uint64_t{1} << row_bits;
  const uint64_t across = (pitch + kTileBytes - 1) / kTileBytes;
  const uint64_t down = (height + rows - 1) >> row_bits;
  // Most of the time goes into divisions: those of 32 bits are faster, and an image has one layer.
  const uint64_t line = (offset | pitch) >> 32 == 0
                            ? static_cast<uint32_t>(offset) / static_cast<uint32_t>(pitch)
                            : offset / pitch;
  const uint64_t layer = line < height ? 0 : line / height;
  const uint64_t y = line - layer * height;
  const uint64_t x = offset - line * pitch;
  const uint64_t tile = (layer * down + (y >> row_bits)) * across + x / kTileBytes;
  return base + tile * kTileBytes * rows + in_tile(layout, x % kTileBytes, y & (rows - 1));
}

std::vector<emulator::DeviceMemory::Allocation> texture_arrays(
    const emulator::TextureMemory* textures) {
  std::vector<emulator::DeviceMemory::Allocation> arrays;
  if (textures == nullptr) return arrays;
  for (const emulator::TextureObject& object : textures->objects()) {
    if (object.array < 0) continue;
    arrays.push_back({.base = base_of(object.array),
                      .size_bytes = object.shape.size_bytes_all(),
                      .name = object.name});
  }
  const auto below = [](const auto& a, const auto& b) { return a.base < b.base; };
  std::sort(arrays.begin(), arrays.end(), below);
  const auto same = [](const auto& a, const auto& b) { return a.base == b.base; };
  arrays.erase(std::unique(arrays.begin(), arrays.end(), same), arrays.end());
  return arrays;
}

}  // namespace warpshop::timing
