// ldmatrix, stmatrix, movmatrix, mma.
#include <set>

#include "decode/decoder.h"
#include "decode/matrix_names.h"
#include "operations/matrix.h"
#include "operations/matrix_product.h"

namespace warpshop::emulator {

// {ld,st}matrix.sync.aligned.m8n8.xN{.trans}{.shared}.b16
void FunctionDecoder::decode_matrix_access(const Instruction& i) {
  const bool store = i.opcode == "stmatrix";
  const auto& o = i.operands;
  if (o.size() != 2 || !has_modifier(i, "m8n8") || !has_modifier(i, "b16")) {
    return unsupported(i, sentence("8 × 8 matrices of 16-bit elements were expected"));
  }
  const Operand& values = o[store ? 1 : 0];
  const size_t count = has_modifier(i, "x1")   ? 1
                       : has_modifier(i, "x2") ? 2
                       : has_modifier(i, "x4") ? 4
                                               : 0;
  if (values.kind != Operand::Kind::kVector || values.elements.size() != count) {
    return unsupported(i, sentence("a vector of as many registers as matrices was expected"));
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
  if (i.operands.size() != 2 || !has_modifier(i, "trans"))
    return unsupported(i, sentence("two registers were expected"));
  MicroOp op;
  op.run = matrix::transpose;
  op.instruction = current_index_;
  op.d = destination_of(i.operands[0], 4);
  op.a = source_of(i.operands[1], ptx::Type::kB32);
  out_.code.push_back(op);
}

namespace {

// Types multiplied by the same units in the same shapes.
enum class Family : uint8_t { kF16, kBf16, kTf32, kFloat8, kF64, kInt8, kInt4, kBit };
Family family_of(matrix::Element type) {
  switch (type) {
    case matrix::Element::kF16:
      return Family::kF16;
    case matrix::Element::kBf16:
      return Family::kBf16;
    case matrix::Element::kTf32:
      return Family::kTf32;
    case matrix::Element::kE4m3:
    case matrix::Element::kE5m2:
      return Family::kFloat8;
    case matrix::Element::kF64:
      return Family::kF64;
    case matrix::Element::kS8:
    case matrix::Element::kU8:
      return Family::kInt8;
    case matrix::Element::kS4:
    case matrix::Element::kU4:
      return Family::kInt4;
    case matrix::Element::kB1:
      break;
  }
  return Family::kBit;
}

struct Shape {
  std::string_view name;
  Family family;
  int m, n, k;
};
// PTX ISA §9.7.14.5, "Matrix Fragments for mma".
constexpr Shape kShapes[] = {
    {"m8n8k4", Family::kF16, 8, 8, 4},        {"m16n8k8", Family::kF16, 16, 8, 8},
    {"m16n8k16", Family::kF16, 16, 8, 16},    {"m16n8k8", Family::kBf16, 16, 8, 8},
    {"m16n8k16", Family::kBf16, 16, 8, 16},   {"m16n8k4", Family::kTf32, 16, 8, 4},
    {"m16n8k8", Family::kTf32, 16, 8, 8},     {"m16n8k16", Family::kFloat8, 16, 8, 16},
    {"m16n8k32", Family::kFloat8, 16, 8, 32}, {"m8n8k4", Family::kF64, 8, 8, 4},
    {"m16n8k4", Family::kF64, 16, 8, 4},      {"m16n8k8", Family::kF64, 16, 8, 8},
    {"m16n8k16", Family::kF64, 16, 8, 16},    {"m8n8k16", Family::kInt8, 8, 8, 16},
    {"m16n8k16", Family::kInt8, 16, 8, 16},   {"m16n8k32", Family::kInt8, 16, 8, 32},
    {"m8n8k32", Family::kInt4, 8, 8, 32},     {"m16n8k32", Family::kInt4, 16, 8, 32},
    {"m16n8k64", Family::kInt4, 16, 8, 64},   {"m8n8k128", Family::kBit, 8, 8, 128},
    {"m16n8k128", Family::kBit, 16, 8, 128},  {"m16n8k256", Family::kBit, 16, 8, 256}};

// mma.sp; `selectors`: the number of values of the sparsity selector. PTX ISA §9.7.14.6.
struct SparseShape {
  Shape shape;
  int selectors;
};
constexpr SparseShape kSparseShapes[] = {
    {{"m16n8k16", Family::kF16, 16, 8, 16}, 4},  {{"m16n8k32", Family::kF16, 16, 8, 32}, 2},
    {{"m16n8k16", Family::kBf16, 16, 8, 16}, 4}, {{"m16n8k32", Family::kBf16, 16, 8, 32}, 2},
    {{"m16n8k8", Family::kTf32, 16, 8, 8}, 4},   {{"m16n8k16", Family::kTf32, 16, 8, 16}, 2},
    {{"m16n8k32", Family::kInt8, 16, 8, 32}, 2}, {{"m16n8k64", Family::kInt8, 16, 8, 64}, 1}};

// True if PTX allows these types of D and C.
bool accumulates(Family family, matrix::Accumulator d, matrix::Accumulator c, bool quads) {
  using enum matrix::Accumulator;
  switch (family) {
    case Family::kF16:
      return (d == kF16 && c == kF16) || (d == kF32 && c == kF32) ||
             (quads && d == kF32 && c == kF16);
    case Family::kFloat8:
      return (d == kF16 && c == kF16) || (d == kF32 && c == kF32);
    case Family::kBf16:
    case Family::kTf32:
      return d == kF32 && c == kF32;
    case Family::kF64:
      return d == kF64 && c == kF64;
    default:
      return d == kS32 && c == kS32;
  }
}

matrix::SumRule rule_of(Family family, bool quads, matrix::Accumulator d, bool is_xor) {
  switch (family) {
    case Family::kF64:
      return matrix::SumRule::kF64;
    case Family::kFloat8:
      return matrix::SumRule::kTwoHalves;
    case Family::kBit:
      return is_xor ? matrix::SumRule::kXorPopc : matrix::SumRule::kAndPopc;
    case Family::kInt8:
    case Family::kInt4:
      return matrix::SumRule::kInteger;
    default:
      break;
  }
  if (!quads) return matrix::SumRule::kTensor;
  return d == matrix::Accumulator::kF16 ? matrix::SumRule::kPairs : matrix::SumRule::kQuarters;
}

}  // namespace

// mma{.sp | .sp::ordered_metadata}.sync.aligned.SHAPE.alayout.blayout{.satfinite}
//     .dtype.atype.btype.ctype{.xor.popc | .and.popc} d, a, b, c {, metadata, selector}
void FunctionDecoder::decode_mma(const Instruction& i) {
  static const std::set<std::string_view> kOthers = {
      "sync", "aligned", "row",  "col", "satfinite",
      "xor",  "and",     "popc", "sp",  "sp::ordered_metadata"};
  std::vector<std::string_view> types;
  std::vector<std::string_view> layouts;
  std::string_view shape_name;
  for (const std::string& m : i.modifiers) {
    if (m == "row" || m == "col") layouts.push_back(m);
    if (element_named(m) || accumulator_named(m)) {
      types.push_back(m);
    } else if (m.size() > 4 && m[0] == 'm' && m.find('n') != std::string::npos) {
      shape_name = m;
    } else if (!kOthers.contains(m)) {
      return unsupported(
          i, sentence("matrix products with {modifier} are not known", {{"modifier", "." + m}}));
    }
  }
  const auto& o = i.operands;
  const bool sparse = has_modifier(i, "sp") || has_modifier(i, "sp::ordered_metadata");
  if (types.size() != 4 || layouts.size() != 2 || o.size() != (sparse ? 6u : 4u))
    return unsupported(i, sentence("this matrix product is not known"));
  const auto d = accumulator_named(types[0]);
  const auto a = element_named(types[1]);
  const auto b = element_named(types[2]);
  const auto c = accumulator_named(types[3]);
  const Shape* shape = nullptr;
  int selectors = 0;
  auto wanted = [&](const Shape& s) {
    return a && s.name == shape_name && s.family == family_of(*a);
  };
  for (const Shape& s : kShapes) {
    if (!sparse && wanted(s)) shape = &s;
  }
  for (const SparseShape& s : kSparseShapes) {
    if (!sparse || !wanted(s.shape)) continue;
    shape = &s.shape;
    selectors = s.selectors;
  }
  if (shape == nullptr || !d || !b || !c || family_of(*b) != shape->family) {
    return unsupported(i, sentence("this shape or these types of a matrix product are not known"));
  }
  matrix::Product p;
  p.a = *a;
  p.b = *b;
  p.c = *c;
  p.d = *d;
  p.m = shape->m;
  p.n = shape->n;
  p.k = p.step = shape->k;
  if (sparse) {
    if (o[5].kind != Operand::Kind::kInteger || o[5].bits >= static_cast<uint64_t>(selectors)) {
      return unsupported(i, sentence("the sparsity selector must be a number below {most}",
                                     {{"most", selectors}}));
    }
    p.selector = static_cast<int>(o[5].bits);
    p.metadata = source_of(o[4], ptx::Type::kB32);
  }
  p.quads = shape->family == Family::kF16 && shape->m == 8;
  p.a_in_columns = layouts[0] == "col";
  p.b_in_rows = layouts[1] == "row";
  p.saturate = has_modifier(i, "satfinite");
  const bool is_bits = shape->family == Family::kBit;
  const bool integer = shape->family == Family::kInt8 || shape->family == Family::kInt4;
  if (!accumulates(shape->family, *d, *c, p.quads) || (p.saturate && !integer) ||
      is_bits != has_modifier(i, "popc") || (!p.quads && (p.a_in_columns || p.b_in_rows))) {
    return unsupported(i, sentence("these types or layouts of a matrix product are not known"));
  }
  p.rule = rule_of(shape->family, p.quads, *d, has_modifier(i, "xor"));
  const int width = shape->family == Family::kF64 ? 8 : 4;
  auto registers_of = [&](int elements, int bits) {
    return static_cast<size_t>(elements * bits / (8 * width) / kWarpSize);
  };
  auto sums_of = [&](matrix::Accumulator type) {
    return static_cast<size_t>(p.values()) / (type == matrix::Accumulator::kF16 ? 2 : 1);
  };
  const int quads = p.quads ? 4 : 1;
  const std::array<size_t, 4> sizes = {
      sums_of(*d), registers_of(quads * p.m * p.k_of_a(), matrix::bits_of(*a)),
      registers_of(quads * p.n * p.k, matrix::bits_of(*b)), sums_of(*c)};
  if (!take_product_lists(i, sizes, width, p)) return;
  add_product(p);
}

bool FunctionDecoder::take_product_lists(const Instruction& i, const std::array<size_t, 4>& sizes,
                                         int width, matrix::Product& product) {
  uint32_t* const lists[] = {&product.list_d, &product.list_a, &product.list_b, &product.list_c};
  for (size_t n = 0; n < sizes.size(); ++n) {
    const Operand& o = i.operands[n];
    if (o.kind != Operand::Kind::kVector || o.elements.size() != sizes[n]) {
      unsupported(i, sentence("operand {number} must have {registers} registers",
                              {{"number", n + 1}, {"registers", sizes[n]}}));
      return false;
    }
    *lists[n] = register_list(o, width, n == 0 ? ListUse::kDestination : ListUse::kSource);
  }
  return true;
}

void FunctionDecoder::add_product(const matrix::Product& product) {
  program_.products.push_back(product);
  emit(matrix::multiply).imm = program_.products.size() - 1;
}

}  // namespace warpshop::emulator
