#include "texture/texture_findings.h"

#include <utility>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "texture/texture_ops.h"

namespace warpshop::emulator::texture {
namespace {

bool reads_integers(const TextureObject& o) {
  return o.shape.format < TexelFormat::kF16 && o.settings.read == TextureRead::kElement;
}

Sentence shape_of(const ArrayShape& shape) {
  if (shape.cube) return shape.layers > 0 ? sentence("layers of cubes") : sentence("a cube");
  if (shape.depth > 0) return sentence("three-dimensional");
  if (shape.layers > 0) {
    return shape.height > 0 ? sentence("layered and two-dimensional")
                            : sentence("layered and one-dimensional");
  }
  return shape.height > 0 ? sentence("two-dimensional") : sentence("one-dimensional");
}

// The shape that an instruction expects; only what is zero matters.
ArrayShape shape_read(const MicroOp* op) {
  const bool cube = (op->flags & kCube) != 0;
  const bool volume = (op->flags & kThreeDimensional) != 0;
  return {.height = cube || volume || (op->flags & kTwoDimensional) != 0 ? 1u : 0u,
          .depth = volume ? 1u : 0u,
          .layers = (op->flags & kLayered) != 0 ? 1u : 0u,
          .cube = cube};
}

// A surface's faces are layers: surfCubemapwrite stores into layer 0 to 5.
bool fits(const ArrayShape& read_as, const ArrayShape& shape, bool surface) {
  const bool faces_as_layers = surface && shape.cube;
  return (read_as.height == 0) == (shape.height == 0) &&
         (read_as.depth == 0) == (shape.depth == 0) &&
         (read_as.layers > 0) == (shape.layers > 0 || faces_as_layers) &&
         read_as.cube == (shape.cube && !faces_as_layers);
}

}  // namespace

Misuse misuse_of(const MicroOp* op, const BoundTexture& texture, bool surface) {
  const TextureObject& o = *texture.object;
  const Sentence name = sentence("\"{name}\"", {{"name", o.name}});
  if ((o.kind == TextureObject::Kind::kSurface) != surface) {
    return {surface ? sentence("{name} is a texture object, used as a surface", {{"name", name}})
                    : sentence("{name} is a surface object, used as a texture", {{"name", name}}),
            sentence("textures are read with tex…, surfaces with surf…Dread and written with "
                     "surf…Dwrite: two objects over one array")};
  }
  if (texture.data == nullptr) {
    return {sentence("the buffer of the texture {name} is gone or too small", {{"name", name}}),
            sentence("it was freed before the launch")};
  }
  if (op->run == query) return {};
  const ArrayShape read_as = shape_read(op);
  const bool flat = read_as.height == 0;
  const bool layered = read_as.layers > 0;
  if (o.linear && !(op->flags & kWholeCoordinates)) {
    return {sentence("{name} is a texture over a plain buffer, read with coordinates in float",
                     {{"name", name}}),
            sentence("such a texture is read with tex1Dfetch alone")};
  }
  if (!fits(read_as, o.shape, surface)) {
    return {
        sentence("{name} is {shape}, the kernel uses it as {used_as}",
                 {{"name", name}, {"shape", shape_of(o.shape)}, {"used_as", shape_of(read_as)}}),
        sentence("the function's name must fit the array: tex1D, tex2D, tex3D, texCubemap, "
                 "tex1DLayered, tex2DLayered, texCubemapLayered")};
  }
  if (!surface && flat && !layered && !o.linear && (op->flags & kWholeCoordinates)) {
    return {sentence("{name} is an array, read with tex1Dfetch: that gives 0 for every texel",
                     {{"name", name}}),
            sentence("tex1Dfetch reads textures over plain buffers; an array is read with tex1D, "
                     "at x + 0.5f")};
  }
  if (!surface && reads_integers(o) == ((op->flags & kFloatResult) != 0)) {
    return reads_integers(o)
               ? Misuse{sentence("{name} holds integers, the kernel reads floats",
                                 {{"name", name}}),
                        sentence("tex2D<float> needs texels in float, or integers that are read as "
                                 "normalised floats"),
                        true}
               : Misuse{
                     sentence("{name} gives floats, the kernel reads integers", {{"name", name}}),
                     sentence("tex2D<T>: T must be the type that the texture gives"), true};
  }
  return {};
}

Misuse no_object(uint64_t handle, bool surface) {
  return {
      surface ? sentence("{handle} is no surface object", {{"handle", hexadecimal(handle)}})
              : sentence("{handle} is no texture object", {{"handle", hexadecimal(handle)}}),
      sentence("an argument that was never set, or an index beyond the last of several objects")};
}

void note_misuse(Warp& warp, const MicroOp* op, const Misuse& misuse, std::string_view access,
                 int lane) {
  Finding* f = note_finding(warp, op, FindingKind::kTexture, ptx::Space::kTex, access, lane);
  if (f == nullptr) return;
  if (misuse.harmless) f->severity = Severity::kWarning;
  f->message = misuse.message;
  f->cause = misuse.cause;
}

void note_unwritten_texel(Warp& warp, const MicroOp* op, const BoundTexture& texture, int lane) {
  Finding* f = note_finding(warp, op, FindingKind::kUninitialised, ptx::Space::kTex, "read", lane);
  if (f == nullptr) return;
  f->allocation = texture.object->name;
  f->message = sentence("a texel of \"{name}\" is read that nothing has written",
                        {{"name", texture.object->name}});
  f->cause = sentence(
      "an array that was never filled; a texture shows what was there before the kernel started");
}

void note_outside(Warp& warp, const MicroOp* op, const BoundTexture& surface,
                  std::string_view access, int bytes, int lane, const SurfaceCoordinates& at) {
  const auto& [layer, x, y] = at;
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kTex, access, lane);
  if (f == nullptr) return;
  const ArrayShape& shape = surface.object->shape;
  const int64_t row = static_cast<int64_t>(surface.object->pitch_bytes);
  f->allocation = surface.object->name;
  f->size_bytes = static_cast<uint32_t>(bytes);
  Sentence where = (op->flags & (kTwoDimensional | kThreeDimensional)) != 0
                       ? sentence("byte {x} of row {y}", {{"x", x}, {"y", y}})
                       : sentence("byte {x}", {{"x", x}});
  if (op->flags & kThreeDimensional)
    where.then(sentence("plane {plane}", {{"plane", layer}}), ", ");
  if (op->flags & kLayered) where.then(sentence("layer {layer}", {{"layer", layer}}), ", ");
  Sentence extent = sentence("rows of {bytes} bytes", {{"bytes", row}});
  if (shape.height > 0) extent.then(sentence("{rows} rows", {{"rows", shape.height}}), ", ");
  if (shape.depth > 0) extent.then(sentence("{planes} planes", {{"planes", shape.depth}}), ", ");
  if (shape.layers > 0) extent.then(sentence("{layers} layers", {{"layers", shape.layers}}), ", ");
  f->message = sentence("{access} of {bytes} bytes at {where} of the surface \"{name}\" ({extent})",
                        {{"access", access_words(access)},
                         {"bytes", bytes},
                         {"where", std::move(where)},
                         {"name", surface.object->name},
                         {"extent", std::move(extent)}});
  f->cause = sentence(
      "a guard such as if (x < width) is missing; or x was not meant in bytes, as surfaces want "
      "it");
}

void note_misaligned(Warp& warp, const MicroOp* op, const BoundTexture& surface,
                     std::string_view access, int bytes, int lane, int64_t x) {
  Finding* f = note_finding(warp, op, FindingKind::kMisaligned, ptx::Space::kTex, access, lane);
  if (f == nullptr) return;
  f->allocation = surface.object->name;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->message = sentence(
      "{access} of {bytes} bytes at byte {x} of a row of the surface \"{name}\": not a multiple "
      "of {bytes}",
      {{"access", access_words(access)},
       {"bytes", bytes},
       {"x", x},
       {"name", surface.object->name}});
  f->cause = sentence("the x coordinate of a surface counts bytes: x * sizeof(element)");
}

}  // namespace warpshop::emulator::texture
