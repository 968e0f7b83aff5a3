#include "panels/pipeline_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "draw/legend.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/model_note.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::CopyStage;
using timing::Pipeline;
using timing::PipelineWait;
using timing::WaitFor;

constexpr size_t kFirstStages = 10;

const lab::KernelRun* pipeline_kernel(const View& view, bool reference) {
  const lab::SizeResult* size = view.result() ? view.result()->timed_size() : nullptr;
  if (!size) return nullptr;
  return reference ? &size->reference : &size->student;
}

const Pipeline* pipeline_of(const View& view, bool reference) {
  const lab::KernelRun* run = pipeline_kernel(view, reference);
  return run && run->prediction ? run->prediction->pipeline.get() : nullptr;
}

struct WaitPaint {
  ImU32 color = 0;
  bool hatched = false;
};

enum class WaitKind { kCopies, kObject, kBarrier };
WaitKind kind_of(const PipelineWait& wait) {
  if (wait.what == WaitFor::kBarrier) return WaitKind::kBarrier;
  return wait.stage >= 0 ? WaitKind::kCopies : WaitKind::kObject;
}

ImU32 flight_color() { return look()->accent; }
ImU32 held_color() { return mix(look()->panel, look()->accent, 0.26f); }
ImU32 work_color() { return mix(look()->panel, look()->good, 0.55f); }
WaitPaint paint_of_wait(WaitKind kind) {
  const Theme& t = *look().theme;
  switch (kind) {
    case WaitKind::kCopies:
      return {t.poor, true};
    case WaitKind::kObject:
      return {mix(t.panel, t.poor, 0.5f), false};
    case WaitKind::kBarrier:
      break;
  }
  return {mix(t.panel, t.muted, 0.62f), false};
}

std::string share_text(double share) { return percent_text(std::round(share * 100) / 100); }

std::string cycles_words(double cycles) {
  return tr_count(static_cast<uint64_t>(std::llround(cycles)), "{} cycle", "{} cycles");
}

std::string slot_name(const Pipeline& of, int slot) {
  const timing::CopySlot& place = of.slots[static_cast<size_t>(slot)];
  if (place.is_object && !place.array.empty()) return place.array;
  return tr("slot {}", slot);
}

std::string stage_name(const Pipeline& of, int stage) {
  const CopyStage& at = of.stages[static_cast<size_t>(stage)];
  return tr("stage {} in {}", stage, slot_name(of, at.slot));
}

std::string wait_words(const Pipeline& of, const PipelineWait& wait) {
  switch (wait.what) {
    case WaitFor::kCopies:
      return wait.stage >= 0 ? tr("Waits for {}", stage_name(of, wait.stage))
                             : tr("Waits for its copies");
    case WaitFor::kMbarrier: {
      const std::string object = wait.object.empty() ? tr("an mbarrier object") : wait.object;
      return wait.stage >= 0 ? tr("Waits at {} for {}", object, stage_name(of, wait.stage))
                             : tr("Waits at {}", object);
    }
    case WaitFor::kBarrier:
      break;
  }
  return tr("Waits at {}", "__syncthreads()");
}

std::string csv_of(const Pipeline& of) {
  CsvTable table({"what", "number", "place", "from cycle", "to cycle", "bytes", "stage", "line"});
  const auto cycle = [](double at) { return std::to_string(std::llround(at)); };
  for (size_t n = 0; n < of.stages.size(); ++n) {
    const CopyStage& stage = of.stages[n];
    table.row({"stage", std::to_string(n), slot_name(of, stage.slot), cycle(stage.issue_cycle),
               cycle(stage.arrival_cycle), std::to_string(stage.bytes), "",
               std::to_string(lab::student_line(stage.source))});
  }
  for (const PipelineWait& wait : of.waits) {
    const char* what = wait.what == WaitFor::kBarrier  ? "__syncthreads"
                       : wait.what == WaitFor::kCopies ? "wait_group"
                                                       : "mbarrier";
    table.row({what, std::to_string(wait.warp), wait.object, cycle(wait.start_cycle),
               cycle(wait.end_cycle), "", wait.stage < 0 ? "" : std::to_string(wait.stage),
               std::to_string(lab::student_line(wait.source))});
  }
  return table.text();
}

