#include "maps/timeline_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpshop::ui {

using timing::WarpInterval;
using timing::WarpState;

namespace {

std::vector<WarpInterval>::const_iterator first_ending_after(const timing::WarpTimeline& line,
                                                             double cycle) {
  return std::upper_bound(
      line.intervals.begin(), line.intervals.end(), cycle,
      [](double at, const WarpInterval& i) { return at < i.start_cycle + i.cycles; });
}

WarpState main_state(const std::array<double, timing::kWarpStates>& cycles) {
  double sum = 0;
  size_t most = 0;
  for (size_t s = 0; s < cycles.size(); ++s) {
    sum += cycles[s];
    if (cycles[s] > cycles[most]) most = s;
  }
  const auto issue = static_cast<size_t>(WarpState::kSelected);
  return static_cast<WarpState>(cycles[issue] * 4 >= sum ? issue : most);
}

}  // namespace

std::vector<TimelineSpan> timeline_spans(const timing::WarpTimeline& line, double begin, double end,
                                         float width, float least) {
  std::vector<TimelineSpan> spans;
  if (end <= begin || width <= 0) return spans;
  const double scale = static_cast<double>(width) / (end - begin);
  const auto add = [&](double from, double to, WarpState state) {
    const auto x0 = static_cast<float>((from - begin) * scale),
               x1 = static_cast<float>((to - begin) * scale);
    if (!spans.empty() && spans.back().state == state && x0 - spans.back().to < 0.01f) {
      spans.back().to = x1;
    } else {
      spans.push_back({x0, x1, state});
    }
  };
  std::array<double, timing::kWarpStates> narrow{};  // cycles of those collected so far
  double narrow_from = begin, narrow_to = begin;
  const auto settle = [&] {
    if (narrow_to > narrow_from) add(narrow_from, narrow_to, main_state(narrow));
    narrow = {};
  };
  for (auto i = first_ending_after(line, begin); i != line.intervals.end() && i->start_cycle < end;
       ++i) {
    const double from = std::max(begin, i->start_cycle),
                 to = std::min(end, i->start_cycle + i->cycles);
    if ((to - from) * scale >= static_cast<double>(least)) {
      settle();
      add(from, to, i->state);
      narrow_from = narrow_to = to;
      continue;
    }
    if (narrow_to < from || narrow_to == narrow_from) {
      settle();
      narrow_from = from;
    }
    narrow[static_cast<size_t>(i->state)] += to - from;
    narrow_to = to;
    if ((narrow_to - narrow_from) * scale >= static_cast<double>(least)) {
      settle();
      narrow_from = narrow_to;
    }
  }
  settle();
  return spans;
}

const WarpInterval* interval_at(const timing::WarpTimeline& line, double cycle) {
  const auto found = first_ending_after(line, cycle);
  return found != line.intervals.end() && found->start_cycle <= cycle ? &*found : nullptr;
}

double mark_distance(double span, int most) {
  double distance = 1;
  for (int step = 0; span / distance > std::max(1, most); ++step)
    distance *= step % 3 == 1 ? 2.5 : 2;
  return distance;
}

}  // namespace warpshop::ui
