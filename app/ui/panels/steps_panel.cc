#include "panels/steps_panel.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "app/actions.h"
#include "draw/panel.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/checks.h"
#include "panels/export_menu.h"
#include "panels/step_marks.h"
#include "panels/step_text.h"

namespace warpshop::ui {
namespace {

constexpr float kQuestionsLine = 34;

// Draws all steps as a row of marks, for labs with so many steps that their names would leave no
// room for the text.
void step_strip(const View& view, CommandQueue& queue) {
  const lab::Lab& lab = *view.session->lab();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = content_width(), height = px(24);
  const float pitch = std::min(px(30), width / static_cast<float>(lab.steps.size()));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + height / 2;
  for (size_t i = 0; i < lab.steps.size(); ++i) {
    const lab::Step& step = lab.steps[i];
    const lab::StepProgress* progress = view.session->progress_of(step);
    const bool here = &step == view.session->step();
    const float x = at.x + px(8) + pitch * static_cast<float>(i);
    if (i > 0) {
      list->AddLine({x - pitch + px(11), y}, {x - px(11), y}, look()->line, px(1.5f));
    }
    ImGui::SetCursorScreenPos({x - pitch / 2, at.y});
    ImGui::PushID(step.id.c_str());
    if (ImGui::InvisibleButton("step", {pitch, height})) {
      queue.push(command::OpenStep{lab.id, step.id});
    }
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      tooltip(std::to_string(i + 1) + "  " + step.title, {}, step_state_words(step, progress));
    }
    if (here) list->AddCircle({x, y}, px(9.5f), look()->accent, 0, px(1.5f));
    draw_step_mark(list, {x, y}, step_state(step, progress), here);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

void step_list(const View& view, CommandQueue& queue) {
  const lab::Lab& lab = *view.session->lab();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  for (const lab::Step& step : lab.steps) {
    const lab::StepProgress* progress = view.session->progress_of(step);
    const bool done = progress && progress->passed;
    const bool here = &step == view.session->step();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width(), height = px(30);
    ImGui::PushID(step.id.c_str());
    if (ImGui::InvisibleButton("step", {width, height})) {
      queue.push(command::OpenStep{lab.id, step.id});
    }
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    if (here || hovered) {
      list->AddRectFilled({at.x - px(8), at.y + px(1)},
                          {at.x + width + px(8), at.y + height - px(1)},
                          here ? t.raised : with_alpha(t.raised, 0.5f), px(6));
    }
    draw_step_mark(list, {at.x + px(10), at.y + height / 2}, step_state(step, progress), here);
    if (hovered) tooltip(step.title, {}, step_state_words(step, progress));
    const Face& face = here ? f.medium : f.regular;
    draw_text_cut(list, {at.x + px(28), at.y + (height - line_height(face, kBody)) / 2}, face,
                  kBody, here || done ? t.text : t.muted, step.title, width - px(28));
  }
  ImGui::PopStyleVar();
}

// Draws a line between the text and the checks that leads to questions out of view, since they must
// be answered before the run.
void questions_line(const UnansweredBelow& below, StepsPanelState& state, QuestionsState& asked) {
  const Face& face = look().fonts->medium;
  const std::string text = tr_count(static_cast<uint64_t>(below.count),
                                    "{} question before you run", "{} questions before you run");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(kQuestionsLine - 6);
  gap(3);
  const bool pressed = button("##questions", ButtonKind::kSelected, {width, height}, kLabel);
  note_spot("question");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = ImGui::GetItemRectMin().y;
  draw_text_cut(list, {at.x + px(14), y + (height - line_height(face, kLabel)) / 2}, face, kLabel,
                look()->text, text, width - px(44));
  draw_chevron(list, {at.x + width - px(18), y + height / 2}, px(9), ImGuiDir_Down, look()->accent,
               px(1.8f));
  if (!pressed) return;
  state.scroll_to = std::max(1.0f, below.first_y - px(8));
  type_into_question(below.first, asked);
}

void footer(const View& view, CommandQueue& queue) {
  const lab::Exercise* exercise = view.exercise();
  if (!exercise) return;
  const lab::StepProgress* progress = view.session->progress_of(*view.session->step());
  const int hints = static_cast<int>(exercise->hints.size());
  const int shown = progress ? std::min(progress->hints_shown, hints) : 0;
  const float width = content_width();
  const float start = ImGui::GetCursorPosX();
  const Face& face = look().fonts->regular;
  const std::string hint =
      shown < hints ? tr("Hint {} of {}", shown + 1, hints) : std::string(tr("No more hints"));
  const float solution = exercise->has_solution() ? text_size(face, kBody, tr("Solution…")).x : 0,
              reset = text_size(face, kBody, tr("Reset…")).x;
  if (hints > 0) {
    if (shown < hints) {
      if (link(hint + "##hint")) queue.push(command::ShowHint{});
      note_spot("hint");
      action_tooltip("hint");
    } else {
      ImGui::AlignTextToFramePadding();
      label(face, kBody, look()->muted, hint);
    }
    // Beside the hint if there is room, otherwise below it.
    if (text_size(face, kBody, hint).x + px(20) + reset + px(20) + solution <= width)
      ImGui::SameLine();
  }
  ImGui::SetCursorPosX(start + std::max(0.0f, width - solution - reset - px(20)));
  if (link(tr_id("Reset…", "reset"))) queue.push(command::AskReset{});
  action_tooltip("reset");
  if (!exercise->has_solution()) return;
  if (reset + px(20) + solution <= width) ImGui::SameLine(0, px(20));
  if (link(tr_id("Solution…", "solution"))) queue.push(command::AskSolution{});
  note_spot("solution");
  action_tooltip("solution");
}

}  // namespace

void steps_panel(const View& view, StepsPanelState& state, StepTextState& text,
                 CommandQueue& queue) {
  Panel panel("steps", tr("Steps"));
  if (!panel) return;
  const lab::Lab* lab = view.session->lab();
  const lab::Step* step = view.session->step();
  if (!lab || !step) {
    panel.header(tr("Steps"));
    empty_panel(tr("There is no lab to open."),
                tr("Run ./start again, or set WARPSHOP_DATA to the folder that holds labs/."));
    return;
  }
  const lab::RunResult* result = view.latest ? &view.latest->result : nullptr;
  std::function<std::string()> figures;
  if (result && !result->checks.empty()) figures = [result] { return checks_csv(*result); };
  export_menu(tr("Steps"), figures, queue);
  // In a low panel the checks scroll with the text, and a line says how many pass.
  const bool low = ImGui::GetContentRegionAvail().y < px(600);
  const float pinned = state.pinned_height;
  const float list_height = px(30) * static_cast<float>(lab->steps.size());
  const float height = ImGui::GetContentRegionAvail().y;
  // The text needs room; fold a long list until it is requested.
  const bool fold = height - pinned - list_height < (view.text_in_editor ? 0 : px(480));
  const bool folded = state.list == StepsPanelState::List::kAuto
                          ? fold
                          : state.list == StepsPanelState::List::kFolded;
  const ImVec2 top_right = content_end();
  panel.header(tr("Steps"), tr("{} of {}", view.session->step_number() + 1, lab->steps.size()),
               px(26));
  if (!panel.tabbed()) {
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({top_right.x - px(20), top_right.y});
    if (ImGui::InvisibleButton("fold", px(24, 24))) {
      state.list = folded ? StepsPanelState::List::kOpen : StepsPanelState::List::kFolded;
    }
    if (ImGui::IsItemHovered())
      tooltip(folded ? tr("Show the names of the steps") : tr("Fold the list"), {});
    draw_chevron(ImGui::GetWindowDrawList(), {top_right.x - px(8), top_right.y + px(12)}, px(8),
                 folded ? ImGuiDir_Down : ImGuiDir_Up, look()->muted, px(1.6f));
    ImGui::SetCursorScreenPos(after);
  }
  // In a very low panel, everything scrolls.
  const bool very_low = height < px(330);
  auto steps = [&] {
    const ImVec2 top_left = ImGui::GetCursorScreenPos();
    if (folded) {
      step_strip(view, queue);
    } else {
      step_list(view, queue);
    }
    note_spot("steps", top_left, {top_left.x + content_width(), ImGui::GetCursorScreenPos().y});
    gap(4);
    rule();
  };
  if (!very_low) steps();
  // Tab continues into the text, and the page keys scroll it.
  const float margin = page_margin(content_width());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{margin, 0});
  const float line = state.questions_below ? px(kQuestionsLine) : 0;
  ImGui::BeginChild(
      "text", {0, very_low ? 0 : -pinned - line},
      ImGuiChildFlags_NavFlattened | (margin > 0 ? ImGuiChildFlags_AlwaysUseWindowPadding : 0));
  ImGui::PopStyleVar();
  keep_off_scroll_bar();
  if (!view.text_in_editor) turn_pages(view, text);
  if (very_low) steps();
  UnansweredBelow below;
  if (!view.text_in_editor) below = step_text(view, text, queue);
  if (low) {
    gap(8);
    checks(view, queue);
  }
  if (very_low) footer(view, queue);
  gap(4);
  if (state.scroll_to > 0) ImGui::SetScrollY(std::exchange(state.scroll_to, 0.0f));
  ImGui::EndChild();
  if (line > 0 && !very_low) {
    const ImVec2 after = ImGui::GetCursorScreenPos();
    if (below.count > 0) questions_line(below, state, text.questions);
    ImGui::SetCursorScreenPos({after.x, after.y + line});
  }
  state.questions_below = below.count > 0 && view.exercise();
  if (very_low) return;

  const float top = ImGui::GetCursorPosY();
  rule();
  if (low) {
    checks_summary(view, queue);
  } else {
    checks(view, queue);
  }
  footer(view, queue);
  state.pinned_height = ImGui::GetCursorPosY() - top;
}

}  // namespace warpshop::ui
