#include "core/grouped.h"

#include <algorithm>

#include "core/ascii.h"

namespace warpshop {

std::string grouped(std::string number) {
  const size_t first = number.starts_with('-') ? 1 : 0;
  const size_t end = std::min(number.find('.'), number.size());
  const auto digits = [&](size_t from, size_t to) {
    return std::all_of(number.begin() + static_cast<std::ptrdiff_t>(from),
                       number.begin() + static_cast<std::ptrdiff_t>(to), is_digit);
  };
  if (!digits(first, end) || (end < number.size() && !digits(end + 1, number.size())))
    return number;
  for (size_t at = end; at > first + 3;) number.insert(at -= 3, ",");
  return number;
}

}  // namespace warpshop
