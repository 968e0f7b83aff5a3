// Texture fetches as the memory models need them: which instructions they are, and the addresses of
// texels.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/program.h"
#include "emulator/texture_memory.h"
#include "models/gpu_profile.h"

namespace warpshop::timing {

// The fetches (tex, tld4) of a kernel and the functions it calls, numbered after its access sites
// so that a trace can index both in the same way.
class FetchSites {
 public:
  explicit FetchSites(const emulator::Program& program);
  size_t size() const { return lines_.size(); }
  // -1: the instruction is not a fetch.
  int find(int function, int instruction) const;
  int ptx_line(size_t n) const { return lines_[n]; }
  int number(size_t n) const { return static_cast<int>(first_ + n); }
  size_t end() const { return first_ + lines_.size(); }  // after the last number

 private:
  size_t first_ = 0;
  std::vector<std::vector<int>> numbers_;  // by function and instruction; -1: not a fetch
  std::vector<int> lines_;
};

// Memory layout of two-dimensional arrays: tiles 64 bytes wide and a few rows high, side by side.
//   kRows4    before 2.0: four rows, one after another (envytools, "G80 surface formats", roptiles)
//   kRows8    2.x and 3.x: eight rows, likewise
//   kSectors  5.0 and newer: eight rows; 16 bytes of one row and 16 of the next form a sector
//             (Tegra X1 Technical Reference Manual, "Block linear"; recalled)
// The driver chooses how many tiles are stacked before the next column starts; here it is one.
enum class TexelLayout : uint8_t { kRows4, kRows8, kSectors };
TexelLayout texel_layout_of(models::ComputeCapability capability);

// `offset`: byte offset of the texel, as in TextureFetch. Textures over buffers use the buffer's
// address, arrays the addresses above all pointers; one-dimensional arrays are linear.
uint64_t texel_address(TexelLayout layout, const emulator::TextureObject& texture, uint64_t offset);

// The textures' arrays as buffers at these addresses, ascending.
std::vector<emulator::DeviceMemory::Allocation> texture_arrays(
    const emulator::TextureMemory* textures);

}  // namespace warpshop::timing
