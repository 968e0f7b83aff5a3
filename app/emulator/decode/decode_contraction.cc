// Sums fused with a product: fma in place of add and sub (backend/contraction.h).
#include <optional>

#include "decode/decoder.h"

namespace warpshop::emulator {

// The product is still computed, since its register may be inspected.
void FunctionDecoder::decode_contraction(const Instruction& sum, const Contraction& how) {
  const Instruction& product = function_.body[static_cast<size_t>(how.product)];
  Instruction fused = sum;
  fused.opcode = "fma";
  fused.modifiers.insert(fused.modifiers.begin(), "rn");
  fused.operands = {sum.operands[0], product.operands[1], product.operands[2],
                    sum.operands[static_cast<size_t>(how.addend)]};
  // Negated sources need a negated copy.
  auto negated = [&](Operand& source, int number) -> std::optional<uint32_t> {
    if (source.kind == Operand::Kind::kFloat32 || source.kind == Operand::Kind::kFloat64) {
      source.bits ^= source.kind == Operand::Kind::kFloat32 ? 0x80000000u : uint64_t{1} << 63;
      return std::nullopt;
    }
    Instruction neg = sum;
    neg.opcode = "neg";
    neg.modifiers = {sum.modifiers.back()};
    neg.operands = {sum.operands[0], source};
    const size_t before = out_.code.size();
    decode_lane_form(neg);
    if (out_.code.size() == before) return std::nullopt;  // already reported
    return out_.code.back().d = scratch(number, register_width(type_of(sum)));
  };
  const std::optional<uint32_t> a =
      how.negate_product ? negated(fused.operands[1], 0) : std::nullopt;
  const std::optional<uint32_t> c =
      how.negate_addend ? negated(fused.operands[3], 1) : std::nullopt;
  const size_t before = out_.code.size();
  decode_lane_form(fused);
  if (out_.code.size() == before) return;
  if (a) out_.code.back().a = *a;
  if (c) out_.code.back().c = *c;
}

}  // namespace warpshop::emulator
