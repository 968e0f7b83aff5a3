#include "ptx/parser.h"

#include "context.h"
#include "functions.h"
#include "initialisers.h"
#include "locations.h"
#include "number.h"
#include "variables.h"

namespace warpshop::ptx {
namespace {

// PTX ISA §11.1 "PTX Module Directives".
void parse_version(Context& context) {
  context.advance();
  const Token& token = context.token();
  const size_t point = token.text.find('.');
  const auto part = [](std::string_view text) {
    const auto number = read_number(text);
    return number && !number->is_float() && number->bits < 1000 ? static_cast<int>(number->bits)
                                                                : -1;
  };
  const int major = part(token.text.substr(0, point));
  const int minor = point == std::string_view::npos ? -1 : part(token.text.substr(point + 1));
  if (token.kind != TokenKind::kNumber || major < 0 || minor < 0) {
    context.fail("expected a version such as 9.0, found " + shown(token));
    return;
  }
  context.module.version_major = major;
  context.module.version_minor = minor;
  context.advance();
}

void parse_target(Context& context) {
  std::string& target = context.module.target;
  target.clear();
  do {
    context.advance();
    const Token& token = context.token();
    if (token.kind != TokenKind::kName) {
      context.fail("expected a target such as sm_90, found " + shown(token));
      return;
    }
    if (!target.empty()) target += ", ";
    target += token.text;
    context.advance();
  } while (context.at(','));
}

void parse_address_size(Context& context) {
  context.advance();
  const Token& token = context.token();
  if (!token.is("32") && !token.is("64")) {
    context.fail("expected 32 or 64, found " + shown(token));
    return;
  }
  context.module.address_size = token.is("32") ? 32 : 64;
  context.advance();
}

struct Alias {
  const Token* name = nullptr;
  const Token* target = nullptr;
};

// `.alias new, old;` PTX ISA §11.6.
void parse_alias(Context& context, std::vector<Alias>& aliases) {
  context.advance();
  const Token& name = context.token();
  context.advance();
  const bool comma = context.accept(',');
  const Token& target = context.token();
  context.advance();
  if (name.kind != TokenKind::kName || target.kind != TokenKind::kName || !comma ||
      !context.accept(';')) {
    context.fail_at(name, "expected `.alias new, old;`");
    context.skip_statement();
    return;
  }
  aliases.push_back({&name, &target});
}

// The new name is already declared; gives it the body of the old one.
void resolve_alias(Context& context, const Alias& alias) {
  std::vector<Function>& functions = context.module.functions;
  const auto index_of = [&](const Token& name) {
    const auto found = context.module_names.find(name.text);
    const bool is_function =
        found != context.module_names.end() && found->second.table == Symbol::Table::kFunction;
    return is_function ? found->second.index : -1;
  };
  const int from = index_of(*alias.target);
  int to = index_of(*alias.name);
  if (from < 0) {
    context.fail_at(*alias.target, shown(*alias.target) + " is not a declared function");
    return;
  }
  if (to < 0) {
    to = static_cast<int>(functions.size());
    functions.emplace_back().is_declaration = true;
    context.module_names.emplace(alias.name->text,
                                 Symbol{Symbol::Table::kFunction, static_cast<int>(to)});
  }
  if (to == from) return;
  if (!functions[static_cast<size_t>(to)].is_declaration) {
    context.fail_at(*alias.name, shown(*alias.name) + " is defined twice");
    return;
  }
  Function copy = functions[static_cast<size_t>(from)];
  copy.name = alias.name->text;
  functions[static_cast<size_t>(to)] = std::move(copy);
}

// `.section .debug_str { … }`: DWARF, which adds nothing to .loc.
void skip_section(Context& context) {
  context.advance();
  if (context.token().kind == TokenKind::kDirective) context.advance();
  if (context.at('{')) return context.skip_braces();
  context.fail("expected '{' to begin the section, found " + shown(context.token()));
}

// `@@DWARF …`, from PTX before 2.0.
void skip_line(Context& context) {
  const int line = context.token().line;
  while (!context.at_end() && context.token().line == line) context.advance();
}

void skip_stray(Context& context) {
  const Token& token = context.token();
  context.fail_at(token, "expected a directive such as .entry, found " + shown(token));
  while (!context.at_end() && context.token().kind != TokenKind::kDirective) {
    if (context.at('{')) {
      context.skip_braces();
    } else {
      context.advance();
    }
  }
}

void parse_directive(Context& context, std::vector<Alias>& aliases) {
  const Token& directive = context.token();
  if (directive.is(".version")) return parse_version(context);
  if (directive.is(".target")) return parse_target(context);
  if (directive.is(".address_size")) return parse_address_size(context);
  if (directive.is(".file")) return parse_file(context);
  if (directive.is(".loc")) return parse_locs(context);
  if (directive.is(".section")) return skip_section(context);
  if (directive.is(".pragma")) return context.skip_statement();
  if (directive.is(".alias")) return parse_alias(context, aliases);

  Linkage linkage;
  for (;; context.advance()) {
    const Token& word = context.token();
    if (word.is(".extern")) {
      linkage.is_extern = true;
    } else if (!word.is(".visible") && !word.is(".weak") && !word.is(".common")) {
      break;
    }
  }
  const Token& word = context.token();
  if (word.is(".entry") || word.is(".func")) return parse_function(context);
  if (word.is(".reg")) {
    context.fail("a .reg must be declared inside a function");
    return context.skip_statement();
  }
  if (at_space(context)) {
    if (!parse_variables(context, linkage)) context.skip_statement();
    return;
  }
  if (word.kind != TokenKind::kDirective) return skip_stray(context);
  context.note_at(word, "the directive " + shown(word) + " is unknown and was skipped");
  context.skip_unknown_directive();
}

}  // namespace

ParseOutput parse(std::string_view text, const std::string& file_name) {
  ParseOutput output;
  Context context(text, file_name, output.module, output.diagnostics);
  std::vector<Alias> aliases;
  if (!context.token().is(".version")) {
    context.fail("expected .version at the beginning of PTX, found " + shown(context.token()));
  }
  while (!context.at_end()) {
    const Token& token = context.token();
    if (token.kind == TokenKind::kDirective) {
      parse_directive(context, aliases);
    } else if (token.is('@') && context.token(1).is('@')) {
      skip_line(context);
    } else if (!context.accept(';')) {
      skip_stray(context);
    }
  }
  if (aliases.size() > static_cast<size_t>(kMostAliases)) {
    context.fail_at(*aliases[kMostAliases].name,
                    "more than " + std::to_string(kMostAliases) + " aliases in one module");
    aliases.resize(kMostAliases);
  }
  for (const Alias& alias : aliases) resolve_alias(context, alias);
  resolve_relocations(context);
  return output;
}

}  // namespace warpshop::ptx
