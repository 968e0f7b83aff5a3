#include "panels/roofline_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text_id.h"
#include "draw/legend.h"
#include "draw/widgets.h"
#include "lab/times.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/glossary_link.h"
#include "panels/limit_words.h"
#include "panels/model_note.h"
#include "state/wrap_index.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::Roof;
using timing::RooflinePoint;
using timing::RooflineWork;

constexpr size_t kMostVersions = 12;
constexpr float kLeastField = 190;   // height including the axes
constexpr float kSlidesField = 150;  // in a lecture, which cannot be scrolled

// Adds a new prediction of the student's to the list, or replaces that of the same text.
void keep(const View& view, RooflinePanelState& state) {
  const lab::RunResult& result = *view.result();
  const lab::SizeResult* size = result.timed_size();
  const timing::Prediction* newest =
      size && size->student.prediction ? &*size->student.prediction : nullptr;
  const std::string step = result.lab + "/" + result.step;
  if (state.step != step || state.gpu != result.gpu.id) {
    state = {};
    state.step = step;
    state.gpu = result.gpu.id;
  }
  if (newest == nullptr) return;
  if (!state.versions.empty() && state.versions.back().source == result.source &&
      state.versions.back().prediction.time_us == newest->time_us) {
    return;
  }
  std::erase_if(state.versions,
                [&](const RooflinePanelState::Version& v) { return v.source == result.source; });
  RooflinePanelState::Version version{result.source, size_key(size->size), *newest};
  version.prediction.timelines.clear();
  state.versions.push_back(std::move(version));
  if (state.versions.size() > kMostVersions) state.versions.erase(state.versions.begin());
}

