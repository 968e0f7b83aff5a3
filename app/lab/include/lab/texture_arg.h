// A kernel's argument that is a texture or surface object: what lab files and specs say of it.
#pragma once

#include <string_view>

#include "core/element_type.h"
#include "core/result.h"
#include "emulator/texture.h"

namespace warpshop::lab {

struct TextureArg {
  bool surface = false;
  bool plain = false;  // a texture over a plain buffer, for tex1Dfetch; else over an array
  int channels = 1;    // elements of a texel
  emulator::TextureSettings settings;
};

// In texels.
struct TextureExtent {
  uint64_t width = 1;
  uint64_t height = 0;  // 0: one-dimensional
};

// The words of lab files and specs. Error: a word that is none of them, with those there are.
Result<emulator::TextureAddress> texture_address_named(std::string_view word);
Result<emulator::TextureFilter> texture_filter_named(std::string_view word);
Result<emulator::TextureRead> texture_read_named(std::string_view word);

// Error: what the emulator or a GPU would refuse.
Status check_texture(const TextureArg& arg, ElementType type);
Status check_extent(const TextureArg& arg, ElementType type, TextureExtent extent,
                    std::string_view name);

}  // namespace warpshop::lab
