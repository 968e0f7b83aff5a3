// A value of one lane and a bar for each of all 32, a line for each variable or register.
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
  std::string beside;                // small, between name and value
  std::string value;                 // of the chosen lane
  bool is_sentence = false;          // the value is no number: "not yet assigned"
  ptx::Type type = ptx::Type::kB32;  // how the bars read the bits
  std::array<uint64_t, 32> bits{};
  uint32_t lanes = 0xffffffffu;              // that have a value
  uint32_t changed = 0;                      // by the step
  bool strong = true;                        // the name stands out
  int line = 0;                              // where a click leads; 0: nowhere
  std::string title, explanation, footnote;  // of the tooltip
};

// Where the columns of a panel's rows are, and the strip of lanes above them.
struct ValueColumns {
  float width = 0;
  float cells_left = 0;  // on the screen
  float pitch = 0, cell = 0;
  float row_height = 0;
};

// The strip, in the layout: a click chooses the lane whose values are written out.
ValueColumns lane_strip(const View& view, int& lane, CommandQueue& queue);
// One row, in the layout. `id`: unique in the window.
void value_row(const View& view, const ValueColumns& columns, const ValueRow& row, int lane, int id,
               CommandQueue& queue);

}  // namespace warpshop::ui
