#include "core/diagnostic.h"

#include <algorithm>
#include <cstddef>

#include "core/files.h"
#include "core/lines.h"

namespace warpshop {
namespace {

// Tab stops of the displayed line. The author's are unknown; four keeps deeply indented code on
// screen.
constexpr size_t kTabStop = 4;

// One source line as displayed, with the screen column of every byte.
struct ShownLine {
  std::string text;
  std::vector<size_t> screen_columns;  // one per byte, and one for the end
};

ShownLine shown_line(std::string_view line) {
  ShownLine shown;
  size_t column = 0;
  for (char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    shown.screen_columns.push_back(column);
    if (c == '\t') {
      const size_t width = kTabStop - column % kTabStop;
      shown.text.append(width, ' ');
      column += width;
    } else if (byte < 0x20 || byte == 0x7f) {
      shown.text += ' ';  // a control character would move the cursor
      ++column;
    } else {
      shown.text += c;
      if ((byte & 0xC0) != 0x80)
        ++column;  // continuation bytes of a UTF-8 character take no
                   // column
    }
  }
  shown.screen_columns.push_back(column);
  return shown;
}

// "  12 | source" and, if the column is known, a caret below it.
void append_excerpt(std::string& out, const SourcePlace& place, std::string_view source_text) {
  const std::string_view line = nth_line(source_text, place.line);
  if (line.empty()) return;
  const ShownLine shown = shown_line(line);
  const std::string number = std::to_string(place.line);
  out += "\n  " + number + " | " + shown.text;
  if (place.column <= 0) return;
  const size_t first = std::min<size_t>(static_cast<size_t>(place.column) - 1, line.size());
  const size_t last = std::min(first + static_cast<size_t>(std::max(place.length, 0)), line.size());
  const size_t from = shown.screen_columns[first];
  const size_t to = std::max(shown.screen_columns[last], from + 1);
  out += "\n  " + std::string(number.size(), ' ') + " | " + std::string(from, ' ') + "^" +
         std::string(to - from - 1, '~');
}

}  // namespace

Diagnostic make_error(DiagnosticKind kind, Sentence message, Sentence help) {
  return make_error_at({}, kind, std::move(message), std::move(help));
}

Diagnostic make_error_at(SourcePlace place, DiagnosticKind kind, Sentence message, Sentence help) {
  return {Severity::kError, kind, std::move(place), std::move(message), std::move(help)};
}

bool is_machines_fault(const Diagnostic& problem) {
  return problem.kind == "nvrtc" || problem.kind == "tool" || problem.kind == "process" ||
         problem.kind == kDiskFull;
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

std::string render(const Diagnostic& diagnostic, std::string_view source_text) {
  const SourcePlace& place = diagnostic.place;
  std::string out = place.file;
  if (place.line > 0) {
    out += (out.empty() ? "line " : ":") + std::to_string(place.line);
    if (place.column > 0) out += ":" + std::to_string(place.column);
  }
  if (!out.empty()) out += ": ";
  out += severity_name(diagnostic.severity);
  out += ": " + diagnostic.message;
  if (place.line > 0) append_excerpt(out, place, source_text);
  if (!diagnostic.help.empty()) out += "\n  help: " + diagnostic.help;
  return out;
}

std::string render(const Diagnostics& diagnostics, std::string_view source_text) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += '\n';
    out += render(diagnostic, source_text);
  }
  return out;
}

}  // namespace warpshop
