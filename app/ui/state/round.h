// Going round: behind the last comes the first, before the first the last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshop::ui {

// `by` places on from place `at` of `count`, or back where `by` is below 0. 0 where there are no
// places.
constexpr size_t go_round(size_t at, int64_t by, size_t count) {
  if (count == 0) return 0;
  const auto places = static_cast<int64_t>(count);
  return static_cast<size_t>(((static_cast<int64_t>(at % count) + by % places) % places + places) %
                             places);
}

}  // namespace warpshop::ui
