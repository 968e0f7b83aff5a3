#include "panels/schedulers_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "maps/timeline_rows.h"
#include "panels/export_menu.h"
#include "panels/model_note.h"
#include "text/format.h"
#include "timing/generations.h"

namespace warpshop::ui {
namespace {

using timing::WarpState;

struct Paint {
  ImU32 color = 0;
  bool hatched = false;  // distinguishes two states of the same colour
};

// Blue: issuing. Brown to orange: waiting for memory or shared memory. Grey: waiting for other
// warps or for the compiler's fixed delays. Teal: arithmetic.
Paint paint_of(WarpState state) {
  const Theme& t = *look().theme;
  const ImU32 teal = t.dark ? IM_COL32(63, 150, 140, 255) : IM_COL32(20, 120, 112, 255);
  switch (state) {
    case WarpState::kSelected:
      return {t.good};
    case WarpState::kNotSelected:
      return {mix(t.panel, t.good, 0.38f)};
    case WarpState::kLongScoreboard:
      return {mix(t.panel, t.poor, t.dark ? 0.42f : 0.36f)};
    case WarpState::kShortScoreboard:
      return {mix(t.panel, t.poor, t.dark ? 0.72f : 0.66f), true};
    case WarpState::kMioThrottle:
      return {t.poor};
    case WarpState::kLgThrottle:
      // A weaker colour as well, since low rows have no room for hatching.
      return {mix(t.panel, t.poor, t.dark ? 0.57f : 0.5f), true};
    case WarpState::kBarrier:
      return {mix(t.panel, t.muted, 0.62f)};
    case WarpState::kWait:
      return {mix(t.panel, t.muted, 0.28f)};
    case WarpState::kMathPipeThrottle:
      return {teal};
    case WarpState::kDispatch:
      return {teal, true};
    case WarpState::kCount:
      break;
  }
  return {t.line};
}

void fill(ImDrawList* list, ImVec2 min, ImVec2 max, WarpState state) {
  const Paint paint = paint_of(state);
  list->AddRectFilled(min, max, paint.color);
  if (paint.hatched && max.x - min.x >= px(4) && max.y - min.y >= px(4)) {
    draw_hatch(list, min, max, with_alpha(look()->panel, 0.6f), px(5), px(1.2f));
  }
}

// "Long Scoreboard": the legend's heading already says that these are stalls.
std::string_view short_name(WarpState state) {
  std::string_view name = timing::name_of(state);
  if (name.starts_with("Stall ")) name.remove_prefix(6);
  if (name.ends_with(" Stall")) name.remove_suffix(6);
  return name;
}

constexpr double kLeastShare = 0.0005, kLeastShareOnSlide = 0.01;

// Returns the states that occur, by their share of the warps' time.
std::vector<WarpState> states_by_share(const timing::Prediction& prediction,
                                       double least = kLeastShare) {
  std::vector<WarpState> states;
  for (size_t s = 0; s < timing::kWarpStates; ++s) {
    if (prediction.state_share[s] >= least) states.push_back(static_cast<WarpState>(s));
  }
  std::stable_sort(states.begin(), states.end(), [&](WarpState a, WarpState b) {
    return prediction.state_share[static_cast<size_t>(a)] >
           prediction.state_share[static_cast<size_t>(b)];
  });
  return states;
}

// Draws the legend on as many lines as needed and returns its height; only measures without a list.
float legend(ImDrawList* list, const timing::Prediction& prediction, double least, ImVec2 at,
             float width) {
  const Fonts& f = *look().fonts;
  const float line = px(18);
  float x = 0, y = 0;
  for (const WarpState state : states_by_share(prediction, least)) {
    const std::string share =
        percent_text(std::round(prediction.state_share[static_cast<size_t>(state)] * 1000) / 1000);
    const std::string text = std::string(short_name(state)) + " " + share;
    const float wide = px(16) + text_size(f.regular, 12, text).x;
    if (x > 0 && x + wide > width) {
      x = 0;
      y += line;
    }
    if (list) {
      const ImVec2 box{at.x + x, at.y + y + px(3)};
      fill(list, box, {box.x + px(10), box.y + px(10)}, state);
      draw_text(list, {box.x + px(16), at.y + y}, f.regular, 12, look()->muted, text);
      metric_area({at.x + x, at.y + y}, {at.x + x + wide, at.y + y + line}, state_metric(state));
    }
    x += wide + px(16);
  }
  return y + line;
}

struct SchedulerRow {
  const timing::WarpTimeline* line = nullptr;
  size_t scheduler = 0;
  float top = 0;
};

struct SchedulerFrame {
  ImVec2 origin;  // top left corner of the first row
  float width = 0;
  float row_height = 0;
  std::vector<SchedulerRow> rows;
  size_t left_out = 0;  // warps for which there is no room
  float bottom = 0;
};

// Assigns warps to an SM's schedulers round robin, as in the model. `least`: height of a row.
SchedulerFrame lay_out(const timing::Prediction& prediction, size_t schedulers, ImVec2 origin,
                       ImVec2 size, float least) {
  SchedulerFrame frame;
  frame.origin = origin;
  frame.width = size.x;
  const size_t warps = prediction.timelines.size();
  const size_t groups = std::min(warps, schedulers);
  const float group_gap = px(5);
  const float space = size.y - group_gap * static_cast<float>(groups > 0 ? groups - 1 : 0);
  const auto fit = static_cast<size_t>(std::max(1.0f, space / least));
  const size_t shown =
      std::min(warps, std::max(fit / schedulers * schedulers, std::min(groups, fit)));
  frame.left_out = warps - shown;
  const float pitch = std::min(space / static_cast<float>(std::max<size_t>(shown, 1)), px(34));
  frame.row_height = std::max(1.0f, pitch - std::max(1.0f, pitch * 0.16f));
  float y = origin.y;
  for (size_t s = 0; s < groups; ++s) {
    for (size_t w = s; w < shown; w += schedulers) {
      frame.rows.push_back({&prediction.timelines[w], s, std::round(y)});
      y += pitch;
    }
    y += group_gap;
  }
  frame.bottom = y - group_gap;
  return frame;
}

int line_of(const timing::WarpInterval& interval) { return lab::student_line(interval.source); }

// Marks the parts that belong to the line another panel points at: its issues, and the waiting
// before them.
void draw_pointed(ImDrawList* list, const SchedulerFrame& frame, const SchedulersPanelState& state,
                  int line) {
  if (line <= 0) return;
  const double scale = static_cast<double>(frame.width) / (state.end - state.begin);
  for (const SchedulerRow& row : frame.rows) {
    float drawn_to = -1;
    for (const timing::WarpInterval& interval : row.line->intervals) {
      const double from = std::max(state.begin, interval.start_cycle),
                   to = std::min(state.end, interval.start_cycle + interval.cycles);
      if (to <= from || line_of(interval) != line) continue;
      const float x0 = frame.origin.x + static_cast<float>((from - state.begin) * scale);
      const float x1 =
          std::max(x0 + px(1.5f), frame.origin.x + static_cast<float>((to - state.begin) * scale));
      if (x1 < drawn_to + 1) continue;  // draw at most one per pixel
      drawn_to = x1;
      list->AddRectFilled({x0, row.top - px(1)},
                          {x1, row.top + std::max(px(1.5f), frame.row_height * 0.2f)},
                          look()->text);
    }
  }
}

// "w3", or "b132 w3" if warps of several blocks are drawn.
std::string row_name(const timing::WarpTimeline& row, bool several_blocks) {
  return (several_blocks ? "b" + std::to_string(row.block) + " " : "") + "w" +
         std::to_string(row.warp);
}

bool has_several_blocks(const timing::Prediction& prediction) {
  const std::vector<timing::WarpTimeline>& lines = prediction.timelines;
  return std::any_of(lines.begin(), lines.end(), [&](const timing::WarpTimeline& line) {
    return line.block != lines.front().block;
  });
}

void draw_rows(ImDrawList* list, const SchedulerFrame& frame, const SchedulersPanelState& state,
               float gutter) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const ScaleMarks marks;
  const float label = line_height(f.code, kSmall);
  const bool several = has_several_blocks(*state.of);
  float free_from = -1e9f;
  for (const SchedulerRow& row : frame.rows) {
    const float bottom = row.top + frame.row_height;
    for (const TimelineSpan& span : timeline_spans(*row.line, state.begin, state.end, frame.width,
                                                   std::max(1.0f, px(1.25f)))) {
      const float x0 = frame.origin.x + span.from, x1 = frame.origin.x + span.to;
      // A hairline gap between neighbours, so that each issue is visible.
      fill(list, {x0, row.top}, {std::max(x0 + 1, x1 - (x1 - x0 > px(4) ? 1.0f : 0.0f)), bottom},
           span.state);
    }
    const float y = row.top + (frame.row_height - label) / 2;
    if (y >= free_from) {
      draw_text(list, {frame.origin.x - px(8), y}, f.code, kSmall, t.muted,
                row_name(*row.line, several), Align::kRight);
      free_from = y + label * 0.95f;
    }
  }
  // Name each scheduler at the left of its rows.
  for (size_t i = 0; i < frame.rows.size();) {
    size_t end = i;
    while (end < frame.rows.size() && frame.rows[end].scheduler == frame.rows[i].scheduler) ++end;
    const float top = frame.rows[i].top, bottom = frame.rows[end - 1].top + frame.row_height;
    const float x = frame.origin.x - gutter;
    list->AddRectFilled({x, top}, {x + px(3), bottom}, t.line, px(1));
    if (bottom - top >= line_height(f.regular, kSmall)) {
      draw_text(list, {x + px(8), (top + bottom - line_height(f.regular, kSmall)) / 2}, f.regular,
                kSmall, t.muted, std::to_string(frame.rows[i].scheduler));
    }
    i = end;
  }
}

struct StretchWords {
  std::string state, what, who;
};
StretchWords words_of(const timing::WarpTimeline& row, const timing::WarpInterval& interval,
                      size_t scheduler, double cycle) {
  const int line = line_of(interval);
  const std::string where = line <= 0                                ? ""
                            : interval.state == WarpState::kSelected ? tr("Issues line {}", line)
                                                                     : tr("Before line {}", line);
  return {std::string(timing::name_of(interval.state)),
          tr_count(static_cast<uint64_t>(std::llround(interval.cycles)), "{} cycle", "{} cycles") +
              (where.empty() ? "" : " · " + where),
          tr("Warp {} of block {} · scheduler {} · cycle {}", row.warp, with_separators(row.block),
             scheduler, cycle_text(cycle))};
}

const timing::WarpInterval* stretch_of(const SchedulersPanelState& state) {
  if (!state.of || state.focus.row >= state.rows.size()) return nullptr;
  return interval_at(state.of->timelines[state.rows[state.focus.row]], state.focus.cycle);
}

// Frames the stretch focused with the keyboard, and returns its description.
std::string show_hand(ImDrawList* list, const View& view, const SchedulerFrame& frame,
                      SchedulersPanelState& state, CommandQueue& queue) {
  state.rows.clear();
  for (const SchedulerRow& row : frame.rows)
    state.rows.push_back(static_cast<size_t>(row.line - state.of->timelines.data()));
  const timing::WarpInterval* interval =
      state.focus.shown && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)
          ? stretch_of(state)
          : nullptr;
  if (!interval) return "";
  const SchedulerRow& row = frame.rows[state.focus.row];
  const double scale = static_cast<double>(frame.width) / (state.end - state.begin);
  const auto x_of = [&](double cycle) {
    return frame.origin.x +
           static_cast<float>((std::clamp(cycle, state.begin, state.end) - state.begin) * scale);
  };
  const float x0 = x_of(interval->start_cycle),
              x1 = std::max(x_of(interval->start_cycle + interval->cycles), x0 + px(2));
  list->AddRect({x0 - px(1.5f), row.top - px(1.5f)},
                {x1 + px(1.5f), row.top + frame.row_height + px(1.5f)}, look()->text, px(2),
                px(1.8f));
  if (line_of_hand(state) > 0 && !view.stale) queue.point_at({0, line_of(*interval)});
  const StretchWords words = words_of(*row.line, *interval, row.scheduler, interval->start_cycle);
  return words.state + " · " + words.what + " · " + words.who;
}

