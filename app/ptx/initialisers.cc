#include "initialisers.h"

#include <algorithm>
#include <bit>

#include "core/standard.h"
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

// Values are in nested braces, one level per dimension (a vector is the last level). Like ptxas
// 13.0, and therefore like a GPU, this packs them without gaps, even if a row has too few values.
class Initialiser {
 public:
  Initialiser(Context& context, Variable& variable, const std::vector<uint64_t>& dimensions,
              int width)
      : context_(context),
        variable_(variable),
        dimensions_(dimensions),
        is_vector_(width > 1),
        element_bytes_(static_cast<uint64_t>(size_bytes(variable.type))) {
    if (is_vector_) dimensions_.push_back(static_cast<uint64_t>(width));
  }

  bool parse() {
    const Type type = variable_.type;
    if (type == Type::kSamplerref || type == Type::kTexref || type == Type::kSurfref) {
      context_.skip_braces();  // `{ filter_mode = nearest, … }`: no bytes
      return true;
    }
    if (!is_integer_type(type) && type != Type::kF32 && type != Type::kF64) {
      return context_.fail("a variable of type ." + std::string(name_of(type)) +
                           " cannot have an initial value");
    }
    const bool counted = variable_.is_flexible;
    if (!counted && !reserve(variable_.size_bytes)) return false;
    uint64_t entries = 0;
    if (dimensions_.empty() ? !parse_element() : !parse_braces(0, entries)) return false;
    if (counted) {
      uint64_t bytes = element_bytes_ * entries;
      for (size_t i = 1; i < dimensions_.size(); ++i) {
        // rejected below
        if (bytes > kMostInitialBytes / dimensions_[i]) bytes = kMostInitialBytes;
        bytes *= dimensions_[i];
      }
      if (!reserve(bytes)) return false;
      variable_.size_bytes = bytes;
      variable_.is_flexible = false;
    }
    variable_.initial.resize(variable_.size_bytes);
    return true;
  }

 private:
  bool reserve(uint64_t bytes) {
    if (bytes > kMostInitialBytes - context_.initial_bytes) {
      return context_.fail("more than " + std::to_string(kMostInitialBytes >> 20) +
                           " MiB of initial values in one module");
    }
    context_.initial_bytes += bytes;
    return true;
  }

  // Parses `{ … }` of dimension `level`; sets `entries` to the number of entries.
  bool parse_braces(size_t level, uint64_t& entries) {
    if (!context_.expect('{', "before the initial values of '" + variable_.name + "'"))
      return false;
    const bool innermost = level + 1 == dimensions_.size();
    const uint64_t room = dimensions_[level];
    if (context_.accept('}')) return true;
    for (;;) {
      if (room != 0 && entries == room) {
        return context_.fail("more initial values than '" + variable_.name + "' has elements");
      }
      ++entries;
      uint64_t inner = 0;
      if (innermost ? !parse_element() : !parse_braces(level + 1, inner)) return false;
      if (context_.accept('}')) break;
      if (!context_.expect(',', "between initial values")) return false;
    }
    if (innermost && is_vector_ && entries != room) {
      return context_.fail("a vector needs all of its " + std::to_string(room) + " values");
    }
    return true;
  }

  bool parse_element() {
    const Token& token = context_.token();
    if (token.kind == TokenKind::kNumber && context_.token(1).is('(')) {
      return parse_masked_address();
    }
    if (token.kind == TokenKind::kName && !token.is("WARP_SZ")) return parse_whole_address();
    return parse_value();
  }

  void store(uint64_t value) {
    const uint64_t words[2] = {value, 0};  // ptxas zeroes the upper half of .b128
    const auto* bytes = reinterpret_cast<const uint8_t*>(words);
    variable_.initial.insert(variable_.initial.end(), bytes, bytes + element_bytes_);
  }

  bool parse_value() {
    const Token& where = context_.token();
    const auto value = parse_constant(context_);
    if (!value) return false;
    const Type type = variable_.type;
    const bool takes_floats =
        type == Type::kF32 || type == Type::kF64 || type == Type::kB32 || type == Type::kB64;
    const bool takes_integers = type != Type::kF32 && type != Type::kF64;
    if (value->is_float() ? !takes_floats : !takes_integers) {
      return context_.fail_at(where, shown(where) +
                                         " is not an initial value for a variable of type ." +
                                         std::string(name_of(type)));
    }
    if (value->kind == Constant::Kind::kFloat64 && element_bytes_ == 4) {
      store(bit_cast<uint32_t>(static_cast<float>(value->as_double())));
    } else {
      store(value->bits);  // also the bits of 0f in a .f64
    }
    return true;
  }

  // `sym`, `sym+4`, `generic(sym)`, `generic(sym)+4`.
  bool parse_address(Relocation& relocation) {
    relocation.offset_bytes = variable_.initial.size();
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
    if (relocation.generic && !context_.expect(')', "to close generic(")) return false;
    if (!context_.at('+') && !context_.at('-')) return true;
    context_.accept('+');
    const auto value = parse_integer(context_, "an offset");
    if (value) relocation.addend = static_cast<int64_t>(value->bits);
    return value.has_value();
  }

  bool parse_whole_address() {
    const Token& where = context_.token();
    Relocation relocation;
    if (!parse_address(relocation)) return false;
    if (!is_integer_type(variable_.type) || (element_bytes_ != 4 && element_bytes_ != 8)) {
      return context_.fail_at(
          where, "an address needs a variable of type .u32 or .u64, or a mask such as 0xFF(" +
                     relocation.symbol + ") in .u8");
    }
    store(0);
    variable_.relocations.push_back(std::move(relocation));
    return true;
  }

  // `0xFF00(sym)`: one byte of an address.
  bool parse_masked_address() {
    const Token& where = context_.token();
    const auto mask = read_number(where.text);
    Relocation relocation;
    context_.advance();
    context_.advance();
    if (!parse_address(relocation)) return false;
    if (!mask || mask->is_float() || mask->bits == 0 ||
        mask->bits >> std::countr_zero(mask->bits) != 0xFF ||
        std::countr_zero(mask->bits) % 8 != 0 || element_bytes_ != 1) {
      return context_.fail_at(
          where,
          "a mask picks one byte of an address (0xFF, 0xFF00, …) for a variable of type .u8");
    }
    relocation.shift_bits = std::countr_zero(mask->bits);
    store(0);
    variable_.relocations.push_back(std::move(relocation));
    return context_.expect(')', "to close the mask");
  }

  Context& context_;
  Variable& variable_;
  std::vector<uint64_t> dimensions_;
  bool is_vector_;
  uint64_t element_bytes_;
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
