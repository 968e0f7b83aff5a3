// Races as people should read them.
#pragma once

#include <vector>

#include "emulator/finding.h"

namespace warpshop::emulator {

// What two accesses are to each other.
enum class RaceKind : uint8_t {
  kRace,
  kLoadBesideAtomic,   // a plain load and an atomic: it sees one value or the other
  kCheckedAgain,       // likewise, and an atomic checks the value again (checked_again.h)
};
// kRace is as severe as it is otherwise: `race`.
constexpr Severity severity_of(RaceKind kind, Severity race = Severity::kError) {
  return kind == RaceKind::kRace ? race : kind == RaceKind::kLoadBesideAtomic ? Severity::kWarning : Severity::kNote;
}

// Message and cause of a race whose places, threads and accesses are known. Which side came second in this run
// means nothing: a read is told first always. `block`: the block's shape.
void describe_race(Finding& finding, RaceKind kind, const Dim3& block);

// Likewise of a race between blocks in global memory; `other`: the other block, `several`: it is one of many.
void describe_block_race(Finding& finding, RaceKind kind, const Dim3& other, bool several);

// An access to what a copy in flight writes or reads; `own`: the same thread has started it.
void describe_copy_race(Finding& finding, bool own);

// One finding for each pair of lines, and no "never written" that a race explains.
void tidy_races(std::vector<Finding>& findings);

}  // namespace warpshop::emulator
