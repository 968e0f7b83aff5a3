#include "operations/video.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::video {
// For every current chip, the back end composes the scalar instructions of others, and the results
// sometimes differ from the manual. This file reproduces an H200 (ptxas 13.0;
// tests/emulator/video_truth); the SIMD instructions match the manual.
namespace {

int64_t part(uint32_t word, int start, int bits, bool is_signed) {
  const uint64_t value = uint64_t{word} >> start;
  const int unused = 64 - bits;
  return is_signed ? static_cast<int64_t>(value << unused) >> unused
                   : static_cast<int64_t>((value << unused) >> unused);
}

bool holds(Compare compare, int64_t a, int64_t b) {
  switch (compare) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    case Compare::kGe:
      return a >= b;
  }
  return false;
}

int64_t clamped(int64_t value, int bits, bool is_signed) {
  const int64_t top = int64_t{1} << (is_signed ? bits - 1 : bits);
  return std::clamp<int64_t>(value, is_signed ? -top : 0, top - 1);
}

int64_t outcome(const Form& f, int64_t a, int64_t b) {
  switch (f.operation) {
    case Operation::kAdd:
      return a + b;
    case Operation::kSub:
      return a - b;
    case Operation::kAbsDiff:
      return std::llabs(a - b);
    case Operation::kMin:
      return std::min(a, b);
    case Operation::kMax:
      return std::max(a, b);
    case Operation::kAverage:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Operation::kSet:
      return holds(f.compare, a, b) ? 1 : 0;
    default:
      break;
  }
  const auto amount = static_cast<uint32_t>(b);
  const uint32_t by = f.wrap ? amount & 31u : std::min<uint32_t>(amount, 32);
  return f.operation == Operation::kShl ? a << by : a >> by;
}

bool is_shift(const Form& f) {
  return f.operation == Operation::kShl || f.operation == Operation::kShr;
}

// The value that .min and .max compare with c. Sums and differences are 32-bit words whose highest
// bit counts as a sign even if d is unsigned; other results keep all of their bits.
int64_t compared(const Form& f, int64_t value) {
  const bool sum = f.operation == Operation::kAdd || f.operation == Operation::kSub;
  const bool word = f.saturate ? f.operation == Operation::kAdd || is_shift(f) : sum;
  return word ? static_cast<int32_t>(static_cast<uint32_t>(value)) : value;
}

uint32_t second(const Form& f, int64_t value, uint32_t c) {
  const auto word = static_cast<uint32_t>(value);
  // vset has no destination type: a's type determines how c is compared.
  const bool is_signed = f.operation == Operation::kSet ? f.signed_a : f.signed_d;
  const int64_t own = compared(f, value);
  const bool smaller =
      is_signed ? own < int64_t{static_cast<int32_t>(c)} : static_cast<uint64_t>(own) < uint64_t{c};
  switch (f.second) {
    case Second::kAdd:
      return word + c;
    case Second::kMin:
      return smaller ? word : c;
    case Second::kMax:
      return smaller ? c : word;
    case Second::kMerge: {
      // .h1 takes the upper half of the result, although the manual says the lower one.
      if (f.bits_d == 16 && f.start_d == 16) return (word & 0xffff0000u) | (c & 0xffffu);
      const uint32_t mask = (f.bits_d == 8 ? 0xffu : 0xffffu) << f.start_d;
      return (word << f.start_d & mask) | (c & ~mask);
    }
    case Second::kNone:
      break;
  }
  return word;
}

// 64-bit sums. Here, whole .u32 operands and c are treated as signed.
uint32_t multiply_add(const Form& f, int64_t a, int64_t b, uint32_t c_word) {
  const bool is_signed = f.signed_a || f.signed_b || f.negate_product || f.negate_c;
  const auto product =
      static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b));
  const auto c = static_cast<uint64_t>(int64_t{static_cast<int32_t>(c_word)});
  uint64_t sum =
      (f.negate_product ? 0 - product : product) + (f.negate_c ? 0 - c : c) + (f.plus_one ? 1 : 0);
  sum = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(sum) >> f.shift) : sum >> f.shift;
  if (f.saturate) sum = static_cast<uint64_t>(clamped(static_cast<int64_t>(sum), 32, is_signed));
  return static_cast<uint32_t>(sum);
}

