// ldmatrix, stmatrix, movmatrix, mma.
#include "decode/decoder.h"
#include "run/matrix.h"
#include "run/warp.h"

namespace warpshop::emulator {

// {ld,st}matrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16
void FunctionDecoder::decode_matrix_access(const Instruction& i) {
  const bool store = i.opcode == "stmatrix";
  const auto& o = i.operands;
  if (o.size() != 2 || !has_modifier(i, "m8n8") || !has_modifier(i, "b16")) {
    return unsupported(i, "8 × 8 matrices of 16-bit elements were expected");
  }
  const Operand& values = o[store ? 1 : 0];
  const size_t count = has_modifier(i, "x1") ? 1 : has_modifier(i, "x2") ? 2 : has_modifier(i, "x4") ? 4 : 0;
  if (values.kind != Operand::Kind::kVector || values.elements.size() != count) {
    return unsupported(i, "a vector of as many registers as matrices was expected");
  }
  const bool transposed = has_modifier(i, "trans");
  const ptx::Space space = space_of(i);
  const Address address = address_of(o[store ? 0 : 1], space);
  MicroOp op;
  op.run = store ? (transposed ? matrix::store_transposed : matrix::store)
                 : (transposed ? matrix::load_transposed : matrix::load);
  op.instruction = current_index_;
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | space_flag(space);
  op.d = register_list(values, 4, store ? ListUse::kSource : ListUse::kDestination);
  op.site = add_site(i, space, store ? AccessKind::kStore : AccessKind::kLoad, 16, 1);
  out_.code.push_back(op);
}

void FunctionDecoder::decode_matrix_move(const Instruction& i) {
  if (i.operands.size() != 2 || !has_modifier(i, "trans")) return unsupported(i, "two registers were expected");
  MicroOp op;
  op.run = matrix::transpose;
  op.instruction = current_index_;
  op.d = destination_of(i.operands[0], 4);
  op.a = source_of(i.operands[1], ptx::Type::kB32);
  out_.code.push_back(op);
}

// mma.sync.aligned.m16n8kK.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c
void FunctionDecoder::decode_mma(const Instruction& i) {
  struct Shape {
    std::string_view shape;
    std::string_view a;
    size_t registers_a;
    size_t registers_b;
  };
  static constexpr Shape kShapes[] = {
      {"m16n8k8", "f16", 2, 1},   {"m16n8k16", "f16", 4, 2}, {"m16n8k8", "bf16", 2, 1}, {"m16n8k16", "bf16", 4, 2},
      {"m16n8k4", "tf32", 2, 1},  {"m16n8k8", "tf32", 4, 2}, {"m16n8k16", "s8", 2, 1},  {"m16n8k32", "s8", 4, 2},
      {"m16n8k16", "u8", 2, 1},   {"m16n8k32", "u8", 4, 2}};
  auto element = [](std::string_view name) {
    return name == "f16" ? matrix::Element::kF16 : name == "bf16" ? matrix::Element::kBf16
         : name == "tf32" ? matrix::Element::kTf32 : name == "s8" ? matrix::Element::kS8 : matrix::Element::kU8;
  };
  const auto& m = i.modifiers;
  const auto& o = i.operands;
  if (m.size() < 9 || o.size() != 4 || !has_modifier(i, "row") || !has_modifier(i, "col") || has_modifier(i, "sp")) {
    return unsupported(i, "this matrix product is not known");
  }
  const std::string& d = m[m.size() - 4];
  const std::string& a = m[m.size() - 3];
  const std::string& b = m[m.size() - 2];
  const std::string& c = m[m.size() - 1];
  const Shape* shape = nullptr;
  for (const Shape& s : kShapes) {
    if (s.a == a && has_modifier(i, s.shape)) shape = &s;
  }
  const bool integer = a == "s8" || a == "u8";
  const bool half = a == "f16" && d == "f16" && c == "f16";
  const bool accumulates = integer ? d == "s32" && c == "s32" : half || (d == "f32" && c == "f32");
  if (shape == nullptr || !accumulates || (integer ? b != "s8" && b != "u8" : b != a)) {
    return unsupported(i, "this shape or these types of a matrix product are not known");
  }
  const size_t sizes[] = {half ? 2u : 4u, shape->registers_a, shape->registers_b, half ? 2u : 4u};
  uint32_t lists[4] = {};
  for (size_t n = 0; n < 4; ++n) {
    if (o[n].kind != Operand::Kind::kVector || o[n].elements.size() != sizes[n]) {
      return unsupported(i, "operand " + std::to_string(n + 1) + " must have " + std::to_string(sizes[n]) + " registers");
    }
    lists[n] = register_list(o[n], 4, n == 0 ? ListUse::kDestination : ListUse::kSource);
  }
  const auto accumulator = integer ? matrix::Accumulator::kS32 : half ? matrix::Accumulator::kF16 : matrix::Accumulator::kF32;
  MicroOp op;
  op.run = matrix::multiply;
  op.instruction = current_index_;
  op.d = lists[0];
  op.a = lists[1];
  op.b = lists[2];
  op.c = lists[3];
  op.imm = static_cast<uint64_t>(element(a)) | static_cast<uint64_t>(element(b)) << 8 |
           static_cast<uint64_t>(accumulator) << 16 | static_cast<uint64_t>(accumulator) << 24;
  op.flags = has_modifier(i, "satfinite") ? 1 : 0;
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
