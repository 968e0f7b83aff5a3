#include "initialisers.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "expressions.h"

namespace warpshop::ptx {
namespace {

bool is_integer_type(Type type) {
  switch (type) {
    case Type::kB8:
    case Type::kB16:
    case Type::kB32:
    case Type::kB64:
    case Type::kB128:
    case Type::kU8:
    case Type::kU16:
    case Type::kU32:
    case Type::kU64:
    case Type::kS8:
    case Type::kS16:
    case Type::kS32:
    case Type::kS64:
      return true;
    default:
      return false;
  }
}

class Initialiser {
 public:
  Initialiser(Context& context, Variable& variable, const std::vector<uint64_t>& dimensions,
              int width)
      : context_(context), variable_(variable), dimensions_(dimensions) {
    if (width > 1) dimensions_.push_back(static_cast<uint64_t>(width));
    element_bytes_ = static_cast<uint64_t>(size_bytes(variable.type));
    flexible_ = variable.is_flexible;
  }

  bool parse() {
    if (variable_.type == Type::kSamplerref || variable_.type == Type::kTexref ||
        variable_.type == Type::kSurfref) {
      context_.skip_braces();  // `{ filter_mode = nearest, … }`: no bytes
      return true;
    }
    if (!is_integer_type(variable_.type) && variable_.type != Type::kF32 &&
        variable_.type != Type::kF64) {
      return context_.fail("a variable of type ." + std::string(name_of(variable_.type)) +
                           " cannot have an initial value");
    }
    // Even when the size is known: hostile text must not cost memory before its values are read.
    if (!flexible_ && !reserve(variable_.size_bytes)) return false;
    uint64_t position = 0;
    if (context_.at('{')) {
      if (!parse_braces(0, position)) return false;
    } else if (!parse_element(position, limit())) {
      return false;
    }
    if (flexible_) {
      const uint64_t row = stride(0);
      variable_.size_bytes = (position + row - 1) / row * row * element_bytes_;
      variable_.is_flexible = false;
      if (!reserve(variable_.size_bytes)) return false;
    }
    variable_.initial.resize(variable_.size_bytes);
    return true;
  }

 private:
  // Elements in one entry of dimension `level`.
  uint64_t stride(size_t level) const {
    uint64_t elements = 1;
    for (size_t i = level + 1; i < dimensions_.size(); ++i) elements *= dimensions_[i];
    return elements;
  }

  uint64_t limit() const {
    return flexible_ ? kMostInitialBytes / element_bytes_ : variable_.size_bytes / element_bytes_;
  }

  bool reserve(uint64_t bytes) {
    if (bytes > kMostInitialBytes - context_.initial_bytes) {
      return context_.fail("more than " + std::to_string(kMostInitialBytes >> 20) +
                           " MiB of initial values in one module");
    }
    context_.initial_bytes += bytes;
    return true;
  }

  // `{ … }` of dimension `level`, beginning at element `position`; ends behind its last element.
  bool parse_braces(size_t level, uint64_t& position) {
    const Token& open = context_.token();
    context_.advance();
    if (level > 0 && level >= dimensions_.size()) {
      return context_.fail_at(open, "more braces than dimensions");
    }
    const uint64_t start = position;
    const uint64_t row = stride(level);
    const bool open_ended = level == 0 && flexible_;
    const uint64_t end =
        open_ended ? limit() : start + (dimensions_.empty() ? 1 : dimensions_[level] * row);
    while (!context_.accept('}')) {
      if (context_.at('{')) {
        position = start + (position - start + row - 1) / row * row;
        uint64_t inner = position;
        if (position >= end && level + 1 < dimensions_.size()) return too_many();
        if (!parse_braces(level + 1, inner)) return false;
        position += row;
      } else if (!parse_element(position, end)) {
        return false;
      }
      if (context_.accept(',')) continue;
      if (!context_.at('}')) {
        return context_.fail("expected ',' or '}' between initial values, found " +
                             shown(context_.token()));
      }
    }
    return true;
  }

