// The effect of padding on a shared-memory access: the same lanes in an array with longer rows,
// which start in other banks. Source of the technique: GTC 2015, "GPU Memory Bootcamp: Best
// Practices" (tile[32][33]); M. Harris, GPU Gems 3, chapter 39, "Parallel Prefix Sum", 39.2.3 (an
// unused word after every 32).
#pragma once

#include <cstdint>
#include <optional>

#include "models/bank_generations.h"

namespace warpshop::models {

struct PaddedAccess {
  uint64_t row_bytes = 0;  // of the original array
  uint32_t pad_bytes = 0;  // unused bytes inserted after each row
  WarpRequest request;     // the same access with padded rows
  GenerationBankResult banks;
};

// The padding with the fewest passes; of equals, the one with the longest rows, which wastes the
// least memory. Candidate row lengths are the lanes' stride, if it is a multiple of all banks, and
// the width of all banks; the pad is one word, or one element if that is wider. None: no conflict,
// no padding helps, or the lanes' addresses have no regular stride, as those of a histogram.
std::optional<PaddedAccess> padded_access(BankRule rule, const WarpRequest& request,
                                          SharedAccess access = SharedAccess::kLoad);

}  // namespace warpshop::models