struct PipelineFrame {
  ImVec2 origin;  // top left corner of the first row
  float width = 0;
  float slot_pitch = 0, slot_height = 0;
  float warps_top = 0, warp_pitch = 0, warp_height = 0;
  size_t slots = 0, warps = 0;  // drawn
  float bottom = 0;
  float x_of(const CycleSight& sight, double cycle) const {
    const double at = std::clamp(cycle, sight.begin, sight.end);
    return origin.x + width * static_cast<float>((at - sight.begin) / (sight.end - sight.begin));
  }
  float slot_top(size_t slot) const {
    return std::round(origin.y + slot_pitch * static_cast<float>(slot));
  }
  float warp_top(size_t warp) const {
    return std::round(warps_top + warp_pitch * static_cast<float>(warp));
  }
};

PipelineFrame lay_out(const Pipeline& of, ImVec2 origin, ImVec2 size) {
  PipelineFrame frame{.origin = origin, .width = size.x};
  const float between = px(10), least_slot = px(9), least_warp = px(5);
  const float room = size.y - between;
  // The slots take up to half of the height.
  const auto slots = static_cast<float>(of.slots.size()),
             warps = static_cast<float>(of.warps.size());
  frame.slot_pitch = std::clamp(room * 0.5f / slots, least_slot, px(30));
  frame.slots = std::min(
      of.slots.size(), static_cast<size_t>(std::max(1.0f, room * 0.5f / frame.slot_pitch + 0.01f)));
  const float left = room - frame.slot_pitch * static_cast<float>(frame.slots);
  frame.warp_pitch = std::clamp(left / warps, least_warp, px(22));
  frame.warps = std::min(of.warps.size(),
                         static_cast<size_t>(std::max(1.0f, left / frame.warp_pitch + 0.01f)));
  frame.slot_height = frame.slot_pitch - std::max(1.0f, frame.slot_pitch * 0.14f);
  frame.warp_height = frame.warp_pitch - std::max(1.0f, frame.warp_pitch * 0.16f);
  frame.warps_top = origin.y + frame.slot_pitch * static_cast<float>(frame.slots) + between;
  frame.bottom = frame.warps_top + frame.warp_pitch * static_cast<float>(frame.warps);
  return frame;
}

void draw_stages(ImDrawList* list, const Pipeline& of, const PipelineFrame& frame,
                 const CycleSight& sight) {
  const Face& face = look().fonts->medium;
  const ScaleMarks marks;
  for (size_t n = 0; n < of.stages.size(); ++n) {
    const CopyStage& stage = of.stages[n];
    if (static_cast<size_t>(stage.slot) >= frame.slots) continue;
    // The slot holds the stage until the next one is copied into it.
    double until = of.end_cycle();
    for (size_t next = n + 1; next < of.stages.size(); ++next) {
      if (of.stages[next].slot != stage.slot) continue;
      until = of.stages[next].issue_cycle;
      break;
    }
    if (until < sight.begin || stage.issue_cycle > sight.end) continue;
    const float top = frame.slot_top(static_cast<size_t>(stage.slot)),
                bottom = top + frame.slot_height;
    const float issue = frame.x_of(sight, stage.issue_cycle),
                arrival = std::max(frame.x_of(sight, stage.arrival_cycle), issue + 1);
    if (until > stage.arrival_cycle)
      list->AddRectFilled({arrival, top}, {frame.x_of(sight, until), bottom}, held_color());
    list->AddRectFilled({issue, top}, {arrival, bottom}, flight_color(), px(1.5f));
    const std::string number = std::to_string(n);
    if (frame.slot_height >= line_height(face, kSmall) &&
        arrival - issue > text_size(face, kSmall, number).x + px(6)) {
      draw_text(list,
                {(issue + arrival) / 2, top + (frame.slot_height - line_height(face, kSmall)) / 2},
                face, kSmall, text_on(flight_color()), number, Align::kCenter);
    }
  }
}

