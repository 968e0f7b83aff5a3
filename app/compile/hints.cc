#include "hints.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "atomic_hints.h"
#include "compile/compiler.h"
#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/cpp_text.h"
#include "core/fetched.h"
#include "core/lines.h"
#include "core/spelling.h"
#include "diagnostic_places.h"
#include "outside_hints.h"

namespace warpshop::compile {
namespace {

constexpr std::string_view kWrongLetters = "contains characters that a name cannot have";

// Names that students often misspell.
constexpr std::string_view kKnownNames[] = {
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "__syncthreads",
    "__syncwarp",
    "__shared__",
    "__device__",
    "__global__",
    "__constant__",
    "__restrict__",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__activemask",
    "__popc",
    "__ffs",
    "__clz",
    "__ldg",
    "__fmaf_rn",
    "__threadfence",
    "__threadfence_block",
    "__launch_bounds__",
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "float2",
    "float4",
    "int2",
    "int4",
    "uint4",
    "double2",
    "make_float2",
    "make_float4",
    "make_int2",
    "make_int4",
    "sqrtf",
    "rsqrtf",
    "fmaxf",
    "fminf",
    "fabsf",
    "expf",
    "sinf",
    "cosf",
    "printf",
    "assert",
    "unsigned",
    "float",
    "double",
    "__half",
    "__half2",
    "Launch",
    "shared_bytes",
};

std::vector<std::string_view> source_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// The length of the line's code, without trailing blanks and comments.
size_t code_length(std::string_view line) {
  const size_t comment = line.find("//");
  const size_t last = line.substr(0, comment).find_last_not_of(" \t\r");
  return last == std::string_view::npos ? 0 : last + 1;
}

// The compiler points at the word after the gap, but the fix belongs at the end of an earlier line.
void place_semicolon(std::string_view source, Diagnostic& diagnostic) {
  SourcePlace& place = diagnostic.place;
  const std::vector<std::string_view> lines = source_lines(source);
  if (place.line < 1 || static_cast<size_t>(place.line) > lines.size()) return;
  const std::string_view line = lines[static_cast<size_t>(place.line) - 1];
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || place.column > static_cast<int>(first) + 1) {
    diagnostic.help = sentence("insert a ';' before this");
    return;
  }
  for (int above = place.line - 1; above >= 1; --above) {
    const size_t length = code_length(lines[static_cast<size_t>(above) - 1]);
    if (length == 0) continue;
    place.line = above;
    place.column = static_cast<int>(length);
    place.length = 1;
    diagnostic.help = sentence("put a ';' at the end of line {line}", {{"line", above}});
    return;
  }
}

// Maximum shared memory per block: 48 KiB for fixed-size arrays, and the maximum with opt-in. CUDA
// C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr uint64_t kMostFixedShared = 48 * 1024;
constexpr uint64_t kMostShared = 227 * 1024;

// The message does not say which `__shared__` array is too large, and sizes in the source may be
// expressions, so point at the kernel's first such declaration.
void explain_shared(std::string_view source, Diagnostic& diagnostic) {
  const std::string message = diagnostic.message;
  const size_t open = message.find("(0x");
  if (open == std::string::npos) return;
  const uint64_t bytes = std::strtoull(message.c_str() + open + 1, nullptr, 16);
  diagnostic.message = sentence(
      "the kernel's __shared__ arrays need {size} KiB; fixed-size arrays can have at most {most} "
      "KiB per block",
      {{"size", decimal(static_cast<double>(bytes) / 1024, bytes % 1024 == 0 ? 0 : 1)},
       {"most", kMostFixedShared / 1024}});
  diagnostic.help = bytes <= kMostShared
                        ? sentence(
                              "use smaller arrays, or `extern __shared__` with the size requested "
                              "at launch: up to {most} KiB per block on today's largest GPUs",
                              {{"most", kMostShared / 1024}})
                        : sentence(
                              "use smaller arrays: no GPU has more than {most} KiB of shared "
                              "memory per block, however it is requested",
                              {{"most", kMostShared / 1024}});
  const std::vector<std::string_view> lines = source_lines(source);
  const auto from = static_cast<size_t>(std::max(diagnostic.place.line, 1));
  for (size_t n = from; n <= lines.size(); ++n) {
    const std::string_view line = lines[n - 1];
    const size_t at = line.find("__shared__");
    if (at == std::string_view::npos || at >= code_length(line) || line.find("extern") < at)
      continue;
    diagnostic.place.line = static_cast<int>(n);
    diagnostic.place.column = static_cast<int>(at) + 1;
    diagnostic.place.length = static_cast<int>(code_length(line) - at);
    return;
  }
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// A character not allowed in names: the compiler complains about each of its bytes.
bool explain_letters(std::string_view source, Diagnostic& diagnostic) {
  const std::vector<std::string_view> lines = source_lines(source);
  SourcePlace& place = diagnostic.place;
  if (place.line < 1 || static_cast<size_t>(place.line) > lines.size()) return false;
  const std::string_view line = lines[static_cast<size_t>(place.line) - 1];
  const auto wrong = std::find_if_not(line.begin(), line.end(), is_ascii);
  if (wrong == line.end()) return false;
  const auto belongs = [](char c) { return !is_ascii(c) || is_word_character(c); };
  auto first = wrong, end = wrong;
  while (first != line.begin() && belongs(*(first - 1))) --first;
  while (end != line.end() && belongs(*end)) ++end;
  place.column = static_cast<int>(first - line.begin()) + 1;
  place.length = static_cast<int>(end - first);
  diagnostic.message = sentence("'{name}' contains characters that a name cannot have",
                                {{"name", std::string(first, end)}});
  diagnostic.help = sentence("names can contain only ASCII letters (a to z, A to Z), digits and _");
  return true;
}

// Merges repeated messages about a line. If a line has an invalid character, drops all other
// messages about it.
void fold_repeated(Diagnostics& diagnostics) {
  Diagnostics kept;
  for (Diagnostic& diagnostic : diagnostics) {
    const bool repeats = std::any_of(kept.begin(), kept.end(), [&](const Diagnostic& other) {
      return diagnostic.place.line > 0 && other.place.file == diagnostic.place.file &&
             other.place.line == diagnostic.place.line &&
             ((other.severity == diagnostic.severity && other.message == diagnostic.message) ||
              other.message.english().ends_with(kWrongLetters));
    });
    if (!repeats) kept.push_back(std::move(diagnostic));
  }
  diagnostics = std::move(kept);
}

Sentence undefined_hint(std::string_view name) {
  // CUDA 9 gave them a mask of the lanes that take part, and has removed them for GPUs from 7.0 on.
  for (const std::string_view old : {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"}) {
    if (name == old) {
      return sentence(
          "write {name}_sync, with the mask of the lanes that take part first: "
          "0xffffffff for a whole warp",
          {{"name", name}});
    }
  }
  if (const std::string_view known = nearest_known_name(name); !known.empty()) {
    return sentence("did you mean '{name}'?", {{"name", known}});
  }
  if (name.starts_with("cuda")) {
    return sentence("this file contains only kernels: the lab allocates, copies and launches");
  }
  if (name == "syncthreads" || name == "syncwarp") {
    return sentence("did you mean '{name}'?", {{"name", "__" + std::string(name)}});
  }
  if (name.ends_with("_t")) return sentence("include <cstdint>");
  return {};
}

Sentence host_code_hint(std::string_view source, const SourcePlace& place) {
  const std::vector<std::string_view> lines = source_lines(source);
  if (place.line >= 1 && static_cast<size_t>(place.line) <= lines.size() && place.column >= 1) {
    const std::string_view line = lines[static_cast<size_t>(place.line) - 1];
    const std::string_view name =
        line.substr(std::min(line.size(), static_cast<size_t>(place.column) - 1));
    if (name.starts_with("launch(")) return sentence("write __host__ __device__ before it");
    if (name.starts_with("main(")) {
      return sentence("remove main(): the lab allocates, copies and launches the kernel itself");
    }
  }
  return sentence(
      "write __global__ before a kernel, __device__ before a function that kernels call");
}

Sentence missing_file_hint(std::string_view name, bool has_toolkit_headers) {
  constexpr std::string_view kHostHeaders[] = {
      "iostream", "vector", "string", "algorithm", "chrono",  "random",  "fstream", "sstream",
      "memory",   "thread", "map",    "numeric",   "iomanip", "cstring", "time.h",  "sys/time.h",
  };
  if (std::find(std::begin(kHostHeaders), std::end(kHostHeaders), name) != std::end(kHostHeaders)) {
    return sentence("remove it: this file is compiled only for the GPU; use printf for output");
  }
  if (!has_toolkit_headers) {
    return sentence("the headers of the CUDA Toolkit were not found: run {command} to fetch them",
                    {{"command", fetch_command("cuda-13.0")}});
  }
  return sentence(
      "CUDA's device headers (cuda_fp16.h, cooperative_groups.h, mma.h, …) and the usual C headers "
      "can be included; what this one declares is either not needed or must be defined here");
}

// For an unclosed '{' the compiler complains last, at the end of the text, after everything it has
// misread, and names the outermost brace. Keeps only the brace that is really unclosed, and the
// messages above it.
void explain_unclosed_brace(std::string_view source, Diagnostics& diagnostics) {
  for (size_t n = 0; n + 1 < diagnostics.size(); ++n) {
    const SourcePlace outermost = diagnostics[n + 1].place;
    if (diagnostics[n].message.english() != "expected a \"}\"" ||
        !diagnostics[n + 1].message.english().starts_with("to match this \"{\""))
      continue;
    const size_t at = offset_of(source, outermost);
    if (at >= source.size() || source[at] != '{') continue;
    const SourcePlace place = place_in_text(source, unclosed_brace(source, at), 1, outermost.file);
    std::erase_if(diagnostics, [&](const Diagnostic& d) {
      return d.place.file != place.file || d.place.line == 0 || d.place.line >= place.line;
    });
    diagnostics.insert(
        diagnostics.begin(),
        make_error_at(place, "compile",
                      sentence("the '{' on line {line} is never closed", {{"line", place.line}}),
                      sentence("add the matching '}': without it, everything that follows is part "
                               "of this block")));
    return;
  }
}

// For unmatched ( ) and [ ] the compiler says what it expected instead, often lines below. Keeps
// only the bracket, and the messages above it.
void explain_stray_bracket(std::string_view source, Diagnostics& diagnostics) {
  const auto error = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.severity == Severity::kError;
  });
  if (error == diagnostics.end() || error->place.line == 0 ||
      !error->message.english().starts_with("expected "))
    return;
  const std::string file = error->place.file;
  const std::string code = without_comments(source);
  std::vector<size_t> open;
  for (size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') open.push_back(at);
    if (c != ')' && c != ']' && c != '}') continue;
    const char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (!open.empty() && code[open.back()] == opener) {
      open.pop_back();
      continue;
    }
    const bool never_opened = c != '}' && (open.empty() || code[open.back()] == '{');
    const bool never_closed = c == '}' && !open.empty() && code[open.back()] != '{';
    if (!never_opened && !never_closed) return;
    const SourcePlace place = place_in_text(source, never_opened ? at : open.back(), 1, file);
    if (error->place.line < place.line) return;  // an earlier mistake
    const std::string mate(1, never_opened ? opener : code[open.back()] == '(' ? ')' : ']');
    const std::vector<SentencePart> parts = {
        {"bracket", std::string(1, code[never_opened ? at : open.back()])},
        {"mate", mate},
        {"line", place.line}};
    std::erase_if(diagnostics, [&](const Diagnostic& d) {
      return d.place.file == file && (d.place.line == 0 || d.place.line >= place.line);
    });
    diagnostics.insert(
        diagnostics.begin(),
        never_opened
            ? make_error_at(place, "compile",
                            sentence("the '{bracket}' on line {line} closes nothing", parts),
                            sentence("remove it, or add the matching '{mate}'", parts))
            : make_error_at(place, "compile",
                            sentence("the '{bracket}' on line {line} is never closed", parts),
                            sentence("add the matching '{mate}'", parts)));
    return;
  }
}

struct Rule {
  std::string_view pattern;  // part of the message
  Sentence replacement;      // for the whole message; empty: keep NVRTC's
  Sentence help;
};
const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {"namespace scope variable without memory space annotations",
       sentence("this variable would live on the host: it has no __device__, __constant__ or "
                "__shared__"),
       sentence("write __device__ or __constant__ before it, or make it constexpr")},
      {"__global__ function must have a void return type",
       {},
       sentence("a kernel cannot return a value: write the result through a pointer")},
      {"Instruction 'vote' without '.sync'",
       sentence("__any(), __all() and __ballot() do not exist for GPUs from 7.0 on"),
       sentence(
           "write __any_sync, __all_sync or __ballot_sync, with the mask of the lanes that take "
           "part first: 0xffffffff for a whole warp")},
      {"device-side kernel launch could not be processed",
       sentence(
           "a kernel cannot be launched from a kernel here: dynamic parallelism is unsupported"),
       sentence("launch it from the host, or call a __device__ function instead")},
      {"use of the \"register\" storage class",
       {},
       sentence("remove it: the compiler itself chooses what is in registers")},
      {"class \"uint3\" has no member", {}, sentence("the members are .x, .y and .z")},
      {"class \"dim3\" has no member", {}, sentence("the members are .x, .y and .z")},
      {"expression must be a modifiable lvalue",
       {},
       sentence("only variables that are not const can be assigned to")},
      {"Not a name of any known instruction", {}, sentence("check the text of the asm statement")},
  };
  return kRules;
}

