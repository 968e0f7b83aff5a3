#include "backend/linear_address.h"

#include "analysis/instructions.h"
#include "backend/known_bits.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

LinearAddress scaled(const LinearAddress& a, int64_t factor) {
  LinearAddress r;
  r.constant =
      static_cast<int64_t>(static_cast<uint64_t>(a.constant) * static_cast<uint64_t>(factor));
  r.coefficient =
      static_cast<int64_t>(static_cast<uint64_t>(a.coefficient) * static_cast<uint64_t>(factor));
  if (r.coefficient != 0) r.value = a.value;
  return r;
}

bool is_constant(const LinearAddress& a) {
  return a.value == LinearAddress::kNoValue && !a.is_symbol;
}

LinearAddress without_constant(LinearAddress a) {
  if (!a.is_symbol) a.constant = 0;
  return a;
}

LinearAddress moved(LinearAddress a, int64_t by) {
  a.constant = static_cast<int64_t>(static_cast<uint64_t>(a.constant) + static_cast<uint64_t>(by));
  return a;
}

std::string text_of(const LinearAddress& a) {
  std::string text = (a.is_symbol ? "&" : "") + std::to_string(a.constant);
  if (a.value != LinearAddress::kNoValue)
    text += "+" + std::to_string(a.coefficient) + "v" + std::to_string(a.value);
  return text;
}

// Independent of the order of a and b.
std::string pair_key(const std::string& what, const LinearAddress& a, const LinearAddress& b) {
  std::string first = text_of(a);
  std::string second = text_of(b);
  if (second < first) std::swap(first, second);
  return what + " " + first + " " + second;
}

bool is_load(const Instruction& i) {
  return i.opcode == "ld" || i.opcode == "ldu" || i.opcode == "atom" || i.opcode == "call" ||
         i.opcode == "tex" || i.opcode == "tld4" || i.opcode == "suld";
}

}  // namespace

LinearAddresses::LinearAddresses(const ptx::Function& function,
                                 const std::vector<uint64_t>& variable_offset,
                                 const std::vector<uint64_t>& module_offset)
    : function_(function),
      variable_offset_(variable_offset),
      module_offset_(module_offset),
      definitions_(function.registers.size(), 0),
      registers_(function.registers.size()),
      known_(function.registers.size(), false) {
  std::vector<bool> is_used(function.registers.size(), false);
  const auto use = [&](auto&& self, const Operand& o) -> void {
    if (o.register_index >= 0) is_used[static_cast<size_t>(o.register_index)] = true;
    for (const Operand& e : o.elements) self(self, e);
  };
  for (const Instruction& i : function.body) {
    for (const Operand& o : i.operands) use(use, o);
    if (i.operands.empty() || i.opcode == "st" || i.opcode == "red" || i.opcode == "bra") continue;
    const Operand& dest = i.operands[0];
    if (dest.kind == Operand::Kind::kRegister)
      ++definitions_[static_cast<size_t>(dest.register_index)];
    for (const Operand& e : dest.elements) {
      if (e.kind == Operand::Kind::kRegister) ++definitions_[static_cast<size_t>(e.register_index)];
    }
  }
  for (size_t r = 0; r < is_used.size(); ++r) {
    if (is_used[r]) used_.push_back(r);
  }
}

LinearAddress LinearAddresses::fresh_value() { return {.value = next_number_++, .coefficient = 1}; }

LinearAddress LinearAddresses::value(const std::string& key) {
  const auto [found, is_new] = numbers_.try_emplace(key, next_number_);
  if (is_new) ++next_number_;
  return {.value = found->second, .coefficient = 1};
}

LinearAddress LinearAddresses::sum(const LinearAddress& a, const LinearAddress& b) {
  if (is_constant(b)) return moved(a, b.constant);
  if (is_constant(a)) return moved(b, a.constant);
  const LinearAddress p = without_constant(a);
  const LinearAddress q = without_constant(b);
  LinearAddress r = value(pair_key("sum", p, q));
  summands_.try_emplace(r.value, p, q);
  r = moved(r, a.is_symbol ? 0 : a.constant);
  return moved(r, b.is_symbol ? 0 : b.constant);
}

LinearAddress LinearAddresses::difference(const LinearAddress& a, const LinearAddress& b) {
  if (is_constant(b)) return moved(a, static_cast<int64_t>(0 - static_cast<uint64_t>(b.constant)));
  // (x + y) − y is x.
  if (a.coefficient == 1 && !b.is_symbol) {
    if (const auto found = summands_.find(a.value); found != summands_.end()) {
      const auto& [p, q] = found->second;
      const LinearAddress taken = without_constant(b);
      const auto constant = static_cast<int64_t>(static_cast<uint64_t>(a.constant) -
                                                 static_cast<uint64_t>(b.constant));
      if (p == taken) return moved(q, constant);
      if (q == taken) return moved(p, constant);
    }
  }
  return value("difference " + text_of(a) + " " + text_of(b));
}

void LinearAddresses::enter_block() {
  // The value of a register with several definitions depends on the path taken to this block.
  for (const size_t r : used_) {
    if (definitions_[r] == 1 && known_[r]) continue;
    registers_[r] = fresh_value();
    known_[r] = definitions_[r] != 1;
  }
}

