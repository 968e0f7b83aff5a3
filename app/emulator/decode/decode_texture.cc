// tex, tld4, txq, suld, sust, suq: texture and surface objects.
#include <optional>

#include "decode/decoder.h"
#include "texture/texture_ops.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

struct Geometry {
  uint32_t flags = 0;
  size_t coordinates = 1;  // elements of the coordinate vector, including the layer
  size_t used = 1;         // number of these that matter: a2d, 3d and cube ignore the fourth
};

std::optional<Geometry> geometry_of(const Instruction& i) {
  if (has_modifier(i, "1d")) return Geometry{0, 1, 1};
  if (has_modifier(i, "2d")) return Geometry{texture::kTwoDimensional, 2, 2};
  if (has_modifier(i, "a1d")) return Geometry{texture::kLayered, 2, 2};
  if (has_modifier(i, "a2d")) return Geometry{texture::kLayered | texture::kTwoDimensional, 4, 3};
  if (has_modifier(i, "3d")) return Geometry{texture::kThreeDimensional, 4, 3};
  if (has_modifier(i, "cube")) return Geometry{texture::kCube, 4, 3};
  if (has_modifier(i, "acube")) return Geometry{texture::kLayered | texture::kCube, 4, 4};
  return std::nullopt;
}
Sentence wrong_geometry() {
  return sentence("textures and surfaces of one, two and three dimensions and cubes are known");
}
Sentence wrong_object() {
  return sentence(
      "the texture or surface must be an object: a cudaTextureObject_t or cudaSurfaceObject_t "
      "given as an argument");
}

// Wraps a single register into a vector where PTX allows omitting the braces.
Operand as_vector(const Operand& o) {
  if (o.kind == Operand::Kind::kVector) return o;
  Operand vector;
  vector.kind = Operand::Kind::kVector;
  vector.elements.push_back(o);
  return vector;
}

// sured.b.op.geometry.type: add of u32, s32, u64; min and max of u32, s32; and, or of b32.
std::optional<texture::Reduction> reduction_of(const Instruction& i) {
  using texture::Reduction;
  const ptx::Type type = type_of(i);
  const bool is_signed = type == ptx::Type::kS32;
  const bool number = is_signed || type == ptx::Type::kU32;
  if (has_modifier(i, "add") && (number || type == ptx::Type::kU64)) return Reduction::kAdd;
  if (has_modifier(i, "min") && number) return is_signed ? Reduction::kMinSigned : Reduction::kMin;
  if (has_modifier(i, "max") && number) return is_signed ? Reduction::kMaxSigned : Reduction::kMax;
  if (has_modifier(i, "and") && type == ptx::Type::kB32) return Reduction::kAnd;
  if (has_modifier(i, "or") && type == ptx::Type::kB32) return Reduction::kOr;
  return std::nullopt;
}

size_t texel_width(const Instruction& i) {
  return has_modifier(i, "v4") ? 4 : has_modifier(i, "v2") ? 2 : 1;
}

}  // namespace

// `[handle, {coordinates}]`
bool FunctionDecoder::texture_operand(const Instruction& i, const Operand& o, size_t coordinates,
                                      size_t used, MicroOp& op) {
  if (o.kind != Operand::Kind::kAddress || o.register_index < 0 || o.offset != 0 ||
      register_width(function_.registers[static_cast<size_t>(o.register_index)].type) != 8) {
    unsupported(i, wrong_object());
    return false;
  }
  if (o.elements.size() != (coordinates == 0 ? 0u : 1u)) {
    unsupported(
        i, sentence("a texture with a sampler of its own is not known: use a cudaTextureObject_t"));
    return false;
  }
  op.a = register_offset_[static_cast<size_t>(o.register_index)];
  if (coordinates == 0) return true;
  Operand list = as_vector(o.elements[0]);
  if (list.elements.size() != coordinates) {
    unsupported(i, sentence("{wanted} coordinates were expected", {{"wanted", coordinates}}));
    return false;
  }
  list.elements.resize(used);
  op.b = register_list(list, 4, ListUse::kSource);
  return true;
}

