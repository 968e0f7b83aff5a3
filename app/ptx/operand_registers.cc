#include "ptx/operand_registers.h"

#include <set>
#include <string_view>

namespace warpshop::ptx {
namespace {

void add_registers(const Operand& operand, std::vector<int>& out) {
  each_register(operand, [&](size_t r) { out.push_back(static_cast<int>(r)); });
}

}  // namespace

bool writes_first_operand(const Instruction& i) {
  static const std::set<std::string_view> kWithoutDestination = {
      "bra",       "brx",           "ret",        "exit",        "trap", "brkpt",
      "nanosleep", "pmevent",       "st",         "red",         "cp",   "prefetch",
      "discard",   "prefetchu",     "membar",     "fence",       "sust", "sured",
      "stmatrix",  "applypriority", "setmaxnreg", "stackrestore"};
  if (i.operands.empty() || i.operands[0].kind == Operand::Kind::kAddress) return false;
  if (i.opcode == "bar" || i.opcode == "barrier") return has_modifier(i, "red");
  if (i.opcode == "call") return i.operands[0].kind == Operand::Kind::kList;
  return !kWithoutDestination.contains(i.opcode);
}

bool reads_first_operand(const Instruction& i) {
  return !writes_first_operand(i) || i.opcode == "wgmma";
}

std::vector<int> written_registers(const Instruction& i) {
  std::vector<int> out;
  if (writes_first_operand(i)) add_registers(i.operands[0], out);
  return out;
}

std::vector<int> read_registers(const Instruction& i) {
  std::vector<int> out;
  for (size_t n = writes_first_operand(i) ? 1 : 0; n < i.operands.size(); ++n)
    add_registers(i.operands[n], out);
  if (i.guard_register >= 0) out.push_back(i.guard_register);
  return out;
}

}  // namespace warpshop::ptx
