#include "access/bulk_reduction.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "lanes/lane_half.h"
#include "memory/atomic_word.h"

namespace warpshop::emulator {
namespace {

namespace bulk_half = WARPSHOP_LANES;

template <AtomicOperation kOperation>
struct BulkInteger {
  template <typename T>
  static T apply(T old, T b, T) {
    using Unsigned = std::make_unsigned_t<T>;  // sums wrap around
    switch (kOperation) {
      case AtomicOperation::kMin:
        return b < old ? b : old;
      case AtomicOperation::kMax:
        return old < b ? b : old;
      case AtomicOperation::kInc:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      case AtomicOperation::kDec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case AtomicOperation::kAnd:
        return old & b;
      case AtomicOperation::kOr:
        return old | b;
      case AtomicOperation::kXor:
        return old ^ b;
      default:
        return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(b));
    }
  }
};

// A number beats a NaN, and -0 < +0.
template <AtomicOperation kOperation>
float half_of(float a, float b) {
  if (kOperation == AtomicOperation::kAdd) return a + b;
  if (a != a) return b;
  if (b != b) return a;
  const bool least = kOperation == AtomicOperation::kMin;
  if (a == b) return std::signbit(a) == least ? a : b;
  return (a < b) == least ? a : b;
}

template <typename Half, AtomicOperation kOperation>
struct BulkHalf {
  static uint16_t apply(uint16_t old, uint16_t b, uint16_t) {
    return bulk_half::half_from_float<Half>(
               half_of<kOperation>(bulk_half::float_from_half(Half{old}),
                                   bulk_half::float_from_half(Half{b})))
        .bits;
  }
};

template <typename Bits, typename Value>
struct BulkFloat {
  static Bits flushed(Bits bits) {
    if (sizeof(Bits) == 8) return bits;
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
  }
  static Bits apply(Bits old, Bits b, Bits) {
    Value x, y;
    old = flushed(old);
    b = flushed(b);
    std::memcpy(&x, &old, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    const Value sum = x + y;
    if (std::isnan(sum))
      return static_cast<Bits>(sizeof(Bits) == 4 ? 0x7fffffffu : 0x7fffffffffffffffu);
    Bits out;
    std::memcpy(&out, &sum, sizeof out);
    return flushed(out);
  }
};

template <typename T, typename Operation>
void reduce_each(uint8_t* at, const uint8_t* value, size_t bytes, bool shared) {
  for (size_t n = 0; n < bytes; n += sizeof(T)) {
    T b;
    std::memcpy(&b, value + n, sizeof b);
    if (shared) {
      exchange_shared_memory<T, Operation>(at + n, b, T{});
    } else {
      exchange_global_memory<T, Operation>(at + n, b, T{});
    }
  }
}

template <typename T>
Reduction integer_reduction(AtomicOperation operation) {
  using Op = AtomicOperation;
  switch (operation) {
    case Op::kAdd:
      return reduce_each<T, BulkInteger<Op::kAdd>>;
    case Op::kMin:
      return reduce_each<T, BulkInteger<Op::kMin>>;
    case Op::kMax:
      return reduce_each<T, BulkInteger<Op::kMax>>;
    case Op::kInc:
      return sizeof(T) == 4 ? reduce_each<T, BulkInteger<Op::kInc>> : nullptr;
    case Op::kDec:
      return sizeof(T) == 4 ? reduce_each<T, BulkInteger<Op::kDec>> : nullptr;
    case Op::kAnd:
      return reduce_each<T, BulkInteger<Op::kAnd>>;
    case Op::kOr:
      return reduce_each<T, BulkInteger<Op::kOr>>;
    case Op::kXor:
      return reduce_each<T, BulkInteger<Op::kXor>>;
    default:
      return nullptr;
  }
}

template <typename Half>
Reduction half_reduction(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::kAdd:
      return reduce_each<uint16_t, BulkHalf<Half, AtomicOperation::kAdd>>;
    case AtomicOperation::kMin:
      return reduce_each<uint16_t, BulkHalf<Half, AtomicOperation::kMin>>;
    case AtomicOperation::kMax:
      return reduce_each<uint16_t, BulkHalf<Half, AtomicOperation::kMax>>;
    default:
      return nullptr;
  }
}

}  // namespace

Reduction find_reduction(AtomicOperation operation, ptx::Type type) {
  switch (type) {
    case ptx::Type::kU32:
    case ptx::Type::kB32:
      return integer_reduction<uint32_t>(operation);
    case ptx::Type::kS32:
      return integer_reduction<int32_t>(operation);
    case ptx::Type::kU64:
    case ptx::Type::kB64:
      return integer_reduction<uint64_t>(operation);
    case ptx::Type::kS64:
      return integer_reduction<int64_t>(operation);
    case ptx::Type::kF16:
      return half_reduction<bulk_half::F16>(operation);
    case ptx::Type::kBf16:
      return half_reduction<bulk_half::Bf16>(operation);
    case ptx::Type::kF32:
      return operation == AtomicOperation::kAdd ? reduce_each<uint32_t, BulkFloat<uint32_t, float>>
                                                : nullptr;
    case ptx::Type::kF64:
      return operation == AtomicOperation::kAdd ? reduce_each<uint64_t, BulkFloat<uint64_t, double>>
                                                : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpshop::emulator
