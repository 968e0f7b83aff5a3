#include "checks/race_report.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checks/words.h"

namespace warpshop::emulator {
namespace {

void read_first(Finding& f) {
  if (f.access == "read" || f.other_access != "read" || !f.other_place || !f.other_who) return;
  std::swap(f.place, *f.other_place);
  std::swap(f.who, *f.other_who);
  std::swap(f.access, f.other_access);
}

// True if both describe the same two lines, in either order.
bool same_pair(const Finding& a, const Finding& b) {
  if (a.place == b.place && a.other_place == b.other_place && a.access == b.access &&
      a.other_access == b.other_access)
    return true;
  return a.other_place && b.other_place && a.place == *b.other_place && *a.other_place == b.place &&
         a.access == b.other_access && a.other_access == b.access;
}

bool in_one_warp(const Finding& f, const Dim3& block) {
  const auto warp = [&](const Dim3& t) {
    return (t.x + block.x * (t.y + block.y * t.z)) / kWarpSize;
  };
  return f.other_who && warp(f.who.thread) == warp(f.other_who->thread);
}

// The other access, with its line if that is known.
Sentence at_its_line(const Finding& f, Sentence access) {
  if (!f.other_place) return access;
  return sentence("{access} in line {line}",
                  {{"access", std::move(access)}, {"line", f.other_place->line}});
}

// A plain load and an unordered atomic. The usual advice (a barrier, a second launch) does not
// apply.
void describe_beside_atomic(Finding& f, RaceKind kind, bool of_one_block, Sentence memory,
                            Sentence who, Sentence other) {
  std::vector<SentencePart> parts = {{"access", access_words(f.access)},
                                     {"memory", std::move(memory)},
                                     {"who", std::move(who)},
                                     {"other", std::move(other)}};
  if (kind == RaceKind::kCheckedAgain) {
    f.message = sentence(
        "{access} of {memory} by {who} meets {other}: formally a race, but an atomic checks the "
        "loaded value again",
        std::move(parts));
    f.cause = sentence(
        "a plain load that an atomicCAS loop starts with, or that decides whether an atomic is "
        "needed, does no harm when it is old; a volatile or atomic load is no race at all");
    return;
  }
  f.message = sentence(
      "{access} of {memory} by {who} meets {other}: the load sees the value before it or after it",
      std::move(parts));
  f.cause = of_one_block
                ? sentence(
                      "a load that needs the last value must come after all of the atomics: put a "
                      "__syncthreads() between them; one for which either value will do should be "
                      "volatile or atomic")
                : sentence(
                      "make the load volatile or atomic if either value will do; a load that needs "
                      "the last value must come after all of the atomics");
}

}  // namespace

namespace {

void describe_locked(Finding& f, Sentence memory, Sentence other) {
  f.message = sentence(
      "{access} of {memory} by {who} meets {other}: a lock or a flag keeps the two apart, but "
      "without fences it orders no memory",
      {{"access", access_words(f.access)},
       {"memory", std::move(memory)},
       {"who", thread_words(f.who)},
       {"other", std::move(other)}});
  f.cause = sentence(
      "put a __threadfence_block() after the lock is taken or the flag seen, and another before "
      "the lock is released or the flag set: no manual promises the order without them");
}

void describe_elected(Finding& f, Sentence memory, Sentence other) {
  f.message = sentence(
      "{access} of {memory} by {who} meets {other}: they are ordered by an mbarrier at which only "
      "another lane of the warp arrived, and nothing orders that lane after the access",
      {{"access", access_words(f.access)},
       {"memory", std::move(memory)},
       {"who", thread_words(f.who)},
       {"other", std::move(other)}});
  f.cause = sentence(
      "put a __syncwarp() before the arrival of one lane for its warp: the lanes of a warp need "
      "not run in step");
}

}  // namespace

void describe_race(Finding& f, RaceKind kind, const Dim3& block) {
  read_first(f);
  Sentence other =
      at_its_line(f, the_access_by(f.other_access, f.other_who ? thread_words(*f.other_who)
                                                               : sentence("another thread")));
  Sentence memory = memory_words(f);
  if (kind == RaceKind::kLocked) return describe_locked(f, std::move(memory), std::move(other));
  if (kind == RaceKind::kElected) return describe_elected(f, std::move(memory), std::move(other));
  if (kind != RaceKind::kRace)
    return describe_beside_atomic(f, kind, true, std::move(memory), thread_words(f.who),
                                  std::move(other));
  f.message = sentence("{access} of {memory} by {who} races with {other}: nothing orders the two",
                       {{"access", access_words(f.access)},
                        {"memory", std::move(memory)},
                        {"who", thread_words(f.who)},
                        {"other", std::move(other)}});
  if (f.access != "read" && f.other_access != "read") {
    f.cause = f.access == "write" && f.other_access == "write"
                  ? sentence(
                        "several threads write different values to one place: give each its own, "
                        "or use an atomic")
                  : sentence(
                        "an atomic and a plain access to one place: both must be atomic, or a "
                        "barrier must lie between");
  } else if (in_one_warp(f, block)) {
    f.cause = sentence(
        "threads of one warp need not run in step: put a __syncwarp() between the write and the "
        "read");
  } else {
    f.cause = sentence(
        "a __syncthreads() is missing: between filling and reading, or, in a loop, between reading "
        "and filling again");
  }
}

void describe_block_race(Finding& f, RaceKind kind, const Dim3& other, bool several) {
  Sentence theirs =
      at_its_line(f, an_access_by(f.other_access,
                                  several ? sentence("several other blocks") : block_words(other)));
  if (kind != RaceKind::kRace) {
    return describe_beside_atomic(f, kind, false, sentence("\"{name}\"", {{"name", f.allocation}}),
                                  block_words(f.who.block), std::move(theirs));
  }
  f.message = sentence(
      "{access} of \"{name}\" by {who} races with {other}: blocks run in any order, and no barrier "
      "joins them",
      {{"access", access_words(f.access)},
       {"name", f.allocation},
       {"who", block_words(f.who.block)},
       {"other", std::move(theirs)}});
  const bool stored = f.access == "write" || f.other_access == "write";
  f.cause = stored && (f.access == "atomic" || f.other_access == "atomic")
                ? sentence(
                      "an atomic and a plain store of different blocks to one place: both must be "
                      "atomic, or what the store prepares must be done by an earlier launch")
            : f.access == "read" || f.other_access == "read"
                ? sentence(
                      "a result of one block used by another in the same launch: split the kernel "
                      "in two launches")
                : sentence(
                      "several blocks write different values to one place: give each its own, or "
                      "use an atomic");
}

void describe_grid_race(Finding& f, GridHazard::Missing missing, const Dim3& other) {
  const std::vector<SentencePart> parts = {
      {"access", access_words(f.access)},
      {"name", f.allocation},
      {"who", block_words(f.who.block)},
      {"other", at_its_line(f, an_access_by(f.other_access, block_words(other)))}};
  switch (missing) {
    case GridHazard::Missing::kOrder:
      f.message = sentence(
          "{access} of \"{name}\" by {who} races with {other}: nothing orders the two blocks here",
          parts);
      f.cause = sentence(
          "put a flag, a counter, a lock or a barrier of the grid between the two; of a block's "
          "threads, it orders only those that a __syncthreads() joins to the one at the flag");
      return;
    case GridHazard::Missing::kFenceBefore:
      f.message = sentence(
          "{access} of \"{name}\" by {who} races with {other}: a flag, a counter or a lock lies "
          "between the two, but no __threadfence() before it was set or released",
          parts);
      f.cause = sentence(
          "put a __threadfence() before it is set or released: after the accesses of the same "
          "thread, or after the __syncthreads() that ends those of its block");
      return;
    case GridHazard::Missing::kFenceAfter:
      f.message = sentence(
          "{access} of \"{name}\" by {who} meets {other}: formally a race, since no "
          "__threadfence() follows the flag, the counter or the lock that lies between the two",
          parts);
      f.cause = sentence(
          "a common idiom, but without a __threadfence() after the flag is seen or the lock taken, "
          "no manual promises that what is loaded then is as new as the flag");
      return;
  }
}

void describe_update(Finding& f) {
  f.cause = sentence(
      "several threads read this value, change it and write it back, so that updates get lost: use "
      "an atomic, such as atomicAdd, or give each thread a place of its own");
}

void describe_missing_fence(Finding& f, bool between_blocks) {
  if (f.access == "atomic" || f.other_access == "atomic") return;
  f.cause =
      between_blocks
          ? sentence(
                "if an atomic flag, counter or lock is meant to order the two, it does so only "
                "with "
                "a __threadfence() before it is set or released and another after it is seen or "
                "taken; else split the kernel in two launches")
          : sentence(
                "if an atomic flag, counter or lock is meant to order the two, it does so only "
                "with "
                "a __threadfence() before it is set or released and another after it is seen or "
                "taken; else a __syncthreads() is missing");
}

void describe_copy_race(Finding& f, bool own, bool in_bulk) {
  Sentence starter = own ? sentence("the same thread") : thread_words(*f.other_who);
  if (f.other_place && f.other_place->line > 0) {
    starter = sentence("{who} in line {line}",
                       {{"who", std::move(starter)}, {"line", f.other_place->line}});
  }
  const bool shared = f.space == "shared";
  f.message = sentence(
      "{access} of {memory} by {who} meets a copy in flight, started by {other}: it has not been "
      "waited for",
      {{"access", access_words(f.access)},
       {"memory", memory_words(f)},
       {"who", thread_words(f.who)},
       {"other", std::move(starter)}});
  if (in_bulk) {
    f.cause = sentence(
        "a copy in bulk reads and writes at any time until the phase of its barrier ends: wait "
        "for that phase before its destination is read, copied to again or stored to, and before "
        "its source is stored to");
    return;
  }
  f.cause = shared ? sentence(
                         "a cp.async writes at any time until its thread waits for it: wait for "
                         "its group before its destination is read, copied to again or stored to, "
                         "and where others do that, meet them at a barrier after the wait")
                   : sentence(
                         "a cp.async reads at any time until its thread waits for it: store to its "
                         "source after that");
}

void tidy_races(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (Finding& f : findings) {
    if (f.kind == FindingKind::kRace) {
      const auto twin = std::find_if(kept.begin(), kept.end(), [&](const Finding& k) {
        return k.kind == FindingKind::kRace && same_pair(k, f);
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
             return race.kind == FindingKind::kRace && race.severity != Severity::kNote &&
                    race.access == "read" && race.place.line == f.place.line;
           });
  });
  findings = std::move(kept);
}

}  // namespace warpshop::emulator
