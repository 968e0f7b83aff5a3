#include "panels/lecture_panels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include "app/actions.h"
#include "core/expression.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/lecture_code_size.h"
#include "panels/panel_table.h"
#include "panels/top_bar.h"
#include "state/lecture.h"
#include "text/format.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

std::string number_text(double value) { return local_number(warpshop::number_text(value)); }

// Formats published figures with three digits; a bar shows no more.
std::string figure_text(double value) {
  const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(value))));
  const double ten = std::pow(10, decimals);
  return number_text(std::round(value * ten) / ten);
}

// Draws one line centred in the space, as large as fits, up to `most`.
void centred_line(std::string_view text, const Face& face, float most, ImU32 color, ImVec2 origin,
                  ImVec2 space) {
  const ImVec2 full = text_size(face, most, text);
  const float em =
      most * std::min({1.0f, space.x / std::max(1.0f, full.x), space.y / std::max(1.0f, full.y)});
  const ImVec2 size = text_size(face, em, text);
  draw_text(ImGui::GetWindowDrawList(),
            {origin.x + (space.x - size.x) / 2, origin.y + std::max(0.0f, (space.y - size.y) / 2)},
            face, em, color, text);
}

// What a number counts and, below it, its ideal, as separate centred rows.
struct Caption {
  float em = 0;
  std::vector<std::string> rows;
  std::string ideal;

  float height() const {
    return line_height(look().fonts->regular, em) *
           static_cast<float>(rows.size() + (ideal.empty() ? 0 : 1));
  }
  void draw(ImVec2 at, float width) const {
    const Face& face = look().fonts->regular;
    const auto row = [&](const std::string& text, ImU32 color) {
      draw_text(ImGui::GetWindowDrawList(), {at.x + width / 2, at.y}, face, em, color, text,
                Align::kCenter);
      at.y += line_height(face, em);
    };
    for (const std::string& text : rows) row(text, look()->text);
    if (!ideal.empty()) row(ideal, look()->muted);
  }
};
Caption caption_of(const lab::Scene& scene, const lab::SceneNumber& number, ImVec2 space) {
  Caption caption;
  if (number.ideal) caption.ideal = tr("ideal {}", number_text(*number.ideal));
  for (const float em : {24, 20, 17, 14, 12, 11}) {
    caption.em = em;
    caption.rows = even_rows(look().fonts->regular, em, scene.unit, space.x);
    if (caption.height() <= space.y) break;
  }
  return caption;
}

constexpr float kFigurePitch = 24, kFigureText = 14;

constexpr float kLeastLectureMap = 220;  // height of a map or number with figures below it
constexpr float kLeastLectureWidth = 330;
constexpr float kAroundCode = 72;  // the kernel's heading and the margins

// Heading, bars, and the panel's padding.
float figures_height(size_t count) {
  return count == 0 ? 0 : px(24 + 8 + 22) + px(kFigurePitch) * static_cast<float>(count);
}

// Returns the newest figures for which there is room. A map needs the room, so figures appear below
// it only in scenes with one of their own, together with the ones just before; below a number, all
// appear.
std::vector<SeenFigure> shown_figures(const Lecture& lecture) {
  std::vector<SeenFigure> seen = seen_figures(lecture);
  const bool number = lecture.current().show == lab::Scene::Show::kNumber;
  if (!number && (seen.empty() || !seen.back().now)) return {};
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float column = viewport->WorkSize.y - px(kTopBarHeight + 16);
  size_t most = number ? 6 : lecture.current().show == lab::Scene::Show::kPanel ? 2 : 3;
  while (most > 0 && column - figures_height(most) < px(kLeastLectureMap)) --most;
  // Reserve the place of the scene's own figure.
  if (lecture.hidden() && lecture.current().published && most > 0) --most;
  if (seen.size() > most) seen.erase(seen.begin(), seen.end() - static_cast<ptrdiff_t>(most));
  return seen;
}

