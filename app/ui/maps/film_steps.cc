#include "maps/film_steps.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace warpshop::ui {
namespace {

// The steps at which the thread, or the warp if `lane` is negative, arrives at a line: from another
// line, or again, if a loop on a single line was unrolled. The latter is detected by a repeated
// access from the same place in the source.
std::vector<size_t> line_visits(const lab::FilmScript& film, int lane) {
  std::vector<size_t> out;
  std::vector<std::string_view> accesses;  // of the current visit
  int line = 0;
  for (size_t n = 0; n < film.steps.size(); ++n) {
    const emulator::ReplayStep& step = film.steps[n];
    const lab::FilmInstruction& instruction = film.at(n);
    if (instruction.line <= 0 || (lane >= 0 && !(step.mask >> lane & 1))) continue;
    const bool access = step.flags & emulator::kStepAccess;
    const bool again =
        access && std::find(accesses.begin(), accesses.end(), instruction.place) != accesses.end();
    if (instruction.line != line || again) {
      out.push_back(n);
      accesses.clear();
    }
    line = instruction.line;
    if (access) accesses.push_back(instruction.place);
  }
  return out;
}

// Among ascending steps, the nearest one after or before `from` for which `fits` is true.
template <typename Fits>
std::optional<size_t> nearest(const std::vector<size_t>& steps, std::optional<size_t> from, int by,
                              Fits fits) {
  if (by > 0) {
    const auto begin = from ? std::upper_bound(steps.begin(), steps.end(), *from) : steps.begin();
    const auto found = std::find_if(begin, steps.end(), fits);
    return found == steps.end() ? std::nullopt : std::optional(*found);
  }
  const auto before =
      std::make_reverse_iterator(std::lower_bound(steps.begin(), steps.end(), from.value_or(0)));
  const auto found = std::find_if(before, steps.rend(), fits);
  return found == steps.rend() ? std::nullopt : std::optional(*found);
}

uint8_t flag_of(FilmEvent event) {
  switch (event) {
    case FilmEvent::kAccess:
      return emulator::kStepAccess;
    case FilmEvent::kDivergence:
      return emulator::kStepDiverges;
    case FilmEvent::kFinding:
      return emulator::kStepFinding;
    default:
      return 0;  // any step
  }
}

}  // namespace

std::optional<size_t> next_in_film(const lab::FilmScript& film, size_t step, FilmEvent event,
                                   int by, int lane) {
  if (event == FilmEvent::kLine)
    return nearest(line_visits(film, lane), step, by, [](size_t) { return true; });
  const uint8_t flag = flag_of(event);
  const auto happens = [&](size_t n) { return flag == 0 || film.steps[n].flags & flag; };
  if (by > 0) {
    for (size_t n = step + 1; n < film.steps.size(); ++n) {
      if (happens(n)) return n;
    }
  } else {
    for (size_t n = std::min(step, film.steps.size()); n-- > 0;) {
      if (happens(n)) return n;
    }
  }
  return std::nullopt;
}

std::optional<size_t> step_at_line(const lab::FilmScript& film, std::optional<size_t> step,
                                   int line, int by) {
  return nearest(line_visits(film, -1), step, by,
                 [&](size_t n) { return film.at(n).line == line; });
}

std::optional<size_t> step_of_access(const lab::FilmScript& film, uint64_t access) {
  // Each step knows the number of accesses before it: find the last step that starts at or before
  // `access` and has any.
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
    return run.records[n].warp.linear_block == warp.linear_block &&
           run.records[n].warp.warp == warp.warp;
  };
  while (record > 0 && same(record - 1)) --record;
  return record;
}

std::optional<size_t> entry_at_step(const lab::KernelRun& run, const AccessIndex& index,
                                    size_t near, const lab::FilmScript& film, size_t step) {
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
