#include "maps/film_steps.h"

#include <algorithm>

namespace warpshop::ui {
namespace {

// The step is on a line that the thread, or the warp where `lane` is negative, has just come to.
bool comes_to_line(const lab::FilmScript& film, size_t step, int lane) {
  const auto runs = [&](size_t n) { return film.at(n).line > 0 && (lane < 0 || (film.steps[n].mask >> lane & 1)); };
  if (!runs(step)) return false;
  for (size_t n = step; n-- > 0;) {
    if (runs(n)) return film.at(n).line != film.at(step).line;
  }
  return true;
}

bool happens(const lab::FilmScript& film, size_t step, FilmEvent event, int lane) {
  const uint8_t flags = film.steps[step].flags;
  switch (event) {
    case FilmEvent::kStep: return true;
    case FilmEvent::kLine: return comes_to_line(film, step, lane);
    case FilmEvent::kAccess: return flags & emulator::kStepAccess;
    case FilmEvent::kDivergence: return flags & emulator::kStepDiverges;
    case FilmEvent::kFinding: return flags & emulator::kStepFinding;
  }
  return false;
}

}  // namespace

std::optional<size_t> next_in_film(const lab::FilmScript& film, size_t step, FilmEvent event, int by, int lane) {
  if (by > 0) {
    for (size_t n = step + 1; n < film.steps.size(); ++n) {
      if (happens(film, n, event, lane)) return n;
    }
  } else {
    for (size_t n = std::min(step, film.steps.size()); n-- > 0;) {
      if (happens(film, n, event, lane)) return n;
    }
  }
  return std::nullopt;
}

std::optional<size_t> step_at_line(const lab::FilmScript& film, std::optional<size_t> step, int line, int by) {
  const auto there = [&](size_t n) { return film.at(n).line == line && comes_to_line(film, n, -1); };
  if (by > 0) {
    for (size_t n = step ? *step + 1 : 0; n < film.steps.size(); ++n) {
      if (there(n)) return n;
    }
  } else {
    for (size_t n = std::min(step.value_or(0), film.steps.size()); n-- > 0;) {
      if (there(n)) return n;
    }
  }
  return std::nullopt;
}

std::optional<size_t> step_of_access(const lab::FilmScript& film, uint64_t access) {
  // Steps are numbered by the accesses before them: the last that begins at or before it and has any.
  const auto after = std::upper_bound(
      film.steps.begin(), film.steps.end(), access,
      [](uint64_t value, const emulator::ReplayStep& s) { return value < s.first_access; });
  for (auto at = after; at != film.steps.begin();) {
    --at;
    if (at->accesses == 0) continue;
    if (at->first_access + at->accesses <= access) return std::nullopt;
    return static_cast<size_t>(at - film.steps.begin());
  }
  return std::nullopt;
}

size_t first_record_of_warp(const lab::KernelRun& run, size_t record) {
  const emulator::WarpIdentity& warp = run.records[record].warp;
  auto same = [&](size_t n) {
    return run.records[n].warp.linear_block == warp.linear_block && run.records[n].warp.warp == warp.warp;
  };
  while (record > 0 && same(record - 1)) --record;
  return record;
}

std::optional<size_t> entry_at_step(const lab::KernelRun& run, const AccessIndex& index, size_t near,
                                    const lab::FilmScript& film, size_t step) {
  const emulator::ReplayStep& shown = film.steps[step];
  if (shown.accesses == 0 || near >= index.entries.size()) return std::nullopt;
  const size_t first = first_record_of_warp(run, index.entries[near].record) + shown.first_access;
  const WarpAccesses& warp = index.warp_of(near);
  if (warp.warp.linear_block != film.block || warp.warp.warp != film.warp) return std::nullopt;
  for (size_t n = warp.first; n < warp.first + warp.count; ++n) {
    const size_t record = index.entries[n].record;
    if (record >= first && record < first + shown.accesses) return n;
  }
  return std::nullopt;
}

}  // namespace warpshop::ui
