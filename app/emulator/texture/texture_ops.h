// tex, tld4, txq, suld, sust, sured, suq. PTX ISA §9.7.9 "Texture Instructions", §9.7.10 "Surface
// Instructions", with handles in registers ("indirect access"), as cudaTextureObject_t and
// cudaSurfaceObject_t contain them.
//
// Operands of the micro-ops:
//   a     register with the handle
//   b     list: the layer (kLayered), then x, y and z as 32-bit registers
//   d     list: results, or the values of a surface store
//   c     predicate "the texels are there", always true here; kNoRegister
//   imm   tld4: the component · suld, sust.b, sured: bytes per element · txq, suq: a TextureQuery
//   e     sured: a Reduction
#pragma once

#include <cstdint>

#include "state/micro_op.h"

namespace warpshop::emulator::texture {

enum Flag : uint32_t {
  kLayered = 1u << 8,
  kTwoDimensional = 1u << 9,
  kWholeCoordinates = 1u << 10,  // .s32 instead of .f32
  kFloatResult = 1u << 11,       // .f32 instead of .u32 or .s32
  kOutsideIsEdge = 1u << 12,     // surfaces: .clamp
  kOutsideIsZero = 1u << 13,     // .zero; neither: .trap
  kSurface = 1u << 14,           // suq instead of txq
  kHalfResult = 1u << 15,        // .v2.f16x2: two registers of two f16 each; with kFloatResult
  kThreeDimensional = 1u << 16,
  kCube = 1u << 17,           // a texture's; a surface's faces are layers
  kWithoutTexels = 1u << 18,  // only the fetch counts: no texel is read
};
enum class TextureQuery : uint64_t { kWidth, kHeight, kDepth };

const MicroOp* fetch(Warp& warp, const MicroOp* op);
const MicroOp* gather_four(Warp& warp, const MicroOp* op);
const MicroOp* query(Warp& warp, const MicroOp* op);
const MicroOp* load_surface(Warp& warp, const MicroOp* op);
const MicroOp* store_surface(Warp& warp, const MicroOp* op);
// sust.p: x is in bytes as well, and values are converted to the surface's format (measured: H200):
// f32 is truncated to f16 (towards zero); integers are 32 bits wide and saturate.
const MicroOp* store_texel(Warp& warp, const MicroOp* op);

enum class Reduction : uint32_t { kAdd, kMin, kMinSigned, kMax, kMaxSigned, kAnd, kOr };
const MicroOp* reduce_surface(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::texture
