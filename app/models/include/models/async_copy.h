// cp.async: from global to shared memory without registers (LDGSTS), as an H200 counts it.
//
// Through L1 (.ca) it is a load of the source's sectors, and a wavefront serves each bank once on
// both sides: in L1, whose lines have the same banks, and in shared memory.
//
// Past L1 (.cg) each quarter-warp requests, for each aligned piece of 32 bytes of its destination,
// the sectors that fill it, and a piece counts once for each line that it comes from. A request
// takes all of a piece from one sector, or one half from one half. Whole requests between the same
// 128 bytes on both sides share a wavefront; halves do so only if all go from the same half to the
// same half, the same number of pieces on.
//
// Source: tests/hardware/asynchronous; docs/models.md, "Asynchronous copies".
#pragma once

#include "models/banks.h"
#include "models/request.h"

namespace warpshop::models {

struct AsyncCopyCounts {
  int sectors = 0;              // l1tex__t_sectors_pipe_lsu_mem_global_op_ld
  int theoretical_sectors = 0;  // memory_l2_theoretical_sectors_global
  int ideal_sectors = 0;        // …_ideal
  uint64_t bytes_used = 0;      // distinct bytes of the source
  BankCounts banks;             // of shared memory
};

// `from`: the lanes that read, all their bytes or some; `to`: those and the lanes that only write
// zeros. `some_bytes`: a lane reads a part of its bytes, and the rest is filled with zeros.
AsyncCopyCounts count_async_copy(const WarpRequestView& from, const WarpRequestView& to,
                                 bool bypasses_l1, bool some_bytes);

}  // namespace warpshop::models
