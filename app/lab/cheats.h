// Ways to meet an exercise's checks without learning anything, made of the lab's own kernels by changing their text: for the
// proof that none of them passes (lab/proof.h). What does not compile afterwards was no such way.
#pragma once

#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

struct Cheat {
  std::string name;           // "lanes one after the other"
  std::string of;             // of which text: "start", "solution"
  std::string source;
  bool other_inputs = false;  // knows the lab's inputs by heart: to be run with others
};

struct Cheats {
  std::vector<Cheat> tried;
  std::vector<std::string> left_out;  // names of those that cannot be made of this exercise's kernels
};

// `size` is the first one, with `start` and `solution`: from the start's counters follows how many extra loads would meet the
// checks.
//
//   lanes one after the other   the whole kernel for one lane after the other; where the start has barriers, its assignments
//   diluting loads              as many loads of one word, from global or from shared memory, as make the start's ratios small
//   atomics as loads            each input is read by atomicAdd(…, 0)
//   inputs made anew            each random input is calculated by the formula of core/fill.h
//   dynamic for static          the start's arrays in dynamic shared memory, with padding, where a check counts the static
//   local for shared memory     every thread has arrays of its own
Cheats cheats_of(const Exercise& exercise, const SizeResult& size);

}  // namespace warpshop::lab
