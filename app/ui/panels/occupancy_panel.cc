#include "panels/occupancy_panel.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::OccupancyAxis;

struct AxisWords {
  OccupancyAxis axis;
  const char* id;
  const MetricWords& metric;
  timing::OccupancyLimiter limiter;
};
constexpr AxisWords kAxes[] = {
    {OccupancyAxis::kThreads, "threads-a-block", metric::kThreadsABlock,
     timing::OccupancyLimiter::kWarps},
    {OccupancyAxis::kRegisters, "registers-a-thread", metric::kRegistersAThread,
     timing::OccupancyLimiter::kRegisters},
    {OccupancyAxis::kShared, "shared-a-block", metric::kSharedABlock,
     timing::OccupancyLimiter::kShared},
};

bool is_axis_of(const AxisWords& words, timing::OccupancyLimiter limiter) {
  return words.limiter == limiter ||
         (words.axis == OccupancyAxis::kThreads && limiter == timing::OccupancyLimiter::kBlocks);
}

const models::GpuProfile* selected_gpu(const View& view) {
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == view.gpu) return &gpu;
  }
  return nullptr;
}

std::string axis_value_text(OccupancyAxis axis, uint32_t value) {
  return axis == OccupancyAxis::kShared ? bytes_text(value) : with_separators(value);
}

// Draws some round figures below the curve, spaced apart.
void draw_ticks(ImDrawList* list, const AxisWords& words, uint32_t least, uint32_t most,
                ImVec2 left, float width) {
  const ScaleMarks marks;
  const Face& face = look().fonts->regular;
  const auto x_of = [&](uint32_t v) {
    return left.x + width * static_cast<float>(v - least) / static_cast<float>(most - least);
  };
  uint32_t step = words.axis == OccupancyAxis::kShared ? 1024 : 32;
  const auto numbers = [&] { return (most - least) / step; };
  while (static_cast<float>(numbers()) * px(46) > width) step *= 2;
  for (uint32_t value = (least + step - 1) / step * step; value <= most; value += step) {
    const std::string text = axis_value_text(words.axis, value);
    const float half = text_size(face, kSmall, text).x / 2, x = x_of(value);
    list->AddLine({x, left.y}, {x, left.y + px(3)}, look()->muted);
    if (x - half < left.x - px(1) || x + half > left.x + width + px(1)) continue;
    draw_text(list, {x, left.y + px(7)}, face, kSmall, look()->muted, text, Align::kCenter);
  }
}

// Draws the curve of warps over the figure, which doubles as the slider. Returns the figure that
// the student drags it to.
uint32_t slider(const AxisWords& words, const std::vector<timing::OccupancyPoint>& curve,
                uint32_t value, uint32_t kernel_value, int max_warps, bool limits, ImVec2 size) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label_height = px(20);
  ImGui::InvisibleButton(words.id, {std::max(size.x, px(20)), std::max(size.y, px(40))});
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered(),
             focused = ImGui::IsItemFocused();
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::string text = axis_value_text(words.axis, value);
  if (limits) text += std::string(" · ") + tr("limits");
  // The name and the figure share the line, smaller if need be.
  const std::string_view name = tr(words.metric.title);
  const float wide =
      text_size(f.regular, kLabel, name).x + text_size(f.medium, kLabel, text).x + px(8);
  const float em = kLabel * std::min(1.0f, size.x / wide);
  draw_text(list, at, f.regular, em, t.muted, name);
  draw_text(list, {at.x + size.x, at.y}, f.medium, em, limits ? t.poor : t.text, text,
            Align::kRight);
  const float ticks_height = px(8) + line_height(f.regular, kSmall);
  const float top = at.y + label_height,
              tall = std::max(px(12), size.y - label_height - ticks_height);
  const float floor = top + tall;
  const bool over_name = hovered && !active && ImGui::GetMousePos().y < top - px(4);
  metric_area(at, {at.x + size.x, top - px(4)}, words.metric);
  const auto most = static_cast<float>(curve.back().value),
             least = static_cast<float>(curve.front().value);
  auto x_of = [&](float v) { return at.x + size.x * (v - least) / (most - least); };
  list->AddRectFilled({at.x, top}, {at.x + size.x, floor}, mix(t.panel, t.raised, 0.7f), px(3));
  // Merge equal heights into one shape.
  for (size_t n = 0; n < curve.size();) {
    size_t end = n;
    while (end < curve.size() && curve[end].warps_per_sm == curve[n].warps_per_sm) ++end;
    const float x0 = x_of(static_cast<float>(curve[n].value));
    const float x1 =
        end < curve.size() ? x_of(static_cast<float>(curve[end].value)) : at.x + size.x;
    const float height =
        tall * static_cast<float>(curve[n].warps_per_sm) / static_cast<float>(max_warps);
    list->AddRectFilled({x0, floor - height}, {x1, floor}, with_alpha(t.good, 0.28f));
    list->AddLine({x0, floor - height}, {x1, floor - height}, t.good, px(1.4f));
    n = end;
  }
  draw_ticks(list, words, curve.front().value, curve.back().value, {at.x, floor}, size.x);
  const float kernel_x = x_of(static_cast<float>(kernel_value));
  list->AddTriangleFilled({kernel_x - px(4), floor + px(7)}, {kernel_x + px(4), floor + px(7)},
                          {kernel_x, floor + px(1)}, t.muted);
  const float x = x_of(static_cast<float>(value));
  list->AddLine({x, top - px(2)}, {x, floor}, hovered || active || focused ? t.accent : t.text,
                px(2));
  list->AddCircleFilled({x, top}, px(5), hovered || active || focused ? t.accent : t.text);
  if (hovered && !active && !over_name) {
    const float v = least + (ImGui::GetMousePos().x - at.x) / size.x * (most - least);
    const timing::OccupancyPoint* near = &curve.front();
    for (const timing::OccupancyPoint& p : curve) {
      if (static_cast<float>(p.value) <= v) near = &p;
    }
    tooltip(
        axis_value_text(words.axis, near->value),
        tr_count(static_cast<uint64_t>(near->warps_per_sm), "{} warp per SM", "{} warps per SM"),
        tr("Drag, or use the arrow keys. The triangle is the kernel's own."));
  }
  auto nearest = [&](float wanted) {
    uint32_t best = curve.front().value;
    for (const timing::OccupancyPoint& p : curve) {
      if (std::abs(static_cast<float>(p.value) - wanted) <
          std::abs(static_cast<float>(best) - wanted))
        best = p.value;
    }
    return best;
  };
  if (active) return nearest(least + (ImGui::GetMousePos().x - at.x) / size.x * (most - least));
  if (focused) {
    const int by =
        ImGui::IsKeyPressed(ImGuiKey_RightArrow) - ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    if (by != 0) {
      auto here =
          std::lower_bound(curve.begin(), curve.end(), value,
                           [](const timing::OccupancyPoint& p, uint32_t v) { return p.value < v; });
      const auto place = std::clamp<ptrdiff_t>((here - curve.begin()) + by, 0,
                                               static_cast<ptrdiff_t>(curve.size()) - 1);
      return curve[static_cast<size_t>(place)].value;
    }
  }
  return value;
}

}  // namespace

