#include "instruction_statements.h"

#include "label_tables.h"
#include "operands.h"

namespace warpshop::ptx {
namespace {

// The instruction as written, with each run of white space and comments collapsed to a space.
std::string text_between(const Context& context, size_t first, size_t last) {
  const char* begin = context.tokens[first].text.data();
  const std::string_view end_text = context.tokens[last].text;
  const std::string_view written(begin,
                                 static_cast<size_t>(end_text.data() + end_text.size() - begin));
  if (written.find_first_of("\t\n\r/") == std::string_view::npos &&
      written.find("  ") == std::string_view::npos) {
    return std::string(written);
  }
  std::string out;
  out.reserve(written.size());
  for (size_t i = first; i <= last; ++i) {
    if (i > first && !context.tokens[i].glued) out += ' ';
    out += context.tokens[i].text;
  }
  return out;
}

// @p and @!p. PTX ISA §9.3 "Predicated Execution".
bool parse_guard(Context& context, Instruction& instruction) {
  if (!context.accept('@')) return true;
  instruction.guard_negated = context.accept('!');
  const Token& name = context.token();
  const auto meaning = context.scopes.find(name.text);
  if (name.kind != TokenKind::kName || !meaning || meaning->kind != Meaning::Kind::kRegister ||
      meaning->width != 1) {
    return context.fail("expected a declared predicate register after '@', found " + shown(name));
  }
  const Register& guard = context.function->registers[static_cast<size_t>(meaning->index)];
  if (guard.type != Type::kPred) {
    return context.fail("the guard " + shown(name) + " must be a .pred register, it is ." +
                        std::string(name_of(guard.type)));
  }
  instruction.guard_register = meaning->index;
  context.advance();
  return true;
}

// Parses "(a, b)" of a call, or any other operand.
bool parse_call_operand(Context& context, Operand& operand, bool& unresolved) {
  if (!context.accept('(')) return parse_operand(context, operand, unresolved);
  operand.kind = Operand::Kind::kList;
  if (context.accept(')')) return true;
  for (;;) {
    if (!parse_operand(context, operand.elements.emplace_back(), unresolved)) return false;
    if (context.accept(')')) return true;
    if (!context.expect(',', "between the arguments of the call")) return false;
  }
}

bool parse_operands(Context& context, Instruction& instruction, bool& unresolved) {
  const bool is_call = instruction.opcode == "call";
  if (context.at(';')) return true;
  instruction.operands.reserve(4);
  for (;;) {
    Operand& operand = instruction.operands.emplace_back();
    if (is_call ? !parse_call_operand(context, operand, unresolved)
                : !parse_operand(context, operand, unresolved)) {
      return false;
    }
    // `ld.weak d, [a]{.unified}`: a modifier after the address.
    while (context.token().kind == TokenKind::kDirective && context.token().glued) {
      instruction.modifiers.emplace_back(context.token().text.substr(1));
      context.advance();
    }
    if (context.at(';')) return true;
    if (!context.accept(',')) {
      return context.fail("expected ',' or ';' after an operand of " + instruction.opcode +
                          ", found " + shown(context.token()));
    }
  }
}

// The token of a name in the instruction that starts at token `first`.
const Token& token_of(const Context& context, size_t first, std::string_view name) {
  for (size_t i = first; i < context.tokens.size() && !context.tokens[i].is(';'); ++i) {
    if (context.tokens[i].text == name) return context.tokens[i];
  }
  return context.tokens[first];
}

void report_unknown(Context& context, const std::string& opcode, std::string_view name,
                    size_t first) {
  const Token& where = token_of(context, first, name);
  std::string_view what = " is not declared";
  if (name[0] == '%') {
    what = " is not a declared register";
  } else if (opcode == "bra" || opcode == "brx") {
    what = " is not a label of this function";
  } else if (opcode == "call") {
    what = " is not a declared function or prototype";
  }
  context.fail_at(where, shown(where) + std::string(what));
}

// True if every name in the operand is resolved or never will be.
bool resolve(Context& context, Operand& operand, const std::string& opcode, size_t token) {
  bool known = true;
  for (Operand& element : operand.elements) known &= resolve(context, element, opcode, token);
  if (operand.kind != Operand::Kind::kName) return known;
  const auto meaning = context.scopes.find_innermost(operand.text);
  if (meaning && meaning->kind == Meaning::Kind::kLabel) {
    operand.kind = Operand::Kind::kLabel;
    operand.label_index = meaning->index;
    operand.text.clear();
  } else if (meaning && meaning->kind == Meaning::Kind::kTable) {
    operand.text = context.table_names[static_cast<size_t>(meaning->index)];
    // otherwise it was resolved when read
  } else if (!context.table_name_set.contains(operand.text)) {
    if (context.scopes.depth() > 1) return false;
    report_unknown(context, opcode, operand.text, token);
  }
  return known;
}

}  // namespace

bool parse_instruction(Context& context) {
  Instruction instruction;
  if (!parse_guard(context, instruction)) return false;
  const size_t first = context.position;
  const Token& opcode = context.token();
  if (opcode.kind != TokenKind::kName) {
    return context.fail("expected an instruction, found " + shown(opcode));
  }
  instruction.opcode = opcode.text;
  instruction.ptx_line = opcode.line;
  instruction.ptx_column = opcode.column;
  instruction.source = context.line;
  context.advance();
  while (context.token().kind == TokenKind::kDirective) {
    instruction.modifiers.emplace_back(context.token().text.substr(1));
    context.advance();
  }
  bool unresolved = false;
  if (!parse_operands(context, instruction, unresolved)) return false;
  instruction.text = text_between(context, first, context.position - 1);
  context.advance();  // ';'
  if (unresolved) {
    context.scopes.remember({static_cast<int>(context.function->body.size()), first});
  }
  context.function->body.push_back(std::move(instruction));
  return true;
}

void resolve_names(Context& context) {
  std::vector<Scopes::Unresolved> left;
  for (const Scopes::Unresolved& open : context.scopes.take_unresolved()) {
    Instruction& instruction = context.function->body[static_cast<size_t>(open.instruction)];
    bool known = true;
    for (Operand& operand : instruction.operands) {
      known &= resolve(context, operand, instruction.opcode, open.token);
    }
    if (!known) left.push_back(open);
  }
  resolve_tables(context);
  context.scopes.close();
  for (const Scopes::Unresolved& open : left) context.scopes.remember(open);
}

}  // namespace warpshop::ptx
