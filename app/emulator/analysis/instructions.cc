#include "analysis/instructions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/replay.h"

namespace warpshop::emulator {

bool has_modifier(const ptx::Instruction& i, std::string_view modifier) {
  return std::find(i.modifiers.begin(), i.modifiers.end(), modifier) != i.modifiers.end();
}

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

int register_width(ptx::Type type) {
  const int bytes = ptx::size_bytes(type);
  return bytes == 1 ? 2 : bytes;
}

std::vector<size_t> written_registers(const ptx::Instruction& i) {
  static constexpr std::string_view kWithout[] = {"st",  "red",  "bra",    "brx",
                                                  "ret", "exit", "membar", "fence"};
  if (i.operands.empty() ||
      std::find(std::begin(kWithout), std::end(kWithout), i.opcode) != std::end(kWithout))
    return {};
  const bool barrier = i.opcode == "bar" || i.opcode == "barrier";
  if (barrier && std::find(i.modifiers.begin(), i.modifiers.end(), "red") == i.modifiers.end())
    return {};
  const ptx::Operand& first = i.operands[0];
  if (first.kind == ptx::Operand::Kind::kAddress) return {};
  std::vector<size_t> out;
  if (first.register_index >= 0) out.push_back(static_cast<size_t>(first.register_index));
  for (const ptx::Operand& element : first.elements) {
    if (element.register_index >= 0) out.push_back(static_cast<size_t>(element.register_index));
  }
  return out;
}

}  // namespace warpshop::emulator
