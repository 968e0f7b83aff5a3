// A warp that reads the elements of a layout in shared memory, 32 lanes at a time. No drawing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/layout.h"
#include "models/request.h"

namespace warpshop::ui {

struct LayoutReading {
  uint64_t element_bytes = 4;
  uint64_t per_lane = 1;  // elements of one row that a lane reads at once
  bool down = false;      // neighbouring lanes take neighbouring rows; else they go along a row
  uint64_t request = 0;   // which 32 lanes
};

struct LayoutCell {
  uint64_t row = 0, column = 0;
};

struct LayoutRequest {
  models::WarpRequest request;
  std::array<LayoutCell, models::kLanes> first{};  // of each active lane: its first element
  // A lane whose elements do not follow one another from a multiple of their bytes: no instruction
  // reads them at once.
  std::optional<int> torn;
};

// How many requests read the whole layout; 0 if its rows have fewer than `per_lane` elements.
uint64_t layout_requests(const models::Layout& layout, const LayoutReading& reading);
LayoutRequest layout_request(const models::Layout& layout, const LayoutReading& reading);
// The request and lane that read an element. None: those at a row's end that no lane takes.
struct LayoutReader {
  uint64_t request = 0;
  int lane = 0;
};
std::optional<LayoutReader> reader_of(const models::Layout& layout, const LayoutReading& reading,
                                      LayoutCell cell);

}  // namespace warpshop::ui
