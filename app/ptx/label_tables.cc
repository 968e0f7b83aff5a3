#include "label_tables.h"

#include "functions.h"
#include "variables.h"

namespace warpshop::ptx {
namespace {

// Two scopes may use the same name: the second table becomes NAME@2.
std::string unique_name(Context& context, std::string_view name) {
  std::string unique(name);
  const size_t number = context.table_names.size() + 1;
  if (context.table_name_set.contains(unique)) unique += "@" + std::to_string(number);
  context.table_name_set.insert(unique);
  context.table_names.push_back(unique);
  return unique;
}

bool parse_targets(Context& context, std::vector<std::string>& targets) {
  do {
    const Token& name = context.token();
    if (name.kind != TokenKind::kName) {
      return context.fail("expected a target's name, found " + shown(name));
    }
    targets.emplace_back(name.text);
    context.advance();
  } while (context.accept(','));
  return context.expect(';', "after the targets");
}

// `(ret) _ (params) .noreturn ;`
bool parse_prototype(Context& context, CallPrototype& prototype) {
  if (context.at('(') && !parse_parameters(context, prototype.returns)) return false;
  if (!context.accept(std::string_view("_"))) {
    return context.fail("expected '_' in place of the function's name, found " +
                        shown(context.token()));
  }
  if (context.at('(') && !parse_parameters(context, prototype.params)) return false;
  while (context.token().kind == TokenKind::kDirective) {
    skip_call_attribute(context, prototype.noreturn);
  }
  return context.expect(';', "after the prototype");
}

}  // namespace

bool at_table(const Context& context) {
  const Token& token = context.token();
  return token.is(".branchtargets") || token.is(".calltargets") || token.is(".callprototype");
}

bool parse_table(Context& context, const Token& label) {
  const Token& directive = context.token();
  Function& function = *context.function;
  Meaning meaning;
  meaning.kind = Meaning::Kind::kTable;
  meaning.index = static_cast<int>(context.table_names.size());
  if (!context.scopes.declare(label.text, meaning)) {
    return context.fail_at(label, shown(label) + " is declared twice");
  }
  const std::string name = unique_name(context, label.text);
  context.advance();
  if (directive.is(".callprototype")) {
    CallPrototype prototype;
    prototype.name = name;
    if (!parse_prototype(context, prototype)) return false;
    function.prototypes.push_back(std::move(prototype));
    return true;
  }
  const size_t first = context.position;
  TargetTable table;
  table.name = name;
  if (!parse_targets(context, table.targets)) return false;
  if (directive.is(".calltargets")) {
    function.call_targets.push_back(std::move(table));
    return true;
  }
  table.label_indices.assign(table.targets.size(), -1);
  context.open_tables.push_back(
      {static_cast<int>(function.branch_targets.size()), context.scopes.depth(), first});
  function.branch_targets.push_back(std::move(table));
  return true;
}

void resolve_tables(Context& context) {
  const size_t depth = context.scopes.depth();
  std::vector<Context::OpenTable> left;
  for (Context::OpenTable open : context.open_tables) {
    if (open.depth < depth) {
      left.push_back(open);
      continue;
    }
    TargetTable& table = context.function->branch_targets[static_cast<size_t>(open.index)];
    bool known = true;
    for (size_t i = 0; i < table.targets.size(); ++i) {
      if (table.label_indices[i] >= 0) continue;
      const auto meaning = context.scopes.find_innermost(table.targets[i]);
      if (meaning && meaning->kind == Meaning::Kind::kLabel) {
        table.label_indices[i] = meaning->index;
      } else if (depth == 1) {
        const Token& where = context.tokens[open.token + 2 * i];  // names and commas alternate
        context.fail_at(where, shown(where) + " is not a label of this function");
      } else {
        known = false;
      }
    }
    if (!known) left.push_back({open.index, depth - 1, open.token});
  }
  context.open_tables = std::move(left);
}

}  // namespace warpshop::ptx
