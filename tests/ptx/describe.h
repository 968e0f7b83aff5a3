// Formats operands as short text for test tables: "%r1", "!%p1", "int 5", "uint 5", "f32 3f800000",
// "[%rd1+8]", "[shared_x]", "{%r1, _}", "%p1|%p2", "(a, b)", "label L", "special %tid.x", "name N".
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>

#include "ptx/module.h"

namespace warpshop::ptx {

inline std::string hex(uint64_t bits, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*" PRIx64, digits, bits);
  return text;
}

// A symbol with its table: "var x", "func f", "param p", "ret r", "local l".
inline std::string describe(const Symbol& symbol, const Module& module, const Function& function) {
  const auto index = static_cast<size_t>(symbol.index);
  switch (symbol.table) {
    case Symbol::Table::kNone:
      return "nothing";
    case Symbol::Table::kModuleVariable:
      return "var " + module.variables.at(index).name;
    case Symbol::Table::kFunction:
      return "func " + module.functions.at(index).name;
    case Symbol::Table::kParam:
      return "param " + function.params.at(index).name;
    case Symbol::Table::kReturnParam:
      return "ret " + function.returns.at(index).name;
    case Symbol::Table::kLocalVariable:
      return "local " + function.variables.at(index).name;
  }
  return "?";
}

inline std::string with_sign(int64_t offset) {
  if (offset == 0) return "";
  return (offset < 0 ? "" : "+") + std::to_string(offset);
}

inline std::string describe(const Operand& operand, const Module& module,
                            const Function& function) {
  using Kind = Operand::Kind;
  const auto register_name = [&](int index) {
    return function.registers.at(static_cast<size_t>(index)).name;
  };
  const auto joined = [&](const char* between) {
    std::string out;
    for (const Operand& element : operand.elements) {
      if (!out.empty()) out += between;
      out += describe(element, module, function);
    }
    return out;
  };
  switch (operand.kind) {
    case Kind::kRegister:
      return (operand.negated ? "!" : "") + register_name(operand.register_index) +
             (operand.text.empty() ? "" : " part " + operand.text);
    case Kind::kInteger:
      return operand.is_signed ? "int " + std::to_string(static_cast<int64_t>(operand.bits))
                               : "uint " + std::to_string(operand.bits);
    case Kind::kFloat32:
      return "f32 " + hex(operand.bits, 8);
    case Kind::kFloat64:
      return "f64 " + hex(operand.bits, 16);
    case Kind::kSymbol:
      return describe(operand.symbol, module, function) + with_sign(operand.offset);
    case Kind::kAddress: {
      std::string base;
      if (operand.register_index >= 0) {
        base = register_name(operand.register_index) + with_sign(operand.offset);
      } else if (operand.symbol.table != Symbol::Table::kNone) {
        base = describe(operand.symbol, module, function) + with_sign(operand.offset);
      } else {
        base = std::to_string(operand.offset);
      }
      return "[" + base + (operand.elements.empty() ? "" : ", " + joined(", ")) + "]";
    }
    case Kind::kVector:
      return "{" + joined(", ") + "}";
    case Kind::kPair:
      return joined("|");
    case Kind::kList:
      return "(" + joined(", ") + ")";
    case Kind::kLabel:
      return "label " + function.labels.at(static_cast<size_t>(operand.label_index)).name;
    case Kind::kSpecial:
      return "special " + operand.text;
    case Kind::kSink:
      return "_";
    case Kind::kName:
      return "name " + operand.text;
  }
  return "?";
}

// For example "ld.global.v2.f32 {%f1, %f2} [%rd1]"; a guard comes first, as "@!%p1 ".
inline std::string describe(const Instruction& instruction, const Module& module,
                            const Function& function) {
  std::string out;
  if (instruction.guard_register >= 0) {
    out += instruction.guard_negated ? "@!" : "@";
    out += function.registers.at(static_cast<size_t>(instruction.guard_register)).name + " ";
  }
  out += instruction.opcode;
  for (const std::string& modifier : instruction.modifiers) out += "." + modifier;
  for (const Operand& operand : instruction.operands) {
    out += " " + describe(operand, module, function);
  }
  return out;
}

}  // namespace warpshop::ptx