  bool too_many() {
    return context_.fail("more initial values than '" + variable_.name + "' has elements");
  }

  // One value; a string is as many as it has bytes.
  bool parse_element(uint64_t& position, uint64_t end) {
    if (context_.token().kind == TokenKind::kString) return parse_string(position, end);
    if (position >= end) return too_many();
    const bool is_mask = context_.token().kind == TokenKind::kNumber && context_.token(1).is('(');
    const bool is_address =
        context_.token().kind == TokenKind::kName && !context_.token().is("WARP_SZ");
    const bool done = is_mask      ? parse_masked_address(position)
                      : is_address ? parse_whole_address(position)
                                   : parse_value(position);
    ++position;
    return done;
  }

  void store(uint64_t position, uint64_t low, uint64_t high) {
    const uint64_t words[2] = {low, high};
    const uint64_t offset = position * element_bytes_;
    if (variable_.initial.size() < offset + element_bytes_) {
      variable_.initial.resize(offset + element_bytes_);
    }
    std::memcpy(variable_.initial.data() + offset, words, element_bytes_);
  }

  bool parse_value(uint64_t position) {
    const Token& where = context_.token();
    const auto value = parse_constant(context_);
    if (!value) return false;
    if (variable_.type == Type::kF32) {
      const auto bits = value->kind == Constant::Kind::kFloat32
                            ? static_cast<uint32_t>(value->bits)
                            : std::bit_cast<uint32_t>(static_cast<float>(value->as_double()));
      store(position, bits, 0);
    } else if (variable_.type == Type::kF64) {
      const uint64_t bits = value->kind == Constant::Kind::kFloat64
                                ? value->bits
                                : std::bit_cast<uint64_t>(value->as_double());
      store(position, bits, 0);
    } else {
      // The bits of 0f and 0d fit words of their size; a decimal fraction is a mistake.
      const uint64_t natural = value->kind == Constant::Kind::kFloat32   ? 4
                               : value->kind == Constant::Kind::kFloat64 ? 8
                                                                         : element_bytes_;
      if (natural != element_bytes_) {
        return context_.fail_at(
            where, "a floating constant does not fit ." + std::string(name_of(variable_.type)));
      }
      const bool negative =
          value->kind == Constant::Kind::kSigned && static_cast<int64_t>(value->bits) < 0;
      store(position, value->bits, negative ? ~uint64_t{0} : 0);
    }
    return true;
  }

  // `sym`, `sym+4`, `generic(sym)`, `generic(sym+4)`, `generic(sym)-4`.
  bool parse_address(uint64_t position, Relocation& relocation) {
    relocation.offset_bytes = position * element_bytes_;
    relocation.size_bytes = static_cast<int>(element_bytes_);
    if (context_.token().is("generic") && context_.token(1).is('(')) {
      relocation.generic = true;
      context_.advance();
      context_.advance();
    }
    const Token& name = context_.token();
    if (name.kind != TokenKind::kName) {
      return context_.fail("expected a variable or function, found " + shown(name));
    }
    relocation.symbol = name.text;
    context_.advance();
    if (!add_offset(relocation.addend)) return false;
    if (!relocation.generic) return true;
    return context_.expect(')', "to close generic(") && add_offset(relocation.addend);
  }

  bool add_offset(int64_t& addend) {
    while (context_.at('+') || context_.at('-')) {
      context_.accept('+');
      const auto value = parse_integer(context_, "an offset");
      if (!value) return false;
      addend = static_cast<int64_t>(static_cast<uint64_t>(addend) + value->bits);
    }
    return true;
  }

  bool parse_whole_address(uint64_t position) {
    const Token& where = context_.token();
    Relocation relocation;
    if (!parse_address(position, relocation)) return false;
    if (!is_integer_type(variable_.type) || (element_bytes_ != 4 && element_bytes_ != 8)) {
      return context_.fail_at(where, "an address needs a variable of type .u32 or .u64, " +
                                         std::string("or a mask such as 0xFF(") +
                                         relocation.symbol + ") in .u8");
    }
    store(position, 0, 0);
    variable_.relocations.push_back(std::move(relocation));
    return true;
  }

