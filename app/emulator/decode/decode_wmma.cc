// wmma.load, wmma.store, wmma.mma. PTX ISA §9.7.14.4 "Matrix multiply-accumulate operation using
// wmma instructions".
//
// The manual leaves open how a fragment is distributed over the lanes. This follows ptxas 13.0 for
// sm_90, read from SASS: fragments are those of mma.sync (operations/matrix_product.h). A load is
// one access per register, or ldmatrix if the operand is in .shared. If a register's elements are
// not adjacent in memory, 16-bit elements are loaded as the transposed matrix and transposed by
// movmatrix, and bytes are loaded one by one.
#include <algorithm>
#include <utility>

#include "access/memory_ops.h"
#include "decode/decoder.h"
#include "lanes/lane_forms.h"
#include "operations/fragment.h"
#include "operations/matrix.h"
#include "operations/matrix_product.h"

namespace warpshop::emulator {
namespace {

using matrix::Accumulator;
using matrix::Element;
using matrix::Spot;

struct WmmaShape {
  std::string_view shape;
  std::string_view type;  // of A and B
  Element element;
  int m, n, k;
  int step;            // products added at a time
  size_t registers_a;  // per lane; if more than needed, elements are replicated
  size_t registers_b;
};
constexpr WmmaShape kWmmaShapes[] = {{"m16n16k16", "f16", Element::kF16, 16, 16, 16, 16, 8, 8},
                                     {"m8n32k16", "f16", Element::kF16, 8, 32, 16, 16, 8, 8},
                                     {"m32n8k16", "f16", Element::kF16, 32, 8, 16, 16, 8, 8},
                                     {"m16n16k16", "bf16", Element::kBf16, 16, 16, 16, 16, 4, 4},
                                     {"m8n32k16", "bf16", Element::kBf16, 8, 32, 16, 16, 2, 8},
                                     {"m32n8k16", "bf16", Element::kBf16, 32, 8, 16, 16, 8, 2},
                                     {"m16n16k8", "tf32", Element::kTf32, 16, 16, 8, 4, 4, 4},
                                     {"m8n8k4", "f64", Element::kF64, 8, 8, 4, 4, 1, 1},
                                     {"m16n16k16", "s8", Element::kS8, 16, 16, 16, 16, 2, 2},
                                     {"m8n32k16", "s8", Element::kS8, 8, 32, 16, 16, 1, 4},
                                     {"m32n8k16", "s8", Element::kS8, 32, 8, 16, 16, 4, 1},
                                     {"m16n16k16", "u8", Element::kU8, 16, 16, 16, 16, 2, 2},
                                     {"m8n32k16", "u8", Element::kU8, 8, 32, 16, 16, 1, 4},
                                     {"m32n8k16", "u8", Element::kU8, 32, 8, 16, 16, 4, 1},
                                     {"m8n8k32", "s4", Element::kS4, 8, 8, 32, 32, 1, 1},
                                     {"m8n8k32", "u4", Element::kU4, 8, 8, 32, 32, 1, 1},
                                     {"m8n8k128", "b1", Element::kB1, 8, 8, 128, 128, 1, 1}};

const WmmaShape* find_kind(const ptx::Instruction& i, std::string_view type) {
  for (const WmmaShape& kind : kWmmaShapes) {
    if (kind.type == type && has_modifier(i, kind.shape)) return &kind;
  }
  return nullptr;
}

bool has_shape(const ptx::Instruction& i, std::string_view accumulator) {
  for (const WmmaShape& kind : kWmmaShapes) {
    const bool fits = accumulator == "f32"
                          ? matrix::is_float(kind.element) && kind.element != Element::kF64
                      : accumulator == "f16" ? kind.element == Element::kF16
                      : accumulator == "f64" ? kind.element == Element::kF64
                                             : !matrix::is_float(kind.element);
    if (fits && has_modifier(i, kind.shape)) return true;
  }
  return false;
}

// True for the shape that is computed as the transposed product.
bool is_turned(const ptx::Instruction& i) { return has_modifier(i, "m8n32k16"); }

// One operand in memory.
struct WmmaOperand {
  bool is_sum = false;  // C or D
  bool like_a = true;   // distributed like mma's A; otherwise like its B
  bool across = false;  // neighbours in a register are a stride apart in memory
  bool turned = false;  // sums: the fragment holds the transposed matrix
  int bits = 16;        // per element
  int rows = 16;        // of A, columns of B; of the sum's fragment
  int columns = 8;      // sums: of the fragment
  int depth = 16;
  size_t registers = 0;  // distinct ones

