#include "panels/two_gpus_panel.h"

#include <algorithm>
#include <cmath>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "models/known_error.h"
#include "panels/banks_panel.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "panels/model_note.h"
#include "panels/scrubber.h"
#include "panels/transactions_panel.h"
#include "state/second_gpu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

ComparedSide side_of(const View& view, const models::GpuProfile& gpu, bool with_map) {
  const lab::KernelRun& run = *view.result()->student();
  const AccessEntry& entry = *view.access();
  const models::WarpRequest request = request_of(run, entry);
  ComparedSide side;
  side.gpu = gpu.id;
  const emulator::AccessSite& site = site_of(run, entry);
  const lab::AccessCost cost = lab::access_cost(gpu, site, entry.shared, request);
  side.cost = cost.cost;
  side.ideal = cost.ideal;
  if (!with_map) return side;
  if (entry.shared) {
    side.banks = lab::bank_passes_of(gpu, site, request);
  } else {
    side.map = map_transactions(request, lab::transactions_of(gpu, site, request));
  }
  return side;
}

const models::GpuProfile* find(const View& view, std::string_view id) {
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == id) return &gpu;
  }
  return nullptr;
}

void choose_second(const View& view, std::string_view first, std::string_view chosen, float width,
                   CommandQueue& queue) {
  const models::GpuProfile* gpu = find(view, chosen);
  if (dropdown("##second", gpu ? gpu->name : "", width)) ImGui::OpenPopup("second");
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
  if (begin_popup_beside("second", min, max)) {
    for (const models::GpuProfile& candidate : *view.gpus) {
      if (candidate.id == first) continue;
      const std::string label = candidate.name + "##" + candidate.id;
      if (ImGui::MenuItem(label.c_str(), nullptr, candidate.id == chosen))
        queue.push(command::SelectSecondGpu{candidate.id});
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

// "predicted 44.46 µs", or why not; "": nothing is known yet, nor being worked out.
std::string time_words(const View& view, std::string_view gpu) {
  if (view.gpu_times == nullptr) return {};
  const GpuTime* time = view.gpu_times->find(gpu);
  if (time == nullptr) return view.gpu_times->running ? tr("predicting…") : std::string();
  if (time->us > 0) return tr("predicted {}", us_text(time->us));
  return tr("no time: {}", tr(time->why));
}

// "134×", "3.3×": a prediction is not known more exactly.
std::string times_text(double ratio) {
  return (ratio < 9.95 ? decimal_text(ratio, 1)
                       : with_separators(static_cast<uint64_t>(std::llround(ratio)))) +
         "×";
}

// The time of the whole kernel, and how it compares with that on the first GPU.
void draw_time(const View& view, const ComparedSide& side, const ComparedSide& first) {
  std::string words = time_words(view, side.gpu);
  const GpuTime* time = view.gpu_times ? view.gpu_times->find(side.gpu) : nullptr;
  const GpuTime* other = view.gpu_times ? view.gpu_times->find(first.gpu) : nullptr;
  if (&side != &first && time && other && time->us > 0 && other->us > 0)
    words += " · " + (time->us >= other->us ? tr("{} as long", times_text(time->us / other->us))
                                            : tr("{} as fast", times_text(other->us / time->us)));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Face& face = look().fonts->regular;
  draw_text_cut(ImGui::GetWindowDrawList(), at, face, kLabel, look()->text, words, content_width());
  ImGui::Dummy({content_width(), line_height(face, kLabel)});
  note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), metric::kPredictedTime);
  if (!words.empty() && ImGui::IsItemHovered())
    tooltip(tr("The whole kernel at the size for times"), words,
            tr(models::known_error(*find(view, side.gpu))));
}

constexpr float kLeastMap = 72;

// Draws one GPU's map into the part of `height` that is left. Pointing at something in it
// highlights the same in the other map.
void draw_side(const View& view, const ComparedSide& side, float height, CommandQueue& queue) {
  const AccessEntry& entry = *view.access();
  const float progress = ease(view.now_s - view.selected_at_s, 0.18f);
  const float bottom = ImGui::GetCursorScreenPos().y + height;
  if (side.map) {
    transaction_headline(*side.map, entry.kind);
    const ImVec2 size{content_width(),
                      std::max(px(kLeastMap), bottom - ImGui::GetCursorScreenPos().y)};
    const MapHover hover = draw_transaction_map(*side.map, size, progress, view.pointing);
    if (hover.lane >= 0 || hover.row >= 0)
      point_and_jump(view, pointing_under(view, *side.map, hover), queue);
    return;
  }
  bank_headline(*side.banks, entry.kind, side.cost, side.ideal);
  const ImVec2 size{content_width(),
                    std::max(px(kLeastMap), bottom - ImGui::GetCursorScreenPos().y)};
  const uint32_t lanes = draw_bank_map(request_of(*view.result()->student(), entry), *side.banks,
                                       size, progress, view.pointing.lanes);
  point_and_jump(view, {.lanes = lanes, .line = entry.line}, queue);
}

constexpr float kMarkBar = 30;

// With room for the GPU's name and time below its mark.
bool marks_have_names(float pitch) { return pitch > px(54); }

// The bar and the cost of a mark, and the name and the time, or only the year.
float marks_height(bool names) {
  return px(kMarkBar + 1) + (names ? 3.0f : 2.0f) * line_height(look().fonts->regular, kSmall);
}

// 2007, or '07 where there is no room.
std::string year_text(int year, float width) {
  std::string text = std::to_string(year);
  if (text_size(look().fonts->regular, kSmall, text).x > width) text.replace(0, 2, "'");
  return text;
}

// Draws a small mark per GPU, oldest first, with the cost of the access there. A click selects that
// GPU for the right side.
void draw_all(const View& view, const TwoGpusPanelState& state, ImVec2 at, float width,
              CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool shared = view.access()->shared;
  const auto count = static_cast<float>(std::max<size_t>(state.all.size(), 1));
  const float pitch = width / count;
  const bool names = marks_have_names(pitch);
  int most = 1;
  for (const ComparedSide& side : state.all) most = std::max(most, side.cost);
  const float height = px(kMarkBar);
  for (size_t i = 0; i < state.all.size(); ++i) {
    const ComparedSide& side = state.all[i];
    const models::GpuProfile& gpu = *find(view, side.gpu);
    const float x = at.x + pitch * static_cast<float>(i), middle = x + pitch / 2;
    ImGui::SetCursorScreenPos({x, at.y});
    const bool pressed = ImGui::InvisibleButton(
        ("gpu_" + side.gpu).c_str(), {std::max(1.0f, pitch - px(2)), marks_height(names) + px(3)});
    if (pressed && side.gpu != state.sides[0].gpu) {
      queue.push(command::SelectSecondGpu{side.gpu});
    }
    const bool shown = side.gpu == state.sides[0].gpu || side.gpu == state.sides[1].gpu;
    const ImU32 color = side.cost > side.ideal ? t.poor : t.good;
    const float bar =
        std::max(px(2), height * static_cast<float>(side.cost) / static_cast<float>(most));
    draw_bar(list, {middle - px(7), at.y + height - bar}, {middle + px(7), at.y + height},
             shown ? color : with_alpha(color, 0.45f), side.cost > side.ideal, px(2));
    draw_text(list, {middle, at.y + height + px(1)}, shown ? f.medium : f.regular, kSmall,
              shown ? t.text : t.muted, std::to_string(side.cost), Align::kCenter);
    const models::CoalescingRule rule =
        lab::coalescing_rule_of(gpu, site_of(*view.result()->student(), *view.access()));
    note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                shared                                     ? passes_metric(lab::bank_rule_of(gpu))
                : rule == models::CoalescingRule::kSectors ? metric::kSectors
                                                           : transactions_metric(rule));
    const ScaleMarks marks;
    draw_text_cut(list, {middle, at.y + height + px(1) + line_height(f.regular, kSmall)}, f.regular,
                  kSmall, shown ? t.text : t.muted,
                  names ? short_gpu_name(gpu.name) : year_text(gpu.year, pitch - px(3)),
                  pitch - px(3), Align::kCenter);
    const GpuTime* time = view.gpu_times ? view.gpu_times->find(gpu.id) : nullptr;
    if (time && time->us > 0 && names) {
      draw_text_cut(list, {middle, at.y + height + px(1) + 2 * line_height(f.regular, kSmall)},
                    f.regular, kSmall, shown ? t.text : t.muted, us_text(time->us), pitch - px(3),
                    Align::kCenter);
    }
    if (ImGui::IsItemHovered()) {
      const auto cost = static_cast<uint64_t>(side.cost);
      std::string figures =
          shared ? tr_count(cost, "{} pass, ideal {1}", "{} passes, ideal {1}", side.ideal)
                 : tr("{} × 32 bytes, ideal {}", side.cost, side.ideal);
      if (const std::string words = time_words(view, gpu.id); !words.empty())
        figures += " · " + words;
      tooltip(gpu.name + ", " + std::to_string(gpu.year), figures,
              tr(shared ? models::words_of(lab::bank_rule_of(gpu)) : models::words_of(rule).rule));
    }
  }
}

}  // namespace

