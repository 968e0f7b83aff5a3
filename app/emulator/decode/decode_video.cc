// Video instructions. PTX ISA §9.7.18.
#include <algorithm>

#include "decode/decoder.h"
#include "operations/video.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

// "b2": 8 bits from bit 16 on; "h1": 16 bits; "": all. False: it selects several parts.
bool pick_one(const std::string& selector, int& bits, int& start) {
  if (selector.empty()) return true;
  if (selector.size() != 2) return false;
  bits = selector[0] == 'b' ? 8 : 16;
  start = bits * (selector[1] - '0');
  return start < 32;
}

// "h10" for two halves, "b7610" for four bytes: the first digit selects the highest part.
bool pick_parts(const std::string& selector, int lanes, uint8_t (&from)[4]) {
  if (selector.empty()) return true;
  if (selector[0] != (lanes == 2 ? 'h' : 'b') || static_cast<int>(selector.size()) != lanes + 1)
    return false;
  for (int lane = 0; lane < lanes; ++lane)
    from[lane] = static_cast<uint8_t>(selector[static_cast<size_t>(lanes - lane)] - '0');
  return true;
}

// ".h1", ".b310": the selected parts, in descending order.
bool pick_mask(const std::string& selector, int lanes, uint8_t& mask) {
  if (selector.empty()) return true;
  if (selector[0] != (lanes == 2 ? 'h' : 'b')) return false;
  mask = 0;
  for (size_t n = 1; n < selector.size(); ++n) {
    if (selector[n] - '0' >= lanes || (n > 1 && selector[n] >= selector[n - 1])) return false;
    mask = static_cast<uint8_t>(mask | 1u << (selector[n] - '0'));
  }
  return true;
}

std::optional<video::Compare> compare_of(const Instruction& i) {
  static constexpr std::pair<std::string_view, video::Compare> kNames[] = {
      {"eq", video::Compare::kEq}, {"ne", video::Compare::kNe}, {"lt", video::Compare::kLt},
      {"le", video::Compare::kLe}, {"gt", video::Compare::kGt}, {"ge", video::Compare::kGe}};
  for (const auto& [name, compare] : kNames) {
    if (has_modifier(i, name)) return compare;
  }
  return std::nullopt;
}

}  // namespace

uint32_t FunctionDecoder::video_source(const Operand& o) {
  Operand whole = o;
  whole.text = o.kind == Operand::Kind::kRegister ? std::string() : o.text;
  whole.negated = false;
  return source_of(whole, ptx::Type::kU32);
}

// vop.dtype.atype.btype{.sat}{…}{.op2} d{.part}, {-}a{.part}, {-}b{.part}{, {-}c}; vset has no
// dtype: its result is unsigned.
void FunctionDecoder::decode_video(const Instruction& i) {
  const video::Opcode opcode = *video::find_operation(i.opcode);
  video::Form f;
  f.operation = opcode.operation;
  f.lanes = opcode.lanes;
  const bool set = f.operation == video::Operation::kSet;
  std::vector<bool> is_signed;
  for (const std::string& m : i.modifiers) {
    if (m == "u32" || m == "s32") is_signed.push_back(m == "s32");
  }
  if (is_signed.size() != (set ? 2u : 3u))
    return unsupported(i, sentence("the types .u32 and .s32 were expected"));
  if (!set) f.signed_d = is_signed[0];
  f.signed_a = is_signed[is_signed.size() - 2];
  f.signed_b = is_signed[is_signed.size() - 1];
  f.saturate = has_modifier(i, "sat");
  f.wrap = has_modifier(i, "wrap");
  f.plus_one = has_modifier(i, "po");
  f.shift = has_modifier(i, "shr7") ? 7 : has_modifier(i, "shr15") ? 15 : 0;
  if (has_modifier(i, "add")) f.second = video::Second::kAdd;
  if (has_modifier(i, "min")) f.second = video::Second::kMin;
  if (has_modifier(i, "max")) f.second = video::Second::kMax;
  if (set) {
    const auto compare = compare_of(i);
    if (!compare) return unsupported(i, sentence("a comparison was expected"));
    f.compare = *compare;
  }
  const auto& o = i.operands;
  if (o.size() < 3 || o.size() > 4)
    return unsupported(i, sentence("two or three sources were expected"));
  auto selector = [](const Operand& x) {
    return x.kind == Operand::Kind::kRegister ? x.text : std::string();
  };
  bool parts_fit = false;
  if (f.lanes == 1) {
    parts_fit = pick_one(selector(o[1]), f.bits_a, f.start_a) &&
                pick_one(selector(o[2]), f.bits_b, f.start_b) &&
                pick_one(selector(o[0]), f.bits_d, f.start_d);
    if (f.bits_d < 32) {
      if (f.second != video::Second::kNone)
        return unsupported(i, sentence("it merges, or has a second operation, not both"));
      f.second = video::Second::kMerge;
    }
  } else {
    for (int lane = 0; lane < f.lanes; ++lane) {
      f.from_a[lane] = static_cast<uint8_t>(lane);
      f.from_b[lane] = static_cast<uint8_t>(f.lanes + lane);
    }
    parts_fit = pick_parts(selector(o[1]), f.lanes, f.from_a) &&
                pick_parts(selector(o[2]), f.lanes, f.from_b) &&
                pick_mask(selector(o[0]), f.lanes, f.mask);
  }
  if (!parts_fit) return unsupported(i, sentence("these parts of the operands are not known"));
  const bool mad = f.operation == video::Operation::kMad;
  const bool needs_c = mad || f.lanes > 1 || f.second != video::Second::kNone;
  if (needs_c != (o.size() == 4))
    return unsupported(
        i, needs_c ? sentence("a third source was expected") : sentence("it has too many sources"));
  if (mad) {
    f.negate_product = o[1].negated != o[2].negated;
    f.negate_c = o[3].negated;
  }
  const bool negated = std::any_of(o.begin(), mad ? o.begin() + 1 : o.end(),
                                   [](const Operand& x) { return x.negated; });
  if (negated || (o.size() == 4 && !selector(o[3]).empty())) {
    return unsupported(i, sentence("this operand cannot be negated or taken in part"));
  }
  MicroOp op;
  op.run = video::execute;
  op.instruction = current_index_;
  op.a = video_source(o[1]);
  op.b = video_source(o[2]);
  op.c = o.size() == 4 ? video_source(o[3]) : constant(0, 4);
  Operand dest = o[0];
  dest.text.clear();
  op.d = destination_of(dest, 4);
  op.e = kNoRegister;
  op.imm = program_.video_forms.size();
  program_.video_forms.push_back(f);
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