  int each() const { return std::max(1, 32 / bits); }
  // Line in memory and position in it, for elements that are adjacent in registers and in memory.
  Spot spot(int lane, int reg, int element) const {
    if (is_sum) return matrix::spot_in_c(rows, columns, lane, reg * each() + element);
    return like_a ? matrix::spot_in_a(rows, depth, each(), lane, reg, element)
                  : matrix::spot_in_b(depth, each(), lane, reg, element);
  }
};

// Position of each lane's element, with line and column swapped for a transposed matrix.
template <typename SpotOfLane>
matrix::FragmentPlace place_of(const WmmaOperand& f, uint64_t offset, SpotOfLane spot_of_lane) {
  matrix::FragmentPlace place;
  place.offset_bytes = offset;
  place.bits = f.bits;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const Spot at = spot_of_lane(lane);
    place.line[lane] = static_cast<int16_t>(f.across ? at.column : at.row);
    place.inside[lane] = static_cast<int16_t>(f.across ? at.row : at.column);
  }
  return place;
}

}  // namespace

uint32_t FunctionDecoder::scratch(int number, int bytes) {
  // No constant has this width.
  constexpr int kForScratch = 200;
  const auto [it, fresh] =
      constant_offset_.try_emplace({static_cast<uint64_t>(number), kForScratch + bytes}, 0);
  if (fresh) {
    out_.frame_bytes = (out_.frame_bytes + 63) / 64 * 64;
    it->second = out_.frame_bytes;
    out_.frame_bytes += static_cast<uint32_t>(bytes) * kWarpSize;
  }
  return it->second;
}

uint32_t FunctionDecoder::list_of_registers(const std::vector<uint32_t>& offsets) {
  RegisterList list;
  list.count = static_cast<uint8_t>(offsets.size());
  std::copy(offsets.begin(), offsets.end(), list.offset);
  program_.lists.push_back(list);
  return static_cast<uint32_t>(program_.lists.size() - 1);
}

void FunctionDecoder::decode_wmma(const Instruction& i) {
  if (has_modifier(i, "mma")) return decode_wmma_product(i);
  decode_wmma_access(i);
}

