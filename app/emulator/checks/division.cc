#include "checks/division.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "state/launch_state.h"
#include "state/warp.h"

namespace warpshop::emulator {
namespace {

template <std::integral T>
T value_of_lane(const Warp& warp, uint32_t offset, int lane) {
  T value{};
  std::memcpy(&value, warp.frame + offset + sizeof(T) * static_cast<size_t>(lane), sizeof value);
  return value;
}

template <std::integral T>
void note_division(Warp& warp, const MicroOp* op, uint32_t lanes) {
  const int lane = std::countr_zero(lanes);
  Finding* f = note_finding(warp, op, FindingKind::kDivisionByZero, ptx::Space::kGeneric, "", lane,
                            static_cast<uint64_t>(std::popcount(lanes)));
  if (f == nullptr) return;
  const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
  const char* sign = i.opcode == "rem" ? " % 0" : " / 0";
  f->message = sentence("{division}, {thread} of {block}: integer division by zero",
                        {{"division", std::to_string(value_of_lane<T>(warp, op->a, lane)) + sign},
                         {"thread", thread_words(f->who)},
                         {"block", block_words(f->who.block)}});
  f->cause = sentence(
      "the GPU does not stop at a division by zero: it goes on with a meaningless number. Check "
      "where the divisor comes from, or divide only if it is not 0");
}

// The form's own handler is in the immediate, which divisions do not use.
template <std::integral T>
const MicroOp* checked_division(Warp& warp, const MicroOp* op) {
  uint32_t zero = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    zero |= static_cast<uint32_t>(value_of_lane<T>(warp, op->b, lane) == 0) << lane;
  }
  if (const uint32_t lanes = zero & warp.mask; lanes != 0) [[unlikely]] {
    note_division<T>(warp, op, lanes);
  }
  return reinterpret_cast<Handler>(op->imm)(warp, op);
}

Handler checked_handler(ptx::Type type) {
  switch (type) {
    case ptx::Type::kU16:
      return &checked_division<uint16_t>;
    case ptx::Type::kS16:
      return &checked_division<int16_t>;
    case ptx::Type::kU32:
      return &checked_division<uint32_t>;
    case ptx::Type::kS32:
      return &checked_division<int32_t>;
    case ptx::Type::kU64:
      return &checked_division<uint64_t>;
    case ptx::Type::kS64:
      return &checked_division<int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

void check_divisors(const ptx::Instruction& i, const LaneForm& form, MicroOp& op) {
  if ((i.opcode != "div" && i.opcode != "rem") || form.source_count != 2) return;
  const ptx::Operand& divisor = i.operands[2];
  if (divisor.kind == ptx::Operand::Kind::kInteger && divisor.bits != 0) return;
  const Handler checked = checked_handler(form.source[1]);
  if (checked == nullptr) return;
  op.imm = reinterpret_cast<uint64_t>(op.run);
  op.run = checked;
}

}  // namespace warpshop::emulator
