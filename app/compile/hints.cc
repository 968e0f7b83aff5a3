#include "hints.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace warpshop::compile {
namespace {

// Names that students misspell.
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

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// What stands between the first pair of `open` … `close` behind `after`.
std::string_view quoted(std::string_view text, std::string_view after, char quote) {
  size_t open = text.find(after);
  if (open == std::string_view::npos) return {};
  open = text.find(quote, open + after.size() - 1);
  if (open == std::string_view::npos) return {};
  const size_t close = text.find(quote, open + 1);
  if (close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

std::vector<std::string_view> source_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// The compiler points at the word behind the gap; the gap is at the end of a line above.
Sentence semicolon_hint(std::string_view source, const SourcePlace& place) {
  const std::vector<std::string_view> lines = source_lines(source);
  if (place.line < 1 || static_cast<size_t>(place.line) > lines.size()) return {};
  const std::string_view line = lines[static_cast<size_t>(place.line) - 1];
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || place.column > static_cast<int>(first) + 1) {
    return sentence("put a ';' before this place");
  }
  for (int above = place.line - 1; above >= 1; --above) {
    if (lines[static_cast<size_t>(above) - 1].find_first_not_of(" \t\r") ==
        std::string_view::npos) {
      continue;
    }
    return sentence("put a ';' at the end of line {line}", {{"line", above}});
  }
  return {};
}

Sentence undefined_hint(std::string_view name) {
  if (const std::string_view known = nearest_known_name(name); !known.empty()) {
    return sentence("did you mean '{name}'?", {{"name", known}});
  }
  if (name.starts_with("cuda")) {
    return sentence("this file holds kernels only: the lab allocates, copies and launches for them");
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
  return sentence("write __global__ before a kernel, __device__ before a function that kernels call");
}

Sentence missing_file_hint(std::string_view name, bool has_toolkit_headers) {
  constexpr std::string_view kHostHeaders[] = {
      "iostream", "vector", "string", "algorithm", "chrono",  "random",  "fstream", "sstream",
      "memory",   "thread", "map",    "numeric",   "iomanip", "cstring", "time.h",  "sys/time.h",
  };
  if (std::find(std::begin(kHostHeaders), std::end(kHostHeaders), name) != std::end(kHostHeaders)) {
    return sentence("remove it: this file is compiled for the GPU alone; use printf for output");
  }
  if (!has_toolkit_headers) {
    return sentence("the headers of the CUDA Toolkit were not found: run ./start, which fetches them");
  }
  return sentence(
      "CUDA's headers for device code (cuda_fp16.h, cooperative_groups.h, mma.h, …) and the usual "
      "C ones can be included; what this one declares is not needed, or must be written here");
}

struct Rule {
  std::string_view pattern;  // part of the message
  Sentence replacement;      // of the whole message; empty: as NVRTC says it
  Sentence help;
};
const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {"namespace scope variable without memory space annotations", sentence("this variable would live on the host: it has no __device__, __constant__ or __shared__"), sentence("write __device__ or __constant__ before it, or make it constexpr")},
      {"__global__ function must have a void return type", {}, sentence("a kernel returns nothing: write its result through a pointer")},
      {"too much shared data", {}, sentence("__shared__ arrays of fixed size have 48 KB a block; use `extern __shared__` and ask for more in the launch")},
      {"class \"uint3\" has no member", {}, sentence("the members are .x, .y and .z")},
      {"class \"dim3\" has no member", {}, sentence("the members are .x, .y and .z")},
      {"expected a \"}\"", {}, sentence("a '{' above has no '}' of its own")},
      {"expression must be a modifiable lvalue", {}, sentence("what is const, or a value rather than a variable, cannot be assigned to")},
      {"Not a name of any known instruction", {}, sentence("check the text of the asm statement")},
  };
  return kRules;
}

void add_hint(std::string_view source, bool has_toolkit_headers, Diagnostic& diagnostic) {
  const std::string message = diagnostic.message;
  if (message.find("expected a \";\"") != std::string::npos) {
    diagnostic.help = semicolon_hint(source, diagnostic.place);
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
    diagnostic.message = sentence("this function is for the host: it has no __global__ or __device__ before it");
    diagnostic.help = host_code_hint(source, diagnostic.place);
    return;
  }
  if (const auto name = quoted(message, "open source file \"", '"'); !name.empty()) {
    diagnostic.help = missing_file_hint(name, has_toolkit_headers);
    return;
  }
  if (message.find("Unresolved extern function") != std::string::npos) {
    const std::string name(quoted(message, "'", '\''));
    diagnostic.message = sentence("the function '{name}' is called but has no body", {{"name", name}});
    diagnostic.help = sentence("define it in this file, with __device__ before it, or check its name");
    return;
  }
  for (const Rule& rule : rules()) {
    if (message.find(rule.pattern) == std::string::npos) continue;
    if (!rule.replacement.empty()) diagnostic.message = rule.replacement;
    diagnostic.help = rule.help;
    return;
  }
}

}  // namespace

void add_hints(std::string_view source, bool has_toolkit_headers, Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) add_hint(source, has_toolkit_headers, diagnostic);
}

std::string_view nearest_known_name(std::string_view word) {
  if (word.size() < 4 || word.size() > 40) return {};
  const std::string wanted = lower(word);
  std::string_view best;
  size_t best_distance = 3;  // a word with three mistakes is another word
  for (std::string_view known : kKnownNames) {
    const size_t mistakes = distance(wanted, lower(known));
    if (mistakes < best_distance && mistakes * 3 < word.size()) {
      best_distance = mistakes;
      best = known;
    }
  }
  return best;
}

}  // namespace warpshop::compile
