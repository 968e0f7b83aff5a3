// Wraps an index around a list.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshop::ui {

// The index `by` places after `at`, modulo `count`;
// before it if `by` is negative. 0 if `count` is 0.
constexpr size_t wrap_index(size_t at, int64_t by, size_t count) {
  if (count == 0) return 0;
  const auto places = static_cast<int64_t>(count);
  return static_cast<size_t>(((static_cast<int64_t>(at % count) + by % places) % places + places) %
                             places);
}

}  // namespace warpshop::ui
