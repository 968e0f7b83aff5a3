// What the models of memory need of texture fetches: which instructions they are, and where texels lie.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "emulator/program.h"
#include "emulator/texture.h"
#include "models/gpu_profile.h"

namespace warpshop::timing {

// The fetches (tex, tld4) of a kernel and of what it calls, numbered behind its access sites: a trace holds the
// accesses of both by one number.
class FetchSites {
 public:
  explicit FetchSites(const emulator::Program& program);
  size_t size() const { return lines_.size(); }
  // -1: the instruction is no fetch.
  int find(int function, int instruction) const;
  int ptx_line(size_t n) const { return lines_[n]; }
  int number(size_t n) const { return static_cast<int>(first_ + n); }

 private:
  size_t first_ = 0;
  std::map<std::pair<int, int>, int> numbers_;
  std::vector<int> lines_;
};

// How arrays of two dimensions lie in memory: in tiles of 64 bytes by some rows, tile beside tile.
//   kRows4      before 2.0: four rows, one behind the other (envytools, "G80 surface formats", roptiles)
//   kRows8      2.x and 3.x: eight rows, likewise
//   kSectors    5.0 and newer: eight rows; 16 bytes of one row and 16 of the next are a sector (Tegra X1 Technical
//               Reference Manual, "Block linear"; recalled)
// How many tiles lie on top of each other before the next column is the driver's choice; here it is one.
enum class TexelLayout : uint8_t { kRows4, kRows8, kSectors };
TexelLayout texel_layout_of(models::ComputeCapability capability);

// `offset`: bytes into the texels, as a TextureFetch has them. Textures over buffers lie where the buffer does, arrays
// above all that pointers reach; those of one dimension lie as they are counted.
uint64_t texel_address(TexelLayout layout, const emulator::TextureObject& texture, uint64_t offset);

// The arrays of the textures, as buffers at the addresses above; ascending.
std::vector<emulator::DeviceMemory::Allocation> texture_arrays(const emulator::TextureMemory* textures);

}  // namespace warpshop::timing
