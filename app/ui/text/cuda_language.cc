#include "text/cuda_language.h"

#include <string>

#include "core/ascii.h"
#include "draw/draw.h"

namespace warpshop::ui {
namespace {

using Color = TextEditor::Color;

constexpr const char* kQualifiers[] = {
    "__global__",        "__device__",      "__host__",     "__shared__",      "__constant__",
    "__managed__",       "__restrict__",    "__noinline__", "__forceinline__", "__launch_bounds__",
    "__grid_constant__", "__inline_hint__", "__maxnreg__",  "__cluster_dims__"};

constexpr const char* kTypes[] = {
    "char1",   "char2",     "char3",     "char4",         "uchar1",         "uchar2",   "uchar3",
    "uchar4",  "short1",    "short2",    "short3",        "short4",         "ushort1",  "ushort2",
    "ushort3", "ushort4",   "int1",      "int2",          "int3",           "int4",     "uint1",
    "uint2",   "uint3",     "uint4",     "long1",         "long2",          "long3",    "long4",
    "float1",  "float2",    "float3",    "float4",        "double1",        "double2",  "double3",
    "double4", "longlong1", "longlong2", "ulonglong1",    "ulonglong2",     "dim3",     "half",
    "half2",   "__half",    "__half2",   "__nv_bfloat16", "__nv_bfloat162", "int8_t",   "int16_t",
    "int32_t", "int64_t",   "uint8_t",   "uint16_t",      "uint32_t",       "uint64_t", "size_t",
    "Launch"};

constexpr const char* kBuiltins[] = {"threadIdx",
                                     "blockIdx",
                                     "blockDim",
                                     "gridDim",
                                     "warpSize",
                                     "__syncthreads",
                                     "__syncwarp",
                                     "__syncthreads_count",
                                     "__syncthreads_and",
                                     "__syncthreads_or",
                                     "__threadfence",
                                     "__threadfence_block",
                                     "__threadfence_system",
                                     "__shfl_sync",
                                     "__shfl_up_sync",
                                     "__shfl_down_sync",
                                     "__shfl_xor_sync",
                                     "__all_sync",
                                     "__any_sync",
                                     "__ballot_sync",
                                     "__activemask",
                                     "__match_any_sync",
                                     "__match_all_sync",
                                     "__reduce_add_sync",
                                     "__reduce_min_sync",
                                     "__reduce_max_sync",
                                     "__ldg",
                                     "__ldca",
                                     "__ldcg",
                                     "__ldcs",
                                     "__stcs",
                                     "__stcg",
                                     "atomicAdd",
                                     "atomicSub",
                                     "atomicExch",
                                     "atomicMin",
                                     "atomicMax",
                                     "atomicInc",
                                     "atomicDec",
                                     "atomicCAS",
                                     "atomicAnd",
                                     "atomicOr",
                                     "atomicXor",
                                     "__popc",
                                     "__clz",
                                     "__ffs",
                                     "__brev",
                                     "__fmaf_rn",
                                     "fmaf",
                                     "fma",
                                     "sqrtf",
                                     "rsqrtf",
                                     "sinf",
                                     "cosf",
                                     "expf",
                                     "logf",
                                     "fminf",
                                     "fmaxf",
                                     "fabsf",
                                     "min",
                                     "max",
                                     "printf",
                                     "assert",
                                     "clock",
                                     "clock64",
                                     "__float2int_rn",
                                     "make_int2",
                                     "make_int4",
                                     "make_float2",
                                     "make_float3",
                                     "make_float4",
                                     "make_uint2",
                                     "make_uint4",
                                     "make_double2",
                                     "make_char4",
                                     "make_uchar4",
                                     "__assume",
                                     "__trap"};

// Muted, so that the heat map beside the lines stays
// the strongest colour; contrast at least 4.5 : 1.
struct CodeColors {
  ImU32 text, keyword, type, number, string, comment, preprocessor, builtin;
};
CodeColors code_colors(const Theme& theme) {
  if (theme.dark) {
    return {rgb(0xDDE3EB), rgb(0xC9A6F5), rgb(0x7CC7D9), rgb(0xE5C38B),
            rgb(0xB5D18C), rgb(0x8391A3), rgb(0xD7A0B8), rgb(0x8FBCFF)};
  }
  return {rgb(0x1D2530), rgb(0x7A3DB8), rgb(0x116C80), rgb(0x8A5A00),
          rgb(0x47701C), rgb(0x647081), rgb(0x99406B), rgb(0x1A5FB4)};
}

}  // namespace

const TextEditor::Language* cuda_language() {
  static const TextEditor::Language language = [] {
    TextEditor::Language l = *TextEditor::Language::Cpp();
    l.name = "CUDA C++";
    for (const char* word : kQualifiers) l.keywords.insert(word);
    for (const char* word : kTypes) l.declarations.insert(word);
    for (const char* word : kBuiltins) l.identifiers.insert(word);
    return l;
  }();
  return &language;
}

TextEditor::Palette editor_palette(const Theme& theme) {
  const CodeColors c = code_colors(theme);
  TextEditor::Palette p;
  auto set = [&p](Color which, ImU32 color) { p[static_cast<size_t>(which)] = color; };
  set(Color::text, c.text);
  set(Color::keyword, c.keyword);
  set(Color::declaration, c.type);
  set(Color::number, c.number);
  set(Color::string, c.string);
  set(Color::punctuation, mix(c.text, theme.muted, 0.35f));
  set(Color::preprocessor, c.preprocessor);
  set(Color::identifier, c.text);
  set(Color::knownIdentifier, c.builtin);
  set(Color::comment, c.comment);
  set(Color::background, IM_COL32_BLACK_TRANS);
  set(Color::cursor, theme.accent);
  set(Color::selection, with_alpha(theme.accent, theme.dark ? 0.30f : 0.22f));
  set(Color::whitespace, theme.line);
  set(Color::matchingBracketBackground, with_alpha(theme.accent, 0.25f));
  set(Color::matchingBracketActive, theme.muted);
  set(Color::matchingBracketLevel1, mix(c.text, theme.muted, 0.35f));
  set(Color::matchingBracketLevel2, mix(c.text, theme.muted, 0.35f));
  set(Color::matchingBracketLevel3, mix(c.text, theme.muted, 0.35f));
  set(Color::matchingBracketError, theme.poor);
  set(Color::lineNumber, theme.muted);
  set(Color::currentLineNumber, theme.text);
  return p;
}

ImU32 color_of(CodeKind kind) {
  const CodeColors c = code_colors(*look().theme);
  switch (kind) {
    case CodeKind::kText:
      return c.text;
    case CodeKind::kKeyword:
      return c.keyword;
    case CodeKind::kType:
      return c.type;
    case CodeKind::kNumeral:
      return c.number;
    case CodeKind::kString:
      return c.string;
    case CodeKind::kComment:
      return c.comment;
    case CodeKind::kPreprocessor:
      return c.preprocessor;
    case CodeKind::kBuiltin:
      return c.builtin;
  }
  return c.text;
}

std::vector<CodeToken> tokenize_cuda(std::string_view line, bool& in_comment) {
  std::vector<CodeToken> tokens;
  size_t at = 0;
  auto take = [&](size_t end, CodeKind kind) {
    if (end > at) tokens.push_back({line.substr(at, end - at), kind});
    at = end;
  };
  const TextEditor::Language& language = *cuda_language();
  while (at < line.size()) {
    if (in_comment) {
      const size_t close = line.find("*/", at);
      in_comment = close == std::string_view::npos;
      take(in_comment ? line.size() : close + 2, CodeKind::kComment);
      continue;
    }
    const char c = line[at];
    if (line.substr(at).starts_with("//")) {
      take(line.size(), CodeKind::kComment);
    } else if (line.substr(at).starts_with("/*")) {
      in_comment = true;
      const size_t close = line.find("*/", at + 2);
      if (close != std::string_view::npos) in_comment = false;
      take(in_comment ? line.size() : close + 2, CodeKind::kComment);
    } else if (c == '#' && line.find_first_not_of(" \t") == at) {
      take(line.size(), CodeKind::kPreprocessor);
    } else if (c == '"' || c == '\'') {
      size_t end = at + 1;
      while (end < line.size() && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      take(std::min(end + 1, line.size()), CodeKind::kString);
    } else if (is_digit(c)) {
      size_t end = at + 1;
      while (end < line.size() && (is_word_character(line[end]) || line[end] == '.')) ++end;
      take(end, CodeKind::kNumeral);
    } else if (is_word_character(c)) {
      size_t end = at + 1;
      while (end < line.size() && is_word_character(line[end])) ++end;
      const std::string word(line.substr(at, end - at));
      take(end, language.keywords.contains(word)       ? CodeKind::kKeyword
                : language.declarations.contains(word) ? CodeKind::kType
                : language.identifiers.contains(word)  ? CodeKind::kBuiltin
                                                       : CodeKind::kText);
    } else {
      size_t end = at + 1;
      while (end < line.size() && !is_word_character(line[end]) && line[end] != '/' &&
             line[end] != '"' && line[end] != '\'') {
        ++end;
      }
      take(end, CodeKind::kText);
    }
  }
  return tokens;
}

}  // namespace warpshop::ui
