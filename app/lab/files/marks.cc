#include "lab/marks.h"

#include <optional>

#include "core/ascii.h"

namespace warpshop::lab {
namespace {

// A line's text after `//!`, without the one space that follows it; nothing if it is not a mark.
struct MarkLine {
  std::string_view indent;
  std::string_view text;
};
std::optional<MarkLine> mark_of(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || !line.substr(begin).starts_with("//!"))
    return std::nullopt;
  std::string_view text = line.substr(begin + 3);
  if (text.starts_with(" ")) text.remove_prefix(1);
  return MarkLine{line.substr(0, begin), text};
}

}  // namespace

Result<MarkedText> split_marks(std::string_view text, const std::string& file_name) {
  enum class Part { kShared, kSolution, kSkeleton };
  Part part = Part::kShared;
  MarkedText out;
  Diagnostics errors;
  int line_number = 0;
  int begin_line = 0;
  bool any = false;
  const auto error = [&](int line, std::string message, std::string help = {}) {
    errors.push_back(
        make_error_at({file_name, line}, "lab-file", std::move(message), std::move(help)));
  };

  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view ending = end < text.size() ? "\n" : "";
    at = end + 1;
    ++line_number;

    const std::optional<MarkLine> mark = mark_of(line);
    const std::string_view word = mark ? trimmed(mark->text) : std::string_view();
    if (!mark) {
      if (part == Part::kSkeleton) {
        error(line_number, "after '//! instead' every line begins with '//! ' until '//! end'",
              "put '//! ' before the line, or end the block before it");
        continue;
      }
      out.solution.append(line).append(ending);
      if (part == Part::kShared) out.skeleton.append(line).append(ending);
    } else if (word == "begin") {
      any = true;
      if (part != Part::kShared) {
        error(line_number,
              "'//! begin' inside the block begun at line " + std::to_string(begin_line),
              "blocks don't nest: end the first one before");
      }
      part = Part::kSolution;
      begin_line = line_number;
    } else if (word == "instead") {
      any = true;
      if (part == Part::kShared)
        error(line_number, "'//! instead' without a '//! begin' before it");
      if (part == Part::kSkeleton) error(line_number, "a second '//! instead' in the same block");
      part = Part::kSkeleton;
    } else if (word == "end") {
      any = true;
      if (part == Part::kShared) error(line_number, "'//! end' without a '//! begin' before it");
      part = Part::kShared;
    } else if (part == Part::kSkeleton) {
      if (!word.empty()) out.skeleton.append(mark->indent);
      out.skeleton.append(word.empty() ? std::string_view() : mark->text).append("\n");
    } else {
      error(line_number, "unknown mark '//! " + std::string(mark->text) + "'",
            "the marks are '//! begin', '//! instead' and '//! end'");
    }
  }

  if (part != Part::kShared) {
    error(begin_line, "the block begun here has no '//! end'");
  }
  if (!any) {
    error(1, "the worked solution has no marks, so the skeleton would be the solution",
          "put '//! begin', '//! instead' and '//! end' around what the student is to find");
  }
  if (!errors.empty()) return errors;
  return out;
}

}  // namespace warpshop::lab