void add_hint(std::string_view source, bool has_toolkit_headers, Diagnostic& diagnostic) {
  if (!diagnostic.help.empty() || explain_value_for_address(source, diagnostic)) return;
  const std::string message = diagnostic.message;
  if (message.find("expected a \";\"") != std::string::npos) {
    place_semicolon(source, diagnostic);
    return;
  }
  if (message.starts_with("expected a declaration") &&
      offset_of(source, diagnostic.place) < source.size() &&
      source[offset_of(source, diagnostic.place)] == '}') {
    diagnostic.message = sentence("this '}' closes nothing");
    diagnostic.help = sentence(
        "every '{' above already has its '}': remove this one, or add the missing '{' above it");
    return;
  }
  if (message.starts_with("division by zero") ||
      message.starts_with("right operand of \"%\" is zero")) {
    diagnostic.message = sentence("integer division by zero");
    diagnostic.help = sentence(
        "the divisor is always 0 here; the compiler removes everything that depends on the "
        "quotient");
    return;
  }
  if (message.find("too much shared data") != std::string::npos) {
    explain_shared(source, diagnostic);
    return;
  }
  if (message.find("unrecognized token") != std::string::npos &&
      explain_letters(source, diagnostic)) {
    return;
  }
  if (const auto name = quoted(message, "identifier \"", '"');
      !name.empty() && message.ends_with("is undefined")) {
    diagnostic.help = undefined_hint(name);
    return;
  }
  if (message.find("is considered a host function") != std::string::npos ||
      message.find("explicitly marked as a __host__ function is not allowed") !=
          std::string::npos) {
    diagnostic.message =
        sentence("this is a host function: there is no __global__ or __device__ before it");
    diagnostic.help = host_code_hint(source, diagnostic.place);
    return;
  }
  if (const auto name = quoted(message, "open source file \"", '"'); !name.empty()) {
    diagnostic.help = missing_file_hint(name, has_toolkit_headers);
    return;
  }
  if (message.find("Unresolved extern function") != std::string::npos) {
    const std::string name(quoted(message, "'", '\''));
    diagnostic.message =
        sentence("the function '{name}' is called but never defined", {{"name", name}});
    diagnostic.help =
        sentence("define it in this file, with __device__ before it, or check its name");
    return;
  }
  for (const Rule& rule : rules()) {
    if (message.find(rule.pattern) == std::string::npos) continue;
    if (!rule.replacement.empty()) diagnostic.message = rule.replacement;
    diagnostic.help = rule.help;
    return;
  }
}

