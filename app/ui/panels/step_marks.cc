#include "panels/step_marks.h"

#include <algorithm>

#include "draw/draw.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr float kRowHeight = 30;

std::string step_number(const lab::Lab& lab, const lab::Step& step) {
  return std::to_string(&step - lab.steps.data() + 1);
}

// Begins a row of a list; the caller draws its content over it at `at`. True when chosen.
bool list_row(const std::string& id, bool here, float width, ImVec2& at) {
  at = ImGui::GetCursorScreenPos();
  return ImGui::Selectable(("##" + id).c_str(), here, 0, {width, px(kRowHeight)});
}

}  // namespace

void draw_step_mark(ImDrawList* list, ImVec2 center, StepState state, bool here) {
  const Theme& t = *look().theme;
  switch (state) {
    case StepState::kPassed:
      list->AddCircleFilled(center, px(6.5f), t.good);
      draw_check(list, center, px(7), t.panel, px(1.6f));
      break;
    case StepState::kQuestionsLeft:
      list->AddCircle(center, px(5.5f), t.good, 0, px(2));
      draw_check(list, center, px(6), t.good, px(1.6f));
      break;
    case StepState::kBegun:
      list->AddCircle(center, px(5.5f), here ? t.accent : t.muted, 0, px(2));
      list->AddCircleFilled(center, px(2), here ? t.accent : t.muted);
      break;
    case StepState::kNew:
      list->AddCircle(center, px(5.5f), here ? t.accent : t.line, 0, px(2));
      break;
  }
}

std::string step_state_words(const lab::Step& step, const lab::StepProgress* progress) {
  switch (step_state(step, progress)) {
    case StepState::kNew:
      return tr("Not begun");
    case StepState::kBegun:
      return tr("Begun");
    case StepState::kPassed:
      return tr("Passed");
    case StepState::kQuestionsLeft:
      break;
  }
  return std::string(tr("Passed")) + " · " +
         tr_count(questions_left(step, progress), "{} question left", "{} questions left");
}

std::string lab_state_words(const LabState& state) {
  if (state.steps == 0) return tr("nothing to pass");  // a lab of one's own kernel
  std::string words = tr("{} of {} steps passed", state.passed, state.steps);
  if (state.questions_left > 0)
    words += " · " + tr_count(state.questions_left, "{} question left", "{} questions left");
  return words;
}

void lab_progress_bar(const View& view, const lab::Lab& lab, ImVec2 at, float width,
                      CommandQueue& queue) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float between = px(3), height = px(7), reach = px(8);
  const float each = (width - between * static_cast<float>(lab.steps.size() - 1)) /
                     static_cast<float>(lab.steps.size());
  const ImVec2 after = ImGui::GetCursorScreenPos();
  // With the keyboard, steps are reached through the open lab's list: eleven stops per card would
  // be in the way.
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  for (size_t i = 0; i < lab.steps.size(); ++i) {
    const lab::Step& step = lab.steps[i];
    const lab::StepProgress* progress = view.session->all_progress().find(lab, step);
    const StepState state = step_state(step, progress);
    const ImVec2 min{at.x + (each + between) * static_cast<float>(i), at.y},
        max{min.x + each, at.y + height};
    ImGui::SetCursorScreenPos({min.x, min.y - reach});
    ImGui::PushID(step.id.c_str());
    if (ImGui::InvisibleButton("part", {each + between, height + 2 * reach}))
      queue.push(command::OpenStep{lab.id, step.id});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      tooltip(step_number(lab, step) + "  " + step.title, {}, step_state_words(step, progress));
    }
    const ImU32 color = state == StepState::kPassed          ? t.good
                        : state == StepState::kQuestionsLeft ? mix(t.raised, t.good, 0.55f)
                        : state == StepState::kBegun         ? mix(t.raised, t.text, 0.35f)
                                                             : t.line;
    list->AddRectFilled(min, max, hovered ? mix(color, t.text, 0.25f) : color, px(2));
  }
  ImGui::PopItemFlag();
  ImGui::SetCursorScreenPos(after);
}

bool step_row(const View& view, const lab::Lab& lab, const lab::Step& step, float width) {
  const Fonts& f = *look().fonts;
  const lab::StepProgress* progress = view.session->all_progress().find(lab, step);
  const bool here = &step == view.session->step();
  ImVec2 at;
  const bool chosen = list_row(step.id, here, width, at);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = at.y + px(kRowHeight) / 2, y = middle - line_height(f.regular, kBody) / 2;
  draw_step_mark(list, {at.x + px(12), middle}, step_state(step, progress), here);
  const std::string left =
      questions_left(step, progress) > 0 && progress && progress->passed
          ? tr_count(questions_left(step, progress), "{} question left", "{} questions left")
          : std::string();
  const float left_width = left.empty() ? 0 : text_size(f.regular, kLabel, left).x + px(12);
  draw_text_cut(list, {at.x + px(30), y}, here ? f.medium : f.regular, kBody, look()->text,
                step_number(lab, step) + "  " + step.title, width - px(38) - left_width);
  draw_text(list, {at.x + width - px(8), y + px(1)}, f.regular, kLabel, look()->muted, left,
            Align::kRight);
  return chosen;
}

float lab_row_width(const View& view) {
  float title = 0;
  for (const lab::Lab& lab : view.labs->labs)
    title = std::max(title, text_size(look().fonts->medium, kBody, lab.title).x);
  const float count = text_size(look().fonts->regular, kLabel, tr("{} of {}", 88, 88)).x;
  return std::min(std::max(px(340), std::ceil(title + count) + px(82)),
                  ImGui::GetMainViewport()->Size.x * 0.8f);
}

bool lab_row(const View& view, const lab::Lab& lab, float width) {
  const Fonts& f = *look().fonts;
  const LabState state = lab_state(lab, view.session->all_progress());
  const bool here = &lab == view.session->lab();
  ImVec2 at;
  const bool chosen = list_row(lab.id, here, width, at);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y + (px(kRowHeight) - line_height(f.regular, kBody)) / 2;
  const std::string count = tr("{} of {}", state.passed, state.steps);
  const float count_width = text_size(f.regular, kLabel, count).x;
  draw_text_cut(list, {at.x + px(10), y}, here ? f.medium : f.regular, kBody, look()->text,
                lab.title, width - px(80) - count_width);
  draw_text(list, {at.x + width - px(52), y + px(1)}, f.regular, kLabel, look()->muted, count,
            Align::kRight);
  const float left = at.x + width - px(44), bar = px(36), top = at.y + px(kRowHeight) / 2 - px(2);
  const float part =
      static_cast<float>(state.passed) / static_cast<float>(std::max<size_t>(1, state.steps));
  list->AddRectFilled({left, top}, {left + bar, top + px(4)}, look()->line, px(2));
  if (part > 0)
    list->AddRectFilled({left, top}, {left + bar * part, top + px(4)}, look()->good, px(2));
  return chosen;
}

}  // namespace warpshop::ui
