// What unused columns would do for an access to shared memory: the same lanes in an array whose rows are longer, so that
// they begin in other banks. Source of the technique: GTC 2015, "GPU Memory Bootcamp: Best Practices" (tile[32][33]);
// M. Harris, GPU Gems 3, chapter 39, "Parallel Prefix Sum", 39.2.3 (an unused word after every 32).
#pragma once

#include <cstdint>
#include <optional>

#include "models/bank_generations.h"

namespace warpshop::models {

struct PaddedAccess {
  uint64_t row_bytes = 0;    // of the array as it is: after each so many bytes …
  uint32_t pad_bytes = 0;    // … so many stay unused
  WarpRequest request;       // the same access in the longer rows
  GenerationBankResult banks;
};

// The padding that leaves the fewest passes; of equals the one with the longest rows, which wastes the least. Rows are as
// long as the lanes' addresses are apart where that is a multiple of all banks, or as long as all banks; the pad is a word,
// or an element where that is wider. None: no conflict, or no padding helps.
std::optional<PaddedAccess> padded_access(BankRule rule, const WarpRequest& request,
                                          SharedAccess access = SharedAccess::kLoad);

}  // namespace warpshop::models
