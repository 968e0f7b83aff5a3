// Texture and surface objects for a launch.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/fill.h"
#include "device/protocol.h"
#include "emulator/launch.h"
#include "lab/texture_arg.h"

namespace warpshop::lab {

// The storage behind an argument: a buffer or an array of texels.
struct PlacedBytes {
  emulator::DevicePointer base = 0;
  int array = -1;  // index into the launch's texture arrays; -1: the buffer at `base`
};
std::span<const uint8_t> bytes_of(const PlacedBytes& place, const emulator::DeviceMemory& memory,
                                  const emulator::TextureMemory& textures);

struct PlacedTexture {
  PlacedBytes place;
  emulator::Argument handle;
};

// Creates the object and fills its texels. `file_bytes`: for a file fill. `name`: for findings.
Result<PlacedTexture> place_texture(const TextureArg& arg, ElementType type, TextureExtent extent,
                                    const Fill& fill, std::string_view file_bytes,
                                    const std::string& name, emulator::DeviceMemory& memory,
                                    emulator::TextureMemory& textures);

// The same for a GPU worker.
device::JobTexture job_texture(const TextureArg& arg, TextureExtent extent);

}  // namespace warpshop::lab
