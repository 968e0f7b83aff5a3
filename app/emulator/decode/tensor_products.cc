#include "emulator/tensor_products.h"

#include <algorithm>
#include <utility>

#include "analysis/source_place.h"
#include "operations/matrix_product.h"
#include "operations/warpgroup_product.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

using matrix::Spot;

// `place`(lane, register, element) is where an element lies in its matrix.
template <typename Place>
Fragment fragment_of(int rows, int columns, int bits, int each, Place place) {
  Fragment out{.rows = rows, .columns = columns, .element_bits = bits, .elements = {}};
  out.elements.resize(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  const int registers = rows * columns / (kWarpSize * each);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int reg = 0; reg < registers; ++reg) {
      for (int element = 0; element < each; ++element) {
        const Spot at = place(lane, reg, element);
        out.elements[static_cast<size_t>(at.row * columns + at.column)] = {lane, reg, element};
      }
    }
  }
  return out;
}

Fragment transposed(const Fragment& of) {
  Fragment out{
      .rows = of.columns, .columns = of.rows, .element_bits = of.element_bits, .elements = {}};
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.columns; ++column) out.elements.push_back(of.at(column, row));
  }
  return out;
}

Fragment sums_of(int rows, int columns, matrix::Accumulator type) {
  const int each = type == matrix::Accumulator::kF16 ? 2 : 1;
  const int bits = type == matrix::Accumulator::kF16   ? 16
                   : type == matrix::Accumulator::kF64 ? 64
                                                       : 32;
  return fragment_of(rows, columns, bits, each, [&](int lane, int reg, int element) {
    return matrix::spot_in_c(rows, columns, lane, reg * each + element);
  });
}

TensorProduct product_of(const matrix::Product& p, bool turned) {
  const int words = p.a == matrix::Element::kB1 ? 32 : 1;
  const int depth = p.k / words, stored = p.is_sparse() ? p.k_of_a() : depth;
  const int each_a = matrix::elements_in_register(p.a), each_b = matrix::elements_in_register(p.b);
  TensorProduct out;
  out.a = fragment_of(p.m, stored, matrix::bits_of(p.a), each_a, [&](int lane, int r, int j) {
    return matrix::spot_in_a(p.m, stored, each_a, lane, r, j);
  });
  out.b =
      transposed(fragment_of(p.n, depth, matrix::bits_of(p.b), each_b, [&](int lane, int r, int j) {
        return matrix::spot_in_b(depth, each_b, lane, r, j);
      }));
  out.d = sums_of(p.m, p.n, p.d);
  if (turned) {
    out.d = transposed(out.d);
    const Fragment a = transposed(*out.b);
    out.b = transposed(*out.a);
    out.a = a;
  }
  return out;
}

TensorProduct product_of(const matrix::WarpgroupProduct& p) {
  constexpr int kRows = 16;  // of a warp
  TensorProduct out;
  if (p.a_in_registers) {
    const int each = matrix::elements_in_register(p.a);
    out.a = fragment_of(kRows, p.k, matrix::bits_of(p.a), each, [&](int lane, int r, int j) {
      return matrix::spot_in_a(kRows, p.k, each, lane, r, j);
    });
  }
  out.d = sums_of(kRows, p.n, p.d);
  return out;
}

std::string name_of(const ptx::Instruction& i) {
  std::string name = i.opcode;
  for (const std::string& modifier : i.modifiers) name += "." + modifier;
  return name;
}

}  // namespace

std::vector<TensorProduct> tensor_products(const Program& program) {
  const DecodedProgram& decoded = program.decoded();
  std::vector<TensorProduct> out;
  for (const DecodedFunction& function : decoded.functions) {
    for (const MicroOp& op : function.code) {
      const bool of_warpgroup = op.run == matrix::multiply_in_warpgroup;
      if (!of_warpgroup && op.run != matrix::multiply) continue;
      if (!of_warpgroup && decoded.products[op.imm].quads) continue;
      const ptx::Instruction& i = function.source->body[static_cast<size_t>(op.instruction)];
      const std::string name = name_of(i);
      auto known = std::find_if(out.begin(), out.end(), [&](const TensorProduct& product) {
        return product.instruction == name;
      });
      if (known == out.end()) {
        const bool turned = name.find("m8n32k16") != std::string::npos;
        out.push_back(of_warpgroup ? product_of(decoded.warpgroup_products[op.imm])
                                   : product_of(decoded.products[op.imm], turned));
        out.back().instruction = name;
        known = out.end() - 1;
      }
      const int line = source_place(program.module(), i.source).line;
      if (line > 0) known->lines.push_back(line);
    }
  }
  for (TensorProduct& product : out) {
    std::sort(product.lines.begin(), product.lines.end());
    product.lines.erase(std::unique(product.lines.begin(), product.lines.end()),
                        product.lines.end());
  }
  return out;
}

}  // namespace warpshop::emulator
