#include "panels/lecture_panels.h"

#include <algorithm>

#include "app/actions.h"
#include "draw/widgets.h"
#include "lab/expression.h"
#include "panels/top_bar.h"
#include "state/lecture.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// The largest of `sizes` in which the text, wrapped, fits the space; else the last.
struct FittedText {
  float em = 0;
  ImVec2 size{};
};
FittedText fitted(std::string_view text, const Face& face, std::initializer_list<float> sizes, ImVec2 space) {
  FittedText fit;
  for (const float em : sizes) {
    ScopedFont font(face, em);
    fit = {em, ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, space.x)};
    if (fit.size.y <= space.y && fit.size.x <= space.x + 1) break;
  }
  return fit;
}

// Text in the middle of the space, wrapped to it, at the largest of the sizes that fits.
void centred(std::string_view text, const Face& face, std::initializer_list<float> sizes,
             ImU32 color, ImVec2 origin, ImVec2 space) {
  const FittedText fit = fitted(text, face, sizes, space);
  draw_text_wrapped(ImGui::GetWindowDrawList(),
                    {origin.x + std::max(0.0f, (space.x - fit.size.x) / 2), origin.y + std::max(0.0f, (space.y - fit.size.y) / 2)},
                    face, fit.em, color, text, space.x);
}

float figures_height(size_t count) { return px(22) * static_cast<float>(count); }

// Bars of what others measured, the newest in full colour. Returns nothing where there is none to
// show.
void figures(const std::vector<SeenFigure>& seen, ImVec2 at, ImVec2 size) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  double most = 0;
  for (const SeenFigure& s : seen) most = std::max(most, s.figure->value);
  // The newest stay where there is no room for all.
  const auto fit = static_cast<size_t>(std::max(1.0f, (size.y - px(16)) / px(22)));
  const size_t first = seen.size() > fit ? seen.size() - fit : 0;
  float value_width = 0;
  for (const SeenFigure& s : seen) {
    value_width = std::max(
        value_width,
        text_size(f.medium, kLabel, lab::number_text(s.figure->value) + " " + s.figure->unit).x);
  }
  const float label_width = size.x * 0.42f;
  const float bars = std::max(px(10), size.x - label_width - value_width - px(14));
  float y = at.y;
  for (size_t i = first; i < seen.size(); ++i, y += px(22)) {
    const lab::PublishedFigure& figure = *seen[i].figure;
    const float text_y = y + (px(20) - line_height(f.regular, kLabel)) / 2;
    draw_text_cut(list, {at.x, text_y}, seen[i].now ? f.medium : f.regular, kLabel,
                  seen[i].now ? t.text : t.muted, figure.label, label_width - px(10));
    const float width = std::max(px(2), bars * static_cast<float>(figure.value / most));
    list->AddRectFilled({at.x + label_width, y + px(4)}, {at.x + label_width + width, y + px(16)},
                        seen[i].now ? t.history : with_alpha(t.history, 0.45f), px(3));
    draw_text(list, {at.x + label_width + width + px(8), text_y}, f.medium, kLabel,
              seen[i].now ? t.text : t.muted, lab::number_text(figure.value) + " " + figure.unit);
  }
  if (seen.empty()) return;
  draw_text_cut(list, {at.x, y + px(1)}, f.regular, kSmall, t.muted,
                tr("published: {}", seen.back().figure->source), size.x);
}

std::string_view map_title(const lab::Scene& scene) {
  switch (scene.show) {
    case lab::Scene::Show::kTransactions:
      return tr("Transactions");
    case lab::Scene::Show::kBanks:
      return tr("Banks");
    case lab::Scene::Show::kNumber:
      return tr("Number");
  }
  return "";
}

}  // namespace

void lecture_bar(const View& view, CommandQueue& queue) {
  const Lecture& lecture = *view.lecture;
  begin_top_bar();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth(), height = px(kTopBarHeight);
  // From the right: on, back, leave; the place in the script; the GPU.
  float right = width - px(16);
  const auto place = [&](const std::string& label, const char* action, ButtonKind kind, float wide,
                         Command command) {
    const std::string_view said(label.data(), label.find("##"));
    const float needed = std::max(px(wide), text_size(f.medium, kLabel, said).x + px(20));
    right -= needed;
    ImGui::SetCursorPos({right, (height - px(30)) / 2});
    if (button(label, kind, {needed, px(30)}, kLabel)) queue.push(std::move(command));
    action_tooltip(action);
    right -= px(8);
  };
  place(lecture.hidden() ? tr_id("Reveal", "advance") : tr_id("Next", "advance"), "advance", ButtonKind::kPrimary, 70,
        command::Advance{});
  place(tr_id("Back", "back"), "scene-back", ButtonKind::kSecondary, 52, command::MoveScene{-1});
  place(tr_id("End", "end"), "lecture", ButtonKind::kQuiet, 44, command::GiveLecture{});
  // The title goes first: the others stay away where they would leave it no room.
  const float title = std::min(text_size(f.bold, 17, lecture.current().title).x, width * 0.4f);
  const auto word = [&](const std::string& text, ImU32 color) {
    const float wide = text_size(f.regular, kLabel, text).x + px(8);
    if (right - wide - px(36) < title) return;
    right -= wide;
    draw_text(list, {at.x + right, at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular,
              kLabel, color, text);
    right -= px(8);
  };
  word(tr("{} of {}", lecture.scene + 1, lecture.demo().scenes.size()), t.muted);
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == view.gpu) word(gpu.name, t.muted);
  }
  draw_text_cut(list, {at.x + px(20), at.y + (height - line_height(f.bold, 17)) / 2}, f.bold, 17,
                t.text, lecture.current().title, std::max(px(20), right - px(36)));
  ImGui::End();
}