std::string amount_text(double value) {
  return decimal_text(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

// "1,234 GFLOP/s", "1.2 TFLOP/s"
std::string rate_text(double giga, RooflineWork work) {
  const bool tera = giga >= 1000;
  const std::string amount = amount_text(tera ? giga / 1000 : giga);
  if (work == RooflineWork::kFlop) return amount + (tera ? " TFLOP/s" : " GFLOP/s");
  return tera ? tr("{} T instr/s", amount) : tr("{} G instr/s", amount);
}

std::string bandwidth_text(double gb_s) {
  return with_separators(static_cast<uint64_t>(std::llround(gb_s))) + " GB/s";
}

// Both axes are logarithmic (base 10).
struct RoofFrame {
  ImVec2 min, max;  // of the plot area, without the axis labels
  double x0 = -2, x1 = 2, y0 = 0, y1 = 5;
  float x_of(double per_byte) const {
    return min.x + (max.x - min.x) * static_cast<float>((std::log10(per_byte) - x0) / (x1 - x0));
  }
  float y_of(double giga) const {
    return max.y - (max.y - min.y) * static_cast<float>((std::log10(giga) - y0) / (y1 - y0));
  }
};

struct RoofMark {
  RooflinePoint point;
  std::string name;
  ImU32 color = 0;
  bool main = false;
  const std::string* source = nullptr;  // for an earlier version
  std::string id = {};                  // for an earlier version: its number
  bool around = false;  // a ring, for the reference, which a good kernel coincides with
};

// Fits the range to what is drawn: every point, the flat roof, and the ridge of the lowest slope.
RoofFrame lay_out(const std::vector<Roof>& roofs, const std::vector<RoofMark>& marks, ImVec2 min,
                  ImVec2 max) {
  RoofFrame frame{.min = min, .max = max};
  double left = 1e9, right = 1e-9, low = 1e12, high = 1e-12;
  double flat = 0;
  for (const Roof& roof : roofs) flat = std::max(flat, roof.giga_s);
  high = std::max(high, flat);
  for (const Roof& roof : roofs) {
    if (roof.gb_s > 0) right = std::max(right, flat / roof.gb_s * 2.5);
    if (roof.gb_s > 0) left = std::min(left, flat / roof.gb_s / 30);
  }
  for (const RoofMark& mark : marks) {
    for (const auto& x : {mark.point.per_dram_byte, mark.point.per_l2_byte}) {
      if (!x) continue;
      left = std::min(left, *x / 2);
      right = std::max(right, *x * 2);
    }
    low = std::min(low, mark.point.giga_s);
  }
  low = std::min(low, flat / 100);
  frame.x0 = std::floor(std::log10(left) * 2) / 2;
  frame.x1 = std::ceil(std::log10(right) * 2) / 2;
  frame.y0 = std::floor(std::log10(low / 2) * 2) / 2;
  frame.y1 = std::log10(high * 2.2);
  return frame;
}

// True if the line from a to b touches the box.
bool touches(ImVec2 a, ImVec2 b, ImVec2 min, ImVec2 max) {
  float from = 0, to = 1;
  const auto clip = [&](float start, float step, float low, float high) {
    if (step == 0) return start >= low && start <= high;
    const float first = (low - start) / step, second = (high - start) / step;
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
    return from <= to;
  };
  return clip(a.x, b.x - a.x, min.x, max.x) && clip(a.y, b.y - a.y, min.y, max.y);
}

// Allocates space for labels and points in the plot: no overlaps, and on a roof's line only if
// nothing else is free.
class Places {
 public:
  explicit Places(const RoofFrame& frame) : frame_(frame) {}
  void take(ImVec2 min, ImVec2 max) { taken_.push_back({min.x, min.y, max.x, max.y}); }
  void take_line(ImVec2 a, ImVec2 b) { lines_.push_back({a.x, a.y, b.x, b.y}); }
  // Takes and returns the first candidate (top left corner) at which text of that size is inside
  // the plot and overlaps nothing.
  std::optional<ImVec2> find(ImVec2 size, const std::vector<ImVec2>& candidates) {
    for (const bool on_lines : {false, true}) {
      for (const ImVec2& at : candidates) {
        const ImVec2 end{at.x + size.x, at.y + size.y};
        if (at.x < frame_.min.x || at.y < frame_.min.y || end.x > frame_.max.x ||
            end.y > frame_.max.y)
          continue;
        const bool free = std::none_of(taken_.begin(), taken_.end(), [&](const ImVec4& box) {
          return at.x < box.z && end.x > box.x && at.y < box.w && end.y > box.y;
        });
        const bool clear =
            on_lines || std::none_of(lines_.begin(), lines_.end(), [&](const ImVec4& line) {
              return touches({line.x, line.y}, {line.z, line.w}, at, end);
            });
        if (!free || !clear) continue;
        take(at, end);
        return at;
      }
    }
    return std::nullopt;
  }

 private:
  const RoofFrame& frame_;
  std::vector<ImVec4> taken_, lines_;
};

std::string power_text(double exponent) {
  const double value = std::pow(10, exponent);
  return value >= 1 ? with_separators(static_cast<uint64_t>(std::llround(value)))
         : fraction_text(value).size() > 1 && value >= 0.01 ? fraction_text(value)
                                                            : amount_text(value);
}

void draw_axes(ImDrawList* list, const RoofFrame& frame, RooflineWork work, Places& places) {
  const ScaleMarks marks;
  const Theme& t = *look().theme;
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall);
  // Omit numbers that would overlap.
  const float x_decade = (frame.max.x - frame.min.x) / static_cast<float>(frame.x1 - frame.x0);
  const float y_decade = (frame.max.y - frame.min.y) / static_cast<float>(frame.y1 - frame.y0);
  const auto every = [](float room, float decade) {
    return std::max(1, static_cast<int>(std::ceil(room / std::max(decade, 1.0f))));
  };
  const int x_every = every(text_size(face, kSmall, "100,000").x, x_decade),
            y_every = every(line, y_decade);
  int n = 0;
  for (double e = std::ceil(frame.x0); e <= frame.x1; e += 1) {
    const float x = std::round(frame.x_of(std::pow(10, e)));
    list->AddLine({x, frame.min.y}, {x, frame.max.y}, with_alpha(t.line, 0.55f));
    if (n++ % x_every != 0) continue;
    draw_text(list, {x, frame.max.y + px(4)}, face, kSmall, t.muted, power_text(e), Align::kCenter);
  }
  n = 0;
  for (double e = std::ceil(frame.y0); e <= frame.y1; e += 1) {
    const float y = std::round(frame.y_of(std::pow(10, e)));
    list->AddLine({frame.min.x, y}, {frame.max.x, y}, with_alpha(t.line, 0.55f));
    if (n++ % y_every != 0) continue;
    draw_text(list, {frame.min.x - px(6), y - line / 2}, face, kSmall, t.muted, power_text(e),
              Align::kRight);
  }
  const bool flop = work == RooflineWork::kFlop;
  const char* below =
      flop ? tr("arithmetic intensity: operations per byte →") : tr("warp instructions per byte →");
  const char* above =
      flop ? tr("↑ billion operations per second") : tr("↑ billion warp instructions per second");
  const ImVec2 x_name = text_size(face, kSmall, below), y_name = text_size(face, kSmall, above);
  const ImVec2 x_at{frame.max.x - x_name.x, frame.max.y + px(4) + line},
      y_at{frame.min.x + px(4), frame.min.y};
  draw_text(list, x_at, face, kSmall, t.muted, below);
  draw_text(list, y_at, face, kSmall, t.muted, above);
  places.take(y_at, {y_at.x + y_name.x, y_at.y + y_name.y});
  metric_area(x_at, {x_at.x + x_name.x, x_at.y + x_name.y}, metric::kIntensity);
  metric_area(y_at, {y_at.x + y_name.x, y_at.y + y_name.y},
              flop ? metric::kFlopRate : metric::kIssueRate);
}

double flat_of(const std::vector<Roof>& roofs) {
  double flat = 0;
  for (const Roof& roof : roofs) flat = std::max(flat, roof.giga_s);
  return flat;
}

// Returns the ends of a slope, from where it enters the plot to the ridge.
std::pair<ImVec2, ImVec2> slope_of(const Roof& roof, const RoofFrame& frame, double flat) {
  const double from = std::pow(10, frame.x0);
  ImVec2 a{frame.x_of(from), frame.y_of(roof.at(from))};
  const ImVec2 b{frame.x_of(flat / roof.gb_s), frame.y_of(flat)};
  if (a.y > frame.max.y) {
    const float part = (a.y - frame.max.y) / std::max(1.0f, a.y - b.y);
    a = {a.x + (b.x - a.x) * part, frame.max.y};
  }
  return {a, b};
}

void draw_roofs(ImDrawList* list, const RoofFrame& frame, const std::vector<Roof>& roofs,
                Places& places) {
  const Theme& t = *look().theme;
  const double flat = flat_of(roofs);
  list->PushClipRect(frame.min, frame.max, true);
  for (const Roof& roof : roofs) {
    if (roof.gb_s <= 0) {
      const float y = frame.y_of(roof.giga_s);
      list->AddLine({frame.min.x, y}, {frame.max.x, y}, mix(t.panel, t.text, 0.55f), px(1.8f));
      places.take_line({frame.min.x, y}, {frame.max.x, y});
      continue;
    }
    const auto [a, b] = slope_of(roof, frame, flat);
    list->AddLine(a, b, mix(t.panel, t.text, &roof == &roofs.front() ? 0.55f : 0.3f), px(1.8f));
    places.take_line(a, b);
  }
  list->PopClipRect();
}

// Draws a name of the chart so that no line crosses it.
void draw_name(ImDrawList* list, ImVec2 at, ImVec2 size, const Face& face, float em, ImU32 color,
               const std::string& text) {
  list->AddRectFilled({at.x - px(2), at.y}, {at.x + size.x + px(2), at.y + size.y},
                      with_alpha(look()->panel, 0.85f), px(3));
  draw_text(list, at, face, em, color, text);
}

// Draws the flat roof's name at its right end and the slopes' names along them: above L2's, below
// DRAM's.
void draw_roof_names(ImDrawList* list, const RoofFrame& frame, const std::vector<Roof>& roofs,
                     RooflineWork work, Places& places) {
  const Theme& t = *look().theme;
  const Face& face = look().fonts->medium;
  const double flat = flat_of(roofs);
  for (const Roof& roof : roofs) {
    const bool slope = roof.gb_s > 0, dram = &roof == &roofs.front();
    const std::string text = tr(roof.name) + " " +
                             (slope ? bandwidth_text(roof.gb_s) : rate_text(roof.giga_s, work)) +
                             (roof.assumed ? " " + std::string(tr("(assumed)")) : "");
    const ImVec2 size = text_size(face, 12, text);
    std::vector<ImVec2> candidates;
    if (!slope) {
      const float y = frame.y_of(roof.giga_s), x = frame.max.x - px(4) - size.x;
      candidates = {{x, y - size.y - px(2)}, {x, y + px(2)}};
    } else {
      const auto [a, b] = slope_of(roof, frame, flat);
      for (const float part : {0.55f, 0.65f, 0.45f, 0.75f, 0.35f, 0.85f, 0.25f}) {
        const ImVec2 middle{a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
        candidates.push_back(dram ? ImVec2{middle.x + px(8), middle.y + px(2)}
                                  : ImVec2{middle.x - px(8) - size.x, middle.y - px(16)});
      }
    }
    const std::optional<ImVec2> at = places.find(size, candidates);
    if (!at) continue;  // the plot is too small for it
    draw_name(list, *at, size, face, 12, slope && !dram ? t.muted : t.body, text);
    metric_area(*at, {at->x + size.x, at->y + size.y}, metric::kRoof);
  }
}

// Draws a filled circle at the DRAM intensity and a ring at the L2 intensity; if only one exists,
// it is filled. Returns true if the mouse is over it.
bool draw_mark(ImDrawList* list, const RoofFrame& frame, const RoofMark& mark) {
  const Theme& t = *look().theme;
  const RooflinePoint& p = mark.point;
  const float y = frame.y_of(p.giga_s), r = mark.main ? px(6.5f) : px(4.5f);
  const bool both = p.per_dram_byte && p.per_l2_byte;
  const std::optional<double> solid = p.per_dram_byte ? p.per_dram_byte : p.per_l2_byte;
  if (!solid) return false;
  const ImVec2 center{frame.x_of(*solid), y};
  if (both) {
    const float x = frame.x_of(*p.per_l2_byte);
    list->AddLine({x, y}, center, with_alpha(mark.color, 0.5f), px(1.2f));
    list->AddCircleFilled({x, y}, r, t.panel);
    list->AddCircle({x, y}, r - px(1), mark.color, 0, px(1.6f));
  }
  if (mark.around) {
    // A ring remains visible around another point.
    list->AddCircle(center, px(10.5f), mark.color, 0, px(2));
  } else {
    list->AddCircleFilled(center, r + px(1.5f), t.panel);
    list->AddCircleFilled(center, r, mark.color);
  }
  return ImGui::IsItemHovered() && std::hypot(ImGui::GetMousePos().x - center.x,
                                              ImGui::GetMousePos().y - center.y) < r + px(4);
}

void take_points(const RoofFrame& frame, const std::vector<RoofMark>& marks, Places& places) {
  for (const RoofMark& mark : marks) {
    const float r = mark.around ? px(11)
                    : mark.main ? px(7)
                                : px(5),
                y = frame.y_of(mark.point.giga_s);
    for (const auto& at : {mark.point.per_dram_byte, mark.point.per_l2_byte}) {
      if (at) places.take({frame.x_of(*at) - r, y - r}, {frame.x_of(*at) + r, y + r});
    }
  }
}

// Draws names beside their points, apart from each other and from all points.
void draw_names(ImDrawList* list, const RoofFrame& frame, const std::vector<RoofMark>& marks,
                Places& places) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  for (const RoofMark& mark : marks) {
    const std::optional<double> x =
        mark.point.per_dram_byte ? mark.point.per_dram_byte : mark.point.per_l2_byte;
    if (mark.name.empty() || !x) continue;
    const Face& face = mark.main ? f.medium : f.regular;
    const float em = mark.main ? kLabel : 12;
    const ImVec2 size = text_size(face, em, mark.name),
                 center{frame.x_of(*x), frame.y_of(mark.point.giga_s)};
    std::vector<ImVec2> candidates;
    for (const float lines : {-0.5f, 0.5f, -1.5f, 1.5f, -2.5f, 2.5f, -3.5f}) {
      for (const float left : {center.x + px(15), center.x - px(15) - size.x})
        candidates.push_back({left, center.y + lines * size.y});
    }
    // Below and above; if all of that lies on a roof, farther away.
    for (const float lines : {1.2f, -2.2f, 2.2f, -3.2f, 3.2f}) {
      for (const float left : {-0.5f, 0.0f, -1.0f, 0.5f, -1.5f})
        candidates.push_back({center.x + left * size.x, center.y + lines * size.y});
    }
    if (const std::optional<ImVec2> at = places.find(size, candidates))
      draw_name(list, *at, size, face, em, mark.main ? t.text : t.muted, mark.name);
  }
}

// Legend of the points, their two kinds of circles, and the lines.
std::vector<LegendEntry> roofline_legend(const std::vector<RoofMark>& marks, RooflineWork work) {
  const Theme& t = *look().theme;
  std::vector<LegendEntry> out;
  const auto has = [&](auto what) { return std::any_of(marks.begin(), marks.end(), what); };
  for (const RoofMark& mark : marks) {
    if (mark.main) out.push_back({Swatch::kDot, mark.color, tr("your kernel")});
  }
  if (has([](const RoofMark& m) { return m.around; }))
    out.push_back({Swatch::kRing, t.muted, tr("the reference")});
  if (has([](const RoofMark& m) { return m.source != nullptr; }))
    out.push_back({Swatch::kDot, mix(t.panel, t.muted, 0.75f), tr("your earlier versions")});
  if (has([](const RoofMark& m) {
        return !m.around && m.point.per_dram_byte && m.point.per_l2_byte;
      })) {
    out.push_back({Swatch::kWords, 0, tr("filled: by bytes of DRAM, ring: by bytes of L2")});
  }
  out.push_back(
      {Swatch::kWords, 0,
       work == RooflineWork::kFlop
           ? tr("slopes: what the bandwidth allows, flat line: what the arithmetic units allow")
           : tr("slopes: what the bandwidth allows, flat line: what the schedulers can issue")});
  return out;
}

std::string who_is(const RoofMark& mark) {
  return mark.main     ? std::string(tr("Your kernel"))
         : mark.around ? std::string(tr("The reference"))
                       : tr("Your version {}", mark.id);
}

std::string what_is(const RoofMark& mark, RooflineWork work, const char* between) {
  const RooflinePoint& p = mark.point;
  std::string text =
      tr("{} of {}", rate_text(p.giga_s, work), rate_text(p.attainable_giga_s, work)) + " (" +
      tr(p.roof) + ")";
  if (p.per_dram_byte)
    text += between + tr("{} for each byte of DRAM (filled)", amount_text(*p.per_dram_byte));
  if (p.per_l2_byte) {
    text += between + (p.per_dram_byte
                           ? tr("{} for each byte of L2 (ring)", amount_text(*p.per_l2_byte))
                           : tr("{} for each byte of L2", amount_text(*p.per_l2_byte)));
  }
  return text;
}

// Returns the history id of an earlier version that was run, or an empty string.
std::string run_of(const View& view, const RoofMark& mark) {
  std::string id;
  if (!mark.source || !view.history) return id;
  for (const RunRecord& record : view.history->runs()) {
    if (record.text_id == text_id(*mark.source)) id = record.id;
  }
  return id;
}

void frame_mark(ImDrawList* list, const RoofFrame& frame, const RoofMark& mark) {
  const std::optional<double> x =
      mark.point.per_dram_byte ? mark.point.per_dram_byte : mark.point.per_l2_byte;
  if (!x) return;
  const ImVec2 center{frame.x_of(*x), frame.y_of(mark.point.giga_s)};
  list->AddRect({center.x - px(13), center.y - px(13)}, {center.x + px(13), center.y + px(13)},
                look()->text, px(4), px(1.8f));
}

// Without predicted times for the GPU: draws its ceilings and says why there are no points.
void roofs_alone(const View& view) {
  const models::GpuProfile& gpu = view.result()->gpu;
  paragraph(look().fonts->regular, kLabel, look()->body, why_not_predicted(view));
  const std::vector<Roof> roofs = timing::roofs_of(gpu, RooflineWork::kFlop);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall), left = text_size(face, kSmall, "100,000").x + px(8);
  const float height = std::max(px(kLeastField), space.y - model_note_height() - px(4));
  ImGui::Dummy({space.x, height});  // scrolls in a low panel
  ImDrawList* list = ImGui::GetWindowDrawList();
  const RoofFrame frame = lay_out(roofs, {}, {at.x + left, at.y + px(2)},
                                  {at.x + space.x - px(2), at.y + height - 2 * line - px(6)});
  Places places(frame);
  draw_axes(list, frame, RooflineWork::kFlop, places);
  draw_roofs(list, frame, roofs, places);
  draw_roof_names(list, frame, roofs, RooflineWork::kFlop, places);
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + space.y - model_note_height(), at.y + height)});
  model_note(time_model(view), "");
}

