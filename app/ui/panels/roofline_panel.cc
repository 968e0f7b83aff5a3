#include "panels/roofline_panel.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/fixed.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/model_note.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::Roof;
using timing::RooflinePoint;
using timing::RooflineWork;

constexpr size_t kMostVersions = 12;

// Takes a new prediction of the student's into the list, or puts it in the place of the same text's.
void keep(const View& view, RooflinePanelState& state) {
  const lab::RunResult& result = *view.result();
  const timing::Prediction* newest = result.student() && result.student()->prediction ? &*result.student()->prediction : nullptr;
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
  std::erase_if(state.versions, [&](const RooflinePanelState::Version& v) { return v.source == result.source; });
  RooflinePanelState::Version version{result.source, *newest};
  version.prediction.timelines.clear();
  state.versions.push_back(std::move(version));
  if (state.versions.size() > kMostVersions) state.versions.erase(state.versions.begin());
}

std::string amount_text(double value) {
  return fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

// "1,234 GFLOP/s", "1.2 TFLOP/s"
std::string rate_text(double giga, RooflineWork work) {
  const bool flop = work == RooflineWork::kFlop;
  if (giga >= 1000) return amount_text(giga / 1000) + (flop ? " TFLOP/s" : " T instr/s");
  return amount_text(giga) + (flop ? " GFLOP/s" : " G instr/s");
}

std::string bandwidth_text(double gb_s) { return with_separators(static_cast<uint64_t>(std::llround(gb_s))) + " GB/s"; }

// Both axes are logarithms to base ten.
struct Frame {
  ImVec2 min, max;  // of the field, without the labels of its axes
  double x0 = -2, x1 = 2, y0 = 0, y1 = 5;
  float x_of(double per_byte) const {
    return min.x + (max.x - min.x) * static_cast<float>((std::log10(per_byte) - x0) / (x1 - x0));
  }
  float y_of(double giga) const {
    return max.y - (max.y - min.y) * static_cast<float>((std::log10(giga) - y0) / (y1 - y0));
  }
};

struct Mark {
  RooflinePoint point;
  std::string name;
  ImU32 color = 0;
  bool main = false;
  const std::string* source = nullptr;  // of an earlier version
  bool around = false;  // a ring: the reference, which a good kernel coincides with
};

// What is drawn decides the range: every point, the flat roof, and the ridge of the lowest slope.
Frame lay_out(const std::vector<Roof>& roofs, const std::vector<Mark>& marks, ImVec2 min, ImVec2 max) {
  Frame frame{.min = min, .max = max};
  double left = 1e9, right = 1e-9, low = 1e12, high = 1e-12;
  double flat = 0;
  for (const Roof& roof : roofs) flat = std::max(flat, roof.giga_s);
  high = std::max(high, flat);
  for (const Roof& roof : roofs) {
    if (roof.gb_s > 0) right = std::max(right, flat / roof.gb_s * 2.5);
    if (roof.gb_s > 0) left = std::min(left, flat / roof.gb_s / 30);
  }
  for (const Mark& mark : marks) {
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

std::string power_text(double exponent) {
  const double value = std::pow(10, exponent);
  return value >= 1 ? with_separators(static_cast<uint64_t>(std::llround(value))) : fraction_text(value).size() > 1 && value >= 0.01 ? fraction_text(value) : amount_text(value);
}

void draw_axes(ImDrawList* list, const Frame& frame, RooflineWork work) {
  const Theme& t = *look().theme;
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall);
  for (double e = std::ceil(frame.x0); e <= frame.x1; e += 1) {
    const float x = std::round(frame.x_of(std::pow(10, e)));
    list->AddLine({x, frame.min.y}, {x, frame.max.y}, with_alpha(t.line, 0.55f));
    draw_text(list, {x, frame.max.y + px(4)}, face, kSmall, t.muted, power_text(e), Align::kCenter);
  }
  for (double e = std::ceil(frame.y0); e <= frame.y1; e += 1) {
    const float y = std::round(frame.y_of(std::pow(10, e)));
    list->AddLine({frame.min.x, y}, {frame.max.x, y}, with_alpha(t.line, 0.55f));
    draw_text(list, {frame.min.x - px(6), y - line / 2}, face, kSmall, t.muted, power_text(e), Align::kRight);
  }
  const bool flop = work == RooflineWork::kFlop;
  const char* below = flop ? tr("operations for each byte") : tr("warp instructions for each byte");
  const char* above = flop ? tr("billion operations a second") : tr("billion warp instructions a second");
  const ImVec2 x_name = text_size(face, kSmall, below), y_name = text_size(face, kSmall, above);
  const ImVec2 x_at{frame.max.x - x_name.x, frame.max.y + px(4) + line}, y_at{frame.min.x + px(4), frame.min.y};
  draw_text(list, x_at, face, kSmall, t.muted, below);
  draw_text(list, y_at, face, kSmall, t.muted, above);
  metric_area(x_at, {x_at.x + x_name.x, x_at.y + x_name.y}, metric::kIntensity);
  metric_area(y_at, {y_at.x + y_name.x, y_at.y + y_name.y}, flop ? metric::kFlopRate : metric::kIssueRate);
}

void draw_roofs(ImDrawList* list, const Frame& frame, const std::vector<Roof>& roofs, RooflineWork work) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  double flat = 0;
  for (const Roof& roof : roofs) flat = std::max(flat, roof.giga_s);
  list->PushClipRect(frame.min, frame.max, true);
  for (const Roof& roof : roofs) {
    const std::string note = roof.assumed ? " " + std::string(tr("(assumed)")) : "";
    if (roof.gb_s <= 0) {
      const float y = frame.y_of(roof.giga_s);
      list->AddLine({frame.min.x, y}, {frame.max.x, y}, mix(t.panel, t.text, 0.55f), px(1.8f));
      const std::string text = roof.name + " " + rate_text(roof.giga_s, work) + note;
      const ImVec2 size = text_size(f.medium, 12, text), at{frame.max.x - px(4) - size.x, y - line_height(f.medium, 12) - px(2)};
      draw_text(list, at, f.medium, 12, t.body, text);
      metric_area(at, {at.x + size.x, at.y + size.y}, metric::kRoof);
      continue;
    }
    const bool dram = &roof == &roofs.front();
    const double ridge = flat / roof.gb_s;
    const double from = std::pow(10, frame.x0);
    const ImVec2 a{frame.x_of(from), frame.y_of(roof.at(from))}, b{frame.x_of(ridge), frame.y_of(flat)};
    const ImU32 color = dram ? mix(t.panel, t.text, 0.55f) : mix(t.panel, t.text, 0.3f);
    list->AddLine(a, b, color, px(1.8f));
    // Its name along the slope, where the field is entered.
    const std::string text = roof.name + " " + bandwidth_text(roof.gb_s) + note;
    const float width = text_size(f.medium, 12, text).x;
    ImVec2 at = a;
    if (at.y > frame.max.y) {
      const float part = (at.y - frame.max.y) / std::max(1.0f, at.y - b.y);
      at = {at.x + (b.x - at.x) * part, frame.max.y};
    }
    const float part = dram ? 0.5f : 0.62f;
    const ImVec2 middle{at.x + (b.x - at.x) * part, at.y + (b.y - at.y) * part};
    const ImVec2 place{dram ? middle.x + px(8) : middle.x - px(8), dram ? middle.y + px(2) : middle.y - px(16)};
    const float left = dram ? std::min(place.x, frame.max.x - width - px(4)) : std::max(frame.min.x + px(2), place.x - width);
    draw_text(list, {left, place.y}, f.medium, 12, dram ? t.body : t.muted, text);
    metric_area({left, place.y}, {left + width, place.y + line_height(f.medium, 12)}, metric::kRoof);
  }
  list->PopClipRect();
}

// Filled at the intensity by DRAM, a ring at that by L2; alone it is filled. Gives where the mouse is over it.
bool draw_mark(ImDrawList* list, const Frame& frame, const Mark& mark) {
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
    list->AddCircle(center, px(10.5f), mark.color, 0, px(2));  // seen around another point, too
  } else {
    list->AddCircleFilled(center, r + px(1.5f), t.panel);
    list->AddCircleFilled(center, r, mark.color);
  }
  return ImGui::IsItemHovered() && std::hypot(ImGui::GetMousePos().x - center.x, ImGui::GetMousePos().y - center.y) < r + px(4);
}

