// A texture or surface argument as described in lab files and specs.
#pragma once

#include <string_view>

#include "core/element_type.h"
#include "core/result.h"
#include "emulator/texture_memory.h"

namespace warpshop::lab {

struct TextureArg {
  bool surface = false;
  bool plain = false;  // a texture over a plain buffer, for tex1Dfetch; else over an array
  int channels = 1;    // elements per texel
  emulator::TextureSettings settings;
};

// Extents in texels.
struct TextureExtent {
  uint64_t width = 1;
  uint64_t height = 0;  // 0: one-dimensional
  uint64_t depth = 0;   // 0: not three-dimensional
  uint64_t layers = 0;  // 0: not layered
  bool cube = false;
  bool is_flat() const { return depth == 0 && layers == 0 && !cube; }
};

// Parse the words of lab files and specs. Error: an unknown word, with the known ones.
Result<emulator::TextureAddress> texture_address_named(std::string_view word);
Result<emulator::TextureFilter> texture_filter_named(std::string_view word);
Result<emulator::TextureRead> texture_read_named(std::string_view word);

// Error: a combination that the emulator or a GPU would refuse.
Status check_texture(const TextureArg& arg, ElementType type);
Status check_extent(const TextureArg& arg, ElementType type, TextureExtent extent,
                    std::string_view name);
// Error: elements of that type cannot be texels.
Result<emulator::ArrayShape> texels_of(const TextureArg& arg, ElementType type,
                                       TextureExtent extent);

}  // namespace warpshop::lab
