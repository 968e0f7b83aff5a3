#include "checks/race_report.h"

#include <algorithm>
#include <string>
#include <utility>

namespace warpshop::emulator {
namespace {

std::string text_of(const ThreadPlace& who) {
  return "thread (" + std::to_string(who.thread.x) + ", " + std::to_string(who.thread.y) + ", " +
         std::to_string(who.thread.z) + ")";
}

void read_first(Finding& f) {
  if (f.access == "read" || f.other_access != "read" || !f.other_place || !f.other_who) return;
  std::swap(f.place, *f.other_place);
  std::swap(f.who, *f.other_who);
  std::swap(f.access, f.other_access);
}

bool in_one_warp(const Finding& f, const Dim3& block) {
  const auto warp = [&](const Dim3& t) { return (t.x + block.x * (t.y + block.y * t.z)) / kWarpSize; };
  return f.other_who && warp(f.who.thread) == warp(f.other_who->thread);
}

}  // namespace

void describe_race(Finding& f, const Dim3& block) {
  read_first(f);
  const std::string where = f.allocation.empty() ? "shared memory" : "\"" + f.allocation + "\"";
  f.message = f.access + " of " + where + " by " + text_of(f.who) + " races with the " + f.other_access + " by " +
              (f.other_who ? text_of(*f.other_who) : "another thread") +
              (f.other_place ? " in line " + std::to_string(f.other_place->line) : "") + ": nothing orders the two";
  if (f.access != "read" && f.other_access != "read") {
    f.cause = f.access == "write" && f.other_access == "write"
                  ? "several threads write different values to one place: give each its own, or use an atomic"
                  : "an atomic and a plain access to one place: both must be atomic, or a barrier must lie between";
  } else if (in_one_warp(f, block)) {
    f.cause = "threads of one warp need not run in step: put a __syncwarp() between the write and the read";
  } else {
    f.cause =
        "a __syncthreads() is missing: between filling and reading, or, in a loop, between reading and filling again";
  }
}

void describe_block_race(Finding& f, const Dim3& other, bool several) {
  auto text = [](const Dim3& d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
  };
  f.message = f.access + " of \"" + f.allocation + "\" by block " + text(f.who.block) + " races with a " +
              f.other_access + " by " + (several ? std::string("several other blocks") : "block " + text(other)) +
              ": blocks run in any order, and no barrier joins them";
  f.cause = f.access == "read" || f.other_access == "read"
                ? "a result of one block used by another in the same launch: split the kernel in two launches"
                : "several blocks write different values to one place: give each its own, or use an atomic";
}

void tidy_races(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (Finding& f : findings) {
    if (f.kind == FindingKind::kRace) {
      const auto twin = std::find_if(kept.begin(), kept.end(), [&](const Finding& k) {
        return k.kind == FindingKind::kRace && k.place == f.place && k.other_place == f.other_place &&
               k.access == f.access && k.other_access == f.other_access;
      });
      if (twin != kept.end()) {
        const uint64_t count = twin->count + f.count;
        if (f.severity < twin->severity) *twin = std::move(f);
        twin->count = count;
        continue;
      }
    }
    kept.push_back(std::move(f));
  }
  std::erase_if(kept, [&](const Finding& f) {
    return f.kind == FindingKind::kUninitialised && f.space == "shared" &&
           std::any_of(kept.begin(), kept.end(), [&](const Finding& race) {
             return race.kind == FindingKind::kRace && race.access == "read" && race.place.line == f.place.line;
           });
  });
  findings = std::move(kept);
}

}  // namespace warpshop::emulator
