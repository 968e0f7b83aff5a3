#include "checks/mismatch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>

#include "core/expression.h"

namespace warpshop::lab {
namespace {

constexpr size_t kLooks = 4096;     // wrong elements examined
constexpr size_t kEnough = 8;       // fewer elements can have things in common by chance
constexpr uint64_t kFarthest = 64;  // largest offset of an index in elements, rows or columns
constexpr double kSame = 1e-6;      // relative: sums in a different order
constexpr double kRounding = 1e-3;

Sentence text_of(uint64_t value) { return number(number_text(static_cast<double>(value))); }

bool same(double a, double b) {
  return a == b || (std::isfinite(a) && std::isfinite(b) &&
                    std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b)));
}

struct Looked {
  std::vector<uint64_t> all;      // every wrong element
  std::vector<uint64_t> written;  // those of the sample that the kernel wrote
  uint64_t never = 0;             // of all: not written
};

Looked look_at(const Mismatches& m) {
  Looked out;
  for (uint64_t i = 0; i < m.count; ++i) {
    if (!m.wrong(i)) continue;
    out.all.push_back(i);
    if (!m.written(i)) ++out.never;
  }
  const size_t step = std::max<size_t>(1, out.all.size() / kLooks);
  for (size_t k = 0; k < out.all.size(); k += step) {
    if (m.written(out.all[k])) out.written.push_back(out.all[k]);
  }
  return out;
}

// The element's name, by row and column if the output has them.
bool has_rows(const Mismatches& m) { return m.width > 1 && m.width < m.count; }

Sentence ordinal(uint64_t n) {
  if (n == 2) return sentence("second");
  if (n == 3) return sentence("third");
  if (n == 4) return sentence("fourth");
  const uint64_t last = n / 10 % 10 == 1 ? 0 : n % 10;
  const std::vector<SentencePart> parts = {{"n", n}};
  return last == 1   ? sentence("{n}st", parts)
         : last == 2 ? sentence("{n}nd", parts)
         : last == 3 ? sentence("{n}rd", parts)
                     : sentence("{n}th", parts);
}

// The wrong elements are exactly one residue class: "every second element".
Sentence every_nth(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  for (uint64_t n = 2; n <= kFarthest; ++n) {
    const uint64_t first = wrong.front() % n;
    const uint64_t others = m.count / n + (first < m.count % n ? 1 : 0);
    if (others != wrong.size()) continue;
    if (std::all_of(wrong.begin(), wrong.end(), [&](uint64_t i) { return i % n == first; })) {
      return sentence("Every {nth} element is wrong, starting with element {first}.",
                      {{"nth", ordinal(n)}, {"first", text_of(first)}});
    }
  }
  // … or all but one residue class.
  const uint64_t right = m.count - wrong.size();
  if (right < kEnough || right * 2 >= m.count) return {};
  uint64_t first = 0;
  while (m.wrong(first)) ++first;
  uint64_t next = first + 1;
  while (m.wrong(next)) ++next;
  const uint64_t n = next - first;
  if (n < 2 || n > kFarthest || first >= n) return {};
  for (uint64_t i = 0; i < m.count; ++i) {
    if (m.wrong(i) == (i % n == first)) return {};
  }
  return sentence("Only every {nth} element is correct.", {{"nth", ordinal(n)}});
}