// Beside their points, apart from each other.
void draw_names(ImDrawList* list, const Frame& frame, const std::vector<Mark>& marks) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const float line = line_height(f.medium, kLabel);
  std::vector<ImVec4> taken;
  for (const Mark& mark : marks) {
    if (mark.name.empty()) continue;
    const std::optional<double> x = mark.point.per_dram_byte ? mark.point.per_dram_byte : mark.point.per_l2_byte;
    if (!x) continue;
    const Face& face = mark.main ? f.medium : f.regular;
    const float em = mark.main ? kLabel : 12;
    const float width = text_size(face, em, mark.name).x;
    const ImVec2 center{frame.x_of(*x), frame.y_of(mark.point.giga_s)};
    ImVec2 at{center.x + px(15), center.y - line / 2};
    if (at.x + width > frame.max.x) at.x = center.x - px(15) - width;
    for (int tries = 0; tries < 8; ++tries) {
      const bool free = std::none_of(taken.begin(), taken.end(), [&](const ImVec4& box) {
        return at.x < box.z && at.x + width > box.x && at.y < box.w && at.y + line > box.y;
      });
      if (free) break;
      at.y += line;
    }
    taken.push_back({at.x, at.y, at.x + width, at.y + line});
    draw_text(list, at, face, em, mark.main ? t.text : t.muted, mark.name);
  }
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

