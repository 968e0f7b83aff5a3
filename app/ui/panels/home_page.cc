#include "panels/home_page.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/actions.h"
#include "draw/panel.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "lab/translation.h"
#include "panels/card.h"
#include "panels/step_marks.h"
#include "panels/top_bar.h"
#include "state/tour.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr float kHomeWidth = 1180, kCardWidth = 330, kBetweenCards = 14, kCardHeight = 124;

bool somebody_was_here(const View& view) { return !view.session->all_progress().steps.empty(); }

bool tour_is_over(const View& view) { return view.settings->tour == tour_steps().back().id; }

void tour_button(ButtonKind kind, CommandQueue& queue) {
  if (button(tr_id("Take the tour", "home-tour"), kind)) queue.push(command::ShowTour{});
  action_tooltip("tour");
}

void welcome(const View& view, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const lab::Lab* first = nullptr;
  for (const lab::Lab& lab : view.labs->labs) {
    if (!lab.steps.empty()) {
      first = &lab;
      break;
    }
  }
  paragraph(f.bold, 22, look()->text, tr("Welcome to Warpshop"));
  gap(2);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(content_width(), px(640)));
  label(
      f.regular, kBody, look()->body,
      tr("A lab is a list of short steps. You read, say what you expect, change a CUDA kernel, and "
         "see at once what it asks of the GPU's memory. You need no GPU: the kernels run here."));
  ImGui::PopTextWrapPos();
  gap(6);
  if (first) {
    if (button(tr("Start with {}", first->title) + "##continue", ButtonKind::kPrimary)) {
      queue.push(command::OpenStep{first->id, first->steps.front().id});
    }
    ImGui::SetItemDefaultFocus();
    note_spot("first-lab");
    ImGui::SameLine(0, px(10));
    if (content_width() < px(160)) ImGui::NewLine();
  }
  tour_button(ButtonKind::kOutline, queue);
}

void go_on(const View& view, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const lab::Lab* lab = view.session->lab();
  const lab::Step* step = view.session->step();
  if (!lab || !step) return;
  label(f.medium, kLabel, look()->accent, tr("Continue where you were"));
  paragraph(
      f.bold, 20, look()->text,
      lab->title + " › " + std::to_string(view.session->step_number() + 1) + "  " + step->title);
  paragraph(f.regular, kLabel, look()->muted,
            lab_state_words(lab_state(*lab, view.session->all_progress())));
  gap(6);
  if (button(tr_id("Continue", "continue"), ButtonKind::kPrimary)) queue.push(command::CloseHome{});
  ImGui::SetItemDefaultFocus();
  note_spot("first-lab");
  if (tour_is_over(view)) return;
  ImGui::SameLine(0, px(10));
  if (content_width() < px(140)) ImGui::NewLine();
  tour_button(ButtonKind::kQuiet, queue);
}

// Draws "Labs", the overall progress, and the buttons that act on it.
void heading_row(const View& view, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  label(f.bold, 18, look()->text, tr("Labs"));
  const LabState all = all_labs_state(*view.labs, view.session->all_progress());
  const std::string words = lab_state_words(all);
  const float words_width = text_size(f.regular, kLabel, words).x,
              title = text_size(f.bold, 18, tr("Labs")).x;
  const float links = text_size(f.regular, kLabel, tr("Your own kernel")).x + px(36) +
                      text_size(f.regular, kLabel, tr("Export or import progress")).x +
                      text_size(f.regular, kLabel, tr("Hand in")).x;
  const bool one_line = title + px(24) + words_width + px(24) + links <= width;
  if (one_line) {
    draw_text(ImGui::GetWindowDrawList(), {at.x + title + px(16), at.y + px(5)}, f.regular, kLabel,
              look()->muted, words);
    ImGui::SetCursorScreenPos({at.x + width - links, at.y});
  } else {
    paragraph(f.regular, kLabel, look()->muted, words);
  }
  if (link(tr_id("Your own kernel", "home-own"), kLabel)) queue.push(command::OpenOwnKernel{});
  action_tooltip("own-kernel");
  ImGui::SameLine(0, px(18));
  if (link(tr_id("Export or import progress", "home-export"), kLabel))
    queue.push(command::OpenProgress{});
  action_tooltip("export-progress");
  ImGui::SameLine(0, px(18));
  if (link(tr_id("Hand in", "home-hand-in"), kLabel)) queue.push(command::AskHandIn{});
  action_tooltip("hand-in");
}

// Returns the target of a click on the card: the most recently opened step, else the first not yet
// passed.
const lab::Step* step_to_open(const View& view, const lab::Lab& lab) {
  for (const std::string& recent : view.settings->recent) {
    if (!recent.starts_with(lab.id + "/")) continue;
    const lab::Step* step = lab.find_step(recent.substr(lab.id.size() + 1));
    const lab::StepProgress* progress =
        step ? view.session->all_progress().find(lab, *step) : nullptr;
    if (step && !(progress && progress->passed)) return step;
    break;
  }
  return next_step(lab, view.session->all_progress());
}