// The wrong elements are exactly some whole rows or columns at an edge.
Sentence at_an_edge(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  const uint64_t rows = (m.count + m.width - 1) / m.width;
  uint64_t top = rows, bottom = 0, left = m.width, right = 0;
  for (const uint64_t i : wrong) {
    top = std::min(top, i / m.width);
    bottom = std::max(bottom, i / m.width);
    left = std::min(left, i % m.width);
    right = std::max(right, i % m.width);
  }
  const auto between = [](bool row, uint64_t first, uint64_t last, uint64_t count) -> Sentence {
    const std::vector<SentencePart> parts = {{"first", text_of(first)}, {"last", text_of(last)}};
    if (first == 0 && last + 1 == count) return {};
    if (first == last)
      return row ? sentence("All are in row {first}.", parts)
                 : sentence("All are in column {first}.", parts);
    if (first == 0)
      return row ? sentence("All are in rows 0 to {last}.", parts)
                 : sentence("All are in columns 0 to {last}.", parts);
    if (last + 1 != count) return {};
    return row ? sentence("All are in rows {first} through the last one.", parts)
               : sentence("All are in columns {first} through the last one.", parts);
  };
  return between(true, top, bottom, rows).then(between(false, left, right, m.width));
}

Sentence where(const Mismatches& m, const Looked& looked) {
  const std::vector<uint64_t>& wrong = looked.all;
  if (wrong.size() == m.count || wrong.size() < 2) return {};
  const bool one_piece = wrong.back() - wrong.front() + 1 == wrong.size();
  if (one_piece && wrong.back() + 1 == m.count) {
    return sentence("All elements from {first} to the end are wrong.",
                    {{"first", text_of(wrong.front())}});
  }
  if (one_piece && wrong.front() == 0) {
    return sentence("The first {count} elements are wrong; all others are correct.",
                    {{"count", text_of(wrong.size())}});
  }
  if (wrong.size() >= kEnough) {
    if (Sentence text = every_nth(m, wrong); !text.empty()) return text;
  }
  return has_rows(m) ? at_an_edge(m, wrong) : Sentence();
}

// Whether each element holds the expected value of the element that `rule` maps it to. Elements
// mapped outside the output do not count; at least half must count, and not all with the same
// value.
template <typename Rule>
bool moved(const Mismatches& m, const std::vector<uint64_t>& wrong, Rule rule) {
  size_t explained = 0;
  std::set<double> values;
  for (const uint64_t i : wrong) {
    const std::optional<uint64_t> from = rule(i);
    if (!from || *from >= m.count) continue;
    if (!same(m.got(i), m.expected(*from))) return false;
    ++explained;
    if (values.size() < 4) values.insert(m.expected(*from));
  }
  return explained >= kEnough && explained * 2 >= wrong.size() && values.size() >= 4;
}

Sentence by_places(uint64_t n, bool further) {
  return further ? counted(n, "Each holds the value that belongs {count} place later.",
                           "Each holds the value that belongs {count} places later.")
                 : counted(n, "Each holds the value that belongs {count} place earlier.",
                           "Each holds the value that belongs {count} places earlier.");
}
Sentence by_columns(uint64_t n, bool further) {
  return further ? counted(n, "Each holds the value that belongs {count} column to the right.",
                           "Each holds the value that belongs {count} columns to the right.")
                 : counted(n, "Each holds the value that belongs {count} column to the left.",
                           "Each holds the value that belongs {count} columns to the left.");
}
Sentence by_rows(uint64_t n, bool further) {
  return further ? counted(n, "Each holds the value that belongs {count} row further down.",
                           "Each holds the value that belongs {count} rows further down.")
                 : counted(n, "Each holds the value that belongs {count} row further up.",
                           "Each holds the value that belongs {count} rows further up.");
}

Sentence shifted(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  const auto by = [&](int64_t places) {
    return moved(m, wrong, [&](uint64_t i) -> std::optional<uint64_t> {
      const int64_t from = static_cast<int64_t>(i) + places;
      return from < 0 ? std::nullopt : std::optional(static_cast<uint64_t>(from));
    });
  };
  for (uint64_t n = 1; n <= kFarthest; ++n) {
    for (const bool further : {true, false}) {
      const auto places = further ? static_cast<int64_t>(n) : -static_cast<int64_t>(n);
      if (by(places)) return has_rows(m) ? by_columns(n, further) : by_places(n, further);
      if (has_rows(m) && by(places * static_cast<int64_t>(m.width))) return by_rows(n, further);
    }
  }
  return {};
}

