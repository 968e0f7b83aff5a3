#include "operations/matrix_sparse.h"

#include "state/warp.h"

namespace warpshop::emulator::matrix {

Positions positions_of(Warp& warp, const Product& p) {
  Positions positions{};
  const bool tf32 = p.a == Element::kTf32;
  const bool bytes = bits_of(p.a) == 8;
  const int bits = tf32 ? 4 : 2;          // per stored element
  const int part_bits = bytes ? 32 : 16;  // of a row in one thread
  const bool two_parts = bits * p.k_of_a() > part_bits;
  const uint32_t* metadata = warp.reg<uint32_t>(p.metadata);
  for (int row = 0; row < 16; ++row) {
    for (int i = 0; i < p.k_of_a(); ++i) {
      const int at = bits * i;
      const int part = at / part_bits;
      const int thread = bytes       ? 2 * (two_parts ? part : p.selector) + row / 8
                         : two_parts ? 2 * p.selector + part
                                     : p.selector;
      const int shift = at % part_bits + (bytes ? 0 : 16 * (row / 8));
      const auto index =
          static_cast<int>(metadata[4 * (row % 8) + thread] >> shift & ((1u << bits) - 1));
      positions.of[row][i] =
          static_cast<uint8_t>(tf32 ? 2 * i + (index & 3) / 2 : 4 * (i / 2) + index);
    }
  }
  return positions;
}

}  // namespace warpshop::emulator::matrix