std::string csv_of(const std::vector<RoofMark>& marks) {
  CsvTable table({"kernel", "10^9 operations/s", "operations per DRAM byte",
                  "operations per L2 byte", "attainable 10^9/s", "roof"});
  for (const RoofMark& mark : marks) {
    const RooflinePoint& p = mark.point;
    table.row({mark.name, fraction_text(p.giga_s),
               p.per_dram_byte ? amount_text(*p.per_dram_byte) : "",
               p.per_l2_byte ? amount_text(*p.per_l2_byte) : "", fraction_text(p.attainable_giga_s),
               p.roof});
  }
  return table.text();
}

}  // namespace

bool move_focus(RooflinePanelState& state, int by) {
  if (state.points == 0) return false;
  // Start with the student's own, which is last.
  state.focus = state.focus ? wrap_index(*state.focus, by, state.points) : state.points - 1;
  return true;
}

void roofline_panel(const View& view, RooflinePanelState& state, CommandQueue& queue) {
  // Collect versions even while the panel is hidden.
  if (view.result() && view.result()->student()) keep(view, state);
  Panel panel("roofline", tr("Roofline"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const lab::SizeResult* size = view.result() ? view.result()->timed_size() : nullptr;
  const lab::KernelRun* run = size ? &size->student : nullptr;
  if (!run || !run->prediction) {
    panel.header(tr("Roofline"), view.result() ? view.result()->gpu.name : "");
    if (run && !view.result()->prediction_problems.empty()) {
      roofs_alone(view);
    } else {
      say_why_not(view, tr("Run the kernel to place it under the roofline."));
    }
    return;
  }
  const models::GpuProfile& gpu = view.result()->gpu;
  const lab::KernelRun* reference = &size->reference;
  const RooflineWork work = timing::main_work(*run->prediction);
  panel.header(tr("Roofline"), gpu.name + " · " + tr("at {}", size->size.label));
  Greyed grey(view.stale);
  const std::vector<Roof> roofs = timing::roofs_of(gpu, work);
  std::vector<RoofMark> marks;
  const Theme& t = *look().theme;
  const auto add = [&](const timing::Prediction& prediction, std::string name, ImU32 color,
                       bool main, bool around = false) {
    if (auto point = timing::roofline_point(prediction, work, roofs))
      marks.push_back({.point = *point,
                       .name = std::move(name),
                       .color = color,
                       .main = main,
                       .around = around});
  };
  // The current text is the last of the versions.
  for (size_t v = 0; v + 1 < state.versions.size(); ++v) {
    if (state.versions[v].size != size_key(size->size)) continue;
    const size_t before = marks.size();
    add(state.versions[v].prediction, "", mix(t.panel, t.muted, 0.75f), false);
    if (marks.size() == before) continue;
    // Name it as the history does.
    marks.back().source = &state.versions[v].source;
    const std::string id = run_of(view, marks.back());
    marks.back().id = id.empty() ? std::to_string(v + 1) : id;
    marks.back().name = tr("version {}", marks.back().id);
  }
  if (reference->prediction) add(*reference->prediction, tr("reference"), t.muted, false, true);
  add(*run->prediction, tr("yours"), t.poor, true);
  const auto yours =
      std::find_if(marks.begin(), marks.end(), [](const RoofMark& m) { return m.main; });
  if (yours == marks.end()) {
    empty_panel(tr("This kernel executes nothing that could be drawn."));
    return;
  }
  const bool good = yours->point.of_roof >= 0.7;
  yours->color = good ? t.good : t.poor;
  const double share = yours->point.of_roof;
  headline(share >= 0.0995 ? percent_text(std::round(share * 100) / 100)
                           : percent_text(std::round(share * 1000) / 1000),
           good, tr("of what the {} roof allows for the bytes that it moves", yours->point.roof),
           tr("{} of {}", rate_text(yours->point.giga_s, work),
              rate_text(yours->point.attainable_giga_s, work)) +
               (run->prediction->dram_bytes > 0
                    ? " · " + tr("{} from DRAM", bandwidth_text(run->prediction->achieved_gb_s))
                    : ""),
           lab::Provenance::kPredicted, metric::kOfRoof);
  // On a slide, the scene's words say what limits it.
  const bool slide = view.lecture != nullptr;
  const float least = px(slide ? kSlidesField : kLeastField);
  std::optional<timing::Limit> limit;
  if (!slide) {
    limit = lab::limit_of(lab::time_rows(*view.session->lab(), *view.result(), *size),
                          *view.result(), *size);
  }
  if (limit) {
    if (!timing::has_roof(roofs, run->prediction->bound))
      limit->headline.then(Sentence(std::string(tr("not a roof of this chart"))), " · ");
    limit_words(*limit, queue, true);
  }
  export_menu(
      tr("Roofline"), [&marks] { return csv_of(marks); }, queue);
  // The picture names its points and roofs, so a slide without room for both leaves out the legend.
  const ImVec2 words = ImGui::GetCursorScreenPos();
  const std::vector<LegendEntry> entries = roofline_legend(marks, work);
  const float left_over = ImGui::GetContentRegionAvail().y - model_note_height() - px(6);
  if (!slide || legend_height(entries, content_width()) + least <= left_over) {
    legend(entries);
    glossary_area(words, ImGui::GetItemRectMax(), "roofline", queue);
    gap(2);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall);
  const float left = text_size(face, kSmall, "100,000").x + px(8);
  const float height = std::max(least, space.y - model_note_height() - px(4));
  const ImVec2 min{at.x + left, at.y + px(2)},
      max{at.x + space.x - px(2), at.y + height - 2 * line - px(6)};
  ImGui::InvisibleButton("field", {std::max(space.x, 1.0f), height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const RoofFrame frame = lay_out(roofs, marks, min, max);
  Places places(frame);
  draw_axes(list, frame, work, places);
  draw_roofs(list, frame, roofs, places);
  take_points(frame, marks, places);
  const RoofMark* hovered = nullptr;
  for (const RoofMark& mark : marks) {
    if (draw_mark(list, frame, mark)) hovered = &mark;
  }
  // The student's name chooses its place first.
  std::vector<RoofMark> by_weight(marks.rbegin(), marks.rend());
  draw_names(list, frame, by_weight, places);
  draw_roof_names(list, frame, roofs, work, places);
  state.points = marks.size();
  if (state.focus && *state.focus >= marks.size()) state.focus.reset();
  const RoofMark* focused =
      state.focus && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)
          ? &marks[*state.focus]
          : nullptr;
  state.focus_run = focused ? run_of(view, *focused) : "";
  if (focused) frame_mark(list, frame, *focused);
  if (hovered) {
    const std::string id = run_of(view, *hovered);
    if (!id.empty() && ImGui::IsItemClicked()) queue.push(command::OpenChanges{id, ""});
    tooltip(who_is(*hovered), what_is(*hovered, work, "\n"),
            id.empty() ? "" : tr("Click to see what the text changed since."));
  }
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + space.y - model_note_height(), at.y + height)});
  std::string note = run->prediction->dram_bytes > 0
                         ? ""
                         : std::string(tr("L2 holds all the data: DRAM moves nothing")) + ".";
  if (work == RooflineWork::kWarpInstructions)
    note = std::string(tr("No arithmetic on floats: warp instructions instead.")) + " " + note;
  if (run->prediction->bound == timing::Bound::kLaunch)
    note += (note.empty() ? "" : " ") + capitalized(tr(run->prediction->reason)) + ".";
  if (focused) note = who_is(*focused) + ": " + what_is(*focused, work, " · ");
  model_note(time_model(view), note);
}

}  // namespace warpshop::ui
