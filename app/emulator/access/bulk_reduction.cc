#include "access/bulk_reduction.h"

#include <cstring>

#include "access/atomic_arithmetic.h"
#include "memory/atomic_word.h"

namespace warpshop::emulator {
namespace {

using namespace atomic_arithmetic;

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
      return reduce_each<T, Add>;
    case Op::kMin:
      return reduce_each<T, Min>;
    case Op::kMax:
      return reduce_each<T, Max>;
    case Op::kInc:
      if constexpr (kWraps<T>) return reduce_each<T, Inc>;
      return nullptr;
    case Op::kDec:
      if constexpr (kWraps<T>) return reduce_each<T, Dec>;
      return nullptr;
    case Op::kAnd:
      return reduce_each<T, And>;
    case Op::kOr:
      return reduce_each<T, Or>;
    case Op::kXor:
      return reduce_each<T, Xor>;
    default:
      return nullptr;
  }
}

template <typename Half>
Reduction half_reduction(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::kAdd:
      return reduce_each<uint16_t, OnHalf<Half, HalfSum>>;
    case AtomicOperation::kMin:
      return reduce_each<uint16_t, OnHalf<Half, HalfLeast>>;
    case AtomicOperation::kMax:
      return reduce_each<uint16_t, OnHalf<Half, HalfMost>>;
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
      return half_reduction<half::F16>(operation);
    case ptx::Type::kBf16:
      return half_reduction<half::Bf16>(operation);
    case ptx::Type::kF32:
      return operation == AtomicOperation::kAdd ? reduce_each<uint32_t, FlushingFloatAdd> : nullptr;
    case ptx::Type::kF64:
      return operation == AtomicOperation::kAdd ? reduce_each<uint64_t, FloatAdd<F64>> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpshop::emulator
