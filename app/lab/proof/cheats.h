// Cheats: rewrites of the lab's own kernels that could meet an exercise's checks without any real
// improvement. The proof runs them to show that none passes (lab/proof.h). A rewrite that does not
// compile does not count.
#pragma once

#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

struct Cheat {
  std::string name;  // "lanes one after the other"
  std::string of;    // the text it was made from: "start", "solution"
  std::string source;
  bool other_inputs = false;  // hard-codes the lab's inputs: run it with others
};

struct Cheats {
  std::vector<Cheat> tried;
  // Names of the cheats that do not apply to this exercise's kernels.
  std::vector<std::string> left_out;
};

// `size` is the first size, with `start` and `solution` run: the start's counters determine how
// many extra loads would meet the checks.
//
//   lanes one after the other   the whole kernel, one lane at a time; where the start has
//                               barriers, only its assignments
//   diluting loads              enough one-word loads from global or shared memory to make the
//                               start's ratios small
//   atomics as loads            each input is read by atomicAdd(…, 0)
//   copies as loads             each input is read by an asynchronous copy that is waited for,
//                               where a check counts waits of loads
//   one block for all           the first of many blocks does all work in turn, the others rest
//   inputs made anew            each random input is recomputed by the formula in core/fill.h
//   dynamic for static          the start's arrays in dynamic shared memory, padded, where a check
//                               counts static memory
//   local for shared memory     every thread gets its own copy of the arrays
Cheats cheats_of(const Exercise& exercise, const SizeResult& size);

}  // namespace warpshop::lab
