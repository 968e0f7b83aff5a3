// Which lane holds which element of the matrices that a kernel's tensor instructions multiply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/program.h"

namespace warpshop::emulator {

// One matrix, distributed over a warp's registers.
struct Fragment {
  struct Element {
    int lane = 0;
    int reg = 0;      // of the operand's registers in that lane, from 0
    int element = 0;  // in the register, from its lowest bits
  };
  int rows = 0;
  int columns = 0;  // 32 bits each if element_bits is 1; of a sparse A those that are stored
  int element_bits = 16;
  std::vector<Element> elements;  // row by row

  const Element& at(int row, int column) const {
    return elements[static_cast<size_t>(row) * static_cast<size_t>(columns) +
                    static_cast<size_t>(column)];
  }
};

// D = A B + C; C lies as D does, in its own type.
struct TensorProduct {
  std::string instruction;  // without operands: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
  std::vector<int> lines;   // of the student's source, ascending; those that are known
  std::optional<Fragment> a;  // none: from shared memory
  std::optional<Fragment> b;
  Fragment d;
};

// The kernel's different tensor instructions, in the order in which they come first: mma.sync and
// wmma.mma, and of wgmma.mma_async what the first of the four warps holds. The product of quarter
// warps, mma.m8n8k4 on f16, is left out. Source of the layouts: operations/matrix_product.h.
std::vector<TensorProduct> tensor_products(const Program& program);

}  // namespace warpshop::emulator
