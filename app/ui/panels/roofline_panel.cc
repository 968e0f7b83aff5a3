#include "panels/roofline_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text_id.h"
#include "draw/legend.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/times.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/glossary_link.h"
#include "panels/limiter_words.h"
#include "panels/model_note.h"
#include "panels/roofline_chart.h"
#include "state/wrap_index.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::Roof;
using timing::RooflinePoint;
using timing::RooflineWork;

constexpr size_t kMostVersions = 12;
constexpr float kLeastField = 190;   // height including the axes
constexpr float kLowField = 120;     // if the panel is too low even without the words
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
  draw_roofline(list, roofs, {}, RooflineWork::kFlop, {at.x + left, at.y + px(2)},
                {at.x + space.x - px(2), at.y + height - 2 * line - px(6)});
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
  const float wanted = px(slide ? kSlidesField : kLeastField);
  const float least = px(slide ? kSlidesField : kLowField);
  // The chart takes precedence: Times has the same words, and the chart names its points and roofs.
  const auto leaves_room = [&](float words, float field) {
    return ImGui::GetContentRegionAvail().y - words - model_note_height() - px(6) >= field;
  };
  std::optional<timing::LimiterSummary> limiter;
  if (!slide) {
    limiter = lab::limiter_summary_of(lab::time_rows(*view.session->lab(), *view.result(), *size),
                                      *view.result(), *size);
  }
  if (limiter) {
    // A limiter that the chart does not show has to be stated beside it.
    const bool shown = timing::has_roof(roofs, run->prediction->limiter);
    if (!shown)
      limiter->headline.then(Sentence(std::string(tr("not a roof of this chart"))), " · ");
    if (leaves_room(limiter_headline_height(*limiter), shown ? wanted : least))
      limiter_words(*limiter, queue, true);
  }
  export_menu(
      tr("Roofline"), [&marks] { return csv_of(marks); }, queue);
  const ImVec2 words = ImGui::GetCursorScreenPos();
  const std::vector<LegendEntry> entries = roofline_legend(marks, work);
  if (leaves_room(legend_height(entries, content_width()), wanted)) {
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
  const auto [frame, hovered] = draw_roofline(list, roofs, marks, work, min, max);
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
  if (run->prediction->limiter == timing::Limiter::kLaunch)
    note += (note.empty() ? "" : " ") + capitalized(tr(run->prediction->reason)) + ".";
  if (focused) note = who_is(*focused) + ": " + what_is(*focused, work, " · ");
  model_note(time_model(view), note);
}

}  // namespace warpshop::ui