void scene_panel(const View& view, CommandQueue&) {
  Panel panel("scene", tr("Scene"));
  if (!panel) return;
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const std::vector<SeenFigure> seen = seen_figures(lecture);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const bool beside = !seen.empty() && space.x > px(560);
  const float words = beside ? space.x * 0.52f : space.x;
  ImGui::BeginChild("words", {words, 0});
  const std::string& second = lecture.hidden() ? scene.ask : scene.answer;
  // As large as both fit, the answer as large as the question.
  const auto height_at = [&](float em) {
    const float wrap = words - px(4);
    ScopedFont font(f.medium, em);
    const float longer =
        std::max(ImGui::CalcTextSize(scene.ask.c_str(), nullptr, false, wrap).y,
                 ImGui::CalcTextSize(scene.answer.c_str(), nullptr, false, wrap).y);
    return ImGui::CalcTextSize(scene.say.c_str(), nullptr, false, wrap).y + longer + px(16);
  };
  float em = 17;
  while (em > 11 && height_at(em) > space.y) em -= 0.5f;
  paragraph(f.regular, em, t.text, scene.say);
  gap(4);
  if (!second.empty()) {
    paragraph(f.medium, em, lecture.hidden() ? t.accent : t.text, second);
  }
  if (!seen.empty() && !beside) {
    gap(8);
    const ImVec2 here = ImGui::GetCursorScreenPos();
    figures(seen, here, {words, figures_height(seen.size()) + px(18)});
    ImGui::Dummy({words, figures_height(seen.size()) + px(18)});
  }
  ImGui::EndChild();
  if (beside)
    figures(seen, {at.x + words + px(24), at.y + px(2)}, {space.x - words - px(24), space.y});
}

void curtain_panel(const View& view, CommandQueue& queue) {
  const lab::Scene& scene = view.lecture->current();
  Panel panel("curtain", map_title(scene));
  if (!panel) return;
  panel.header(map_title(scene));
  const ImVec2 origin = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  centred("?", look().fonts->bold, {120, 80, 48}, look()->accent, origin, space);
  if (ImGui::InvisibleButton("reveal", {std::max(1.0f, space.x), std::max(1.0f, space.y)})) {
    queue.push(command::Advance{});
  }
}

void number_panel(const View& view) {
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  Panel panel("number", tr("Number"));
  if (!panel) return;
  panel.header(tr("Number"), view.result() ? view.result()->sizes.front().size.label : "");
  const ImVec2 origin = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  if (!lecture.number) {
    empty_panel(view.running ? tr("Running…") : tr("The kernel has not run to its end."));
    return;
  }
  const lab::SceneNumber& number = *lecture.number;
  const bool good = !number.ideal || number.value == *number.ideal;
  badge(ImGui::GetWindowDrawList(), {origin.x + space.x, origin.y}, lab::Provenance::kSimulated);
  std::string unit = scene.unit;
  if (number.ideal)
    unit += (unit.empty() ? "" : " · ") + tr("ideal {}", lab::number_text(*number.ideal));
  // From the top: the badge, the number with all the room that is left, what it counts.
  const std::initializer_list<float> unit_sizes = {20, 17, 14, 12, 11};
  const float below = fitted(unit, look().fonts->regular, unit_sizes, {space.x, space.y * 0.4f}).size.y;
  const float top = px(20);
  const float room = std::max(0.0f, space.y - top - below);
  const float drop = std::clamp((room - px(60)) * 0.2f, 0.0f, px(24));  // air below what is last
  centred(lab::number_text(number.value), look().fonts->bold, {120, 96, 72, 48, 32, 24, 18, 14},
          good ? look()->good : look()->poor, {origin.x, origin.y + top}, {space.x, room - drop});
  centred(unit, look().fonts->regular, unit_sizes, look()->text, {origin.x, origin.y + top + room - drop},
          {space.x, below});
  metric_area(origin, {origin.x + space.x, origin.y + top + room - drop + below},
              {tr("Number"), tr("What the script asks for, of this run: its counters by their names."), scene.unit, scene.number, "", "counter"});
}

}  // namespace warpshop::ui