void occupancy_panel(const View& view, OccupancyPanelState& state, CommandQueue& queue) {
  Panel panel("occupancy", tr("Occupancy"));
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  const models::GpuProfile* gpu = selected_gpu(view);
  panel.header(tr("Occupancy"), gpu ? gpu->name : "");
  if (!run || run->registers == 0 || !gpu) {
    empty_panel(tr("Run the kernel to see how many of its warps share an SM."));
    return;
  }
  const timing::OccupancyInput kernel{.threads_per_block = static_cast<int>(run->block.count()),
                                      .registers_per_thread = run->registers,
                                      .static_shared_bytes = run->static_shared_bytes,
                                      .dynamic_shared_bytes = run->dynamic_shared_bytes};
  if (!(kernel == state.kernel)) state.kernel = state.input = kernel;
  Greyed grey(view.stale);
  const timing::Occupancy result = timing::occupancy(*gpu, state.input);
  const bool moved = !(state.input == state.kernel);
  headline(
      percent_text(result.fraction), result.fraction >= 0.999,
      tr_count(static_cast<uint64_t>(result.blocks_per_sm), "{1} of {2} warps · {0} block per SM",
               "{1} of {2} warps · {0} blocks per SM", result.warps_per_sm, gpu->max_warps_per_sm),
      tr(result.reason), lab::Provenance::kSimulated, metric::kOccupancy);
  if (!moved && !run->occupancy.registers_note.empty())
    paragraph(look().fonts->regular, kLabel, look()->muted, tr(run->occupancy.registers_note));
  if (moved) {
    if (link(tr_id("Back to the kernel's own", "kernel"), kLabel)) state.input = state.kernel;
  } else {
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("Drag to see what another launch would change."));
  }
  if (state.gpu != gpu->id || !(state.curves_of == state.input)) {
    state.gpu = gpu->id;
    state.curves_of = state.input;
    for (size_t n = 0; n < 3; ++n)
      state.curves[n] = timing::occupancy_curve(*gpu, state.input, kAxes[n].axis);
  }
  export_menu(
      tr("Occupancy"),
      [&state] {
        std::string out;
        for (size_t n = 0; n < 3; ++n) out += occupancy_csv(kAxes[n].metric.title, state.curves[n]);
        return out;
      },
      queue);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float gap_y = px(8), least = px(66);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, gap_y});
  // Nobody scrolls a slide: if it has no room for all of them, draw those that fit, among them the
  // kernel's limiter. Their order is always the same.
  std::vector<size_t> shown = {0, 1, 2};
  if (view.lecture) {
    const timing::OccupancyLimiter limiter = timing::occupancy(*gpu, state.kernel).limiter;
    const float fit = std::max(1.0f, (space.y + gap_y) / (least + gap_y));
    while (static_cast<float>(shown.size()) > fit) {
      const auto last = std::find_if(shown.rbegin(), shown.rend(),
                                     [&](size_t n) { return !is_axis_of(kAxes[n], limiter); });
      shown.erase(std::next(last).base());
    }
  }
  const auto count = static_cast<float>(shown.size());
  const float height = std::max(least, (space.y - (count - 1) * gap_y) / count);
  for (const size_t n : shown) {
    if (state.curves[n].empty()) continue;
    const AxisWords& words = kAxes[n];
    const uint32_t value = timing::value_of(state.input, words.axis);
    const uint32_t wanted =
        slider(words, state.curves[n], value, timing::value_of(state.kernel, words.axis),
               gpu->max_warps_per_sm, result.fraction < 0.999 && is_axis_of(words, result.limiter),
               {space.x, height});
    if (wanted != value) state.input = timing::with_value(state.input, words.axis, wanted);
  }
  ImGui::PopStyleVar();
}

}  // namespace warpshop::ui