LinearAddress LinearAddresses::of(const Operand& o) const {
  LinearAddress r;
  switch (o.kind) {
    case Operand::Kind::kRegister:
      return registers_[static_cast<size_t>(o.register_index)];
    case Operand::Kind::kInteger:
      r.constant = static_cast<int64_t>(o.bits);
      return r;
    case Operand::Kind::kSymbol:
    case Operand::Kind::kAddress:
      return of_address(o);
    default:
      return r;
  }
}

LinearAddress LinearAddresses::of_address(const Operand& o) const {
  LinearAddress r;
  if (o.register_index >= 0) {
    r = registers_[static_cast<size_t>(o.register_index)];
  } else if (o.symbol.table != ptx::Symbol::Table::kNone) {
    const auto n = static_cast<size_t>(o.symbol.index);
    uint64_t offset = kUnknownOffset;
    if (o.symbol.table == ptx::Symbol::Table::kLocalVariable) offset = variable_offset_[n];
    if (o.symbol.table == ptx::Symbol::Table::kModuleVariable) offset = module_offset_[n];
    if (offset == kUnknownOffset) {
      r.value =
          LinearAddress::kNoValue - static_cast<int>(o.symbol.table) * 100000 - o.symbol.index;
      r.coefficient = 1;
    } else {
      r.constant = static_cast<int64_t>(offset);
      r.is_symbol = true;
    }
  }
  return moved(r, o.offset);
}

LinearAddress LinearAddresses::evaluate(const Instruction& i) {
  const std::string& op = i.opcode;
  std::vector<LinearAddress> in;
  for (size_t n = 1; n < i.operands.size(); ++n) in.push_back(of(i.operands[n]));
  const bool words =
      ptx::size_bytes(type_of(i)) <= 4 && !has_modifier(i, "hi") && !has_modifier(i, "wide");
  if (op == "mov" && in.size() == 1 && i.operands[1].kind != Operand::Kind::kSpecial &&
      i.operands[1].kind != Operand::Kind::kVector) {
    return in[0];
  }
  if (op == "cvt" && in.size() == 1 && i.modifiers.size() == 2) {
    const int to = ptx::size_bytes(ptx::type_from_name(i.modifiers[0]).value_or(ptx::Type::kNone));
    const int from =
        ptx::size_bytes(ptx::type_from_name(i.modifiers[1]).value_or(ptx::Type::kNone));
    if (to >= 4 && from >= to) return in[0];  // addresses in shared memory have 32 bits
  }
  if (op == "add" && in.size() == 2) return sum(in[0], in[1]);
  if (op == "sub" && in.size() == 2) return difference(in[0], in[1]);
  if ((op == "mul" || op == "mad") && in.size() == (op == "mul" ? 2U : 3U) && words) {
    if (is_constant(in[0])) std::swap(in[0], in[1]);
    const bool by_number = is_constant(in[1]) && !in[0].is_symbol;
    const LinearAddress product =
        by_number ? scaled(in[0], in[1].constant) : value(pair_key("product", in[0], in[1]));
    return op == "mul" ? product : sum(product, in[2]);
  }
  if (op == "shl" && in.size() == 2 && !in[0].is_symbol && is_constant(in[1]) &&
      in[1].constant >= 0 && in[1].constant < 63) {
    return scaled(in[0], int64_t{1} << in[1].constant);
  }
  if (op == "or" && in.size() == 2 && is_constant(in[1]) && in[1].constant > 0) {
    // Disjoint if the coefficient is a multiple of a power of two above the constant.
    const auto bits = static_cast<uint64_t>(in[0].coefficient);
    const bool disjoint = bits == 0 || (bits & (0 - bits)) > static_cast<uint64_t>(in[1].constant);
    if (disjoint && !in[0].is_symbol && (in[0].constant & in[1].constant) == 0 &&
        in[0].constant >= 0)
      return sum(in[0], in[1]);
  }
  // Anything else is a new value, but the same operation on the same values is the same value.
  if (is_load(i) || has_modifier(i, "volatile")) return fresh_value();
  std::string key = op;
  for (const std::string& m : i.modifiers) key += "." + m;
  for (size_t n = 0; n < in.size(); ++n) {
    const Operand& o = i.operands[n + 1];
    key += o.kind == Operand::Kind::kSpecial ? " " + o.text : " " + text_of(in[n]);
  }
  return value(key);
}

void LinearAddresses::step(const Instruction& i) {
  if (i.operands.empty() || i.opcode == "st" || i.opcode == "red" || i.opcode == "bra") return;
  const Operand& dest = i.operands[0];
  if (dest.kind == Operand::Kind::kRegister) {
    const auto r = static_cast<size_t>(dest.register_index);
    LinearAddress result = evaluate(i);
    if (i.guard_register >= 0) result = fresh_value();
    registers_[r] = result;
    known_[r] = true;
    return;
  }
  for (const Operand& e : dest.elements) {
    if (e.kind != Operand::Kind::kRegister) continue;
    registers_[static_cast<size_t>(e.register_index)] = fresh_value();
    known_[static_cast<size_t>(e.register_index)] = true;
  }
}

}  // namespace warpshop::emulator