// True for warnings that follow from an error: code that was not understood uses no variables.
bool may_follow_from_error(const Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message;
  return diagnostic.severity == Severity::kWarning &&
         (message.ends_with("was declared but never referenced") ||
          message.ends_with("was set but never used"));
}

// True for warnings about constants that the prelude defines and libcu++ defines again. The
// compiler prints them only beside errors.
bool is_defined_twice(const Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message;
  return diagnostic.severity == Severity::kWarning &&
         diagnostic.place.file.find("cuda/std/") != std::string::npos &&
         (message.starts_with("incompatible redefinition of macro \"INFINITY\"") ||
          message.starts_with("incompatible redefinition of macro \"NAN\""));
}

// True if `code`, without its comments, has something like a declaration of `name`: the name after
// another word, '*', '&' or ','.
bool may_declare(std::string_view code, std::string_view name) {
  if (name.empty()) return false;
  for (size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (end < code.size() && is_word_character(code[end])) continue;
    const std::string_view before = trimmed(code.substr(0, at));
    if (before.empty() || (at > 0 && is_word_character(code[at - 1]))) continue;
    if (is_word_character(before.back()) || before.back() == '*' || before.back() == '&' ||
        before.back() == ',')
      return true;
  }
  return false;
}

// After a syntax error the compiler skips the rest of the statement, and then misses the names that
// it declares, or a statement where it reads on. Keeps the syntax error.
void drop_consequences(std::string_view source, Diagnostics& diagnostics) {
  const auto syntax = std::find_if(diagnostics.begin(), diagnostics.end(), [](const auto& d) {
    return d.severity == Severity::kError && d.message.english().starts_with("expected ");
  });
  if (syntax == diagnostics.end() || syntax->place.line == 0) return;
  const SourcePlace place = syntax->place;
  const std::string code = without_comments(source);
  const size_t skipped = offset_of(code, place);
  diagnostics.erase(
      std::remove_if(std::next(syntax), diagnostics.end(),
                     [&](const Diagnostic& d) {
                       if (d.place.file != place.file || d.place.line == 0) return false;
                       const std::string& english = d.message.english();
                       if (english == "expected a statement" || english == "expected a declaration")
                         return true;
                       if (!english.starts_with("identifier \"")) return false;
                       const size_t used = offset_of(code, d.place);
                       return used > skipped &&
                              may_declare(std::string_view(code).substr(skipped, used - skipped),
                                          quoted(english, "identifier", '"'));
                     }),
      diagnostics.end());
}

}  // namespace