  // `0xFF00(sym)`: one byte of an address.
  bool parse_masked_address(uint64_t position) {
    const Token& where = context_.token();
    const auto mask = read_number(where.text);
    Relocation relocation;
    context_.advance();
    context_.advance();
    if (!parse_address(position, relocation)) return false;
    if (!mask || mask->is_float() || mask->bits == 0 ||
        mask->bits >> std::countr_zero(mask->bits) != 0xFF ||
        std::countr_zero(mask->bits) % 8 != 0 || element_bytes_ != 1) {
      return context_.fail_at(where,
                              "a mask picks one byte of an address (0xFF, 0xFF00, …) for a "
                              "variable of type .u8");
    }
    relocation.shift_bits = std::countr_zero(mask->bits);
    store(position, 0, 0);
    variable_.relocations.push_back(std::move(relocation));
    return context_.expect(')', "to close the mask");
  }

  // As in C: the closing NUL is stored where there is room for it.
  bool parse_string(uint64_t& position, uint64_t end) {
    const Token& token = context_.token();
    if (element_bytes_ != 1) {
      return context_.fail("a string needs a variable of type .b8, .u8 or .s8");
    }
    std::string bytes;
    if (!unescape(token.text.substr(1, token.text.size() - 2), bytes)) {
      return context_.fail("this string has an escape that C does not know");
    }
    for (char byte : bytes) {
      if (position >= end) return too_many();
      store(position++, static_cast<unsigned char>(byte), 0);
    }
    if (position < end) store(position++, 0, 0);
    context_.advance();
    return true;
  }

  static bool unescape(std::string_view text, std::string& out) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        out += text[i];
        continue;
      }
      if (++i >= text.size()) return false;
      constexpr std::string_view kLetters = "abfnrtv\\\"'?";
      constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\\"'?";
      const size_t letter = kLetters.find(text[i]);
      if (letter != std::string_view::npos) {
        out += kBytes[letter];
        continue;
      }
      const bool hex = text[i] == 'x';
      const std::string_view allowed = hex ? "0123456789abcdefABCDEF" : "01234567";
      if (hex) ++i;
      const std::string_view tail = text.substr(std::min(i, text.size()));
      const size_t count =
          std::min(std::min(tail.find_first_not_of(allowed), tail.size()), size_t{hex ? 2u : 3u});
      if (count == 0) return false;
      out +=
          static_cast<char>(std::stoi(std::string(tail.substr(0, count)), nullptr, hex ? 16 : 8));
      i += count - 1;
    }
    return true;
  }

  Context& context_;
  Variable& variable_;
  std::vector<uint64_t> dimensions_;
  uint64_t element_bytes_ = 1;
  bool flexible_ = false;
};

void resolve(Context& context, Variable& variable) {
  for (Relocation& relocation : variable.relocations) {
    const auto found = context.module_names.find(relocation.symbol);
    if (found != context.module_names.end()) {
      relocation.target = found->second;
    } else if (context.diagnostics.size() < kMostProblems) {
      context.diagnostics.push_back(make_error_at({context.file, variable.ptx_line, 0, 0}, "ptx",
                                                  "the initial value of '" + variable.name +
                                                      "' names '" + relocation.symbol +
                                                      "', which is not declared"));
    }
  }
}

}  // namespace

bool parse_initialiser(Context& context, Variable& variable,
                       const std::vector<uint64_t>& dimensions, int width) {
  return Initialiser(context, variable, dimensions, width).parse();
}

void resolve_relocations(Context& context) {
  for (Variable& variable : context.module.variables) resolve(context, variable);
  for (Function& function : context.module.functions) {
    for (Variable& variable : function.variables) resolve(context, variable);
  }
}

}  // namespace warpshop::ptx
