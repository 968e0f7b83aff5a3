#include "text/search.h"

#include <sstream>
#include <string>

#include "core/ascii.h"
#include "text/format.h"

namespace warpshop::ui {

std::optional<int> match(std::string_view filter, std::string_view title, std::string_view also) {
  const std::string in_title = lower(title), in_also = " " + lower(also);
  std::istringstream words(lower(filter));
  int score = 0;
  for (std::string word; words >> word;) {
    const size_t at = in_title.find(word);
    if (at != std::string::npos) {
      // The start of the title is best, then the start of a word.
      score += at == 0 ? 0 : in_title[at - 1] == ' ' ? 1 : 2;
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
