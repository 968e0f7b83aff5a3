// A figure in a lab's text that is drawn as the panels draw an access. No drawing.
//
//   ```map aligned: 4 * lane; offset 13: 4 * (lane + 13)
//   (the same in letters, for the report and for who reads the file)
//   ```
//
// Behind "map" (transactions of global memory) or "banks" (of shared memory) stand one or more
// maps: a label, a colon, and the byte address of each lane's word of 4 bytes, an expression over
// `lane` (lab/expression.h), from the begin of a line.
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
    std::optional<CoalescerMap> map;                    // of "map", by the rule of today's GPUs
    std::optional<models::GenerationBankResult> banks;  // of "banks", by the same
    int cost = 0, ideal = 0;                            // sectors, or wavefronts
  };
  std::vector<Access> accesses;
};

// Nothing for other languages of code blocks, and where the words behind cannot be read: the
// letters are shown then.
std::optional<TextFigure> read_text_figure(std::string_view language, std::string_view words);

}  // namespace warpshop::ui