// wmma.load.{a,b,c}.sync.aligned.layout.shape{.ss}.type r, [p]{, stride}
// wmma.store.d.….type [p], r{, stride}
void FunctionDecoder::decode_wmma_access(const Instruction& i) {
  const bool store = has_modifier(i, "store");
  const auto& o = i.operands;
  const std::string_view type = i.modifiers.empty() ? std::string_view() : i.modifiers.back();
  const bool by_rows = has_modifier(i, "row");
  if ((o.size() != 2 && o.size() != 3) || i.modifiers.size() < 6)
    return unsupported(i, sentence("a fragment and an address were expected"));
  const Operand& values = o[store ? 1 : 0];
  const ptx::Space space = space_of(i);
  if (values.kind != Operand::Kind::kVector ||
      (space != ptx::Space::kGlobal && space != ptx::Space::kShared &&
       space != ptx::Space::kGeneric)) {
    return unsupported(
        i, sentence("a fragment in registers and memory that is .global or .shared were expected"));
  }
  WmmaOperand f;
  size_t registers = 0;   // in the instruction
  int line_elements = 0;  // of a matrix without padding
  const bool turned = is_turned(i);
  if (has_modifier(i, "c") || store) {
    if (!has_shape(i, type))
      return unsupported(i, sentence("this shape or type of a fragment is not known"));
    const bool wide = turned || has_modifier(i, "m32n8k16");
    const bool small =
        has_modifier(i, "m8n8k4") || has_modifier(i, "m8n8k32") || has_modifier(i, "m8n8k128");
    f.is_sum = true;
    f.rows = wide ? 32 : small ? 8 : 16;
    f.columns = wide || small ? 8 : 16;
    f.bits = type == "f16" ? 16 : type == "f64" ? 64 : 32;
    f.across = by_rows == turned;
    const int lines = turned ? f.columns : f.rows;
    line_elements = by_rows ? f.rows * f.columns / lines : lines;
    registers = f.registers = static_cast<size_t>(f.rows * f.columns / kWarpSize / f.each());
  } else {
    const WmmaShape* kind = find_kind(i, type);
    const bool is_a = has_modifier(i, "a");
    if (kind == nullptr || (!is_a && !has_modifier(i, "b")))
      return unsupported(i, sentence("this shape or type of a fragment is not known"));
    f.bits = matrix::bits_of(kind->element);
    f.like_a = is_a != turned;
    f.rows = is_a ? kind->m : kind->n;
    f.depth = kind->k;
    f.across = by_rows != is_a;
    if (f.bits < 8 && f.across)
      return unsupported(
          i, sentence("A lies by rows and B by columns, with elements of less than a byte"));
    line_elements = f.across ? f.rows : f.depth;
    registers = is_a ? kind->registers_a : kind->registers_b;
    f.registers = static_cast<size_t>(f.rows * f.depth / kWarpSize / f.each());
  }
  const int width = f.bits == 64 ? 8 : 4;
  if (values.elements.size() != registers) {
    return unsupported(
        i, sentence("the fragment must have {registers} registers", {{"registers", registers}}));
  }
  const uint32_t named =
      register_list(values, width, store ? ListUse::kSource : ListUse::kDestination);
  std::vector<uint32_t> reg(program_.lists[named].offset, program_.lists[named].offset + registers);
  for (size_t n = 0; n < reg.size(); ++n) {
    if (reg[n] == kNoRegister) reg[n] = scratch(100 + static_cast<int>(n), width);
  }
  const uint32_t stride = o.size() == 3 ? source_of(o[2], ptx::Type::kU32)
                                        : constant(static_cast<uint64_t>(line_elements), 4);
  const Address address = address_of(o[store ? 0 : 1], space);
  if (address.flags & kLocalFrame)
    return unsupported(i, sentence("the matrix must lie in .global or .shared memory"));

  auto place = [&](int number, auto spot_of_lane) {
    program_.fragment_places.push_back(place_of(f, address.offset, spot_of_lane));
    MicroOp& op = emit(matrix::place_fragment);
    op.a = address.base;
    op.flags = address.flags;
    op.b = stride;
    op.imm = program_.fragment_places.size() - 1;
    op.d = scratch(number, 8);
    return op.d;
  };
  auto access = [&](uint32_t at, const std::vector<uint32_t>& to, int element_bytes,
                    int register_bytes) {
    const AccessKind kind = store ? AccessKind::kStore : AccessKind::kLoad;
    MicroOp& op = emit(store ? find_store(element_bytes, register_bytes)
                             : find_load(element_bytes, false, register_bytes));
    op.a = at;
    op.flags = space_flag(space) | (to.size() > 1 ? uint32_t{kList} : 0u);
    op.d = to.size() > 1 ? list_of_registers(to) : to[0];
    op.site = add_site(i, space, kind, element_bytes, static_cast<int>(to.size()));
  };
  auto turn = [&](uint32_t to, uint32_t from) {
    MicroOp& op = emit(matrix::transpose);
    op.d = to;
    op.a = from;
  };
  const int count = static_cast<int>(f.registers);

  // ldmatrix: 16 bytes are one row of a register's matrix.
  if (!f.is_sum && space == ptx::Space::kShared && (f.bits == 16 || (f.bits == 8 && !f.across))) {
    for (int first = 0; first < count; first += 4) {
      const int matrices = std::min(4, count - first);
      const uint32_t at = place(0, [&](int lane) {
        const Spot corner = f.spot(0, first + std::min(lane / 8, matrices - 1), 0);
        // With `across`, a row of memory is a column of the fragment.
        return f.across ? Spot{corner.row, corner.column + lane % 8}
                        : Spot{corner.row + lane % 8, corner.column};
      });
      MicroOp& op = emit(f.across ? matrix::load_transposed : matrix::load);
      op.a = at;
      op.flags = space_flag(space);
      op.d = list_of_registers({reg.begin() + first, reg.begin() + first + matrices});
      op.site = add_site(i, space, AccessKind::kLoad, 16, 1);
      program_.sites[op.site].path = AccessPath::kMatrix;
    }
  } else if (f.is_sum && f.bits > 16 && !f.across) {
    // Pairs of sums are adjacent.
    for (int r = 0; r < count; r += 2) {
      const uint32_t at = place(0, [&](int lane) { return f.spot(lane, r, 0); });
      access(at, {reg[static_cast<size_t>(r)], reg[static_cast<size_t>(r + 1)]}, width, width);
    }
  } else {
    for (int r = 0; r < count; ++r) {
      const uint32_t own = reg[static_cast<size_t>(r)];
      if (!f.across || f.each() == 1) {
        access(place(0, [&](int lane) { return f.spot(lane, r, 0); }), {own}, width, width);
      } else if (f.bits == 16) {
        const Spot corner = f.spot(0, r, 0);
        const uint32_t turned_register = scratch(1, 4);
        if (store) turn(turned_register, own);
        const uint32_t at = place(0, [&](int lane) {
          return Spot{corner.row + 2 * (lane % 4), corner.column + lane / 4};
        });
        access(at, {turned_register}, 4, 4);
        if (!store) turn(own, turned_register);
      } else {
        std::vector<uint32_t> bytes;
        for (int j = 0; j < f.each(); ++j) {
          const uint32_t at = place(0, [&](int lane) { return f.spot(lane, r, j); });
          bytes.push_back(scratch(2 + j, 4));
          access(at, {bytes.back()}, 1, 4);
        }
        const uint32_t list = list_of_registers(bytes);
        MicroOp& op = emit(matrix::pack_bytes);
        op.a = list;
        op.d = own;
      }
    }
  }
  // Fill the replicated registers.
  for (size_t n = f.registers; n < registers; ++n) {
    MicroOp& op = emit(find_lane_form("mov.b32", 32, 32)->run);
    op.d = reg[n];
    op.a = reg[n % f.registers];
    op.e = kNoRegister;
  }
}

