// The lines in which two texts differ, run by run: what a person changes to turn one into the
// other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpshop::ui {

// `removed`, from `line` on, gives way to `lines`.
struct LineChange {
  size_t line = 0;
  std::vector<std::string> removed;
  std::vector<std::string> lines;
};

// The first change of those that keep the most lines; none if the texts are equal.
inline std::optional<LineChange> first_change(const std::vector<std::string>& from,
                                              const std::vector<std::string>& to) {
  // kept[i][j]: most lines that from[i…] and to[j…] have in common, in order.
  std::vector<std::vector<size_t>> kept(from.size() + 1, std::vector<size_t>(to.size() + 1, 0));
  for (size_t i = from.size(); i-- > 0;) {
    for (size_t j = to.size(); j-- > 0;) {
      kept[i][j] =
          from[i] == to[j] ? kept[i + 1][j + 1] + 1 : std::max(kept[i + 1][j], kept[i][j + 1]);
    }
  }
  size_t i = 0, j = 0;
  for (; i < from.size() && j < to.size() && from[i] == to[j]; ++j) ++i;
  if (i == from.size() && j == to.size()) return std::nullopt;
  LineChange change = {.line = i, .removed = {}, .lines = {}};
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && j < to.size() && from[i] == to[j]) break;
    if (i < from.size() && (j == to.size() || kept[i + 1][j] >= kept[i][j + 1])) {
      change.removed.push_back(from[i++]);
    } else {
      change.lines.push_back(to[j++]);
    }
  }
  return change;
}

// Selected line by line, removed with one key, and typed.
inline size_t keys_to_retype(const LineChange& change) {
  size_t keys = change.removed.empty() ? 0 : change.removed.size() + 1;
  for (const std::string& line : change.lines) keys += line.size() + 1;
  return keys;
}

// A change of letters in a line, made from its end.
struct WithinLine {
  size_t kept_after = 0;  // letters after those that change
  size_t removed = 0;
  std::string typed;

  // To the end and back, the change, to the end again and on to the start of the next line.
  size_t keys() const { return 1 + kept_after + removed + typed.size() + 3; }
};

inline bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

// The change line by line; empty if its lines have no counterparts or retyping takes fewer keys.
inline std::vector<WithinLine> within_lines(const LineChange& change) {
  if (change.removed.size() != change.lines.size()) return {};
  std::vector<WithinLine> out;
  size_t keys = 0;
  for (size_t n = 0; n < change.lines.size(); ++n) {
    const std::string &from = change.removed[n], &to = change.lines[n];
    if (!is_ascii(from) || !is_ascii(to)) return {};  // a letter would be several bytes
    const size_t most = std::min(from.size(), to.size());
    size_t before = 0, after = 0;
    while (after < most && from[from.size() - 1 - after] == to[to.size() - 1 - after]) ++after;
    while (before < most - after && from[before] == to[before]) ++before;
    out.push_back(
        {after, from.size() - before - after, to.substr(before, to.size() - before - after)});
    keys += out.back().keys();
  }
  if (keys >= keys_to_retype(change)) out.clear();
  return out;
}

}  // namespace warpshop::ui
