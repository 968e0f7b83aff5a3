// The transaction map as plain data: 128-byte lines as rows, with their sectors and words, and the
// words that each lane touches. No drawing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/coalescer.h"
#include "models/transactions.h"

namespace warpshop::ui {

struct CoalescerMap {
  // `sectors` are the pieces of 32 bytes that are moved; before compute capability 5.0,
  // `generation` gives the transactions.
  models::CoalescerResult result;
  std::optional<models::TransactionResult> generation;
  int unit_bytes = 4;      // size of a cell: 4 bytes, or the width of the lane's access if narrower
  int cells_per_row = 32;  // 128 / unit_bytes

  struct Row {
    uint64_t address = 0;         // of the 128-byte line
    uint64_t gap_bytes = 0;       // bytes of untouched lines between this row and the previous one
    std::array<bool, 4> moved{};  // its sectors
    std::vector<int16_t> lane;    // per cell: the first lane that touches it; -1: none
    std::vector<uint8_t> lanes;   // per cell: the number of lanes that touch it
    int used_cells = 0;
  };
  std::vector<Row> rows;  // ascending address

  struct Target {  // where a lane's link ends
    int row = -1;  // -1: the lane is inactive
    int first_cell = 0;
    int cell_count = 0;  // in that row
  };
  std::array<Target, models::kLanes> target{};

  // A single word needs its whole 32-byte sector: nothing smaller can be moved, so it wastes
  // nothing.
  bool wastes() const { return result.counts.sectors > result.counts.ideal_sectors; }
};

// By the current rule, in sectors.
CoalescerMap map_transactions(const models::WarpRequest& request);
// `made`: the transactions that a GPU generates for the request (lab::transactions_of).
CoalescerMap map_transactions(const models::WarpRequest& request, models::TransactionResult made);

}  // namespace warpshop::ui
