#include "core/spelling.h"

#include <algorithm>
#include <vector>

#include "core/ascii.h"

namespace warpshop {

size_t spelling_distance(std::string_view a, std::string_view b) {
  const auto same = [&](size_t i, size_t j) { return lower(a[i]) == lower(b[j]); };
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

bool is_near(std::string_view a, std::string_view b) {
  const size_t mistakes = spelling_distance(a, b);
  return mistakes <= 2 && mistakes * 3 <= std::max(a.size(), b.size());
}

}  // namespace warpshop