// Of a GPU for which no time is predicted: its ceilings, and why there are no points.
void roofs_alone(const View& view) {
  const models::GpuProfile& gpu = view.result()->gpu;
  paragraph(look().fonts->regular, kLabel, look()->body, why_not_predicted(view));
  const std::vector<Roof> roofs = timing::roofs_of(gpu, RooflineWork::kFlop);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall), left = text_size(face, kSmall, "100,000").x + px(8);
  const float height = std::max(px(60), space.y - model_note_height() - px(4));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Frame frame = lay_out(roofs, {}, {at.x + left, at.y + px(2)}, {at.x + space.x - px(2), at.y + height - 2 * line - px(6)});
  draw_axes(list, frame, RooflineWork::kFlop);
  draw_roofs(list, frame, roofs, RooflineWork::kFlop);
  ImGui::SetCursorScreenPos({at.x, at.y + space.y - model_note_height()});
  model_note(time_model(view), "");
}

std::string csv_of(const std::vector<Mark>& marks) {
  CsvTable table({"kernel", "10^9 operations/s", "operations per DRAM byte", "operations per L2 byte", "attainable 10^9/s", "roof"});
  for (const Mark& mark : marks) {
    const RooflinePoint& p = mark.point;
    table.row({mark.name, fraction_text(p.giga_s), p.per_dram_byte ? amount_text(*p.per_dram_byte) : "",
               p.per_l2_byte ? amount_text(*p.per_l2_byte) : "", fraction_text(p.attainable_giga_s), p.roof});
  }
  return table.text();
}

}  // namespace