uint32_t scalar(const Form& f, uint32_t a_word, uint32_t b_word, uint32_t c) {
  const int64_t a = part(a_word, f.start_a, f.bits_a, f.signed_a);
  const int64_t b = part(b_word, f.start_b, f.bits_b, f.signed_b);
  if (f.operation == Operation::kMad) return multiply_add(f, a, b, c);
  int64_t value = outcome(f, a, b);
  if (f.saturate && f.bits_d < 32 && !is_shift(f)) {
    // Parts of a word: negative results saturate at the upper end as well.
    value = static_cast<int64_t>(std::min(static_cast<uint64_t>(value),
                                          (uint64_t{1} << (f.bits_d - (f.signed_d ? 1 : 0))) - 1));
  } else if (f.saturate) {
    // Saturated values have at most 34 bits; only shifts give more.
    value = clamped(value << 30 >> 30, 32, f.signed_d);
  }
  return second(f, value, c);
}

uint32_t parts(const Form& f, uint32_t a, uint32_t b, uint32_t c) {
  const int bits = 32 / f.lanes;
  const uint32_t ones = (1u << bits) - 1u;
  uint32_t sum = c;
  uint32_t merged = 0;
  auto pick = [&](int from, bool is_signed) {
    return part(from < f.lanes ? a : b, from % f.lanes * bits, bits, is_signed);
  };
  for (int lane = 0; lane < f.lanes; ++lane) {
    int64_t value = outcome(f, pick(f.from_a[lane], f.signed_a), pick(f.from_b[lane], f.signed_b));
    if (f.saturate) value = clamped(value, bits, f.signed_d);
    const bool counts = (f.mask >> lane & 1u) != 0;
    if (counts) sum += static_cast<uint32_t>(value);
    const uint32_t field = ones << (bits * lane);
    merged |= (counts ? static_cast<uint32_t>(value) << (bits * lane) : c) & field;
  }
  return f.second == Second::kAdd ? sum : merged;
}

}  // namespace

std::optional<Opcode> find_operation(std::string_view opcode) {
  static constexpr std::pair<std::string_view, Operation> kNames[] = {
      {"vadd", Operation::kAdd}, {"vsub", Operation::kSub}, {"vabsdiff", Operation::kAbsDiff},
      {"vmin", Operation::kMin}, {"vmax", Operation::kMax}, {"vavrg", Operation::kAverage},
      {"vshl", Operation::kShl}, {"vshr", Operation::kShr}, {"vmad", Operation::kMad},
      {"vset", Operation::kSet}};
  for (const auto& [name, operation] : kNames) {
    if (!opcode.starts_with(name)) continue;
    const std::string_view rest = opcode.substr(name.size());
    const bool only_scalar = operation == Operation::kShl || operation == Operation::kShr ||
                             operation == Operation::kMad;
    if (rest.empty() && operation != Operation::kAverage) return Opcode{operation, 1};
    if ((rest == "2" || rest == "4") && !only_scalar) return Opcode{operation, rest[0] - '0'};
  }
  return std::nullopt;
}

uint32_t apply(const Form& form, uint32_t a, uint32_t b, uint32_t c) {
  return form.lanes == 1 ? scalar(form, a, b, c) : parts(form, a, b, c);
}

const MicroOp* execute(Warp& warp, const MicroOp* op) {
  const Form& form = warp.worker->launch->program->video_forms[op->imm];
  const uint32_t* a = warp.reg<uint32_t>(op->a);
  const uint32_t* b = warp.reg<uint32_t>(op->b);
  const uint32_t* c = warp.reg<uint32_t>(op->c);
  uint32_t* d = warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    d[lane] = apply(form, a[lane], b[lane], c[lane]);
  }
  return op + 1;
}

}  // namespace warpshop::emulator::video