void interact(const View& view, const SchedulerFrame& frame, SchedulersPanelState& state,
              CommandQueue& queue) {
  const double cycle = cycle_at_mouse(state, frame.origin.x, frame.width);
  if (!move_with_mouse(state, frame.origin.x, frame.width)) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({mouse.x, frame.origin.y - px(4)}, {mouse.x, frame.bottom}, look()->text, px(1));
  for (const SchedulerRow& row : frame.rows) {
    if (mouse.y < row.top || mouse.y >= row.top + frame.row_height + px(1)) continue;
    const timing::WarpInterval* interval = interval_at(*row.line, cycle);
    if (interval == nullptr) continue;
    const int line = line_of(*interval);
    const StretchWords words = words_of(*row.line, *interval, row.scheduler, cycle);
    if (line > 0) queue.point_at({0, line});
    tooltip(words.state, std::string(tr(timing::meaning_of(interval->state))) + "\n" + words.what,
            words.who);
    if (line > 0 && !state.reference && !view.stale) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !state.moved) {
        queue.push(command::GoTo{{.file = view.result()->file_name, .line = line, .column = 1}});
      }
    }
    break;
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) move_timeline(state, 0, 0);
}

const lab::KernelRun* kernel_of(const View& view, bool reference) {
  const lab::SizeResult* size = view.result() ? view.result()->timed_size() : nullptr;
  if (!size) return nullptr;
  return reference ? &size->reference : &size->student;
}