// A divided index: `in[i / 2]`.
Sentence divided(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  for (const uint64_t n : {2, 3, 4, 8, 16, 32}) {
    if (moved(m, wrong, [&](uint64_t i) { return std::optional(i / n); })) {
      return sentence(
          "Element i holds the value that belongs in element i / {n}: is an index divided by {n}?",
          {{"n", n}});
    }
  }
  return {};
}

bool turned(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  return has_rows(m) && m.width * m.width == m.count &&
         moved(m, wrong, [&](uint64_t i) -> std::optional<uint64_t> {
           return i % m.width * m.width + i / m.width;
         });
}

// A common factor, a common difference, or a common value.
Sentence one_number(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  const auto all = [&](auto holds) { return std::all_of(wrong.begin(), wrong.end(), holds); };
  const uint64_t first = wrong.front();
  const double value = m.got(first);
  if (all([&](uint64_t i) { return m.got(i) == value; })) {
    return sentence("All of them are {value}.", {{"value", number(number_text(value))}});
  }
  const double factor = m.got(first) / m.expected(first);
  if (std::isfinite(factor) && std::abs(factor - 1) > kRounding &&
      all([&](uint64_t i) { return same(m.got(i), factor * m.expected(i)); })) {
    return sentence("Each is {factor} times the expected value.",
                    {{"factor", number(number_text(factor))}});
  }
  const double more = m.got(first) - m.expected(first);
  if (std::abs(more) > kRounding * std::abs(m.expected(first)) && all([&](uint64_t i) {
        return std::abs(m.got(i) - m.expected(i) - more) <= kSame * std::abs(more);
      })) {
    const std::vector<SentencePart> parts = {{"by", number(number_text(std::abs(more)))}};
    return more > 0 ? sentence("Each is {by} too large.", parts)
                    : sentence("Each is {by} too small.", parts);
  }
  return {};
}

Sentence rounded(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  double worst = 0;
  for (const uint64_t i : wrong) {
    const double error = std::abs(m.got(i) / m.expected(i) - 1);
    if (!std::isfinite(error) || error > kRounding) return {};
    worst = std::max(worst, error);
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1g", worst * 100);
  return sentence("They differ only in the last digits, by at most {percent}%.",
                  {{"percent", number(text)}});
}

Sentence one_sided(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  const auto all = [&](auto holds) { return std::all_of(wrong.begin(), wrong.end(), holds); };
  if (all([&](uint64_t i) { return m.got(i) < m.expected(i); })) {
    return sentence("All are too small.");
  }
  if (all([&](uint64_t i) { return m.got(i) > m.expected(i); })) {
    return sentence("All are too large.");
  }
  return {};
}

Sentence what(const Mismatches& m, const std::vector<uint64_t>& wrong) {
  if (wrong.size() < kEnough) return {};
  if (Sentence text = one_number(m, wrong); !text.empty()) return text;
  if (Sentence text = shifted(m, wrong); !text.empty()) return text;
  if (Sentence text = divided(m, wrong); !text.empty()) return text;
  if (Sentence text = rounded(m, wrong); !text.empty()) return text;
  return one_sided(m, wrong);
}

}  // namespace

Sentence common_to_mismatches(const Mismatches& m) {
  const Looked looked = look_at(m);
  if (looked.all.empty()) return {};
  // Only the diagonal is right then, which is not worth mentioning.
  if (looked.never == 0 && looked.all.size() >= kEnough && turned(m, looked.written)) {
    return sentence("Rows and columns are swapped.");
  }
  Sentence text = where(m, looked);
  if (looked.never == looked.all.size()) {
    if (looked.never > 1) text.then(sentence("They were never written."));
  } else if (looked.never > 0) {
    text.then(sentence("{count} of them were never written.", {{"count", text_of(looked.never)}}));
  }
  text.then(what(m, looked.written));
  return text;
}

}  // namespace warpshop::lab
