#include "analysis/provenance.h"

#include <bit>

#include "analysis/instructions.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

Origin join(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::kNone) return b;
  if (b.kind == Origin::Kind::kNone || a == b) return a;
  if (a.kind == Origin::Kind::kParam && b.kind == Origin::Kind::kParam) {
    return {.kind = Origin::Kind::kParam, .params = a.params | b.params};
  }
  return {.kind = Origin::Kind::kMixed};
}

Origin origin_of_param(int index) {
  if (index >= 64) return {.kind = Origin::Kind::kMixed};
  return {.kind = Origin::Kind::kParam, .params = uint64_t{1} << index};
}

bool is_one_place(const Origin& origin) {
  return origin.kind == Origin::Kind::kShared || origin.kind == Origin::Kind::kConst ||
         (origin.kind == Origin::Kind::kParam && std::has_single_bit(origin.params));
}

Origin origin_of_symbol(const ptx::Module& module, const ptx::Function& function,
                        const ptx::Symbol& symbol) {
  const auto n = static_cast<size_t>(symbol.index);
  const ptx::Variable* variable = nullptr;
  if (symbol.table == ptx::Symbol::Table::kModuleVariable) variable = &module.variables[n];
  if (symbol.table == ptx::Symbol::Table::kLocalVariable) variable = &function.variables[n];
  if (variable == nullptr) return {};
  if (variable->space == ptx::Space::kShared)
    return {.kind = Origin::Kind::kShared, .symbol = symbol};
  if (variable->space == ptx::Space::kConst)
    return {.kind = Origin::Kind::kConst, .symbol = symbol};
  return {.kind = Origin::Kind::kMixed};
}

Origin origin_of(const ptx::Module& module, const ptx::Function& function, const Operand& o,
                 const std::vector<Origin>& registers) {
  Origin origin;
  if (o.register_index >= 0) origin = registers[static_cast<size_t>(o.register_index)];
  if (o.symbol.table != ptx::Symbol::Table::kNone)
    origin = join(origin, origin_of_symbol(module, function, o.symbol));
  for (const Operand& e : o.elements)
    origin = join(origin, origin_of(module, function, e, registers));
  return origin;
}

// The origin of an instruction's result.
Origin result_origin(const ptx::Module& module, const ptx::Function& function, const Instruction& i,
                     const std::vector<Origin>& registers) {
  if (i.opcode == "ld" || i.opcode == "ldu") {
    const Operand& address = i.operands.size() > 1 ? i.operands[1] : i.operands[0];
    const bool whole_param = space_of(i) == ptx::Space::kParam &&
                             address.symbol.table == ptx::Symbol::Table::kParam &&
                             address.register_index < 0 && address.offset == 0 &&
                             i.operands[0].elements.empty() && ptx::size_bytes(type_of(i)) == 8;
    if (whole_param) return origin_of_param(address.symbol.index);
    // A 64-bit value from memory may be any pointer; a narrower one is an index.
    return ptx::size_bytes(type_of(i)) == 8 ? Origin{.kind = Origin::Kind::kMixed} : Origin{};
  }
  if (i.opcode == "atom" || i.opcode == "call" || i.opcode == "shfl")
    return {.kind = Origin::Kind::kMixed};
  // Texels are numbers, whatever handle and coordinates they are read with.
  if (i.opcode == "tex" || i.opcode == "tld4" || i.opcode == "txq" || i.opcode == "suld" ||
      i.opcode == "suq")
    return {};
  // Comparisons do not give addresses.
  if (i.opcode == "setp" || i.opcode == "set" || i.opcode == "isspacep") return {};
  Origin origin;
  for (size_t n = 1; n < i.operands.size(); ++n)
    origin = join(origin, origin_of(module, function, i.operands[n], registers));
  // The distance between two places in one array is a number. The distance between two arrays is
  // not: the compiler adds it to a pointer to one to get a pointer to the other.
  if (i.opcode == "sub" && i.operands.size() == 3) {
    const Origin from = origin_of(module, function, i.operands[1], registers);
    const Origin less = origin_of(module, function, i.operands[2], registers);
    if (from == less && is_one_place(from)) return {};
  }
  return origin;
}

}  // namespace

std::vector<Origin> register_origins(const ptx::Module& module, const ptx::Function& function) {
  std::vector<Origin> registers(function.registers.size());
  bool changed = true;
  for (int pass = 0; changed && pass < 64; ++pass) {
    changed = false;
    for (const Instruction& i : function.body) {
      if (i.operands.empty() || i.opcode == "st" || i.opcode == "red" || i.opcode == "bra")
        continue;
      const Origin origin = result_origin(module, function, i, registers);
      auto define = [&](const Operand& o) {
        if (o.kind != Operand::Kind::kRegister) return;
        Origin& slot = registers[static_cast<size_t>(o.register_index)];
        const Origin joined = join(slot, origin);
        changed = changed || !(joined == slot);
        slot = joined;
      };
      define(i.operands[0]);
      for (const Operand& e : i.operands[0].elements) define(e);
    }
  }
  return registers;
}

Origin origin_of_address(const ptx::Module& module, const ptx::Function& function,
                         const Operand& address, const std::vector<Origin>& registers) {
  return origin_of(module, function, address, registers);
}

}  // namespace warpshop::emulator