// Draws bars of published figures, the newest in full colour.
void figures(std::span<const SeenFigure> seen, ImVec2 at, ImVec2 size) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  double most = 0;
  float em = kFigureText, value_width = 0, label_width = 0;
  const auto value_of = [](const SeenFigure& s) {
    return figure_text(s.figure->value) + " " + s.figure->unit;
  };
  for (const SeenFigure& s : seen) most = std::max(most, s.figure->value);
  for (; em > 9; em -= 0.5f) {
    value_width = label_width = 0;
    for (const SeenFigure& s : seen) {
      value_width = std::max(value_width, text_size(f.medium, em, value_of(s)).x);
      label_width = std::max(label_width, text_size(f.medium, em, s.figure->label).x);
    }
    label_width = std::min(label_width, size.x * 0.42f) + px(14);
    if (label_width + value_width + px(30) <= size.x) break;
  }
  const float bars = std::max(px(10), size.x - label_width - value_width - px(10));
  const float pitch =
      std::min(px(kFigurePitch), size.y / static_cast<float>(std::max<size_t>(seen.size(), 1)));
  float y = at.y;
  for (const SeenFigure& s : seen) {
    const lab::PublishedFigure& figure = *s.figure;
    const float text_y = y + (pitch - line_height(f.regular, em)) / 2;
    draw_text_cut(list, {at.x, text_y}, s.now ? f.medium : f.regular, em, s.now ? t.text : t.muted,
                  figure.label, label_width - px(10));
    const float width = std::max(px(2), bars * static_cast<float>(figure.value / most));
    const float left = at.x + label_width;
    list->AddRectFilled({left, y + pitch * 0.2f}, {left + width, y + pitch * 0.8f},
                        s.now ? t.history : with_alpha(t.history, 0.45f), px(3));
    draw_text(list, {left + width + px(8), text_y}, f.medium, em, s.now ? t.text : t.muted,
              value_of(s));
    y += pitch;
  }
}

// Text size: as large as lets both fit, with the answer as large as the question.
constexpr float kWords = 18, kLeastWords = 12;
float least_words() { return kLeastWords / hall_magnification(); }
float words_height(const lab::Scene& scene, float em, float wrap) {
  const Fonts& f = *look().fonts;
  const auto height = [&](const Face& face, const std::string& text) {
    return text.empty() ? 0 : wrapped_height(face, em, text, wrap);
  };
  const float second = std::max(height(f.medium, scene.ask), height(f.medium, scene.answer));
  return height(f.regular, scene.say) + (second > 0 ? second + px(em * 0.7f) : 0);
}

// Of the panel behind the curtain.
std::string_view map_title(const lab::Scene& scene) {
  const PanelRow* row = find_panel(panel_of(scene));
  return row ? tr(row->title) : "";
}

// Formats a lecture's elapsed time: "7:05", "1:02:05".
std::string clock_text(double seconds) {
  const auto s = static_cast<int>(seconds);
  char text[32];
  if (s >= 3600) {
    std::snprintf(text, sizeof text, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
  } else {
    std::snprintf(text, sizeof text, "%d:%02d", s / 60, s % 60);
  }
  return text;
}

// Draws a dot per colour, with a ring around the current one; a click chooses. Returns the left
// end.
float pen_colors(const Pen& pen, ImDrawList* list, ImVec2 right_middle, CommandQueue& queue) {
  const float pitch = px(24);
  const float left = right_middle.x - pitch * Pen::kColors;
  for (int color = 0; color < Pen::kColors; ++color) {
    const ImVec2 center{left + pitch * (static_cast<float>(color) + 0.5f), right_middle.y};
    ImGui::SetCursorScreenPos({center.x - pitch / 2, center.y - px(15)});
    ImGui::PushID(color);
    if (ImGui::InvisibleButton("pen", {pitch, px(30)})) queue.push(command::ChoosePenColor{color});
    ImGui::PopID();
    action_tooltip("pen-color");
    list->AddCircleFilled(center, px(6), Pen::color_of(color));
    if (color == pen.color) list->AddCircle(center, px(9.5f), look()->text, 0, px(1.6f));
  }
  return left - px(8);
}

}  // namespace