void lab_card(const View& view, const lab::Lab& lab, int number, ImVec2 size, CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const LabState state = lab_state(lab, view.session->all_progress());
  const lab::Step* next = step_to_open(view, lab);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushID(lab.id.c_str());
  ImGui::SetNextItemAllowOverlap();
  if (ImGui::InvisibleButton("card", size) && next) queue.push(command::OpenStep{lab.id, next->id});
  const bool hovered = ImGui::IsItemHovered(),
             focused = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  const ImVec2 max{at.x + size.x, at.y + size.y};
  const bool here = &lab == view.session->lab() && somebody_was_here(view);
  list->AddRectFilled(at, max, hovered || focused ? mix(t.panel, t.raised, 0.8f) : t.panel, px(8));
  if (here || hovered || focused)
    list->AddRect(at, max, here || focused ? t.accent : t.line, px(8), std::max(1.0f, px(1.2f)));
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const float left = at.x + px(16), inner = size.x - px(32);
  float y = at.y + px(14);
  const std::string title = std::to_string(number) + "  " + lab.title;
  draw_text_cut(list, {left, y}, f.bold, 16, t.text, title, inner - (state.done() ? px(24) : 0));
  if (state.done())
    draw_step_mark(list, {max.x - px(24), y + line_height(f.bold, 16) / 2}, StepState::kPassed,
                   false);
  y += line_height(f.bold, 16) + px(4);
  // Two lines of the summary; hovering shows all of it.
  const float two_lines = line_height(f.regular, kLabel) * 2 + px(2);
  list->PushClipRect({left, y}, {left + inner, y + two_lines}, true);
  const float height =
      draw_text_wrapped(list, {left, y}, f.regular, kLabel, t.body, lab.summary, inner);
  list->PopClipRect();
  if (hovered && (height > two_lines + px(2))) tooltip(lab.title, lab.summary);
  // From the bottom up: the words and the lecture link, above them the bar.
  const float line = line_height(f.regular, kLabel), foot = max.y - px(12) - line;
  lab_progress_bar(view, lab, {left, foot - px(15)}, inner, queue);
  const std::string lecture = tr("Lecture");
  const float lecture_width = lab.demo ? text_size(f.regular, kLabel, lecture).x + px(12) : 0;
  std::string words = state.begun || state.steps == 0
                          ? lab_state_words(state)
                          : tr_count(state.steps, "{} step, not begun", "{} steps, not begun");
  if (!lab::speaks(lab, language().id)) words += std::string(" · ") + tr("in English");
  draw_text_cut(list, {left, foot}, f.regular, kLabel, t.muted, words, inner - lecture_width);
  if (lab.demo) {
    ImGui::SetCursorScreenPos(
        {left + inner - text_size(f.regular, kLabel, lecture).x, foot - px(3)});
    if (link(lecture + "##lecture", kLabel)) queue.push(command::GiveLecture{lab.id});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
      tooltip(tr("The lab as a lecture, scene by scene"), {});
  }
  ImGui::PopID();
}

void lab_cards(const View& view, CommandQueue& queue) {
  const float width = content_width(), between = px(kBetweenCards);
  const int columns = std::max(1, static_cast<int>((width + between) / (px(kCardWidth) + between)));
  const float each =
      std::floor((width - between * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const ImVec2 at = ImGui::GetCursorScreenPos(), pitch{each + between, px(kCardHeight) + between};
  int number = 0;
  for (const lab::Lab& lab : view.labs->labs) {
    if (lab.steps.empty()) continue;
    const int column = number % columns, row = number / columns;
    ImGui::SetCursorScreenPos(
        {at.x + pitch.x * static_cast<float>(column), at.y + pitch.y * static_cast<float>(row)});
    lab_card(view, lab, ++number, {each, px(kCardHeight)}, queue);
  }
  const int rows = (number + columns - 1) / columns;
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, pitch.y * static_cast<float>(rows)});
}

}  // namespace

void home_page(const View& view, HomePageState& state, float top, CommandQueue& queue) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->WorkPos.x, viewport->WorkPos.y + top});
  ImGui::SetNextWindowSize({viewport->WorkSize.x, viewport->WorkSize.y - top});
  if (std::exchange(state.focus, false)) ImGui::SetNextWindowFocus();
  const float side = std::max(px(16), (viewport->WorkSize.x - px(kHomeWidth)) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{side, px(14)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, look()->window);
  ImGui::Begin("home", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  {
    const Card ground("first", look()->panel, px(22, 18));
    if (somebody_was_here(view)) {
      go_on(view, queue);
    } else {
      welcome(view, queue);
    }
  }
  gap(12);
  if (view.labs->labs.empty()) {
    empty_panel(tr("There is no lab to open."),
                tr("Run ./start again, or set WARPSHOP_DATA to the folder that holds labs/."));
  } else {
    heading_row(view, queue);
    gap(4);
    lab_cards(view, queue);
  }
  // Without visible keyboard focus, Enter activates the prominent button.
  const bool enter = enter_pressed();
  if (enter && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
      !ImGui::GetIO().NavVisible) {
    queue.push(command::CloseHome{});
  }
  const bool popup =
      std::exchange(state.popup, !ImGui::GetCurrentContext()->OpenPopupStack.empty());
  if (!popup && !state.popup && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    queue.push(command::CloseHome{});
  ImGui::End();
}

}  // namespace warpshop::ui