void look_at(SchedulersPanelState& state, const timing::Prediction& prediction) {
  // A new run of the same length keeps the visible range.
  double last = 0;
  for (const timing::WarpTimeline& line : prediction.timelines) {
    if (!line.intervals.empty())
      last = std::max(last, line.intervals.back().start_cycle + line.intervals.back().cycles);
  }
  const bool same = set_range(state, last, state.of != nullptr);
  state.of = &prediction;
  if (!same) state.focus = {};
}

}  // namespace

void move_timeline(SchedulersPanelState& state, double zoom, double shift) {
  move_sight(state, zoom, shift);
}

bool move_focus(SchedulersPanelState& state, int by, bool other_warp) {
  if (!state.of || state.rows.empty()) return false;
  SchedulersPanelState::Focus& focus = state.focus;
  const auto rows = static_cast<ptrdiff_t>(state.rows.size());
  const auto timeline = [&]() -> const timing::WarpTimeline& {
    return state.of->timelines[state.rows[focus.row]];
  };
  if (!focus.shown || focus.row >= state.rows.size()) {
    focus = {.shown = true, .row = 0, .cycle = (state.begin + state.end) / 2};
    if (by > 0 && !other_warp) focus.cycle = state.begin;
  } else if (other_warp) {
    const ptrdiff_t row = static_cast<ptrdiff_t>(focus.row) + by;
    if (row < 0 || row >= rows) return false;
    focus.row = static_cast<size_t>(row);
  } else {
    const std::vector<timing::WarpInterval>& intervals = timeline().intervals;
    const timing::WarpInterval* here = interval_at(timeline(), focus.cycle);
    // Between two stretches, or after the last one, the warp does not exist.
    ptrdiff_t next = 0;
    if (here) {
      next = here - intervals.data() + by;
    } else {
      while (next < std::ssize(intervals) &&
             intervals[static_cast<size_t>(next)].start_cycle <= focus.cycle)
        ++next;
      if (by < 0) --next;
    }
    if (next < 0 || next >= std::ssize(intervals)) return false;
    const timing::WarpInterval& to = intervals[static_cast<size_t>(next)];
    focus.cycle = to.start_cycle + to.cycles / 2;
  }
  const double span = state.end - state.begin;
  if (focus.cycle < state.begin || focus.cycle > state.end) {
    state.begin = focus.cycle - span / 2;
    state.end = state.begin + span;
    clamp_sight(state);
  }
  return true;
}