void scene_list(const Lecture& lecture, int& chosen, bool appearing, CommandQueue& queue) {
  const std::vector<lab::Scene>& scenes = lecture.demo().scenes;
  const int count = static_cast<int>(scenes.size());
  if (appearing) chosen = static_cast<int>(lecture.scene);
  const int before = chosen;
  if (lecture.typed > 0) chosen = lecture.typed - 1;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_Home)) chosen = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_End)) chosen = count - 1;
  chosen = std::clamp(chosen, 0, count - 1);
  const Fonts& f = *look().fonts;
  const float row = px(30);
  const float room = ImGui::GetMainViewport()->Size.y * 0.7f;
  ImGui::BeginChild("scenes", {0, std::min(row * static_cast<float>(count), room)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float numbers = text_size(f.regular, kBody, "00").x;
  int wanted = -1;
  for (int n = 0; n < count; ++n) {
    const bool now = static_cast<size_t>(n) == lecture.scene;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width();
    ImGui::PushID(n);
    if (ImGui::InvisibleButton("scene", {width, row})) wanted = n;
    ImGui::PopID();
    if (ImGui::IsItemHovered() &&
        (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
      chosen = n;
    if (n == chosen) list->AddRectFilled(at, {at.x + width, at.y + row}, look()->line, px(6));
    if (n == chosen && (appearing || chosen != before)) ImGui::SetScrollHereY();
    if (now)
      list->AddRectFilled({at.x, at.y + px(5)}, {at.x + px(3), at.y + row - px(5)}, look()->accent,
                          px(1.5f));
    const float y = at.y + (row - line_height(f.regular, kBody)) / 2;
    const Face& face = now ? f.medium : f.regular;
    draw_text(list, {at.x + px(14) + numbers, y}, face, kBody, now ? look()->accent : look()->muted,
              std::to_string(n + 1), Align::kRight);
    draw_text_cut(list, {at.x + px(26) + numbers, y}, face, kBody,
                  now ? look()->accent : look()->text, scenes[static_cast<size_t>(n)].title,
                  width - px(36) - numbers);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  // A typed number takes precedence, as it does without the list.
  if (enter_pressed() && lecture.typed == 0) wanted = chosen;
  if (wanted < 0) return;
  queue.push(command::CloseDialog{});
  queue.push(command::GoToScene{static_cast<size_t>(wanted)});
}

std::pair<float, float> lecture_bar(const View& view, CommandQueue& queue) {
  const Lecture& lecture = *view.lecture;
  begin_top_bar();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth(), height = px(kTopBarHeight);
  // From the right: next, back, leave; the place in the script; the GPU.
  float right = width - px(16);
  const auto place = [&](const std::string& label, const char* action, ButtonKind kind, float wide,
                         Command command, bool enabled = true) {
    const std::string_view said(label.data(), label.find("##"));
    const float needed = std::max(px(wide), text_size(f.medium, kLabel, said).x + px(20));
    right -= needed;
    ImGui::SetCursorPos({right, (height - px(30)) / 2});
    ImGui::BeginDisabled(!enabled);
    if (button(label, kind, {needed, px(30)}, kLabel)) queue.push(std::move(command));
    ImGui::EndDisabled();
    action_tooltip(action);
    right -= px(8);
  };
  place(lecture.hidden() ? tr_id("Reveal", "advance") : tr_id("Next", "advance"), "advance",
        ButtonKind::kPrimary, 70, command::Advance{}, lecture.hidden() || !lecture.last());
  place(tr_id("Back", "back"), "scene-back", ButtonKind::kSecondary, 52, command::MoveScene{-1},
        lecture.scene > 0);
  place(tr_id("End", "end"), "lecture", ButtonKind::kQuiet, 44, command::GiveLecture{});
  const auto room_for = [&](float wide) {
    const float title_width =
        std::min(text_size(f.bold, 17, lecture.current().title).x, width * 0.4f);
    return right - wide - px(36) >= title_width;
  };
  // The place in the script opens the list of scenes; a number being typed replaces it.
  const std::string at_scene =
      lecture.typed > 0 ? "→ " + std::to_string(lecture.typed)
                        : tr("{} of {}", lecture.scene + 1, lecture.demo().scenes.size());
  if (lecture.typed > 0 || room_for(text_size(f.medium, kLabel, at_scene).x + px(20))) {
    place(at_scene + "###scenes", "scenes",
          lecture.typed > 0 ? ButtonKind::kSelected : ButtonKind::kQuiet, 44,
          command::OpenScenes{});
  }
  if (view.pen->on)
    right = pen_colors(*view.pen, list, {at.x + right, at.y + height / 2}, queue) - at.x;
  // The title takes precedence: other items are dropped if they would leave it no room.
  const float title = std::min(text_size(f.bold, 17, lecture.current().title).x, width * 0.4f);
  const auto word = [&](const std::string& text, ImU32 color) {
    const float wide = text_size(f.regular, kLabel, text).x + px(8);
    if (right - wide - px(36) < title) return;
    right -= wide;
    draw_text(list, {at.x + right, at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular,
              kLabel, color, text);
    right -= px(8);
  };
  if (lecture.clock) word(clock_text(view.now_s - lecture.started_s), t.text);
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == view.gpu) word(gpu.name, t.muted);
  }
  const float title_room = std::max(px(20), right - px(36));
  draw_text_cut(list, {at.x + px(20), at.y + (height - line_height(f.bold, 17)) / 2}, f.bold, 17,
                t.text, lecture.current().title, title_room);
  ImGui::End();
  const float title_end =
      px(20) + std::min(title_room, text_size(f.bold, 17, lecture.current().title).x);
  return {at.x + title_end + px(8), at.x + right};
}

void scene_panel(const View& view, CommandQueue&) {
  Panel panel("scene", tr("Scene"));
  if (!panel) return;
  const Lecture& lecture = *view.lecture;
  const lab::Scene& scene = lecture.current();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  float em = kWords;
  while (em > least_words() && words_height(scene, em, space.x) > space.y) em -= 0.5f;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float y = at.y + draw_text_wrapped(list, at, f.regular, em, t.text, scene.say, space.x);
  const std::string& second = lecture.hidden() ? scene.ask : scene.answer;
  if (!second.empty()) {
    y += px(em * 0.7f);
    y += draw_text_wrapped(list, {at.x, y}, f.medium, em, lecture.hidden() ? t.accent : t.text,
                           second, space.x);
  }
  ImGui::Dummy({space.x, std::max(1.0f, y - at.y)});
}

void figures_panel(const View& view) {
  if (!view.lecture->brought.empty()) return;  // they belong to the scene's own panel
  const std::vector<SeenFigure> seen = shown_figures(*view.lecture);
  if (seen.empty()) return;
  Panel panel("figures", tr("Published"));
  if (!panel) return;
  panel.header(tr("Published"), seen.back().figure->source);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + px(6));
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  ImGui::Dummy(space);
  figures(seen, at, space);
  metric_area(at, {at.x + space.x, at.y + space.y}, metric::kPublished, seen.back().figure->source);
}

void fit_lecture(const View& view, const FittedDocks& docks, ImVec2 size, LectureFit& last) {
  const lab::Scene& scene = view.lecture->current();
  const size_t figures = shown_figures(*view.lecture).size();
  const bool changed = last.scene != &scene || last.size.x != size.x || last.size.y != size.y ||
                       last.scale != look().scale || last.figures != figures;
  if (changed) last = {&scene, size, look().scale, figures, 4};
  if (last.frames == 0) return;
  --last.frames;
  // The kernel comes first: its longest line takes width from the map, its rows take height from
  // the words.
  const ImVec2 code =
      wanted_hall_size(view.lecture->kernel(), static_cast<size_t>(kernel_line(scene) - 1));
  const float margins = px(32);
  const float widest = size.x * 0.47f;  // figures need it for their source
  // The figure that the answer brings has its room from the start: the kernel stays where it is.
  const float narrowest = figures > 0 || scene.published
                              ? widest
                              : std::min(widest, std::max(size.x * 0.4f, px(kLeastLectureWidth)));
  const float map = std::clamp(size.x - code.x - margins, narrowest, widest);
  const float width = size.x - map - margins;
  const float most = std::clamp(size.y - code.y - px(kAroundCode), size.y * 0.3f, size.y * 0.44f);
  float em = kWords;
  while (em > least_words() && words_height(scene, em, width) + px(24) > most) em -= 0.5f;
  share_lecture(docks, map, std::min(most, words_height(scene, em, width) + px(24)),
                figures_height(figures));
}

void curtain_panel(const View& view, CommandQueue& queue) {
  const lab::Scene& scene = view.lecture->current();
  Panel panel("curtain", map_title(scene));
  if (!panel) return;
  panel.header(map_title(scene));
  const ImVec2 origin = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  centred_line("?", look().fonts->bold, 160, look()->accent, origin, space);
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
  const std::optional<bool> good = lab::is_good(number);
  badge(ImGui::GetWindowDrawList(), {origin.x + space.x, origin.y}, lab::Provenance::kSimulated);
  // From the top: the badge, the number in all the remaining room, and what it counts.
  const Caption caption = caption_of(scene, number, {space.x, space.y * 0.4f});
  const float top = px(20);
  const float room = std::max(0.0f, space.y - top - caption.height());
  // Empty space below the last item.
  const float drop = std::clamp((room - px(60)) * 0.2f, 0.0f, px(24));
  centred_line(local_number(lab::said_number(scene, number.value)), look().fonts->bold, 160,
               !good   ? look()->text
               : *good ? look()->good
                       : look()->poor,
               {origin.x, origin.y + top}, {space.x, room - drop});
  caption.draw({origin.x, origin.y + top + room - drop}, space.x);
  metric_area(
      origin, {origin.x + space.x, origin.y + top + room - drop + caption.height()},
      {tr("Number"), tr("The number that this scene shows, worked out from this run's counters."),
       scene.unit, scene.number, "", "counter"});
}

}  // namespace warpshop::ui
