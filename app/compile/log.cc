// Parses NVRTC's log. Front-end messages:
//
//   a.cu(3): error: expected a ";"           file, line, severity, perhaps " #177-D", message
//               argument types are: (int)    rest of the message, indented by about ten blanks
//     p[i] = 1;                              the source line, indented by two blanks
//     ^                                      a caret below it
//           detected during: …               where a template was instantiated, below the caret
//   At end of source: error: …
//
// Back-end messages: "ptxas error   : …", "ptxas fatal   : …", "ptxas application ptx input, line
// 29; error   : …", "nvrtc: error: …".
#include <algorithm>
#include <optional>

#include "compile/compiler.h"
#include "core/ascii.h"
#include "core/charconv.h"
#include "diagnostic_places.h"

namespace warpshop::compile {
namespace {

struct Head {
  Severity severity = Severity::kError;
  std::string_view message;
};

int number_in(std::string_view text) { return parse_number<int>(text).value_or(0); }

// "error: message", "warning #177-D: message", "catastrophic error: message", "error   : message".
std::optional<Head> read_head(std::string_view text) {
  struct Word {
    std::string_view text;
    Severity severity;
  };
  constexpr Word kWords[] = {
      {"catastrophic error", Severity::kError},
      {"internal error", Severity::kError},
      {"error", Severity::kError},
      {"fatal", Severity::kError},
      {"warning", Severity::kWarning},
      {"remark", Severity::kNote},
      {"note", Severity::kNote},
      {"info", Severity::kNote},
  };
  text = trimmed(text);
  for (const Word& word : kWords) {
    if (!text.starts_with(word.text)) continue;
    std::string_view rest = trimmed(text.substr(word.text.size()));
    if (rest.starts_with('#')) rest = trimmed(rest.substr(std::min(rest.find(':'), rest.size())));
    if (!rest.starts_with(':')) return std::nullopt;
    return Head{word.severity, trimmed(rest.substr(1))};
  }
  return std::nullopt;
}

Diagnostic diagnostic_of(const Head& head, SourcePlace place) {
  return {head.severity, "compile", std::move(place), std::string(head.message), ""};
}

// `a.cu(3): error: …`. The file name may contain parentheses, so the last "(digits): " counts.
std::optional<Diagnostic> read_placed(std::string_view line) {
  for (size_t close = line.find("): "); close != std::string_view::npos;
       close = line.find("): ", close + 1)) {
    const size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) continue;
    const int number = number_in(line.substr(open + 1, close - open - 1));
    const auto head = read_head(line.substr(close + 3));
    if (number <= 0 || !head) continue;
    return diagnostic_of(*head, {std::string(line.substr(0, open)), number});
  }
  return std::nullopt;
}

// "ptxas fatal   : …", "nvrtc: error: …", and the form with a PTX line.
std::optional<Diagnostic> read_tool(std::string_view line) {
  constexpr std::string_view kInput = "ptxas application ptx input, line ";
  if (line.starts_with(kInput)) {
    const std::string_view rest = line.substr(kInput.size());
    const size_t end = rest.find(';');
    const auto head =
        end == std::string_view::npos ? std::nullopt : read_head(rest.substr(end + 1));
    if (!head) return std::nullopt;
    return diagnostic_of(*head, {std::string(kPtxName), number_in(rest.substr(0, end))});
  }
  for (std::string_view tool : {"ptxas ", "nvrtc: ", "nvlink "}) {
    if (!line.starts_with(tool)) continue;
    const auto head = read_head(line.substr(tool.size()));
    if (head) return diagnostic_of(*head, {});
  }
  return std::nullopt;
}

std::optional<Diagnostic> read_first_line(std::string_view line, const SourcePlace& end_of_source) {
  constexpr std::string_view kEnd = "At end of source:";
  if (line.starts_with(kEnd)) {
    const auto head = read_head(line.substr(kEnd.size()));
    if (head) return diagnostic_of(*head, end_of_source);
  }
  auto diagnostic = read_placed(line);
  return diagnostic ? diagnostic : read_tool(line);
}

// Only blanks and a final caret.
bool is_caret_line(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r");
  return last != std::string_view::npos && line[last] == '^' &&
         line.find_first_not_of(" \t") == last;
}

// The length of the marked part of the excerpt: a word or one character.
int length_at(std::string_view excerpt, size_t caret) {
  size_t end = caret;
  while (end < excerpt.size() && is_word_character(excerpt[end])) ++end;
  return static_cast<int>(std::max<size_t>(end - std::min(caret, end), 1));
}

// Summaries such as "2 errors detected in the compilation of "a.cu".".
bool is_summary(std::string_view line) {
  return line.starts_with("Remark: ") || line.ends_with("Ptx assembly aborted due to errors") ||
         line.starts_with("Compilation terminated") ||
         line.find(" detected in the compilation of ") != std::string_view::npos ||
         line.find(": creating precompiled header file ") != std::string_view::npos ||
         line.find(": using precompiled header file ") != std::string_view::npos;
}

std::vector<std::string_view> log_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Diagnostics diagnostics_from_log(std::string_view log, const SourcePlace& end_of_source) {
  constexpr std::string_view kIndent = "  ";
  Diagnostics diagnostics;
  bool open = false;  // following lines belong to the last diagnostic
  const std::vector<std::string_view> lines = log_lines(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (trimmed(line).empty() || is_summary(line)) {
      open = false;
    } else if (auto diagnostic = read_first_line(line, end_of_source)) {
      diagnostics.push_back(std::move(*diagnostic));
      open = true;
    } else if (open && i + 1 < lines.size() && is_caret_line(lines[i + 1]) &&
               line.starts_with(kIndent)) {
      const std::string_view excerpt = line.substr(kIndent.size());
      const size_t caret = std::max(lines[i + 1].find('^'), kIndent.size()) - kIndent.size();
      SourcePlace& place = diagnostics.back().place;
      if (place != end_of_source || place.line == 0) {
        place.column = static_cast<int>(caret) + 1;
        place.length = length_at(excerpt, caret);
      }
      ++i;
    } else if (open && line.starts_with(kIndent)) {
      std::string message = diagnostics.back().message;
      message += message.ends_with(':') ? " " : "; ";
      message += trimmed(line);
      diagnostics.back().message = message;
    }
  }
  return diagnostics;
}

}  // namespace warpshop::compile