int line_of_hand(const SchedulersPanelState& state) {
  const timing::WarpInterval* interval =
      state.focus.shown && !state.reference ? stretch_of(state) : nullptr;
  return interval ? line_of(*interval) : 0;
}

void schedulers_panel(const View& view, SchedulersPanelState& state, CommandQueue& queue) {
  Panel panel("schedulers", tr("Schedulers"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  if (state.reference && !(kernel_of(view, true) && kernel_of(view, true)->prediction))
    state.reference = false;
  const lab::KernelRun* run = kernel_of(view, state.reference);
  if (!run || !run->prediction || run->prediction->timelines.empty()) {
    panel.header(tr("Warp schedulers"));
    state.of = nullptr;
    say_why_not(view, tr("Run the kernel to see what its warps do, cycle by cycle."));
    return;
  }
  const timing::Prediction& prediction = *run->prediction;
  look_at(state, prediction);
  const size_t warps = prediction.timelines.size();
  std::string what = tr("at {}", view.result()->timed_size()->size.label) + " · " +
                     tr_count(warps, "{} warp · cycles {1}–{2}", "{} warps · cycles {1}–{2}",
                              cycle_text(state.begin), cycle_text(state.end));
  if (std::any_of(prediction.timelines.begin(), prediction.timelines.end(),
                  [](const timing::WarpTimeline& line) { return line.cut; }))
    what += " · " +
            tr("only the beginning of {} cycles is kept", cycle_text(prediction.simulated_cycles));
  panel.header(tr("Warp schedulers"), what);
  Greyed grey(view.stale);
  WarpState worst = WarpState::kWait;
  for (const WarpState s : states_by_share(prediction)) {
    if (s == WarpState::kSelected) continue;
    worst = s;
    break;
  }
  const double share = prediction.state_share[static_cast<size_t>(worst)];
  headline(percent_text(std::round(share * 100) / 100), share < 0.5,
           tr("of the warps' time: {}", timing::name_of(worst)), tr(prediction.reason),
           lab::Provenance::kPredicted, state_metric(worst));
  export_menu(
      tr("Schedulers"), [&prediction] { return timeline_csv(prediction); }, queue);

  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float names = text_size(f.code, kSmall, "w00").x;
  const bool several = has_several_blocks(prediction);
  for (const timing::WarpTimeline& row : prediction.timelines) {
    names = std::max(names, text_size(f.code, kSmall, row_name(row, several)).x);
  }
  const float gutter = px(26) + names;
  const float axis = line_height(f.regular, kSmall) + px(5);
  const bool roomy = space.y > px(150);
  const bool slide = view.lecture != nullptr;
  const double least = slide ? kLeastShareOnSlide : kLeastShare;
  const float legend_height = roomy ? legend(nullptr, prediction, least, {}, space.x) : 0;
  const bool both = kernel_of(view, true)->prediction.has_value();
  float links_width = text_size(f.regular, 12, tr("All cycles")).x + px(16);
  if (both)
    links_width +=
        text_size(f.regular, 12, state.reference ? tr("Your warps") : tr("The reference's warps"))
            .x +
        px(16);
  const bool apart = space.x - links_width < model_link_width();
  // A slide shows all warps rather than a line about the model.
  const bool noted = !(slide && apart);
  const float below = px(14) + legend_height + model_note_height() + (apart && noted ? px(24) : 0);
  const SchedulerFrame frame = lay_out(
      prediction, static_cast<size_t>(timing::schedulers_per_sm(view.result()->gpu.capability)),
      {at.x + gutter, at.y + axis}, {space.x - gutter, std::max(px(20), space.y - axis - below)},
      px(slide ? 2.5f : 4.5f));
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::InvisibleButton("timeline",
                         {std::max(space.x, 1.0f), std::max(1.0f, frame.bottom - at.y)});
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  list->PushClipRect({frame.origin.x, at.y}, {frame.origin.x + frame.width, frame.bottom}, true);
  draw_cycle_marks(list, state, frame.origin, frame.width, frame.bottom, at.y);
  list->PopClipRect();
  draw_rows(list, frame, state, gutter);
  if (!state.reference) draw_pointed(list, frame, state, view.pointing.line);
  const std::string at_hand = show_hand(list, view, frame, state, queue);
  interact(view, frame, state, queue);
  cycle_overview(state, frame.origin.x, frame.width, frame.bottom + px(6));
  float y = frame.bottom + px(16);
  if (roomy) {
    legend(list, prediction, least, {at.x, y}, space.x);
    y += legend_height;
  }
  // Place this below the rows, which keep their height in a low panel; the panel then scrolls.
  const float links =
      std::max(y, at.y + space.y - px(24) - (apart && noted ? model_note_height() : 0));
  ImGui::SetCursorScreenPos({at.x, links});
  std::string note = at_hand;
  if (note.empty() && frame.left_out > 0)
    note = tr_count(frame.left_out, "{} more warp below", "{} more warps below");
  if (both) {
    if (link(state.reference ? tr_id("Your warps", "kernel")
                             : tr_id("The reference's warps", "kernel"),
             12))
      state.reference = !state.reference;
    ImGui::SameLine(0, px(16));
  }
  if (link(tr_id("All cycles", "all"), 12)) move_timeline(state, 0, 0);
  if (!noted) return;
  ImGui::SameLine(0, px(16));
  ImGui::SetCursorScreenPos({apart ? at.x : ImGui::GetCursorScreenPos().x,
                             apart ? links + px(24) : links + px(24) - model_note_height()});
  model_note(time_model(view), note);
}

}  // namespace warpshop::ui
