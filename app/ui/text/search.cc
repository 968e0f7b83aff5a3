#include "text/search.h"

#include <sstream>
#include <string>

#include "core/ascii.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr int kIsTyped = -2000, kBeginsTyped = -1000;  // below every sum over words

// What is gained if all of the typed text stands at the start of the name.
int as_typed(std::string_view typed, std::string_view title, NameAt name) {
  if (typed.empty()) return 0;
  size_t at = title.find(typed);
  while (name == NameAt::kAnyWord && at != std::string_view::npos && at > 0 && title[at - 1] != ' ')
    at = title.find(typed, at + 1);
  if (at == std::string_view::npos || (name == NameAt::kStart && at > 0)) return 0;
  return at + typed.size() == title.size() ? kIsTyped : kBeginsTyped;
}

}  // namespace

std::optional<int> match(std::string_view filter, std::string_view title, std::string_view also,
                         NameAt name) {
  const std::string in_title = lower(title), in_also = " " + lower(also);
  std::istringstream words(lower(filter));
  int score = as_typed(trimmed(lower(filter)), in_title, name);
  for (std::string word; words >> word;) {
    const size_t at = in_title.find(word);
    if (at != std::string::npos) {
      // The start of the name is best, then the start of a word.
      const bool begins = at == 0 || in_title[at - 1] == ' ';
      score += at == 0 || (begins && name == NameAt::kAnyWord) ? 0 : begins ? 1 : 2;
    } else if (in_also.find(" " + word) != std::string::npos) {
      score += 3;
    } else if (in_also.find(word) != std::string::npos) {
      score += 4;
    } else {
      return std::nullopt;
    }
  }
  return score;
}

}  // namespace warpshop::ui