void draw_warps(ImDrawList* list, const Pipeline& of, const PipelineFrame& frame,
                const CycleSight& sight) {
  for (size_t w = 0; w < frame.warps; ++w) {
    const timing::PipelineWarp& warp = of.warps[w];
    if (warp.end_cycle < sight.begin || warp.start_cycle > sight.end) continue;
    const float top = frame.warp_top(w);
    list->AddRectFilled({frame.x_of(sight, warp.start_cycle), top},
                        {frame.x_of(sight, warp.end_cycle), top + frame.warp_height}, work_color());
  }
  for (const PipelineWait& wait : of.waits) {
    if (wait.warp >= frame.warps || wait.end_cycle < sight.begin || wait.start_cycle > sight.end)
      continue;
    const float x0 = frame.x_of(sight, wait.start_cycle), x1 = frame.x_of(sight, wait.end_cycle);
    if (x1 - x0 < 0.5f) continue;
    const float top = frame.warp_top(wait.warp);
    const WaitPaint paint = paint_of_wait(kind_of(wait));
    const ImVec2 max{std::max(x1, x0 + 1), top + frame.warp_height};
    list->AddRectFilled({x0, top}, max, paint.color);
    if (paint.hatched && x1 - x0 >= px(5) && frame.warp_height >= px(5))
      draw_hatch(list, {x0, top}, max, with_alpha(look()->panel, 0.55f), px(6), px(1.2f));
  }
}

void draw_names(ImDrawList* list, const Pipeline& of, const PipelineFrame& frame, float gutter) {
  const ScaleMarks marks;
  const Fonts& f = *look().fonts;
  const auto name = [&](float top, float height, std::string_view text, float& free_from) {
    const float line = line_height(f.code, kSmall), y = top + (height - line) / 2;
    if (y < free_from) return;
    draw_text_cut(list, {frame.origin.x - px(8), y}, f.code, kSmall, look()->muted, text,
                  gutter - px(8), Align::kRight);
    free_from = y + line * 0.95f;
  };
  float free_from = -1e9f;
  for (size_t s = 0; s < frame.slots; ++s)
    name(frame.slot_top(s), frame.slot_height, slot_name(of, static_cast<int>(s)), free_from);
  free_from = -1e9f;
  for (size_t w = 0; w < frame.warps; ++w)
    name(frame.warp_top(w), frame.warp_height, "w" + std::to_string(w), free_from);
}

