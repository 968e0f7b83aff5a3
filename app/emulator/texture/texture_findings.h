// Findings about textures and surfaces.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/sentence.h"
#include "state/micro_op.h"
#include "texture/sampler.h"

namespace warpshop::emulator::texture {

// Why an instruction cannot use the object; empty if it can.
struct Misuse {
  Sentence message;
  Sentence cause;
  bool harmless = false;  // the chip returns the bits as they are
};
Misuse misuse_of(const MicroOp* op, const BoundTexture& texture, bool surface);
// Of a handle that belongs to no object.
Misuse no_object(uint64_t handle, bool surface);

// `access`: "read", "write", "atomic".
void note_misuse(Warp& warp, const MicroOp* op, const Misuse& misuse, std::string_view access,
                 int lane);
void note_unwritten_texel(Warp& warp, const MicroOp* op, const BoundTexture& texture, int lane);

// The coordinates of an access of a surface.
struct SurfaceCoordinates {
  int64_t layer = 0;  // or the plane
  int64_t x = 0;      // bytes
  int64_t y = 0;
};
void note_outside(Warp& warp, const MicroOp* op, const BoundTexture& surface,
                  std::string_view access, int bytes, int lane, const SurfaceCoordinates& at);
void note_misaligned(Warp& warp, const MicroOp* op, const BoundTexture& surface,
                     std::string_view access, int bytes, int lane, int64_t x);

}  // namespace warpshop::emulator::texture
