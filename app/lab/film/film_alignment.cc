#include "film/film_alignment.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

namespace warpshop::lab {
namespace {

using emulator::ReplayStep;
using emulator::ReplayTrace;

constexpr size_t kMostCompared = 1 << 20;  // line pairs

// Lanes that took part in the same steps in both films.
std::vector<uint32_t> classes_of(const std::vector<ReplayStep>& film,
                                 const std::vector<ReplayStep>& debug) {
  std::set<uint32_t> masks;
  uint32_t last = 0;
  for (const auto* steps : {&film, &debug}) {
    for (const ReplayStep& s : *steps) {
      if (s.mask != last) masks.insert(s.mask);
      last = s.mask;
    }
  }
  std::vector<uint32_t> classes = {0xffffffffu};
  for (const uint32_t mask : masks) {
    const size_t before = classes.size();
    for (size_t n = 0; n < before; ++n) {
      const uint32_t in = classes[n] & mask, out = classes[n] & ~mask;
      if (in == 0 || out == 0) continue;
      classes[n] = in;
      classes.push_back(out);
    }
    if (classes.size() == 32) break;
  }
  return classes;
}

int line_of(const AlignedFilm& film, size_t step) {
  const ReplayStep& s = (*film.steps)[step];
  return film.lines[s.function][static_cast<size_t>(s.instruction)];
}

// An event that occurs in both films: an access by a line to an address, or an exchange with other
// lanes.
struct Event {
  uint64_t key = 0;
  uint64_t without_line = 0;
  uint32_t step = 0;
};

uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

// One lane's events in program order. A function from another file counts as the line that calls
// it.
std::vector<Event> events_of(const AlignedFilm& film, int lane) {
  std::vector<Event> out;
  const std::vector<ReplayStep>& steps = *film.steps;
  size_t access = 0;
  int line = 0;
  for (size_t n = 0; n < steps.size(); ++n) {
    while (access < film.trace->size() && (*film.trace)[access].step < n) ++access;
    if (!(steps[n].mask >> lane & 1)) continue;
    if (const int its = line_of(film, n); its > 0) line = its;
    const auto add = [&](uint64_t what) {
      out.push_back(
          {mixed(mixed(static_cast<uint64_t>(line), 1), what), what, static_cast<uint32_t>(n)});
    };
    if (const uint32_t joint =
            film.joint[steps[n].function][static_cast<size_t>(steps[n].instruction)];
        joint != 0) {
      add(mixed(joint, 3));
      continue;
    }
    for (size_t a = access; a < film.trace->size() && (*film.trace)[a].step == n; ++a) {
      const ReplayTrace& t = (*film.trace)[a];
      if (!(t.mask >> lane & 1)) continue;
      const auto kind = static_cast<uint64_t>(
          t.kind == emulator::AccessKind::kReduction ? emulator::AccessKind::kAtomic : t.kind);
      add(mixed(16 * (kind + 1) + static_cast<uint64_t>(t.space),
                t.address[static_cast<size_t>(lane)]));
    }
  }
  return out;
}

// Pairs the n-th event of a key in one film with the n-th in the other; then pairs what is left
// ignoring the line, since the compiler loses line numbers when it merges the code of several
// lines.
std::vector<std::pair<uint32_t, uint32_t>> pairs_of(std::vector<Event> film,
                                                    std::vector<Event> debug) {
  std::vector<std::pair<uint32_t, uint32_t>> out;
  for (const auto key : {&Event::key, &Event::without_line}) {
    std::unordered_map<uint64_t, std::vector<size_t>> places;
    for (size_t n = debug.size(); n-- > 0;) places[debug[n].*key].push_back(n);
    std::vector<bool> taken(debug.size(), false);
    std::vector<Event> left;
    for (const Event& e : film) {
      const auto found = places.find(e.*key);
      if (found == places.end() || found->second.empty()) {
        left.push_back(e);
        continue;
      }
      out.emplace_back(e.step, debug[found->second.back()].step);
      taken[found->second.back()] = true;
      found->second.pop_back();
    }
    film = std::move(left);
    std::vector<Event> rest;
    for (size_t n = 0; n < debug.size(); ++n) {
      if (!taken[n]) rest.push_back(debug[n]);
    }
    debug = std::move(rest);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Its longest subsequence whose second numbers ascend as well.
std::vector<std::pair<uint32_t, uint32_t>> rising(
    const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
  std::vector<size_t> tails;  // last pair of the best chain of each length
  std::vector<size_t> before(pairs.size(), pairs.size());
  for (size_t n = 0; n < pairs.size(); ++n) {
    const auto at =
        std::lower_bound(tails.begin(), tails.end(), pairs[n].second,
                         [&](size_t tail, uint32_t value) { return pairs[tail].second < value; });
    if (at != tails.begin()) before[n] = *std::prev(at);
    if (at == tails.end()) {
      tails.push_back(n);
    } else {
      *at = n;
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> out;
  for (size_t n = tails.empty() ? pairs.size() : tails.back(); n < pairs.size(); n = before[n])
    out.push_back(pairs[n]);
  std::reverse(out.begin(), out.end());
  return out;
}

// Longest common subsequence of two lists of lines: [n] is the index in b of a's n-th, or -1.
std::vector<int> common_of(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> out(a.size(), -1);
  if (a.size() * b.size() > kMostCompared) {  // greedily match the next equal line
    size_t at = 0;
    for (size_t n = 0; n < a.size(); ++n) {
      const auto found = std::find(b.begin() + static_cast<ptrdiff_t>(at), b.end(), a[n]);
      if (found == b.end()) continue;
      out[n] = static_cast<int>(found - b.begin());
      at = static_cast<size_t>(out[n]) + 1;
    }
    return out;
  }
  // longest[n][m]: of the suffixes that start at n and m.
  const size_t width = b.size() + 1;
  std::vector<uint16_t> longest((a.size() + 1) * width, 0);
  for (size_t n = a.size(); n-- > 0;) {
    for (size_t m = b.size(); m-- > 0;) {
      const uint16_t apart = std::max(longest[(n + 1) * width + m], longest[n * width + m + 1]);
      const auto together = static_cast<uint16_t>(longest[(n + 1) * width + m + 1] + 1);
      longest[n * width + m] = a[n] == b[m] ? std::max(apart, together) : apart;
    }
  }
  for (size_t n = 0, m = 0; n < a.size() && m < b.size();) {
    if (a[n] == b[m] && longest[n * width + m] == longest[(n + 1) * width + m + 1] + 1) {
      out[n++] = static_cast<int>(m++);
    } else if (longest[(n + 1) * width + m] > longest[n * width + m + 1]) {
      ++n;
    } else {
      ++m;
    }
  }
  return out;
}

}  // namespace

FilmAlignment::FilmAlignment(AlignedFilm film, AlignedFilm debug, bool debug_truncated,
                             const StopFlag* stop)
    : film_(std::move(film)), debug_(std::move(debug)), debug_truncated_(debug_truncated) {
  for (const uint32_t mask : classes_of(*film_.steps, *debug_.steps)) {
    if (stop != nullptr && stop->requested()) break;
    const int lane = std::countr_zero(mask);
    Lanes& lanes = classes_.emplace_back();
    lanes.mask = mask;
    lanes.all = pairs_of(events_of(film_, lane), events_of(debug_, lane));
    lanes.pairs = rising(lanes.all);
  }
}

std::vector<FilmAlignment::Place> FilmAlignment::at(uint64_t step) const {
  std::vector<Place> out;
  for (size_t n = 0; n < classes_.size(); ++n) out.push_back(place_of(n, step));
  return out;
}

std::vector<FilmAlignment::Visit> FilmAlignment::visits(const AlignedFilm& film, int lane,
                                                        std::optional<uint64_t> after,
                                                        uint64_t end) {
  std::vector<Visit> out;
  int last = after ? last_line(film, lane, *after) : 0;
  std::optional<uint64_t> before = after;
  for (uint64_t n = after ? *after + 1 : 0; n < end; ++n) {
    if (!((*film.steps)[n].mask >> lane & 1)) continue;
    const int line = line_of(film, n);
    if (line > 0 && line != last) out.push_back({n, line, before});
    if (line > 0) last = line;
    before = n;
  }
  return out;
}

// The lines a lane has reached; functions from other files count as the line that calls them.
int FilmAlignment::last_line(const AlignedFilm& film, int lane, uint64_t step) {
  for (uint64_t n = step + 1; n-- > 0;) {
    if (((*film.steps)[n].mask >> lane & 1) && line_of(film, n) > 0) return line_of(film, n);
  }
  return 0;
}

const FilmAlignment::Stretch& FilmAlignment::stretch_before(size_t index, size_t next) const {
  stretches_.resize(classes_.size(), Stretch{~size_t{0}, 0, {}, {}});
  Stretch& out = stretches_[index];
  if (out.lanes == index && out.next == next) return out;
  out.lanes = index;
  out.next = next;
  const Lanes& lanes = classes_[index];
  const int lane = std::countr_zero(lanes.mask);
  const bool last = next == lanes.pairs.size();
  std::optional<uint64_t> film_after, debug_after;
  if (next > 0) {
    film_after = lanes.pairs[next - 1].first;
    debug_after = lanes.pairs[next - 1].second;
  }
  out.film =
      visits(film_, lane, film_after, last ? film_.steps->size() : lanes.pairs[next].first + 1);
  out.debug =
      visits(debug_, lane, debug_after, last ? debug_.steps->size() : lanes.pairs[next].second + 1);
  std::vector<int> film_lines, debug_lines;
  for (const Visit& v : out.film) film_lines.push_back(v.line);
  for (const Visit& v : out.debug) debug_lines.push_back(v.line);
  const std::vector<int> common = common_of(film_lines, debug_lines);
  for (size_t n = 0; n < common.size(); ++n) out.film[n].same = common[n];
  return out;
}

std::optional<uint64_t> FilmAlignment::swapped(const Lanes& lanes, uint64_t step,
                                               size_t next) const {
  if (next >= lanes.pairs.size()) return std::nullopt;
  const auto own =
      std::lower_bound(lanes.all.begin(), lanes.all.end(), step,
                       [](const auto& pair, uint64_t value) { return pair.first < value; });
  if (own == lanes.all.end() || own->first != step) return std::nullopt;
  const uint32_t neighbour = lanes.pairs[next].second;
  const bool behind = own->second > neighbour && (next + 1 == lanes.pairs.size() ||
                                                  own->second < lanes.pairs[next + 1].second);
  const bool together = behind && line_of(debug_, own->second) == line_of(debug_, neighbour);
  return together ? std::optional<uint64_t>(own->second) : std::nullopt;
}

FilmAlignment::Place FilmAlignment::place_of(size_t index, uint64_t step) const {
  const Lanes& lanes = classes_[index];
  const int lane = std::countr_zero(lanes.mask);
  Place place;
  place.lanes = lanes.mask;
  // The last step these lanes took part in.
  uint64_t here = step + 1;
  while (here > 0 && !((*film_.steps)[here - 1].mask >> lane & 1)) --here;
  if (here-- == 0) {
    place.position.kind = DebugPosition::Kind::kNotBegun;
    return place;
  }
  const auto next =
      std::upper_bound(lanes.pairs.begin(), lanes.pairs.end(), here,
                       [](uint64_t value, const auto& pair) { return value < pair.first; });
  const auto number = static_cast<size_t>(next - lanes.pairs.begin());
  using Kind = DebugPosition::Kind;
  place.position.kind = Kind::kNotBegun;
  if (number > 0) {
    place.step = lanes.pairs[number - 1].second;
    place.position = {Kind::kAfter, last_line(debug_, lane, *place.step)};
    if (lanes.pairs[number - 1].first == here) return place;
  }
  if (const std::optional<uint64_t> same = swapped(lanes, here, number)) {
    place.step = same;
    place.position = {Kind::kAfter, last_line(debug_, lane, *same)};
    return place;
  }
  const Stretch& stretch = stretch_before(index, number);
  bool moved = false;
  for (const Visit& visit : stretch.film) {
    if (visit.step > here) break;
    moved = visit.same < 0;
    if (moved) continue;
    const Visit& same = stretch.debug[static_cast<size_t>(visit.same)];
    place.step = same.before;
    place.position = {Kind::kBefore, same.line};
  }
  if (moved && debug_truncated_ && number == lanes.pairs.size()) {
    place.position = {Kind::kUnknown, 0};
  } else if (moved && place.position.line > 0) {
    place.position.kind = Kind::kMoved;
  }
  return place;
}

}  // namespace warpshop::lab