// wmma.mma{.op.popc}.sync.aligned.alayout.blayout.shape.dtype{.atype.btype}.ctype{.satfinite}
//     d, a, b, c
void FunctionDecoder::decode_wmma_product(const Instruction& i) {
  const auto& o = i.operands;
  std::vector<std::string_view> types;
  for (const std::string& m : i.modifiers) {
    if (m == "f16" || m == "f32" || m == "f64" || m == "s32" || m == "bf16" || m == "tf32" ||
        m == "s8" || m == "u8" || m == "s4" || m == "u4" || m == "b1") {
      types.push_back(m);
    }
  }
  if (o.size() != 4 || (types.size() != 2 && types.size() != 4))
    return unsupported(i, sentence("this matrix product is not known"));
  const std::string_view type_a = types.size() == 2 ? std::string_view("f16") : types[1];
  const std::string_view type_b = types.size() == 2 ? std::string_view("f16") : types[2];
  const WmmaShape* kind_a = find_kind(i, type_a);
  const WmmaShape* kind_b = find_kind(i, type_b);
  const bool saturate = has_modifier(i, "satfinite");
  for (const std::string& m : i.modifiers) {
    if (m == "rz" || m == "rm" || m == "rp")
      return unsupported(i, sentence("products that are not rounded to the nearest are not known"));
  }
  if (kind_a == nullptr || kind_b == nullptr ||
      matrix::bits_of(kind_a->element) != matrix::bits_of(kind_b->element) ||
      matrix::is_float(kind_a->element) != matrix::is_float(kind_b->element) ||
      (matrix::is_float(kind_a->element) && (type_a != type_b || saturate)) ||
      (kind_a->element == Element::kB1) != has_modifier(i, "popc")) {
    return unsupported(i, sentence("this shape or these types of a matrix product are not known"));
  }
  auto accumulator = [&](std::string_view type) {
    return type == "f16"   ? Accumulator::kF16
           : type == "f32" ? Accumulator::kF32
           : type == "f64" ? Accumulator::kF64
                           : Accumulator::kS32;
  };
  if (!has_shape(i, types.front()) || !has_shape(i, types.back()) ||
      (kind_a->element != Element::kF16 && (types.front() == "f16" || types.back() == "f16")) ||
      (kind_a->element == Element::kF64) != (types.front() == "f64")) {
    return unsupported(i, sentence("this type of the sums is not known"));
  }
  const bool turned = is_turned(i);
  matrix::Product p;
  p.a = turned ? kind_b->element : kind_a->element;
  p.b = turned ? kind_a->element : kind_b->element;
  p.c = accumulator(types.back());
  p.d = accumulator(types.front());
  p.m = turned ? kind_a->n : kind_a->m;
  p.n = turned ? kind_a->m : kind_a->n;
  p.k = kind_a->k;
  p.step = kind_a->step;
  p.saturate = saturate;
  p.rule = kind_a->element == Element::kF64 ? matrix::SumRule::kF64
           : kind_a->element == Element::kB1
               ? (has_modifier(i, "xor") ? matrix::SumRule::kXorPopc : matrix::SumRule::kAndPopc)
           : matrix::is_float(kind_a->element) ? matrix::SumRule::kTensor
                                               : matrix::SumRule::kInteger;
  const int width = kind_a->element == Element::kF64 ? 8 : 4;
  auto sums = [&](Accumulator type) {
    return static_cast<size_t>(p.values()) / (type == Accumulator::kF16 ? 2 : 1);
  };
  const std::array<size_t, 4> sizes = {sums(p.d), kind_a->registers_a, kind_b->registers_b,
                                       sums(p.c)};
  if (!take_product_lists(i, sizes, width, p)) return;
  if (turned) std::swap(p.list_a, p.list_b);
  add_product(p);
}

}  // namespace warpshop::emulator
