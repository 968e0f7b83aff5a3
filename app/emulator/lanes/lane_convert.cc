// Handlers of unit Convert: every cvt, for every width of its registers, by integer arithmetic. For
// the most frequent ones ptx/instructions.def also has operations that vectorise.
#include "lanes/lane_number.h"
#include "lanes/lane_once.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_base {
namespace {

template <typename T>
inline constexpr NumberFormat kFormat = integer_format(kWidth<T>, kIsSigned<T>);
template <>
inline constexpr NumberFormat kFormat<F16> = kF16Format;
template <>
inline constexpr NumberFormat kFormat<Bf16> = kBf16Format;
template <>
inline constexpr NumberFormat kFormat<F16x2> = kF16Format;
template <>
inline constexpr NumberFormat kFormat<Bf16x2> = kBf16Format;
template <>
inline constexpr NumberFormat kFormat<F32> = kF32Format;
template <>
inline constexpr NumberFormat kFormat<F64> = kF64Format;

constexpr bool is_fp8(uint32_t flags) { return (flags & (kE4m3 | kE5m2)) != 0; }
constexpr const NumberFormat& fp8_format(uint32_t flags) {
  return (flags & kE4m3) != 0 ? kE4m3Format : kE5m2Format;
}

enum class Shape : uint8_t {
  kOne,    // one number
  kPack,   // two f32 registers into one: a becomes the high half
  kParts,  // both parts of one register
};

struct Conversion {
  NumberFormat to;
  NumberFormat from;
  uint32_t flags = 0;
  Shape shape = Shape::kOne;
  int dest_width_bits = 0;
  int source_width_bits = 0;
};

uint64_t load_lane(LaneState& state, uint32_t offset, int width_bits, int lane) {
  switch (width_bits) {
    case 16:
      return lanes_at<uint16_t>(state, offset)[lane];
    case 32:
      return lanes_at<uint32_t>(state, offset)[lane];
    default:
      return lanes_at<uint64_t>(state, offset)[lane];
  }
}
void store_lane(LaneState& state, uint32_t offset, int width_bits, int lane, uint64_t value) {
  switch (width_bits) {
    case 16:
      lanes_at<uint16_t>(state, offset)[lane] = static_cast<uint16_t>(value);
      break;
    case 32:
      lanes_at<uint32_t>(state, offset)[lane] = static_cast<uint32_t>(value);
      break;
    default:
      lanes_at<uint64_t>(state, offset)[lane] = value;
      break;
  }
}

const MicroOp* convert_lanes(LaneState& state, const MicroOp* op, const Conversion& how) {
  const auto converted = [&how](uint64_t bits) {
    return convert_number(how.to, how.from, bits, how.flags & ~(kTf32 | kE4m3 | kE5m2));
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((state.mask >> lane & 1) == 0) continue;
    const uint64_t a = load_lane(state, op->a, how.source_width_bits, lane);
    uint64_t result = 0;
    switch (how.shape) {
      case Shape::kOne:
        result = converted(a);
        break;
      case Shape::kPack: {
        const uint64_t b = load_lane(state, op->b, how.source_width_bits, lane);
        result = converted(a) << how.to.width_bits | converted(b);
        break;
      }
      case Shape::kParts:
        result = converted(a >> how.from.width_bits) << how.to.width_bits | converted(a);
        break;
    }
    store_lane(state, op->d, how.dest_width_bits, lane, result);
  }
  return op + 1;
}

template <uint32_t kFlags, typename D, typename S, int kSources, int kDestWidth, int kSourceWidth>
const MicroOp* convert_handler(Warp& warp, const MicroOp* op) {
  constexpr bool kFromFp8 = is_fp8(kFlags) && sizeof(S) == 2;
  constexpr bool kToFp8 = is_fp8(kFlags) && sizeof(D) == 2;
  static constexpr Conversion kHow = {
      kToFp8                  ? fp8_format(kFlags)
      : (kFlags & kTf32) != 0 ? kTf32Format
                              : kFormat<D>,
      kFromFp8 ? fp8_format(kFlags) : kFormat<S>,
      kFlags,
      kSources == 2 ? Shape::kPack : (is_fp8(kFlags) ? Shape::kParts : Shape::kOne),
      kDestWidth,
      kSourceWidth};
  return convert_lanes(warp, op, kHow);
}

// Integers may be in wider registers than their types; 8-bit ones always are.
template <typename T>
constexpr bool fits_in(int width_bits) {
  return kIsInteger<T> ? width_bits >= kWidth<T> : width_bits == kWidth<T>;
}

template <uint32_t kFlags, typename D, typename S, int kSources, int kDestWidth, int kSourceWidth>
constexpr Handler handler_for_widths() {
  if constexpr (fits_in<D>(kDestWidth) && fits_in<S>(kSourceWidth)) {
    return &convert_handler<kFlags, D, S, kSources, kDestWidth, kSourceWidth>;
  } else {
    return nullptr;
  }
}

template <uint32_t kFlags, typename D, typename S, typename... More>
constexpr ConvertRow convert_row() {
  constexpr int kSources = 1 + static_cast<int>(sizeof...(More));
  return {{{handler_for_widths<kFlags, D, S, kSources, 16, 16>(),
            handler_for_widths<kFlags, D, S, kSources, 16, 32>(),
            handler_for_widths<kFlags, D, S, kSources, 16, 64>()},
           {handler_for_widths<kFlags, D, S, kSources, 32, 16>(),
            handler_for_widths<kFlags, D, S, kSources, 32, 32>(),
            handler_for_widths<kFlags, D, S, kSources, 32, 64>()},
           {handler_for_widths<kFlags, D, S, kSources, 64, 16>(),
            handler_for_widths<kFlags, D, S, kSources, 64, 32>(),
            handler_for_widths<kFlags, D, S, kSources, 64, 64>()}}};
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Convert(form, operation, dest, sources, pipe, anchor) \
  convert_row<static_cast<uint32_t>(operation), dest, LIST sources>(),
const ConvertRow kConvert[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
