// atom and red of 16-bit floats, of vectors, and of 128 bits. A vector operation is atomic per
// element, not as a whole. PTX ISA §9.7.13 "atom", "red".
#include <cstring>
#include <mutex>

#include "access/access_check.h"
#include "access/atomic_arithmetic.h"
#include "access/memory_ops.h"
#include "memory/atomic_word.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

using namespace atomic_arithmetic;

template <typename Half, typename Operation>
struct OnPair {
  using Word = uint32_t;
  static Word apply(Word old, Word b, Word) {
    using One = OnHalf<Half, Operation>;
    const uint16_t low = One::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0);
    const uint16_t high =
        One::apply(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), 0);
    return static_cast<uint32_t>(high) << 16 | low;
  }
};
template <typename Operation>
const MicroOp* vector_atomic(Warp& warp, const MicroOp* op) {
  using Word = typename Operation::Word;
  const auto& lists = warp.worker->launch->program->lists;
  const RegisterList& operands = lists[op->b];
  const int bytes = static_cast<int>(sizeof(Word)) * operands.count;
  const CheckedAccess checked = check_access(warp, op, bytes, AccessIntent::kAtomic);
  const WarpAccess& access = warp.worker->access;
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = access.address[static_cast<size_t>(lane)];
    const ptx::Space space = checked.one_region ? access.space : lane_space(warp, op, lane);
    const HostPlace at = admitted_place(warp, op, checked, address, lane, bytes);
    for (int e = 0; e < operands.count; ++e) {
      const Word b = warp.reg<Word>(operands.offset[e])[lane];
      uint8_t* word = at.data + sizeof(Word) * static_cast<size_t>(e);
      const Word old = space == ptx::Space::kGlobal
                           ? exchange_global_memory<Word, Operation>(word, b, 0)
                           : exchange_shared_memory<Word, Operation>(word, b, 0);
      if (op->d == kNoRegister || lists[op->d].offset[e] == kNoRegister) continue;
      warp.reg<Word>(lists[op->d].offset[e])[lane] = old;
    }
    if (at.written != nullptr) std::memset(at.written, 1, static_cast<size_t>(bytes));
  }
  return op + 1;
}

template <typename Half, template <typename, typename> class Shape>
Handler half_atomic(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::kAdd:
      return vector_atomic<Shape<Half, HalfSum>>;
    case AtomicOperation::kMin:
      return vector_atomic<Shape<Half, HalfLeast>>;
    case AtomicOperation::kMax:
      return vector_atomic<Shape<Half, HalfMost>>;
    default:
      return nullptr;
  }
}

// Serialises all 128-bit atomics of all emulation threads. Narrower atomics on the same bytes are
// not included: the manual leaves overlapping atomics of different sizes undefined ("mixed-size",
// §8.2.2).
std::mutex g_wide_word;

template <bool kCompare>
const MicroOp* atomic_128(Warp& warp, const MicroOp* op) {
  // A 128-bit register is all low halves, then all high ones.
  constexpr size_t kHigh = 8 * kWarpSize;
  const CheckedAccess checked = check_access(warp, op, 16, AccessIntent::kAtomic);
  const WarpAccess& access = warp.worker->access;
  auto read = [&](uint32_t reg, int lane, uint8_t* to) {
    std::memcpy(to, warp.frame + reg + 8 * lane, 8);
    std::memcpy(to + 8, warp.frame + reg + kHigh + 8 * lane, 8);
  };
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = access.address[static_cast<size_t>(lane)];
    const HostPlace at = admitted_place(warp, op, checked, address, lane, 16);
    uint8_t b[16];
    uint8_t fresh[16];
    uint8_t old[16];
    read(op->b, lane, b);
    read(kCompare ? op->c : op->b, lane, fresh);
    {
      const std::lock_guard<std::mutex> lock(g_wide_word);
      std::memcpy(old, at.data, 16);
      if (!kCompare || std::memcmp(old, b, 16) == 0) std::memcpy(at.data, fresh, 16);
    }
    if (at.written != nullptr) std::memset(at.written, 1, 16);
    if (op->d == kNoRegister) continue;
    std::memcpy(warp.frame + op->d + 8 * lane, old, 8);
    std::memcpy(warp.frame + op->d + kHigh + 8 * lane, old + 8, 8);
  }
  return op + 1;
}

}  // namespace

Handler find_vector_atomic(AtomicOperation operation, ptx::Type type) {
  switch (type) {
    case ptx::Type::kF16:
      return half_atomic<half::F16, OnHalf>(operation);
    case ptx::Type::kBf16:
      return half_atomic<half::Bf16, OnHalf>(operation);
    case ptx::Type::kF16x2:
      return half_atomic<half::F16, OnPair>(operation);
    case ptx::Type::kBf16x2:
      return half_atomic<half::Bf16, OnPair>(operation);
    case ptx::Type::kF32:
      return operation == AtomicOperation::kAdd ? vector_atomic<FlushingFloatAdd> : nullptr;
    default:
      return nullptr;
  }
}

Handler find_atomic_128(AtomicOperation operation) {
  if (operation == AtomicOperation::kExchange) return atomic_128<false>;
  if (operation == AtomicOperation::kCompareAndSwap) return atomic_128<true>;
  return nullptr;
}

}  // namespace warpshop::emulator
