// Rows of values, one per variable or register: the value in one lane, and a bar for each of the 32
// lanes.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "ptx/module.h"

namespace warpshop::ui {

struct ValueRow {
  std::string name;
  std::string beside;                // small text between name and value
  std::string value;                 // in the chosen lane
  bool is_sentence = false;          // `value` is text, not a number: "not yet assigned"
  ptx::Type type = ptx::Type::kB32;  // how the bars interpret the bits
  std::array<uint64_t, 32> bits{};
  uint32_t lanes = 0xffffffffu;              // lanes that have a value
  uint32_t changed = 0;                      // lanes changed by the step
  bool strong = true;                        // the name stands out
  int line = 0;                              // target of a click; 0: none
  std::string title, explanation, footnote;  // for the tooltip
};

// Positions of the columns in a panel's rows, and of the strip of lanes above them.
struct ValueColumns {
  float width = 0;
  float cells_left = 0;  // screen coordinate
  float pitch = 0, cell = 0;
  float row_height = 0;
};

// Draws the strip of lanes in the layout; a click chooses the lane whose values are written out.
ValueColumns lane_strip(const View& view, int& lane, CommandQueue& queue);
// Draws one row in the layout. `id` must be unique in the window.
void value_row(const View& view, const ValueColumns& columns, const ValueRow& row, int lane, int id,
               CommandQueue& queue);

}  // namespace warpshop::ui