// The stage that the mouse points at, itself or by a wait for it.
std::optional<int> hover(const View& view, const Pipeline& of, const PipelineFrame& frame,
                         PipelinePanelState& state, CommandQueue& queue) {
  if (!move_with_mouse(state, frame.origin.x, frame.width)) return std::nullopt;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) move_sight(state, 0, 0);
  const ImVec2 mouse = ImGui::GetMousePos();
  const double cycle = cycle_at_mouse(state, frame.origin.x, frame.width);
  ImGui::GetWindowDrawList()->AddLine({mouse.x, frame.origin.y - px(4)}, {mouse.x, frame.bottom},
                                      look()->text, px(1));
  std::optional<int> pointed;
  int line = 0;
  if (mouse.y >= frame.origin.y && mouse.y < frame.warps_top) {
    const auto slot = static_cast<int>((mouse.y - frame.origin.y) / frame.slot_pitch);
    for (size_t n = 0; n < of.stages.size(); ++n) {
      if (of.stages[n].slot == slot && of.stages[n].issue_cycle <= cycle)
        pointed = static_cast<int>(n);
    }
    if (!pointed) return pointed;
    const CopyStage& stage = of.stages[static_cast<size_t>(*pointed)];
    line = lab::student_line(stage.source);
    double waited = 0;
    uint64_t warps = 0;
    for (const PipelineWait& wait : of.waits) {
      if (wait.stage != *pointed) continue;
      waited += wait.end_cycle - wait.start_cycle;
      ++warps;
    }
    const std::string flight = tr("{} in flight for {}: cycles {} to {}", bytes_text(stage.bytes),
                                  cycles_words(stage.arrival_cycle - stage.issue_cycle),
                                  cycle_text(stage.issue_cycle), cycle_text(stage.arrival_cycle));
    const timing::CopySlot& place = of.slots[static_cast<size_t>(stage.slot)];
    const std::string where =
        place.is_object || place.array.empty()
            ? ""
            : "\n" + tr("in shared memory at {} + {}", place.array, bytes_text(place.offset));
    tooltip(capitalized(stage_name(of, *pointed)), flight + where,
            warps == 0
                ? tr("No warp has to wait for it.")
                : tr_count(warps, "{} warp waits for it, {1}", "{} warps wait for it, {1} each",
                           cycles_words(waited / static_cast<double>(warps))));
  } else if (mouse.y >= frame.warps_top && mouse.y < frame.bottom) {
    const auto warp = static_cast<uint32_t>((mouse.y - frame.warps_top) / frame.warp_pitch);
    for (const PipelineWait& wait : of.waits) {
      if (wait.warp != warp || cycle < wait.start_cycle || cycle >= wait.end_cycle) continue;
      if (wait.stage >= 0) pointed = wait.stage;
      line = lab::student_line(wait.source);
      tooltip(
          wait_words(of, wait),
          cycles_words(wait.end_cycle - wait.start_cycle) +
              (line > 0 ? " · " + std::string(tr("line {}", line)) : ""),
          tr("Warp {} of block {} · cycle {}", warp, with_separators(of.block), cycle_text(cycle)));
      break;
    }
  }
  if (line <= 0) return pointed;
  queue.point_at({.lanes = 0, .line = line});
  if (state.reference || view.stale) return pointed;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !state.moved)
    queue.push(command::GoTo{{.file = view.result()->file_name, .line = line, .column = 1}});
  return pointed;
}

// Frames a stage and the waits for it.
void frame_pointed(ImDrawList* list, const Pipeline& of, const PipelineFrame& frame,
                   const CycleSight& sight, int stage) {
  const auto box = [&](double from, double to, float top, float height) {
    if (to < sight.begin || from > sight.end) return;
    list->AddRect({frame.x_of(sight, from) - px(1), top - px(1)},
                  {std::max(frame.x_of(sight, to), frame.x_of(sight, from) + px(2)) + px(1),
                   top + height + px(1)},
                  look()->text, px(1.5f), px(1.5f));
  };
  const CopyStage& at = of.stages[static_cast<size_t>(stage)];
  if (static_cast<size_t>(at.slot) < frame.slots)
    box(at.issue_cycle, at.arrival_cycle, frame.slot_top(static_cast<size_t>(at.slot)),
        frame.slot_height);
  for (const PipelineWait& wait : of.waits) {
    if (wait.stage == stage && wait.warp < frame.warps)
      box(wait.start_cycle, wait.end_cycle, frame.warp_top(wait.warp), frame.warp_height);
  }
}

std::vector<LegendEntry> legend_of(const Pipeline& of) {
  std::vector<LegendEntry> out = {{Swatch::kBar, flight_color(), tr("copy in flight")},
                                  {Swatch::kBar, held_color(), tr("arrived, until the next copy")},
                                  {Swatch::kBar, work_color(), tr("warp works")}};
  const auto add = [&](WaitKind kind, const char* words) {
    if (std::none_of(of.waits.begin(), of.waits.end(),
                     [&](const PipelineWait& wait) { return kind_of(wait) == kind; }))
      return;
    const WaitPaint paint = paint_of_wait(kind);
    out.push_back({paint.hatched ? Swatch::kHatched : Swatch::kBar, paint.color, words});
  };
  add(WaitKind::kCopies, tr("waits for a copy"));
  add(WaitKind::kObject, tr("waits for other warps at an mbarrier"));
  add(WaitKind::kBarrier, tr("waits at __syncthreads()"));
  return out;
}

}  // namespace

