// A figure in a lab's text that shows accesses as the panels do. No drawing.
//
//   ```map aligned: 4 * lane; offset 13: 4 * (lane + 13)
//   (the same as text art, for the report and for readers of the file)
//   ```
//
// "map" (transactions of global memory) or "banks" (of shared memory) is followed by one or more
// maps: a label, a colon, and the byte address of each lane's 4-byte word, relative to the start of
// a line, as an expression over `lane` (core/expression.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maps/coalescer_map.h"
#include "models/bank_generations.h"

namespace warpshop::ui {

struct TextFigure {
  struct Access {
    std::string label;
    models::WarpRequest request;
    std::optional<CoalescerMap> map;                    // for "map", by the rules of current GPUs
    std::optional<models::GenerationBankResult> banks;  // for "banks", likewise
    int cost = 0, ideal = 0;                            // sectors, or wavefronts
  };
  std::vector<Access> accesses;
};

// Nullopt for code blocks in other languages, and if the words after it cannot be parsed: the text
// art is shown then.
std::optional<TextFigure> read_text_figure(std::string_view language, std::string_view words);

}  // namespace warpshop::ui
