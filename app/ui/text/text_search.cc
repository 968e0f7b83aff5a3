#include "text/text_search.h"

#include <algorithm>
#include <cstddef>

#include "core/ascii.h"

namespace warpshop::ui {
namespace {

bool same_letter(char a, char b) { return lower(a) == lower(b); }

bool stands_alone(std::string_view text, size_t begin, size_t end) {
  return (begin == 0 || !is_word_character(text[begin - 1])) &&
         (end == text.size() || !is_word_character(text[end]));
}

}  // namespace

std::vector<size_t> find_all(std::string_view text, std::string_view query, SearchOptions options) {
  std::vector<size_t> found;
  if (query.empty()) return found;
  for (auto from = text.begin(); from != text.end();) {
    const auto at = options.match_case
                        ? std::search(from, text.end(), query.begin(), query.end())
                        : std::search(from, text.end(), query.begin(), query.end(), same_letter);
    if (at == text.end()) break;
    const auto begin = static_cast<size_t>(at - text.begin());
    const bool taken = !options.whole_word || stands_alone(text, begin, begin + query.size());
    if (taken) found.push_back(begin);
    from = at + (taken ? static_cast<ptrdiff_t>(query.size()) : 1);
  }
  return found;
}

std::string replace_all(std::string_view text, const std::vector<size_t>& found, size_t length,
                        std::string_view replacement) {
  std::string out;
  size_t done = 0;
  for (const size_t at : found) {
    out.append(text.substr(done, at - done)).append(replacement);
    done = at + length;
  }
  return out.append(text.substr(done));
}

}  // namespace warpshop::ui