void FunctionDecoder::decode_texture_fetch(const Instruction& i) {
  const bool gather = i.opcode == "tld4";
  const bool level = has_modifier(i, "level");
  const bool gradient = has_modifier(i, "grad");
  // Textures have a single mip level here, so level and gradients are ignored.
  const size_t operands = level ? 3u : gradient ? 4u : 2u;
  if (i.operands.size() != operands || i.modifiers.size() < 3) {
    return unsupported(i, sentence("offsets, depth comparison and sparse textures are not known"));
  }
  const std::optional<Geometry> geometry = geometry_of(i);
  if (!geometry || (gather && geometry->flags != texture::kTwoDimensional)) {
    return unsupported(
        i, gather ? sentence("tld4 is known for two-dimensional textures") : wrong_geometry());
  }
  const std::string& result = i.modifiers[i.modifiers.size() - 2];
  const std::string& coordinate = i.modifiers.back();
  const bool halves = result == "f16x2" && has_modifier(i, "v2") && !gather;
  const bool words =
      (result == "f32" || result == "u32" || result == "s32") && has_modifier(i, "v4");
  if ((!halves && !words) || (coordinate != "f32" && (coordinate != "s32" || gather))) {
    return unsupported(i, sentence("four 32-bit results, or two of .f16x2, and coordinates in .f32 "
                                   "or .s32 were expected"));
  }
  MicroOp op;
  op.instruction = current_index_;
  op.run = gather ? texture::gather_four : texture::fetch;
  op.flags = geometry->flags;
  if (result == "f32" || halves) op.flags |= texture::kFloatResult;
  if (halves) op.flags |= texture::kHalfResult;
  if (coordinate == "s32") op.flags |= texture::kWholeCoordinates;
  const Operand* dest = &i.operands[0];
  op.c = kNoRegister;
  if (dest->kind == Operand::Kind::kPair) {
    if (dest->elements[1].kind != Operand::Kind::kSink) op.c = register_of(dest->elements[1], 0);
    dest = &dest->elements[0];
  }
  const size_t results = halves ? 2 : 4;
  if (dest->kind != Operand::Kind::kVector || dest->elements.size() != results) {
    return unsupported(
        i, sentence("a vector of {wanted} registers was expected", {{"wanted", results}}));
  }
  if (!texture_operand(i, i.operands[1], geometry->coordinates, geometry->used, op)) return;
  op.d = register_list(*dest, 4, ListUse::kDestination);
  if (gather) {
    const size_t component = std::string_view("rgba").find(i.modifiers[0]);
    if (component == std::string_view::npos)
      return unsupported(i, sentence("a component r, g, b or a was expected"));
    op.imm = component;
  }
  out_.code.push_back(op);
}

void FunctionDecoder::decode_surface_access(const Instruction& i) {
  const bool formatted = i.opcode == "sust" && has_modifier(i, "p");
  const bool reduce = i.opcode == "sured";
  const bool store = i.opcode == "sust" || reduce;
  if (i.operands.size() != 2)
    return unsupported(i, sentence("a surface and registers were expected"));
  if (!has_modifier(i, "b") && !formatted)
    return unsupported(i, sentence("bytes, .b, or sust.p of 32-bit values were expected"));
  const std::optional<Geometry> geometry = geometry_of(i);
  if (!geometry) return unsupported(i, wrong_geometry());
  const int element = ptx::size_bytes(type_of(i));
  const std::optional<texture::Reduction> reduction = reduce ? reduction_of(i) : std::nullopt;
  const bool known = reduce      ? reduction.has_value()
                     : formatted ? has_modifier(i, "b32")
                                 : has_modifier(i, "b8") || has_modifier(i, "b16") ||
                                       has_modifier(i, "b32") || has_modifier(i, "b64");
  const Operand values = as_vector(i.operands[store ? 1 : 0]);
  if (!known || values.elements.size() != texel_width(i) ||
      element * static_cast<int>(values.elements.size()) > 16) {
    return unsupported(i,
                       sentence("one, two or four elements, of 16 bytes at most, were expected"));
  }
  MicroOp op;
  op.instruction = current_index_;
  op.run = reduce      ? texture::reduce_surface
           : formatted ? texture::store_texel
           : store     ? texture::store_surface
                       : texture::load_surface;
  if (reduction) op.e = static_cast<uint32_t>(*reduction);
  op.flags = geometry->flags;
  if (has_modifier(i, "clamp")) op.flags |= texture::kOutsideIsEdge;
  if (has_modifier(i, "zero")) op.flags |= texture::kOutsideIsZero;
  op.imm = formatted ? 0 : static_cast<uint64_t>(element);
  if (!texture_operand(i, i.operands[store ? 0 : 1], geometry->coordinates, geometry->used, op))
    return;
  program_.writes_surfaces = program_.writes_surfaces || store;
  op.d =
      register_list(values, std::max(element, 2), store ? ListUse::kSource : ListUse::kDestination);
  out_.code.push_back(op);
}

void FunctionDecoder::decode_texture_query(const Instruction& i) {
  using texture::TextureQuery;
  if (i.operands.size() != 2)
    return unsupported(i, sentence("a register and an object were expected"));
  MicroOp op;
  op.instruction = current_index_;
  op.run = texture::query;
  if (i.opcode == "suq") op.flags = texture::kSurface;
  if (has_modifier(i, "width")) {
    op.imm = static_cast<uint64_t>(TextureQuery::kWidth);
  } else if (has_modifier(i, "height")) {
    op.imm = static_cast<uint64_t>(TextureQuery::kHeight);
  } else if (has_modifier(i, "depth")) {
    op.imm = static_cast<uint64_t>(TextureQuery::kDepth);
  } else {
    // For other queries ptxas generates code that a driver refuses to load (measured: H200).
    return unsupported(i, sentence("an object can be asked for .width, .height and .depth"));
  }
  if (!texture_operand(i, i.operands[1], 0, 0, op)) return;
  op.d = destination_of(i.operands[0], 4);
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
