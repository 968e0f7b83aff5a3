#include "variables.h"

#include <algorithm>
#include <bit>

#include "expressions.h"
#include "initialisers.h"

namespace warpshop::ptx {
namespace {

std::optional<Space> space_from_name(std::string_view name) {
  if (name == ".reg") return Space::kReg;
  if (name == ".sreg") return Space::kSpecial;
  if (name == ".const") return Space::kConst;
  if (name == ".global") return Space::kGlobal;
  if (name == ".local") return Space::kLocal;
  if (name == ".param") return Space::kParam;
  if (name == ".shared") return Space::kShared;
  if (name == ".tex") return Space::kTex;
  return std::nullopt;
}

// The part of a declaration before its names.
struct Head {
  Variable variable;  // space, type, alignment
  int width = 1;      // from .v2, .v4, .v8
};

bool parse_alignment(Context& context, uint32_t& align_bytes) {
  const Token& where = context.token();
  const auto value = parse_integer(context, "an alignment");
  if (!value) return false;
  if (!std::has_single_bit(value->bits) || value->bits > (1u << 30)) {
    return context.fail_at(where, "an alignment must be a power of two");
  }
  align_bytes = static_cast<uint32_t>(value->bits);
  return true;
}

void skip_parentheses(Context& context) {
  if (!context.accept('(')) return;
  for (int depth = 1; depth > 0 && !context.at_end(); context.advance()) {
    if (context.at('(')) ++depth;
    if (context.at(')')) --depth;
  }
}

// Parses space, type, vector width, alignment and attributes in any order.
bool parse_head(Context& context, Head& head) {
  Variable& variable = head.variable;
  bool pointee = false;  // after .ptr: space and alignment describe the pointee
  bool has_space = false;
  uint32_t align_bytes = 0;
  while (context.token().kind == TokenKind::kDirective) {
    const Token& word = context.token();
    context.advance();
    const auto space = space_from_name(word.text);
    const auto type = type_from_name(word.text.substr(1));
    if (space) {
      if (!pointee && !has_space) variable.space = *space;
      has_space = true;
      if (*space == Space::kConst && context.at('[')) {  // a bank, `.const[2]`, before PTX 2.2
        context.advance();
        if (!parse_integer(context, "a bank") || !context.expect(']', "after the bank")) {
          return false;
        }
      }
    } else if (type) {
      variable.type = *type;
    } else if (word.is(".align")) {
      uint32_t ignored = 0;
      if (!parse_alignment(context, pointee ? ignored : align_bytes)) return false;
    } else if (word.is(".v2") || word.is(".v4") || word.is(".v8")) {
      head.width = word.text[2] - '0';
    } else if (word.is(".ptr")) {
      pointee = true;
    } else if (word.is(".attribute")) {
      skip_parentheses(context);
    } else {
      return context.fail_at(word, shown(word) + " is not a state space, type or attribute");
    }
  }
  if (variable.space == Space::kTex && variable.type == Type::kNone) variable.type = Type::kTexref;
  if (variable.type == Type::kNone) {
    return context.fail("expected a type such as .b32, found " + shown(context.token()));
  }
  if (variable.type == Type::kPred && variable.space != Space::kReg) {
    return context.fail("a .pred can only be a register");
  }
  const int natural = std::max(size_bytes(variable.type), 1) * head.width;
  variable.align_bytes = align_bytes != 0 ? align_bytes : static_cast<uint32_t>(natural);
  return true;
}

// Parses `<12>` after a name: the number of names; 0 if absent.
bool parse_name_count(Context& context, int& count) {
  count = 0;
  if (!context.accept('<')) return true;
  const Token& where = context.token();
  // A number, not an expression, which would take the '>' for an operator.
  const auto value = where.kind == TokenKind::kNumber ? read_number(where.text) : std::nullopt;
  if (!value || value->is_float() || value->bits == 0) {
    return context.fail("expected a number of names, found " + shown(where));
  }
  context.advance();
  if (value->bits > static_cast<uint64_t>(kMostRegisters - context.register_count)) {
    return context.fail_at(where, "more than " + std::to_string(kMostRegisters) +
                                      " registers and numbered variables in one module");
  }
  count = static_cast<int>(value->bits);
  context.register_count += count;
  return context.expect('>', "after the number of names");
}

// Parses the dimensions `[4][8]` or `[]`; an omitted first one is 0.
bool parse_dimensions(Context& context, std::vector<uint64_t>& dimensions) {
  while (context.accept('[')) {
    const Token& where = context.token();
    if (dimensions.size() >= 16) return context.fail("more than 16 dimensions");
    if (context.accept(']')) {
      if (!dimensions.empty()) return context.fail_at(where, "only the first dimension may be []");
      dimensions.push_back(0);
      continue;
    }
    const auto value = parse_integer(context, "an array's size");
    if (!value || !context.expect(']', "after the array's size")) return false;
    if (static_cast<int64_t>(value->bits) <= 0 || value->bits > kLargestVariable) {
      return context.fail_at(where, "an array needs between 1 and 2^40 elements");
    }
    dimensions.push_back(value->bits);
  }
  return true;
}

bool compute_size(Context& context, const Token& where, const std::vector<uint64_t>& dimensions,
                  int width, Variable& variable) {
  uint64_t bytes = static_cast<uint64_t>(size_bytes(variable.type)) * static_cast<uint64_t>(width);
  for (uint64_t dimension : dimensions) {
    if (dimension == 0) continue;  // [], determined by the initialiser
    if (bytes > kLargestVariable / dimension) {
      return context.fail_at(where, shown(where) + " is larger than 2^40 bytes");
    }
    bytes *= dimension;
  }
  variable.is_flexible = !dimensions.empty() && dimensions.front() == 0;
  variable.size_bytes = variable.is_flexible ? 0 : bytes;
  return true;
}

// A definition replaces an .extern declaration and keeps its index.
bool add_to_module(Context& context, const Token& name, Variable variable) {
  std::vector<Variable>& variables = context.module.variables;
  const Symbol symbol = {Symbol::Table::kModuleVariable, static_cast<int>(variables.size())};
  const auto [found, is_new] = context.module_names.emplace(name.text, symbol);
  if (is_new) {
    variables.push_back(std::move(variable));
    return true;
  }
  if (found->second.table != Symbol::Table::kModuleVariable) {
    return context.fail_at(name, shown(name) + " is already the name of a function");
  }
  Variable& first = variables[static_cast<size_t>(found->second.index)];
  if (first.is_extern) {
    first = std::move(variable);
    return true;
  }
  return variable.is_extern || context.fail_at(name, shown(name) + " is declared twice");
}

bool add_to_function(Context& context, const Token& name, Variable variable) {
  if (variable.space == Space::kGlobal || variable.space == Space::kTex) {
    return context.fail_at(name, "a .global variable must be declared outside functions");
  }
  std::vector<Variable>& variables = context.function->variables;
  const Symbol symbol = {Symbol::Table::kLocalVariable, static_cast<int>(variables.size())};
  if (!declare_variable(context, name, symbol)) return false;
  variables.push_back(std::move(variable));
  return true;
}

bool add(Context& context, const Token& name, Variable variable) {
  return context.function != nullptr ? add_to_function(context, name, std::move(variable))
                                     : add_to_module(context, name, std::move(variable));
}

// `x<3>`: x0, x1, x2.
bool add_numbered(Context& context, const Token& name, int count, const Variable& variable) {
  if (context.made_names.size() + static_cast<size_t>(count) > kMostNumberedVariables) {
    return context.fail_at(name, "more than " + std::to_string(kMostNumberedVariables) +
                                     " numbered variables in one module");
  }
  for (int i = 0; i < count; ++i) {
    context.made_names.push_back(variable.name + std::to_string(i));
    Token numbered = name;
    numbered.text = context.made_names.back();
    Variable copy = variable;
    copy.name = context.made_names.back();
    if (!add(context, numbered, std::move(copy))) return false;
  }
  return true;
}

bool parse_declarator(Context& context, const Head& head, Linkage linkage) {
  const Token& name = context.token();
  if (name.kind != TokenKind::kName) {
    return context.fail("expected a variable's name, found " + shown(name));
  }
  context.advance();
  Variable variable = head.variable;
  variable.name = name.text;
  variable.ptx_line = name.line;
  variable.is_extern = linkage.is_extern;
  int count = 0;
  std::vector<uint64_t> dimensions;
  if (!parse_name_count(context, count) || !parse_dimensions(context, dimensions) ||
      !compute_size(context, name, dimensions, head.width, variable)) {
    return false;
  }
  if (count > 0) {
    if (!dimensions.empty()) return context.fail_at(name, "numbered names cannot be arrays");
    return add_numbered(context, name, count, variable);
  }
  if (context.at('=')) {
    if (variable.space != Space::kGlobal && variable.space != Space::kConst) {
      return context.fail("only .global and .const variables can have initial values");
    }
    context.advance();
    if (!parse_initialiser(context, variable, dimensions, head.width)) return false;
  }
  return add(context, name, std::move(variable));
}

// Adds a register, or a vector register: `width` consecutive registers with the parts "%v.x" …
// "%v.w".
void add_register(Function& function, std::string name, Type type, int width) {
  if (width == 1) {
    function.registers.push_back({std::move(name), type});
    return;
  }
  for (int i = 0; i < width; ++i) {
    constexpr std::string_view kParts = "xyzw";
    const std::string part =
        i < 4 ? std::string(1, kParts[static_cast<size_t>(i)]) : std::to_string(i);
    function.registers.push_back({name + "." + part, type});
  }
}

}  // namespace

bool at_space(const Context& context) {
  return context.token().kind == TokenKind::kDirective &&
         space_from_name(context.token().text).has_value();
}

bool parse_registers(Context& context) {
  Head head;
  if (!parse_head(context, head)) return false;
  Function& function = *context.function;
  do {
    const Token& name = context.token();
    if (name.kind != TokenKind::kName) {
      return context.fail("expected a register's name, found " + shown(name));
    }
    context.advance();
    int count = 0;
    if (!parse_name_count(context, count)) return false;
    Meaning meaning;
    meaning.index = static_cast<int>(function.registers.size());
    meaning.width = head.width;
    const bool is_new = count == 0 ? context.scopes.declare(name.text, meaning)
                                   : context.scopes.declare_range(name.text, count, meaning);
    if (!is_new) return context.fail_at(name, shown(name) + " is declared twice in this scope");
    const Type type = head.variable.type;
    if (count == 0) add_register(function, std::string(name.text), type, head.width);
    for (int i = 0; i < count; ++i) {
      add_register(function, std::string(name.text) + std::to_string(i), type, head.width);
    }
  } while (context.accept(','));
  return context.expect(';', "after the registers");
}

bool parse_variables(Context& context, Linkage linkage) {
  Head head;
  if (!parse_head(context, head)) return false;
  do {
    if (!parse_declarator(context, head, linkage)) return false;
  } while (context.accept(','));
  return context.expect(';', "after the declaration");
}

bool parse_parameters(Context& context, std::vector<Variable>& parameters) {
  if (!context.expect('(', "before the parameters")) return false;
  if (context.accept(')')) return true;
  do {
    Head head;
    if (!parse_head(context, head)) return false;
    if (head.variable.space != Space::kParam && head.variable.space != Space::kReg) {
      return context.fail("a parameter must be in .param or .reg");
    }
    const Token& name = context.token();
    if (name.kind != TokenKind::kName) {
      return context.fail("expected a parameter's name, found " + shown(name));
    }
    context.advance();
    Variable parameter = head.variable;
    parameter.name = name.text;
    parameter.ptx_line = name.line;
    std::vector<uint64_t> dimensions;
    if (!parse_dimensions(context, dimensions) ||
        !compute_size(context, name, dimensions, head.width, parameter)) {
      return false;
    }
    parameters.push_back(std::move(parameter));
  } while (context.accept(','));
  return context.expect(')', "after the parameters");
}

bool declare_variable(Context& context, const Token& name, Symbol symbol) {
  Meaning meaning;
  meaning.kind = Meaning::Kind::kVariable;
  meaning.symbol = symbol;
  return context.scopes.declare(name.text, meaning) ||
         context.fail_at(name, shown(name) + " is declared twice in this scope");
}

}  // namespace warpshop::ptx