void two_gpus_panel(const View& view, TwoGpusPanelState& state, CommandQueue& queue) {
  Panel panel("compare", tr("Two GPUs"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const AccessEntry* entry = view.access();
  panel.header(tr("Two GPUs"), entry ? access_place(view) : "");
  if (!entry) {
    empty_panel(!view.exercise() ? tr("Nothing runs in this step.")
                : view.did_not_compile() && !view.prepared
                    ? tr("The kernel has not run: see Findings.")
                    : tr("Run the kernel to compare its accesses on two GPUs."));
    state = {};
    return;
  }
  const models::GpuProfile* left = find(view, view.result()->gpu.id);
  if (!left) left = &view.result()->gpu;
  const models::GpuProfile* right =
      find(view, second_gpu(*view.gpus, left->id, view.settings->second_gpu));
  if (!right) right = &view.gpus->front();
  if (state.of != view.prepared || state.entry != *view.selected ||
      state.sides[0].gpu != left->id || state.sides[1].gpu != right->id) {
    const bool others = state.of == view.prepared && state.entry == *view.selected;
    state.of = view.prepared;
    state.entry = *view.selected;
    state.sides = {side_of(view, *left, true), side_of(view, *right, true)};
    if (!others) {
      state.all.clear();
      for (const models::GpuProfile& gpu : *view.gpus)
        state.all.push_back(side_of(view, gpu, false));
    }
  }
  if (!view.stale) queue.push(command::PredictOnEveryGpu{});
  Greyed grey(view.stale);
  export_menu(
      tr("Two GPUs"),
      [&] {
        CsvTable table({"GPU", "year", entry->shared ? "passes" : "pieces of 32 bytes", "ideal",
                        "predicted us"});
        for (const ComparedSide& side : state.all) {
          const models::GpuProfile& gpu = *find(view, side.gpu);
          const GpuTime* time = view.gpu_times ? view.gpu_times->find(gpu.id) : nullptr;
          table.row({gpu.name, std::to_string(gpu.year), std::to_string(side.cost),
                     std::to_string(side.ideal),
                     time && time->us > 0 ? fraction_text(time->us) : ""});
        }
        return table.text();
      },
      queue);
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const bool names =
      marks_have_names(space.x / static_cast<float>(std::max<size_t>(state.all.size(), 1)));
  const float marks = marks_height(names) + px(8);  // with the space below
  const float foot = px(8) + marks + model_note_height();
  const float body = space.y - foot;
  const bool beside = space.x > px(620);
  const float gap_between = px(20);
  const float width = beside ? (space.x - gap_between) / 2 : space.x;
  const float height = beside ? body : (body - px(10)) / 2;
  const float name_height = px(32), time_height = line_height(f.regular, kLabel) + px(6);
  // Use the minimum height if there is too little room; the panel then scrolls.
  float bottom = at.y;
  for (size_t i = 0; i < 2; ++i) {
    const ImVec2 origin = i == 0   ? at
                          : beside ? ImVec2{at.x + width + gap_between, at.y}
                                   : ImVec2{at.x, bottom + px(10)};
    ImGui::SetCursorScreenPos(origin);
    ImGui::PushID(static_cast<int>(i));
    ImGui::BeginChild("side", {width, 0},
                      ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysAutoResize |
                          ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const Greyed grey_side(view.stale);
    if (i == 0) {
      const ImVec2 name_at = ImGui::GetCursorScreenPos();
      draw_text_cut(ImGui::GetWindowDrawList(), {name_at.x, name_at.y + px(6)}, f.medium, kBody,
                    look()->text, left->name, width);
      ImGui::Dummy({width, name_height - px(2)});
    } else {
      choose_second(view, left->id, right->id, std::min(width, px(240)), queue);
    }
    draw_time(view, state.sides[i], state.sides[0]);
    draw_side(view, state.sides[i], height - name_height - time_height - px(8), queue);
    ImGui::EndChild();
    bottom = std::max(bottom, ImGui::GetItemRectMax().y);
    ImGui::PopID();
  }
  const float foot_top = std::max(at.y + body + px(8), bottom + px(8));
  draw_all(view, state, {at.x, foot_top}, space.x, queue);
  ImGui::SetCursorScreenPos({at.x, foot_top + marks});
  model_note(entry->shared ? models::ModelName::kBankModel : models::ModelName::kCoalescingModel,
             entry->shared ? tr("Passes of one access on every GPU")
                           : tr("Pieces of 32 bytes that one access moves on every GPU"));
}

}  // namespace warpshop::ui
