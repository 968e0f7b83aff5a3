#include "panels/roofline_chart.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "draw/tooltip.h"
#include "text/format.h"
#include "text/metrics.h"
#include "text/text.h"

namespace warpshop::ui {

using timing::Roof;
using timing::RooflinePoint;
using timing::RooflineWork;

std::string amount_text(double value) {
  return decimal_text(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

std::string rate_text(double giga, RooflineWork work) {
  const bool tera = giga >= 1000;
  const std::string amount = amount_text(tera ? giga / 1000 : giga);
  if (work == RooflineWork::kFlop) return amount + (tera ? " TFLOP/s" : " GFLOP/s");
  return tera ? tr("{} T instr/s", amount) : tr("{} G instr/s", amount);
}

std::string bandwidth_text(double gb_s) {
  return with_separators(static_cast<uint64_t>(std::llround(gb_s))) + " GB/s";
}

namespace {

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
  // No roof crosses the axis's name above it.
  const double name = (line_height(look().fonts->regular, kSmall) + px(4)) / (max.y - min.y);
  const double above_roof =
      name < 0.5 ? (std::log10(high) - frame.y0 * name) / (1 - name) : std::log10(high);
  frame.y1 = std::max(std::log10(high * 2.2), above_roof);
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
  void take(ImVec2 min, ImVec2 max) { taken_.emplace_back(min.x, min.y, max.x, max.y); }
  void take_line(ImVec2 a, ImVec2 b) { lines_.emplace_back(a.x, a.y, b.x, b.y); }
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

// Draws a name of the chart so that no line crosses it.
void draw_name(ImDrawList* list, ImVec2 at, ImVec2 size, const Face& face, float em, ImU32 color,
               const std::string& text) {
  list->AddRectFilled({at.x - px(2), at.y}, {at.x + size.x + px(2), at.y + size.y},
                      with_alpha(look()->panel, 0.85f), px(3));
  draw_text(list, at, face, em, color, text);
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
  draw_name(list, y_at, y_name, face, kSmall, t.muted, above);
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
        candidates.emplace_back(left, center.y + lines * size.y);
    }
    // Below and above; if all of that lies on a roof, farther away.
    for (const float lines : {1.2f, -2.2f, 2.2f, -3.2f, 3.2f}) {
      for (const float left : {-0.5f, 0.0f, -1.0f, 0.5f, -1.5f})
        candidates.emplace_back(center.x + left * size.x, center.y + lines * size.y);
    }
    if (const std::optional<ImVec2> at = places.find(size, candidates))
      draw_name(list, *at, size, face, em, mark.main ? t.text : t.muted, mark.name);
  }
}

}  // namespace

void frame_mark(ImDrawList* list, const RoofFrame& frame, const RoofMark& mark) {
  const std::optional<double> x =
      mark.point.per_dram_byte ? mark.point.per_dram_byte : mark.point.per_l2_byte;
  if (!x) return;
  const ImVec2 center{frame.x_of(*x), frame.y_of(mark.point.giga_s)};
  list->AddRect({center.x - px(13), center.y - px(13)}, {center.x + px(13), center.y + px(13)},
                look()->text, px(4), px(1.8f));
}

DrawnRoofline draw_roofline(ImDrawList* list, const std::vector<Roof>& roofs,
                            const std::vector<RoofMark>& marks, RooflineWork work, ImVec2 min,
                            ImVec2 max) {
  DrawnRoofline out{.frame = lay_out(roofs, marks, min, max)};
  Places places(out.frame);
  draw_axes(list, out.frame, work, places);
  draw_roofs(list, out.frame, roofs, places);
  take_points(out.frame, marks, places);
  for (const RoofMark& mark : marks) {
    if (draw_mark(list, out.frame, mark)) out.hovered = &mark;
  }
  // The student's name, which is last, chooses its place first.
  draw_names(list, out.frame, {marks.rbegin(), marks.rend()}, places);
  draw_roof_names(list, out.frame, roofs, work, places);
  return out;
}

}  // namespace warpshop::ui
