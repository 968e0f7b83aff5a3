#include "functions.h"

#include <algorithm>
#include <iterator>

#include "instruction_statements.h"
#include "label_tables.h"
#include "locations.h"
#include "number.h"
#include "variables.h"

namespace warpshop::ptx {
namespace {

int small_number(Context& context) {
  const Token& token = context.token();
  const auto number = token.kind == TokenKind::kNumber ? read_number(token.text) : std::nullopt;
  if (!number || number->is_float() || number->bits > 0x7fffffff) {
    context.fail("expected a number, found " + shown(token));
    return 0;
  }
  context.advance();
  return static_cast<int>(number->bits);
}

// `256`, `16, 16`, `8, 8, 4`: missing dimensions default to 1.
std::array<int, 3> parse_extent(Context& context) {
  std::array<int, 3> extent = {1, 1, 1};
  extent[0] = small_number(context);
  for (size_t i = 1; i < 3 && context.accept(','); ++i) extent[i] = small_number(context);
  return extent;
}

void skip_pragma(Context& context) {
  do {
    context.advance();
  } while (context.token().kind == TokenKind::kString || context.at(','));
  context.accept(';');
}

// PTX ISA §11.4 "Performance-Tuning Directives" and other directives before the body.
void parse_head_directive(Context& context, Function& function) {
  const Token& directive = context.token();
  if (directive.is(".pragma")) return skip_pragma(context);
  if (directive.is(".maxntid")) {
    context.advance();
    function.maxntid = parse_extent(context);
  } else if (directive.is(".reqntid")) {
    context.advance();
    function.reqntid = parse_extent(context);
  } else if (directive.is(".reqnctapercluster")) {
    context.advance();
    function.reqnctapercluster = parse_extent(context);
  } else if (directive.is(".maxclusterrank")) {
    context.advance();
    function.max_cluster_rank = small_number(context);
  } else if (directive.is(".explicitcluster")) {
    context.advance();
    function.explicit_cluster = true;
  } else if (directive.is(".blocksareclusters")) {
    context.advance();
    function.blocks_are_clusters = true;
  } else if (directive.is(".maxnreg")) {
    context.advance();
    function.maxnreg = small_number(context);
  } else if (directive.is(".minnctapersm")) {
    context.advance();
    function.minnctapersm = small_number(context);
  } else {
    skip_call_attribute(context, function.noreturn);
  }
}

// Adds the registers of .reg parameters before all others.
void add_register_parameters(Function& function, const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    if (variable.space != Space::kReg) continue;
    function.registers.push_back({variable.name, variable.type});
  }
}

// Parameter names are views into the text, because the variable's own string would move with the
// vector.
bool declare_parameters(Context& context, size_t first_token,
                        const std::vector<Variable>& variables, Symbol::Table table,
                        int& register_index) {
  size_t token = first_token;
  for (size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    while (context.tokens[token].text != variable.name ||
           context.tokens[token].kind != TokenKind::kName) {
      ++token;
    }
    const Token& name = context.tokens[token];
    if (variable.space == Space::kReg) {
      Meaning meaning;
      meaning.index = register_index++;
      if (!context.scopes.declare(name.text, meaning)) {
        return context.fail_at(name, shown(name) + " is declared twice");
      }
    } else if (!declare_variable(context, name, {table, static_cast<int>(i)})) {
      return false;
    }
  }
  return true;
}

void parse_label(Context& context) {
  const Token& name = context.token();
  context.advance();
  context.advance();  // ':'
  if (at_table(context)) {
    if (!parse_table(context, name)) context.skip_statement();
    return;
  }
  Function& function = *context.function;
  Meaning meaning;
  meaning.kind = Meaning::Kind::kLabel;
  meaning.index = static_cast<int>(function.labels.size());
  if (!context.scopes.declare(name.text, meaning)) {
    context.fail_at(name, shown(name) + " is declared twice in this scope");
    return;
  }
  function.labels.push_back({std::string(name.text), static_cast<int>(function.body.size())});
}

// `.visible .entry` in a body means that this function's closing brace is missing.
bool at_next_function(const Context& context) {
  size_t ahead = 0;
  while (context.token(ahead).is(".visible") || context.token(ahead).is(".extern") ||
         context.token(ahead).is(".weak")) {
    ++ahead;
  }
  return context.token(ahead).is(".entry") || context.token(ahead).is(".func");
}

void parse_body_directive(Context& context) {
  const Token& directive = context.token();
  if (directive.is(".loc")) return parse_locs(context);
  if (directive.is(".file")) return parse_file(context);
  if (directive.is(".pragma")) return skip_pragma(context);
  if (directive.is(".reg")) {
    if (!parse_registers(context)) context.skip_statement();
    return;
  }
  Linkage linkage;
  while (context.token().is(".extern") || context.token().is(".visible") ||
         context.token().is(".weak")) {
    linkage.is_extern |= context.token().is(".extern");
    context.advance();
  }
  if (at_space(context)) {
    if (!parse_variables(context, linkage)) context.skip_statement();
    return;
  }
  if (at_table(context)) {
    context.fail("expected a label before " + shown(directive));
    return context.skip_statement();
  }
  context.note_at(directive, "the directive " + shown(directive) + " is unknown and was skipped");
  context.skip_unknown_directive();
}

// Parses from after '{' to after the '}' that ends the function.
void parse_body(Context& context) {
  const size_t outermost = context.scopes.depth();
  for (;;) {
    const Token& token = context.token();
    if (context.at_end() || (token.kind == TokenKind::kDirective && at_next_function(context))) {
      context.fail("expected '}' at the end of '" + context.function->name + "', found " +
                   shown(token));
      while (context.scopes.depth() >= outermost) resolve_names(context);
      return;
    }
    if (context.accept('}')) {
      resolve_names(context);
      if (context.scopes.depth() < outermost) return;
    } else if (token.is('{')) {
      if (context.scopes.open()) {
        context.advance();
      } else {
        context.fail("the blocks are nested too deeply");
        context.skip_braces();
      }
    } else if (context.accept(';')) {
      continue;
    } else if (token.kind == TokenKind::kDirective) {
      parse_body_directive(context);
    } else if (token.kind == TokenKind::kName && context.token(1).is(':')) {
      parse_label(context);
    } else if (!parse_instruction(context)) {
      context.skip_statement();
    }
  }
}

// Finds what a function's name referred to so far, and its slot in Module::functions.
bool find_slot(Context& context, const Token& name, size_t& slot) {
  std::vector<Function>& functions = context.module.functions;
  slot = functions.size();
  const Symbol symbol = {Symbol::Table::kFunction, static_cast<int>(slot)};
  const auto [found, is_new] = context.module_names.emplace(name.text, symbol);
  if (!is_new && found->second.table != Symbol::Table::kFunction) {
    return context.fail_at(name, shown(name) + " is already the name of a variable");
  }
  slot = static_cast<size_t>(found->second.index);
  if (is_new) {
    Function placeholder;  // so that recursive calls find it
    placeholder.name = name.text;
    placeholder.is_declaration = true;
    functions.push_back(std::move(placeholder));
  }
  return true;
}

// Skips a function whose head cannot be parsed.
void skip_function(Context& context) {
  while (!context.at_end() && !context.at(';') && !context.at('{')) {
    if (context.token().kind == TokenKind::kDirective && at_next_function(context)) return;
    context.advance();
  }
  if (context.at('{')) return context.skip_braces();
  context.accept(';');
}

// Parses what follows the name: parameters, directives, and the body or ';'.
void parse_rest(Context& context, Function& function, size_t returns_token) {
  const size_t params_token = context.position;
  if (context.at('(') && !parse_parameters(context, function.params)) {
    return skip_function(context);
  }
  add_register_parameters(function, function.returns);
  add_register_parameters(function, function.params);
  int register_index = 0;
  if (!declare_parameters(context, returns_token, function.returns, Symbol::Table::kReturnParam,
                          register_index) ||
      !declare_parameters(context, params_token, function.params, Symbol::Table::kParam,
                          register_index)) {
    return skip_function(context);
  }
  while (context.token().kind == TokenKind::kDirective && !at_next_function(context)) {
    if (context.token().is(".loc")) {
      parse_locs(context);
    } else {
      parse_head_directive(context, function);
    }
  }
  if (context.accept(';')) {
    function.is_declaration = true;
  } else if (context.expect('{', "to begin the body of '" + function.name + "'")) {
    parse_body(context);
    place_moved_loads(function);
  } else {
    skip_function(context);
  }
}

}  // namespace

