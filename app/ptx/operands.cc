#include "operands.h"

#include <algorithm>
#include <iterator>

#include "expressions.h"

namespace warpshop::ptx {
namespace {

constexpr std::string_view kSpecialRegisters[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctaid",
    "%cluster_ctarank",
    "%cluster_nctaid",
    "%cluster_nctarank",
    "%clusterid",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};

// "%pm0" … "%pm7", "%pm0_64", "%envreg31", "%reserved_smem_offset_0".
bool is_numbered_special(std::string_view name) {
  for (std::string_view prefix : {"%pm", "%envreg", "%reserved_smem_offset_"}) {
    if (!name.starts_with(prefix)) continue;
    std::string_view number = name.substr(prefix.size());
    if (prefix == "%pm" && number.ends_with("_64")) number.remove_suffix(3);
    return !number.empty() && number.size() <= 2 &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

// Index of a vector component such as "x" or "r"; -1 if it is not one. PTX ISA §6.4.2.
int component_from_name(std::string_view name) {
  if (name.size() != 1) return -1;
  const size_t at = std::string_view("xyzwrgba").find(name[0]);
  return at == std::string_view::npos ? -1 : static_cast<int>(at % 4);
}

// Parts of a register in a video instruction: "h1" or "b0"; SIMD forms select several, from two
// registers or as a mask: "h10", "b7610". PTX ISA §9.7.18.
bool is_selector(std::string_view name) {
  const bool halves = !name.empty() && name[0] == 'h';
  if (!halves && (name.empty() || name[0] != 'b')) return false;
  const std::string_view digits = name.substr(1);
  const char last = halves ? '3' : '7';
  return !digits.empty() && digits.size() <= (halves ? 2 : 4) &&
         std::all_of(digits.begin(), digits.end(), [&](char c) { return c >= '0' && c <= last; });
}

Operand register_operand(int index) {
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.register_index = index;
  return operand;
}

bool parse_constant_operand(Context& context, Operand& operand) {
  const auto value = parse_constant(context);
  if (!value) return false;
  operand.bits = value->bits;
  operand.is_signed = value->kind != Constant::Kind::kUnsigned;
  operand.kind = value->kind == Constant::Kind::kFloat32   ? Operand::Kind::kFloat32
                 : value->kind == Constant::Kind::kFloat64 ? Operand::Kind::kFloat64
                                                           : Operand::Kind::kInteger;
  return true;
}

// "+8", "-8", "+-8", "+(1<<2)" after a base; 0 if absent.
bool parse_offset(Context& context, int64_t& offset) {
  offset = 0;
  if (context.at('+')) {
    context.advance();
  } else if (!context.at('-')) {
    return true;
  }
  const auto value = parse_integer(context, "an offset");
  if (value) offset = static_cast<int64_t>(value->bits);
  return value.has_value();
}

// Comma-separated elements up to `close`.
bool parse_elements(Context& context, char close, std::string_view what, Operand& operand,
                    bool& unresolved) {
  if (context.accept(close)) return true;
  for (;;) {
    if (!parse_operand(context, operand.elements.emplace_back(), unresolved)) return false;
    if (context.accept(close)) return true;
    if (!context.accept(',')) {
      return context.fail("expected ',' or '" + std::string(1, close) + "' in " +
                          std::string(what) + ", found " + shown(context.token()));
    }
  }
}

// [reg], [reg+8], [sym-4], [1024], [tex, {x, y}]. PTX ISA §6.4.1.
bool parse_address(Context& context, Operand& operand, bool& unresolved) {
  operand.kind = Operand::Kind::kAddress;
  const Token& base = context.token();
  if (base.kind == TokenKind::kName && !base.is("WARP_SZ")) {
    const Operand meaning = operand_from_name(context, base.text);
    context.advance();
    if (meaning.kind == Operand::Kind::kRegister) {
      operand.register_index = meaning.register_index;
    } else if (meaning.kind == Operand::Kind::kSymbol) {
      operand.symbol = meaning.symbol;
    } else if (meaning.kind == Operand::Kind::kName) {
      return context.fail_at(
          base,
          shown(base) + (base.text[0] == '%' ? " is not a declared register" : " is not declared"));
    } else {
      return context.fail_at(base, "an address needs a register, a variable or a number; " +
                                       shown(base) + " is none of them");
    }
    if (!parse_offset(context, operand.offset)) return false;
  } else {
    const auto value = parse_integer(context, "an address");
    if (!value) return false;
    operand.offset = static_cast<int64_t>(value->bits);
  }
  while (context.accept(',')) {
    if (!parse_operand(context, operand.elements.emplace_back(), unresolved)) return false;
  }
  return context.expect(']', "to close the address");
}

// A name with an optional suffix: `.x`, `.b0`, `+8`, `|q`.
bool parse_named(Context& context, Operand& operand, bool& unresolved) {
  const Token& name = context.token();
  operand = operand_from_name(context, name.text);
  context.advance();
  const Token& suffix = context.token();
  if (suffix.kind == TokenKind::kDirective && suffix.glued) {
    const std::string_view part = suffix.text.substr(1);
    const int component = component_from_name(part);
    if (operand.kind == Operand::Kind::kVector && component >= 0 &&
        component < static_cast<int>(operand.elements.size())) {
      operand = Operand(operand.elements[static_cast<size_t>(component)]);
    } else if (operand.kind == Operand::Kind::kSpecial && component >= 0) {
      operand.text.append(suffix.text);
    } else if (operand.kind == Operand::Kind::kRegister && is_selector(part)) {
      operand.text = part;
    } else {
      return context.fail("'" + std::string(name.text) + "' has no part " + shown(suffix));
    }
    context.advance();
  }
  if (operand.kind == Operand::Kind::kName) {
    unresolved = true;
  } else if (operand.kind == Operand::Kind::kSymbol && !parse_offset(context, operand.offset)) {
    return false;
  }
  return true;
}

// Any operand except a pair.
bool parse_single(Context& context, Operand& operand, bool& unresolved) {
  DepthGuard guard(context);
  if (guard.too_deep()) return context.fail("the operand is nested too deeply");
  const Token& token = context.token();
  if (token.is('[')) {
    context.advance();
    return parse_address(context, operand, unresolved);
  }
  if (token.is('{')) {
    context.advance();
    operand.kind = Operand::Kind::kVector;
    return parse_elements(context, '}', "the vector", operand, unresolved);
  }
  if (token.is('!') && context.token(1).kind == TokenKind::kName &&
      !context.token(1).is("WARP_SZ")) {
    context.advance();
    if (!parse_named(context, operand, unresolved)) return false;
    operand.negated = true;
    if (operand.kind == Operand::Kind::kRegister || operand.kind == Operand::Kind::kName)
      return true;
    return context.fail_at(token, "'!' must be followed by a predicate register or an integer");
  }
  if (token.kind == TokenKind::kName && !token.is("WARP_SZ")) {
    return parse_named(context, operand, unresolved);
  }
  // -a in vmad. PTX ISA §9.7.18.
  if (token.is('-') && context.token(1).kind == TokenKind::kName &&
      !context.token(1).is("WARP_SZ")) {
    context.advance();
    if (!parse_named(context, operand, unresolved)) return false;
    operand.negated = true;
    if (operand.kind == Operand::Kind::kRegister) return true;
    return context.fail_at(token, "'-' must be followed by a register or a number");
  }
  if (at_constant(context)) return parse_constant_operand(context, operand);
  return context.fail("expected an operand, found " + shown(token));
}

}  // namespace

bool parse_operand(Context& context, Operand& operand, bool& unresolved) {
  if (!parse_single(context, operand, unresolved)) return false;
  if (!context.at('|')) return true;
  context.advance();  // p|q: two destinations
  Operand pair;
  pair.kind = Operand::Kind::kPair;
  pair.elements.push_back(std::move(operand));
  if (!parse_single(context, pair.elements.emplace_back(), unresolved)) return false;
  operand = std::move(pair);
  return true;
}

Operand operand_from_name(const Context& context, std::string_view name) {
  Operand operand;
  if (const auto meaning = context.scopes.find(name)) {
    switch (meaning->kind) {
      case Meaning::Kind::kRegister:
        if (meaning->width == 1) return register_operand(meaning->index);
        operand.kind = Operand::Kind::kVector;
        for (int i = 0; i < meaning->width; ++i) {
          operand.elements.push_back(register_operand(meaning->index + i));
        }
        return operand;
      case Meaning::Kind::kVariable:
        operand.kind = Operand::Kind::kSymbol;
        operand.symbol = meaning->symbol;
        return operand;
      case Meaning::Kind::kLabel:
        operand.kind = Operand::Kind::kLabel;
        operand.label_index = meaning->index;
        return operand;
      case Meaning::Kind::kTable:
        operand.kind = Operand::Kind::kName;
        operand.text = context.table_names[static_cast<size_t>(meaning->index)];
        return operand;
    }
  }
  if (const auto found = context.module_names.find(name); found != context.module_names.end()) {
    operand.kind = Operand::Kind::kSymbol;
    operand.symbol = found->second;
  } else if (name == "_") {
    operand.kind = Operand::Kind::kSink;
  } else if (is_special_register(name)) {
    operand.kind = Operand::Kind::kSpecial;
    operand.text = name;
  } else {
    operand.kind = Operand::Kind::kName;
    operand.text = name;
  }
  return operand;
}

bool is_special_register(std::string_view name) {
  if (name.empty() || name[0] != '%') return false;
  name = name.substr(0, name.find('.'));
  return std::find(std::begin(kSpecialRegisters), std::end(kSpecialRegisters), name) !=
             std::end(kSpecialRegisters) ||
         is_numbered_special(name);
}

}  // namespace warpshop::ptx
