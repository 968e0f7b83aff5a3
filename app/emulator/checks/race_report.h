// Race findings in words.
#pragma once

#include <vector>

#include "emulator/finding.h"
#include "shadows/grid_shadow.h"

namespace warpshop::emulator {

// The relation between two accesses.
enum class RaceKind : uint8_t {
  kRace,
  kLoadBesideAtomic,  // a plain load and an atomic: the load sees the old or the new value
  kCheckedAgain,      // likewise, but an atomic checks the value again (checked_again.h)
  kLocked,            // a lock without fences, or a flag, orders the two
  kElected,           // a lane that arrives at an mbarrier object for its warp orders the two
};
// The severity of kRace depends on the race: `race`.
constexpr Severity severity_of(RaceKind kind, Severity race = Severity::kError) {
  return kind == RaceKind::kRace               ? race
         : kind == RaceKind::kLoadBesideAtomic ? Severity::kWarning
         : kind == RaceKind::kElected          ? Severity::kWarning
                                               : Severity::kNote;
}

// Message and cause of a race whose places, threads and accesses are known. Which access came
// second in this run is meaningless: a read is always named first. `block`: the block's shape.
void describe_race(Finding& finding, RaceKind kind, const Dim3& block);

// Likewise for a race between blocks in global memory; `other`: the other block, `several`: one of
// many.
void describe_block_race(Finding& finding, RaceKind kind, const Dim3& other, bool several);

// Likewise in a kernel that orders its blocks by fences; the running access is the later one.
void describe_grid_race(Finding& finding, GridHazard::Missing missing, const Dim3& other);

// The cause of a race in a line that loads a value and stores another to the same place.
void describe_update(Finding& finding);

// For a race in global memory of a kernel that has no fence but may order its threads by a flag, a
// counter or a lock: an atomic whose result is used. Says what is missing then.
void describe_missing_fence(Finding& finding, bool between_blocks);

// An access that conflicts with a copy in flight, a cp.async or one in bulk; `own`: started by the
// same thread.
void describe_copy_race(Finding& finding, bool own, bool in_bulk);

// Merges findings into one per pair of lines, and drops "never written" findings explained by a
// race.
void tidy_races(std::vector<Finding>& findings);

}  // namespace warpshop::emulator