std::string_view quoted(std::string_view text, std::string_view after, char quote) {
  size_t open = text.find(after);
  if (open == std::string_view::npos) return {};
  open = text.find(quote, open + after.size() - 1);
  if (open == std::string_view::npos) return {};
  const size_t close = text.find(quote, open + 1);
  if (close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

void add_hints(std::string_view source, bool has_toolkit_headers, Diagnostics& diagnostics) {
  if (has_errors(diagnostics)) std::erase_if(diagnostics, may_follow_from_error);
  std::erase_if(diagnostics, is_defined_twice);
  explain_unclosed_brace(source, diagnostics);
  explain_stray_bracket(source, diagnostics);
  explain_statement_outside(source, diagnostics);
  drop_consequences(source, diagnostics);
  drop_atomic_candidates(diagnostics);
  for (Diagnostic& diagnostic : diagnostics) add_hint(source, has_toolkit_headers, diagnostic);
  fold_repeated(diagnostics);
}

bool warns_of_division_by_zero(const Diagnostic& warning) {
  return warning.severity == Severity::kWarning &&
         warning.message.english().starts_with("integer division by zero");
}

bool warns_of_unset_variable(const Diagnostic& warning) {
  return warning.severity == Severity::kWarning &&
         warning.message.english().ends_with("is used before its value is set");
}

std::string_view nearest_known_name(std::string_view word) {
  if (word.size() < 4 || word.size() > 40) return {};
  std::string_view best;
  size_t best_distance = 3;  // more than two mistakes make it another word
  for (std::string_view known : kKnownNames) {
    const size_t mistakes = spelling_distance(word, known);
    if (mistakes < best_distance && mistakes * 3 < word.size()) {
      best_distance = mistakes;
      best = known;
    }
  }
  return best;
}

}  // namespace warpshop::compile
