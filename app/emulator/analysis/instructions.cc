#include "analysis/instructions.h"

#include <algorithm>
#include <string>
#include <vector>

namespace warpshop::emulator {

ptx::Type type_of(const ptx::Instruction& i) {
  for (auto it = i.modifiers.rbegin(); it != i.modifiers.rend(); ++it) {
    if (const auto type = ptx::type_from_name(*it)) return *type;
  }
  return ptx::Type::kNone;
}

ptx::Space space_of(const ptx::Instruction& i) {
  for (const std::string& m : i.modifiers) {
    if (m == "global") return ptx::Space::kGlobal;
    if (m == "shared" || m == "shared::cta" || m == "shared::cluster") return ptx::Space::kShared;
    if (m == "local") return ptx::Space::kLocal;
    if (m == "const") return ptx::Space::kConst;
    if (m == "param" || m == "param::entry" || m == "param::func") return ptx::Space::kParam;
  }
  return ptx::Space::kGeneric;
}

const ptx::Operand* address_operand(const ptx::Instruction& i, size_t from) {
  for (size_t n = from; n < i.operands.size(); ++n)
    if (i.operands[n].kind == ptx::Operand::Kind::kAddress) return &i.operands[n];
  return nullptr;
}

bool is_strong(const ptx::Instruction& i) {
  static constexpr std::string_view kOrders[] = {"volatile", "relaxed", "acquire", "release",
                                                 "mmio"};
  return (i.opcode == "ld" || i.opcode == "st") &&
         std::any_of(std::begin(kOrders), std::end(kOrders),
                     [&](std::string_view order) { return ptx::has_modifier(i, order); });
}

int register_width(ptx::Type type) {
  const int bytes = ptx::size_bytes(type);
  return bytes == 1 ? 2 : bytes;
}

}  // namespace warpshop::emulator
