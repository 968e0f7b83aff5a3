#include "maps/film_steps.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace warpshop::ui {
namespace {

// The registers that an instruction names: first those that it writes, if it writes any.
struct NamedRegisters {
  std::vector<std::string_view> written, read;
};
NamedRegisters registers_in(std::string_view text) {
  NamedRegisters out;
  bool behind_opcode = false, writes = false;
  int depth = 0;  // of brackets and braces
  for (size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (!behind_opcode && c >= 'a' && c <= 'z') {
      const std::string_view opcode = text.substr(n, text.find_first_of(" ;", n) - n);
      behind_opcode = true;
      writes = !opcode.starts_with("st.") && !opcode.starts_with("red.");
      n += opcode.size();
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      writes = false;
    } else if (c == '%') {
      const size_t end = std::min(text.find_first_of(" ,;|[]{}+", n), text.size());
      (behind_opcode && writes ? out.written : out.read).push_back(text.substr(n, end - n));
      n = end - 1;
    }
  }
  return out;
}

// The steps of `stay`, which runs straight through one line, that access memory or compute with
// what it has loaded, from the first access on. Index arithmetic is left out: it differs from copy
// to copy of an unrolled loop.
std::vector<size_t> data_steps(const lab::FilmScript& film, const std::vector<size_t>& stay) {
  std::vector<size_t> out;
  std::set<std::string_view> loaded;  // registers
  for (const size_t n : stay) {
    const std::string_view text = film.at(n).text;
    const bool access = film.steps[n].flags & emulator::kStepAccess;
    if (out.empty() && !access) continue;
    const NamedRegisters names = registers_in(text);
    const bool uses = std::any_of(names.read.begin(), names.read.end(),
                                  [&](std::string_view name) { return loaded.contains(name); });
    for (const std::string_view name : names.written) {
      if (access || uses) {
        loaded.insert(name);
      } else {
        loaded.erase(name);
      }
    }
    if (access || uses) out.push_back(n);
  }
  return out;
}

// Where the copies of an unrolled loop on one line begin in `stay`, apart from the first: the steps
// that access memory or use what was loaded repeat. The first copy may differ, since a sum starts
// without an addition. A few loads that nothing separates are operands of one statement; more of
// them are a loop's, whose sum the compiler has moved behind them.
std::vector<size_t> unrolled_copies(const lab::FilmScript& film, const std::vector<size_t>& stay) {
  const auto loads_or_stores = [&](size_t n) {
    return (film.steps[n].flags & emulator::kStepAccess) != 0;
  };
  if (std::count_if(stay.begin(), stay.end(), loads_or_stores) < 2) return {};
  constexpr size_t kOperands = 8;
  const std::vector<size_t> data = data_steps(film, stay);
  const auto accesses = [&](size_t k) { return loads_or_stores(data[k]); };
  const auto place = [&](size_t k) -> const std::string& { return film.at(data[k]).place; };
  const auto completes = [&](size_t k) { return !accesses(k) || place(k).starts_with("st."); };
  size_t end = data.size();  // behind the last access
  while (end > 0 && !accesses(end - 1)) --end;
  for (size_t period = 1; 2 * period <= data.size(); ++period) {
    // `first`: the length of a first copy that differs from the others.
    for (size_t first = 0; first <= period; ++first) {
      if (first + period > data.size() || !accesses(first)) continue;
      bool complete = false;
      for (size_t k = first; k < first + period; ++k) complete |= completes(k);
      const size_t to = std::max(end, first + (!complete ? kOperands : first ? 3 : 2) * period);
      bool repeats = to <= data.size();
      for (size_t k = first + period; k < to && repeats; ++k)
        repeats = place(k) == place(k - period);
      if (!repeats) continue;
      std::vector<size_t> out;
      for (size_t k = first > 0 ? first : period; k < end; k += period) out.push_back(data[k]);
      return out;
    }
  }
  return {};
}

// The steps at which the thread, or the warp if `lane` is negative, begins to execute a line: it
// comes from another line, or the line is a loop and its next iteration begins, which runs the same
// instructions again or, if the loop was unrolled, a copy of them.
std::vector<size_t> line_visits(const lab::FilmScript& film, int lane) {
  struct Executed {
    size_t stay = 0;
    uint32_t lanes = 0;
  };
  std::vector<std::vector<Executed>> executed;
  for (const std::vector<lab::FilmInstruction>& function : film.functions)
    executed.emplace_back(function.size());
  std::vector<size_t> out, stay;
  size_t stays = 0;
  const auto end_stay = [&] {
    if (stay.empty()) return;
    out.push_back(stay.front());
    const std::vector<size_t> copies = unrolled_copies(film, stay);
    out.insert(out.end(), copies.begin(), copies.end());
    stay.clear();
    ++stays;
  };
  for (size_t n = 0; n < film.steps.size(); ++n) {
    const emulator::ReplayStep& step = film.steps[n];
    const int line = film.at(n).line;
    if (line <= 0 || (lane >= 0 && !(step.mask >> lane & 1))) continue;
    Executed& before = executed[step.function][static_cast<size_t>(step.instruction)];
    const bool again = !stay.empty() && before.stay == stays + 1 && (before.lanes & step.mask) != 0;
    if (again || (!stay.empty() && film.at(stay.back()).line != line)) end_stay();
    if (before.stay != stays + 1) before = {stays + 1, 0};
    before.lanes |= step.mask;
    stay.push_back(n);
  }
  end_stay();
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
