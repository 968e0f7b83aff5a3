#include "locations.h"

#include <limits>

#include "number.h"
#include "ptx/operand_registers.h"

namespace warpshop::ptx {
namespace {

bool parse_count(Context& context, int& value) {
  const Token& token = context.token();
  const auto number = token.kind == TokenKind::kNumber ? read_number(token.text) : std::nullopt;
  if (!number || number->is_float() || number->bits > std::numeric_limits<int>::max()) {
    return context.fail("expected a number, found " + shown(token));
  }
  value = static_cast<int>(number->bits);
  context.advance();
  return true;
}

bool parse_place(Context& context, std::array<int, 3>& place) {
  return parse_count(context, place[0]) && parse_count(context, place[1]) &&
         parse_count(context, place[2]);
}

bool parse_loc_fields(Context& context, Loc& loc) {
  if (!parse_place(context, loc.place)) return false;
  while (context.accept(',')) {
    if (context.accept(std::string_view("function_name"))) {
      // A label of a name in .debug_str, and an offset.
      const std::string_view label = context.token().text;
      loc.function = label;
      context.advance();
      if (!context.accept('+')) continue;
      const std::string_view offset = context.token().text;
      int ignored = 0;
      if (!parse_count(context, ignored)) return false;
      loc.function = {label.data(),
                      static_cast<size_t>(offset.data() + offset.size() - label.data())};
    } else if (context.accept(std::string_view("inlined_at"))) {
      if (!parse_place(context, loc.call)) return false;
    } else {
      return context.fail("expected function_name or inlined_at, found " + shown(context.token()));
    }
  }
  return true;
}

bool parse_file_fields(Context& context) {
  int number = 0;
  if (!parse_count(context, number)) return false;
  const Token& name = context.token();
  if (name.kind != TokenKind::kString) {
    return context.fail("expected a file's name in quotes, found " + shown(name));
  }
  context.module.files[number] = name.text.substr(1, name.text.size() - 2);
  context.advance();
  int ignored = 0;  // time and size
  while (context.accept(',')) {
    if (context.token().kind != TokenKind::kNumber) return parse_count(context, ignored);
    context.advance();
  }
  return true;
}

// A malformed line of debug information does no harm, so skip the rest of it.
void skip_line(Context& context, int line) {
  while (!context.at_end() && context.token().line == line && !context.at('}')) context.advance();
}

bool loads(const Instruction& instruction) {
  for (const std::string_view opcode : {"ld", "ldu", "ldmatrix", "tex", "tld4", "suld"}) {
    if (instruction.opcode == opcode) return true;
  }
  return false;
}

}  // namespace

void place_moved_loads(Function& function) {
  std::vector<SourceLine> used_in(function.registers.size());  // by register
  for (auto i = function.body.rbegin(); i != function.body.rend(); ++i) {
    const bool has_result = !i->operands.empty() && i->operands[0].kind != Operand::Kind::kAddress;
    SourceLine line = i->source;
    if (line.line == 0 && line.file != 0 && has_result) {
      each_register(i->operands[0], [&](size_t result) {
        if (line.line == 0) line = used_in[result];
      });
      if (loads(*i) && line.line != 0) i->source = line;
    }
    if (line.line == 0) continue;
    if (i->guard_register >= 0) used_in[static_cast<size_t>(i->guard_register)] = line;
    for (size_t n = has_result ? 1 : 0; n < i->operands.size(); ++n)
      each_register(i->operands[n], [&](size_t used) { used_in[used] = line; });
  }
}

void parse_locs(Context& context) {
  std::vector<Loc> locs;
  while (context.token().is(".loc")) {
    const int line = context.token().line;
    context.advance();
    Loc loc;
    if (parse_loc_fields(context, loc)) {
      locs.push_back(loc);
    } else {
      skip_line(context, line);
    }
  }
  if (locs.empty()) return;
  const LocPlace place = locs.back().place;
  const LocPlace call = context.inlined_calls.outermost(locs);
  context.line = {place[0], place[1], place[2], call[0], call[1], call[2]};
}

void parse_file(Context& context) {
  const int line = context.token().line;
  context.advance();
  if (!parse_file_fields(context)) skip_line(context, line);
}

}  // namespace warpshop::ptx
