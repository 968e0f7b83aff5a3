#include "kernel_args.h"

#include <optional>

#include "core/charconv.h"
#include "core/fill.h"
#include "lab/value_type.h"

namespace warpshop::cli {
namespace {

using lab::ElementType;

constexpr const char* kHowToWrite =
    "a buffer is TYPE[COUNT]=FILL such as f32[1024]=random, a value TYPE=VALUE such as i32=5 or "
    "float4=1,2,3,4, a struct {i32=5; f32[64]=zero}; the types are i8, u8, i16, u16, i32, u32, "
    "i64, u64, f16, bf16, f32, f64, bool, CUDA's vectors and C's names; the fills zero, none, "
    "iota, random, bits, chase=S and file=PATH";

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part.erase(part.find_last_not_of(' ') + 1);
  return parts;
}

Result<Fill> read_fill(const std::string& text, ElementType type) {
  if (text == "random") return Fill{.kind = FillKind::kRandom, .type = type};
  if (text == "iota") return Fill{.kind = FillKind::kIota, .type = type};
  return lab::fill_from_spec(text);
}

Diagnostic wrong_argument(const std::string& text, const std::string& what) {
  return make_error("usage", "--arg " + text + ": " + what, kHowToWrite);
}

constexpr int kDeepestStruct = 16;

Result<KernelWord> read_argument(const std::string& text, int depth);

// Parses "{i32=5; f32[64]=zero}".
Result<KernelWord> read_struct(const std::string& text, int depth) {
  KernelWord out;
  if (depth >= kDeepestStruct) return wrong_argument(text, "structs are nested too deeply");
  if (!text.ends_with('}')) return wrong_argument(text, "a struct ends with }");
  std::vector<std::string> fields =
      parts_of(std::string_view(text).substr(1, text.size() - 2), ';');
  if (fields.back().empty()) fields.pop_back();
  if (fields.empty()) return wrong_argument(text, "a struct has at least one field");
  for (const std::string& field : fields) {
    Result<KernelWord> word = read_argument(field, depth + 1);
    if (!word.ok()) return word;
    out.arg.fields.push_back(std::move(word->arg));
    out.types.insert(out.types.end(), word->types.begin(), word->types.end());
  }
  out.arg.alignment_bytes = lab::struct_alignment(out.arg.fields);
  return out;
}

Result<KernelWord> read_argument(const std::string& text, int depth) {
  if (text.starts_with('{')) return read_struct(text, depth);
  const auto error = [&](const std::string& what) { return wrong_argument(text, what); };
  const size_t type_end = text.find_first_of("[=");
  const std::string type_name = text.substr(0, type_end);
  const std::optional<lab::ValueType> type = lab::value_type_named(type_name);
  if (!type) {
    const bool is_buffer = type_end != std::string::npos && text[type_end] == '[';
    return error("there is no type '" + type_name + "'" +
                 (is_buffer ? "; if it is a struct of the program, give the array's bytes: "
                              "u8[BYTES]=zero or u8[BYTES]=file=PATH"
                            : ""));
  }
  if (type_end == std::string::npos) return error("expected [COUNT] or =VALUE after the type");
  KernelWord out;
  if (text[type_end] == '=') {
    Result<std::vector<uint8_t>> bytes =
        lab::value_bytes(*type, parts_of(std::string_view(text).substr(type_end + 1), ','));
    if (!bytes.ok()) {
      const Diagnostic& why = bytes.errors().front();
      if (why.help.empty()) return error(why.message);
      return error("'" + text.substr(type_end + 1) + "' is not a value of " + type_name + ": " +
                   why.help.english());
    }
    out.arg.scalar.bytes = std::move(*bytes);
    out.arg.alignment_bytes = static_cast<uint32_t>(type->alignment_bytes);
    return out;
  }
  const size_t close = text.find(']', type_end);
  const std::optional<uint64_t> count = close == std::string::npos
                                            ? std::nullopt
                                            : parse_number<uint64_t>(std::string_view(text).substr(
                                                  type_end + 1, close - type_end - 1));
  if (!count || *count == 0 || *count > (uint64_t{1} << 36)) {
    return error("expected a number of elements between [ and ]");
  }
  const std::optional<ElementType> element = lab::element_type_of(*type);
  if (!element) return error("there is no buffer of '" + type_name + "'");
  out.types = {*element};
  out.arg.is_buffer = true;
  out.arg.size_bytes = *count * static_cast<uint64_t>(type->size_bytes());
  if (close + 1 < text.size()) {
    if (text[close + 1] != '=') return error("expected = and a fill after ]");
    const Result<Fill> fill = read_fill(text.substr(close + 2), *element);
    if (!fill.ok()) return error(fill.errors().front().message);
    out.arg.fill = *fill;
  }
  return out;
}

}  // namespace

Result<Dim3> read_dim(const std::string& text, const char* option) {
  Dim3 out;
  uint32_t* const parts[] = {&out.x, &out.y, &out.z};
  size_t count = 0;
  std::string_view rest = text;
  for (bool more = true; more; ++count) {
    const size_t comma = rest.find(',');
    const std::optional<uint32_t> value = parse_number<uint32_t>(rest.substr(0, comma));
    if (!value || count == 3) {
      return make_error(
          "usage", std::string(option) + " " + text + ": expected one to three whole numbers",
          std::string("write ") + option + " X,Y,Z, for example " + option + " 16,16");
    }
    *parts[count] = *value;
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return out;
}

Result<KernelWord> read_argument(const std::string& text) { return read_argument(text, 0); }

}  // namespace warpshop::cli