void roofline_panel(const View& view, RooflinePanelState& state, CommandQueue& queue) {
  // Versions are kept while the panel is out of sight, too.
  if (view.result() && view.result()->student()) keep(view, state);
  Panel panel("roofline", tr("Roofline"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
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
  const lab::KernelRun* reference = view.result()->reference();
  const RooflineWork work = timing::main_work(*run->prediction);
  panel.header(tr("Roofline"), gpu.name + " · " + view.result()->sizes.front().size.label);
  Greyed grey(view.stale);
  const std::vector<Roof> roofs = timing::roofs_of(gpu, work);
  std::vector<Mark> marks;
  const Theme& t = *look().theme;
  const auto add = [&](const timing::Prediction& prediction, std::string name, ImU32 color, bool main, bool around = false) {
    if (auto point = timing::roofline_point(prediction, work, roofs)) marks.push_back({.point = *point, .name = std::move(name), .color = color, .main = main, .around = around});
  };
  // The present text is the last of the versions.
  for (size_t v = 0; v + 1 < state.versions.size(); ++v) {
    const size_t before = marks.size();
    add(state.versions[v].prediction, std::to_string(v + 1), mix(t.panel, t.muted, 0.75f), false);
    if (marks.size() > before) marks.back().source = &state.versions[v].source;
  }
  if (reference && reference->prediction) add(*reference->prediction, tr("reference"), t.muted, false, true);
  add(*run->prediction, tr("yours"), t.poor, true);
  const auto yours = std::find_if(marks.begin(), marks.end(), [](const Mark& m) { return m.main; });
  if (yours == marks.end()) {
    empty_panel(tr("This kernel executes nothing that could be drawn."));
    return;
  }
  const bool good = yours->point.of_roof >= 0.7;
  yours->color = good ? t.good : t.poor;
  const double share = yours->point.of_roof;
  headline(share >= 0.0995 ? percent_text(std::round(share * 100) / 100) : percent_text(std::round(share * 1000) / 1000), good,
           tr("of what the {} roof allows at this intensity", yours->point.roof),
           tr("{} of {}", rate_text(yours->point.giga_s, work), rate_text(yours->point.attainable_giga_s, work)) +
               (run->prediction->dram_bytes > 0 ? " · " + tr("{} from DRAM", bandwidth_text(run->prediction->achieved_gb_s)) : ""),
           lab::Provenance::kPredicted, metric::kOfRoof);
  export_menu(tr("Roofline"), [&marks] { return csv_of(marks); }, queue);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const Face& face = look().fonts->regular;
  const float line = line_height(face, kSmall);
  const float left = text_size(face, kSmall, "100,000").x + px(8);
  const float height = std::max(px(60), space.y - model_note_height() - px(4));
  const ImVec2 min{at.x + left, at.y + px(2)}, max{at.x + space.x - px(2), at.y + height - 2 * line - px(6)};
  ImGui::InvisibleButton("field", {std::max(space.x, 1.0f), height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Frame frame = lay_out(roofs, marks, min, max);
  draw_axes(list, frame, work);
  draw_roofs(list, frame, roofs, work);
  const Mark* hovered = nullptr;
  for (const Mark& mark : marks) {
    if (draw_mark(list, frame, mark)) hovered = &mark;
  }
  std::vector<Mark> by_weight(marks.rbegin(), marks.rend());  // yours chooses its place first
  draw_names(list, frame, by_weight);
  if (hovered) {
    const RooflinePoint& p = hovered->point;
    std::string text = tr("{} of {}", rate_text(p.giga_s, work), rate_text(p.attainable_giga_s, work)) + " (" + p.roof + ")";
    if (p.per_dram_byte) text += "\n" + tr("{} for each byte of DRAM (filled)", amount_text(*p.per_dram_byte));
    if (p.per_l2_byte) {
      text += "\n" + (p.per_dram_byte ? tr("{} for each byte of L2 (ring)", amount_text(*p.per_l2_byte))
                                      : tr("{} for each byte of L2", amount_text(*p.per_l2_byte)));
    }
    // Of the history: a version that was run is kept there.
    const RunRecord* run_of = nullptr;
    if (hovered->source && view.history) {
      for (const RunRecord& record : view.history->runs()) {
        if (record.text_id == text_id(*hovered->source)) run_of = &record;
      }
    }
    if (run_of && ImGui::IsItemClicked()) queue.push(command::OpenChanges{run_of->id, ""});
    tooltip(hovered->main ? std::string(tr("Your kernel"))
            : hovered->around ? std::string(tr("The reference"))
                                           : tr("Your version {}", hovered->name),
            text, run_of ? tr("Click to see what the text changed since.") : "");
  }
  ImGui::SetCursorScreenPos({at.x, at.y + space.y - model_note_height()});
  std::string note = run->prediction->dram_bytes > 0 ? "" : tr("L2 holds all the data: DRAM moves nothing.");
  if (work == RooflineWork::kWarpInstructions) note = std::string(tr("No arithmetic on floats: warp instructions instead.")) + " " + note;
  if (run->prediction->bound == timing::Bound::kLaunch) note += (note.empty() ? "" : " ") + sentence(run->prediction->reason);
  model_note(time_model(view), note);
}

}  // namespace warpshop::ui
