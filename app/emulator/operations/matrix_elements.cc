#include "operations/matrix_elements.h"

#include "lanes/lane_half.h"
#include "lanes/lane_number.h"
#include "operations/matrix_sums.h"

namespace warpshop::emulator::matrix {
namespace {

namespace half = WARPSHOP_LANES;

int signed_of(uint32_t value, int bits) {
  return static_cast<int>(value << (32 - bits)) >> (32 - bits);
}

}  // namespace

int bits_of(Element type) {
  switch (type) {
    case Element::kF64:
      return 64;
    case Element::kTf32:
      return 32;
    case Element::kF16:
    case Element::kBf16:
      return 16;
    case Element::kS4:
    case Element::kU4:
      return 4;
    case Element::kB1:
      return 1;
    default:
      return 8;
  }
}
bool is_float(Element type) { return type <= Element::kF64; }
int elements_in_register(Element type) {
  return type == Element::kB1 || type == Element::kF64 ? 1 : 32 / bits_of(type);
}

uint32_t part(uint32_t word, int index, int bits) {
  return bits == 32 ? word : word >> (bits * index) & ((1u << bits) - 1u);
}

float float_of(uint32_t word, int index, Element type) {
  const uint32_t bits = part(word, index, bits_of(type));
  switch (type) {
    case Element::kF16:
      return f16_value(static_cast<uint16_t>(bits));
    case Element::kBf16:
      return half::from_bits<float>(bits << 16);
    // The low 13 bits are ignored.
    case Element::kTf32:
      return half::from_bits<float>(bits & 0xffffe000u);
    default: {
      const auto& from = type == Element::kE4m3 ? lanes_base::kE4m3Format : lanes_base::kE5m2Format;
      return half::from_bits<float>(
          static_cast<uint32_t>(lanes_base::convert_number(lanes_base::kF32Format, from, bits, 0)));
    }
  }
}

int lowest_exponent(Element type) {
  return type == Element::kBf16 || type == Element::kTf32 ? -126 : -14;
}

int integer_of(uint32_t word, int index, Element type) {
  const int bits = bits_of(type);
  if (type == Element::kB1) return static_cast<int>(word);
  const uint32_t value = part(word, index, bits);
  return type == Element::kS8 || type == Element::kS4 ? signed_of(value, bits)
                                                      : static_cast<int>(value);
}

}  // namespace warpshop::emulator::matrix