void pipeline_panel(const View& view, PipelinePanelState& state, CommandQueue& queue) {
  Panel panel("pipeline", tr("Pipeline"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  if (state.reference && !pipeline_of(view, true)) state.reference = false;
  const Pipeline* of = pipeline_of(view, state.reference);
  if (of == nullptr) {
    panel.header(tr("Pipeline"));
    state.of = nullptr;
    const lab::KernelRun* run = pipeline_kernel(view, false);
    if (run && run->prediction) {
      empty_panel(tr("The predicted run has no asynchronous copies."));
    } else {
      say_why_not(view, tr("Run the kernel to see its copies in flight."));
    }
    return;
  }
  // At first as many stages as can be told apart.
  const size_t last_stage = std::min(kFirstStages, of->stages.size() - 1);
  if (!set_range(state, of->end_cycle(), state.of != nullptr) && last_stage == kFirstStages)
    state.end = of->stages[last_stage].arrival_cycle;
  state.of = of;
  panel.header(tr("Pipeline"), tr("at {}", view.result()->timed_size()->size.label) + " · " +
                                   tr("block {} · cycles {}–{}", with_separators(of->block),
                                      cycle_text(state.begin), cycle_text(state.end)));
  Greyed grey(view.stale);
  const double overlap = of->overlap();
  const int most = of->most_in_flight();
  headline(share_text(overlap), overlap >= 0.5,
           tr("of the warps' time with copies in flight is work"),
           tr("all of their time: {} waiting for copies, {} at barriers",
              share_text(of->waiting_for_copies()), share_text(of->waiting_at_barriers())) +
               " · " +
               tr_count(static_cast<uint64_t>(most), "at most {} stage in flight",
                        "at most {} stages in flight"),
           lab::Provenance::kPredicted, metric::kOverlap);
  export_menu(
      tr("Pipeline"), [of] { return csv_of(*of); }, queue);

  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Fonts& f = *look().fonts;
  float gutter = text_size(f.code, kSmall, "w00").x;
  for (size_t s = 0; s < of->slots.size(); ++s)
    gutter = std::max(gutter, text_size(f.code, kSmall, slot_name(*of, static_cast<int>(s))).x);
  gutter = std::min(gutter, px(110)) + px(10);
  const float axis = line_height(f.regular, kSmall) + px(5);
  const std::vector<LegendEntry> entries = legend_of(*of);
  const bool roomy = space.y > px(170);
  const float below =
      px(18) + (roomy ? legend_height(entries, space.x) + px(4) : 0) + model_note_height() + px(6);
  const PipelineFrame frame = lay_out(*of, {at.x + gutter, at.y + axis},
                                      {space.x - gutter, std::max(px(60), space.y - axis - below)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::InvisibleButton("stages", {std::max(space.x, 1.0f), std::max(1.0f, frame.bottom - at.y)});
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  list->PushClipRect({frame.origin.x, at.y}, {frame.origin.x + frame.width, frame.bottom}, true);
  draw_cycle_marks(list, state, frame.origin, frame.width, frame.bottom, at.y);
  draw_stages(list, *of, frame, state);
  draw_warps(list, *of, frame, state);
  list->PopClipRect();
  draw_names(list, *of, frame, gutter);
  if (const std::optional<int> stage = hover(view, *of, frame, state, queue))
    frame_pointed(list, *of, frame, state, *stage);
  cycle_overview(state, frame.origin.x, frame.width, frame.bottom + px(6));
  ImGui::SetCursorScreenPos({at.x, frame.bottom + px(18)});
  if (roomy) legend(entries);
  const bool both = pipeline_of(view, true) && pipeline_of(view, false);
  if (both) {
    if (link(state.reference ? tr_id("Your pipeline", "kernel")
                             : tr_id("The reference's pipeline", "kernel"),
             12))
      state.reference = !state.reference;
    ImGui::SameLine(0, px(16));
  }
  std::string note;
  const size_t left_out = of->warps.size() - frame.warps;
  if (of->cut) note = tr("only the start of a long block");
  if (left_out > 0) note = tr_count(left_out, "{} more warp below", "{} more warps below");
  model_note(time_model(view), note);
}

}  // namespace warpshop::ui
