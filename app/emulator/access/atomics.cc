// atom and red: one lane after the other, in lane order. Global memory uses the host's atomics,
// since other blocks run at the same time; a block's shared memory belongs to one emulation thread.
// PTX ISA §9.7.13 "atom", "red".
#include <cstring>

#include "access/access_check.h"
#include "access/atomic_arithmetic.h"
#include "access/memory_ops.h"
#include "memory/atomic_word.h"
#include "state/emulation_thread.h"

namespace warpshop::emulator {
namespace {

using namespace atomic_arithmetic;

template <typename Operation>
struct InGlobalMemory {
  using Type = Operation;
};
template <>
struct InGlobalMemory<FloatAdd<F32>> {
  using Type = FlushingFloatAdd;
};

template <typename T, typename Operation>
const MicroOp* atomic(Warp& warp, const MicroOp* op) {
  const CheckedAccess checked = check_access(warp, op, sizeof(T), AccessIntent::kAtomic);
  const WarpAccess& access = warp.worker->access;
  const T* b = warp.reg<T>(op->b);
  const T* c = op->c == kNoRegister ? b : warp.reg<T>(op->c);
  T* d = op->d == kNoRegister ? nullptr : warp.reg<T>(op->d);
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = access.address[static_cast<size_t>(lane)];
    const ptx::Space space = checked.one_region ? access.space : lane_space(warp, op, lane);
    const HostPlace at = admitted_place(warp, op, checked, address, lane, sizeof(T));
    const T operand_b = b[lane];
    const T operand_c = c[lane];
    using Global = typename InGlobalMemory<Operation>::Type;
    const T old = space == ptx::Space::kGlobal
                      ? exchange_global_memory<T, Global>(at.data, operand_b, operand_c)
                      : exchange_shared_memory<T, Operation>(at.data, operand_b, operand_c);
    if (at.written != nullptr) std::memset(at.written, 1, sizeof(T));
    if (d != nullptr) d[lane] = old;
  }
  return op + 1;
}

template <typename T>
Handler integer_atomic(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::kAdd:
      return atomic<T, Add>;
    case AtomicOperation::kMin:
      return atomic<T, Min>;
    case AtomicOperation::kMax:
      return atomic<T, Max>;
    case AtomicOperation::kInc:
      if constexpr (kWraps<T>) return atomic<T, Inc>;
      return nullptr;
    case AtomicOperation::kDec:
      if constexpr (kWraps<T>) return atomic<T, Dec>;
      return nullptr;
    case AtomicOperation::kAnd:
      return atomic<T, And>;
    case AtomicOperation::kOr:
      return atomic<T, Or>;
    case AtomicOperation::kXor:
      return atomic<T, Xor>;
    case AtomicOperation::kExchange:
      return atomic<T, Exchange>;
    case AtomicOperation::kCompareAndSwap:
      return atomic<T, CompareAndSwap>;
  }
  return nullptr;
}

}  // namespace

Handler find_atomic(AtomicOperation operation, ptx::Type type) {
  switch (type) {
    case ptx::Type::kB16:
    case ptx::Type::kU16:
      return operation == AtomicOperation::kCompareAndSwap ? integer_atomic<uint16_t>(operation)
                                                           : nullptr;
    case ptx::Type::kB32:
    case ptx::Type::kU32:
      return integer_atomic<uint32_t>(operation);
    case ptx::Type::kS32:
      return integer_atomic<int32_t>(operation);
    case ptx::Type::kB64:
    case ptx::Type::kU64:
      return integer_atomic<uint64_t>(operation);
    case ptx::Type::kS64:
      return integer_atomic<int64_t>(operation);
    case ptx::Type::kF32:
      if (operation == AtomicOperation::kAdd) return atomic<uint32_t, FloatAdd<F32>>;
      return operation == AtomicOperation::kExchange ? integer_atomic<uint32_t>(operation)
                                                     : nullptr;
    case ptx::Type::kF64:
      if (operation == AtomicOperation::kAdd) return atomic<uint64_t, FloatAdd<F64>>;
      return operation == AtomicOperation::kExchange ? integer_atomic<uint64_t>(operation)
                                                     : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpshop::emulator