void skip_call_attribute(Context& context, bool& noreturn) {
  // These do not affect what a function computes.
  constexpr std::string_view kSkipped[] = {
      ".abi_preserve", ".abi_preserve_control", ".attribute", ".maxnctapersm", ".noreturn",
      ".unique",
  };
  const Token& directive = context.token();
  noreturn |= directive.is(".noreturn");
  if (std::find(std::begin(kSkipped), std::end(kSkipped), directive.text) == std::end(kSkipped)) {
    context.note_at(directive, "the directive " + shown(directive) + " is unknown and was skipped");
  }
  context.advance();
  if (context.accept('(')) {  // .attribute(.managed)
    while (!context.at_end() && !context.accept(')')) context.advance();
  }
  while (context.token().kind == TokenKind::kNumber ||
         (context.at(',') && context.token(1).kind == TokenKind::kNumber)) {
    context.advance();
  }
}

void parse_function(Context& context) {
  Function function;
  function.is_entry = context.token().is(".entry");
  function.ptx_line = context.token().line;
  context.advance();
  while (context.token().kind == TokenKind::kDirective) {
    skip_call_attribute(context, function.noreturn);
  }

  const size_t returns_token = context.position;
  if (context.at('(') && !parse_parameters(context, function.returns)) {
    return skip_function(context);
  }
  const Token& name = context.token();
  size_t slot = 0;
  if (name.kind != TokenKind::kName) {
    context.fail("expected a function's name, found " + shown(name));
    return skip_function(context);
  }
  if (!find_slot(context, name, slot)) return skip_function(context);
  context.advance();
  function.name = name.text;

  context.function = &function;
  context.scopes = {};
  context.scopes.open();
  context.table_names.clear();
  context.table_name_set.clear();
  context.open_tables.clear();
  context.inlined_calls = {};
  context.line = {};
  parse_rest(context, function, returns_token);
  context.function = nullptr;

  Function& known = context.module.functions[slot];
  if (known.is_declaration) {
    known = std::move(function);
  } else if (!function.is_declaration) {
    context.fail_at(name, shown(name) + " is defined twice");
  }
}

}  // namespace warpshop::ptx
