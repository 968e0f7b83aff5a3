// wgmma.mma_async and the instructions that order it. PTX ISA §9.7.15 "Asynchronous Warpgroup Level
// Matrix Instructions".
#include <algorithm>
#include <string>

#include "core/charconv.h"
#include "decode/decoder.h"
#include "decode/matrix_names.h"
#include "operations/matrix_elements.h"
#include "operations/warpgroup_product.h"

namespace warpshop::emulator {
namespace {

using matrix::Accumulator;
using matrix::Element;

bool is_float8(Element type) { return type == Element::kE4m3 || type == Element::kE5m2; }
bool is_int8(Element type) { return type == Element::kS8 || type == Element::kU8; }

// True if PTX allows these types. b1 multiplies by .and.popc alone.
bool multiplies(Element a, Element b, Accumulator d) {
  if (a == Element::kF16 && b == a) return d == Accumulator::kF32 || d == Accumulator::kF16;
  if ((a == Element::kBf16 || a == Element::kTf32) && b == a) return d == Accumulator::kF32;
  if (is_float8(a) && is_float8(b)) return d == Accumulator::kF32 || d == Accumulator::kF16;
  if ((is_int8(a) && is_int8(b)) || (a == Element::kB1 && b == a)) return d == Accumulator::kS32;
  return false;
}

// n of "m64n128k16"; 0: another shape, or not k elements of this type.
int columns_of(std::string_view shape, int k) {
  constexpr std::string_view kRows = "m64n";
  const std::string depth = "k" + std::to_string(k);
  if (!shape.starts_with(kRows) || !shape.ends_with(depth)) return 0;
  shape = shape.substr(kRows.size(), shape.size() - kRows.size() - depth.size());
  const int n = parse_number<int>(shape).value_or(0);
  return n % 8 == 0 && n >= 8 && n <= 256 ? n : 0;
}

// The immediate 1 or -1; 0: neither.
int sign_of(const ptx::Operand& o) {
  if (o.kind != ptx::Operand::Kind::kInteger) return 0;
  const auto value = static_cast<int64_t>(o.bits);
  return value == 1 ? 1 : value == -1 || value == 0xffffffff ? -1 : 0;
}

bool is_bit(const ptx::Operand& o) { return o.kind == ptx::Operand::Kind::kInteger && o.bits <= 1; }

}  // namespace

void FunctionDecoder::decode_wgmma(const Instruction& i) {
  if (has_modifier(i, "mma_async")) return decode_wgmma_product(i);
  if (has_modifier(i, "fence")) {
    emit(matrix::fence_warpgroup);
  } else if (has_modifier(i, "commit_group")) {
    emit(matrix::commit_products);
  } else if (has_modifier(i, "wait_group")) {
    if (i.operands.size() != 1 || i.operands[0].kind != ptx::Operand::Kind::kInteger)
      return unsupported(i, sentence("a number of groups was expected"));
    emit(matrix::wait_for_products).imm = i.operands[0].bits;
    program_.parts_wait = true;  // four warps for each other's products
  } else {
    unsupported(i, sentence("this matrix product is not known"));
  }
}

// wgmma.mma_async.sync.aligned.SHAPE{.satfinite}.dtype.atype.btype{.and.popc}
//     d, a or its descriptor, descriptor of b, scale-d {, scale-a, scale-b {, trans-a}, trans-b}
void FunctionDecoder::decode_wgmma_product(const Instruction& i) {
  std::string_view shape;
  std::vector<std::string_view> types;
  for (const std::string& m : i.modifiers) {
    if (m.starts_with("m64n")) shape = m;
    if (element_named(m) || accumulator_named(m)) types.push_back(m);
  }
  const auto& o = i.operands;
  if (types.size() != 3 || o.size() < 4 || has_modifier(i, "sp"))
    return unsupported(i, sentence("this matrix product is not known"));
  const auto d = accumulator_named(types[0]);
  const auto a = element_named(types[1]);
  const auto b = element_named(types[2]);
  if (!d || !a || !b || !multiplies(*a, *b, *d))
    return unsupported(i, sentence("this shape or these types of a matrix product are not known"));
  matrix::WarpgroupProduct p;
  p.a = *a;
  p.b = *b;
  p.d = *d;
  p.k = 256 / matrix::bits_of(*a);
  p.n = columns_of(shape, p.k);
  p.saturate = has_modifier(i, "satfinite");
  p.a_in_registers = o[1].kind == Operand::Kind::kVector;
  const bool sixteen = matrix::bits_of(*a) == 16;
  const bool is_float = *d != Accumulator::kS32;
  const size_t scales = is_float ? 2 : 0;
  const size_t layouts = !sixteen ? 0 : p.a_in_registers ? 1 : 2;
  if (p.n == 0 || o.size() != 4 + scales + layouts || (p.saturate && !is_int8(*a)) ||
      (*a == Element::kB1) != has_modifier(i, "popc"))
    return unsupported(i, sentence("this shape or these types of a matrix product are not known"));
  if (scales != 0) {
    if (sign_of(o[4]) == 0 || sign_of(o[5]) == 0)
      return unsupported(i, sentence("the scale of a factor must be 1 or -1"));
    p.negated_a = sign_of(o[4]) < 0;
    p.negated_b = sign_of(o[5]) < 0;
  }
  if (layouts != 0) {
    if (!is_bit(o[6]) || !is_bit(o.back()))
      return unsupported(i, sentence("the layout of a factor must be 0 or 1"));
    p.transposed_a = layouts == 2 && o[6].bits != 0;
    p.transposed_b = o.back().bits != 0;
  }
  const size_t sums = static_cast<size_t>(p.n) / (*d == Accumulator::kF16 ? 4 : 2);
  constexpr size_t kFactorRegisters = 4;
  if (o[0].kind != Operand::Kind::kVector || o[0].elements.size() != sums ||
      (p.a_in_registers && o[1].elements.size() != kFactorRegisters))
    return unsupported(
        i, sentence("operand {number} must have {registers} registers",
                    {{"number", o[0].elements.size() != sums ? 1 : 2},
                     {"registers", o[0].elements.size() != sums ? sums : kFactorRegisters}}));
  for (const Operand& e : o[0].elements) p.sums.push_back(register_of(e, 4));
  if (p.a_in_registers) p.list_a = register_list(o[1], 4, ListUse::kSource);
  constexpr int kScratchForAddresses = 7;
  p.addresses = scratch(kScratchForAddresses, 8);
  program_.reads_past_stores = true;
  MicroOp op;
  op.run = matrix::multiply_in_warpgroup;
  op.instruction = current_index_;
  op.a = p.a_in_registers ? kNoRegister : source_of(o[1], ptx::Type::kB64);
  op.b = source_of(o[2], ptx::Type::kB64);
  op.c = predicate_of(o[3], 4, op.flags);
  op.imm = program_.warpgroup_products.size();
  op.site = add_site(i, ptx::Space::kShared, AccessKind::kLoad, 16, 1);
  program_.warpgroup_products.push_back(std::move(p));
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
