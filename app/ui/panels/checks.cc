#include "panels/checks.h"

#include <algorithm>

#include "actions.h"
#include "panels/questions.h"
#include "widgets.h"

namespace warpshop::ui {
namespace {

enum class CheckState { kUnknown, kPassed, kFailed };

void check_row(const std::string& title, const std::string& got, const std::string& tip,
               CheckState state) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(26);
  ImGui::Dummy({width, height});
  if (ImGui::IsItemHovered() && !tip.empty()) tooltip(title, tip);
  const ImVec2 mark{at.x + px(8), at.y + height / 2};
  switch (state) {
    case CheckState::kPassed: draw_check(list, mark, px(11), t.good, px(2)); break;
    case CheckState::kFailed: draw_cross(list, mark, px(11), t.poor, px(2)); break;
    case CheckState::kUnknown: list->AddCircle(mark, px(4.5f), t.line, 0, px(1.6f)); break;
  }
  const float y = at.y + (height - line_height(f.regular, kBody)) / 2;
  float room = width - px(24);
  if (!got.empty()) {
    const float got_room = std::min(text_size(f.medium, kLabel, got).x + 1, width * 0.45f);
    draw_text_cut(list, {at.x + width, at.y + (height - line_height(f.medium, kLabel)) / 2},
                  f.medium, kLabel, state == CheckState::kFailed ? t.poor : t.muted, got, got_room,
                  Align::kRight);
    room -= got_room + px(10);
  }
  draw_text_cut(list, {at.x + px(24), y}, f.regular, kBody,
                state == CheckState::kUnknown ? t.muted : t.text, title, room);
}

std::string wanted_text(const lab::CheckResult& check) {
  std::string out;
  if (!check.wanted.empty()) out = "Wanted: " + check.wanted;
  if (!check.got.empty()) out += (out.empty() ? "" : "\n") + ("Got: " + check.got);
  if (!check.message.empty()) out += (out.empty() ? "" : "\n\n") + check.message;
  return out;
}

void passed_banner(const View& view, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const auto [lab, next] = view.session->neighbour(1);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(44);
  list->AddRectFilled(at, {at.x + width, at.y + height}, mix(t.panel, t.good, t.dark ? 0.22f : 0.13f),
                      px(8));
  draw_check(list, {at.x + px(20), at.y + height / 2}, px(12), t.good, px(2.2f));
  const char* key = ImGui::GetIO().WantTextInput ? "Alt+N" : "N";
  const std::string text =
      next ? "Passed — press " + std::string(key) + " for the next step" : "Passed — the last step is done";
  const float button_width = px(64);
  draw_text_cut(list, {at.x + px(36), at.y + (height - line_height(f.medium, kBody)) / 2}, f.medium,
                kBody, t.text, text, width - px(48) - (next ? button_width : 0));
  if (next) {
    ImGui::SetCursorScreenPos({at.x + width - button_width - px(8), at.y + px(7)});
    if (button("Next##next", ButtonKind::kPrimary, {button_width, px(30)}, kLabel)) {
      queue.push(command::MoveStep{1});
    }
    action_tooltip("next-step");
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

}  // namespace

void checks(const View& view, CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  const lab::StepProgress* progress = view.session->progress_of(step);
  gap(2);
  if (!step.exercise) {
    // A step for reading is done when its questions are answered.
    if (all_answered(*view.session) && progress && progress->passed) {
      passed_banner(view, queue);
    } else {
      label(look().fonts->regular, kLabel, look()->muted, "Answer the questions to go on.");
    }
    return;
  }
  const lab::RunResult* result = view.result();
  const bool ran = result && !result->checks.empty();
  {
    const Fonts& f = *look().fonts;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImGui::GetWindowDrawList(), at, f.regular, kLabel, look()->muted, "Checks");
    if (view.stale && ran) {
      draw_text(ImGui::GetWindowDrawList(), {at.x + content_width(), at.y}, f.regular, kLabel,
                look()->muted, view.running ? "running…" : "of an older text", Align::kRight);
    }
    ImGui::Dummy({content_width(), line_height(f.regular, kLabel)});
  }
  {
    Greyed grey(view.stale);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
    if (ran) {
      const lab::CheckResult* first_failed = nullptr;
      for (const lab::CheckResult& check : result->checks) {
        const CheckState state = !check.evaluated ? CheckState::kUnknown
                                 : check.passed   ? CheckState::kPassed
                                                  : CheckState::kFailed;
        check_row(check.title, check.passed ? "" : check.got, wanted_text(check), state);
        if (state == CheckState::kFailed && !first_failed) first_failed = &check;
      }
      if (first_failed && !first_failed->message.empty()) {
        ImGui::Indent(px(24));
        paragraph(look().fonts->regular, kLabel, look()->muted, first_failed->message);
        ImGui::Unindent(px(24));
        gap(4);
      }
    } else {
      check_row("Result correct", "", "", CheckState::kUnknown);
      check_row("No findings", "", "", CheckState::kUnknown);
      for (const lab::CheckRule& rule : step.exercise->checks) {
        check_row(rule.title, "", "", CheckState::kUnknown);
      }
    }
    ImGui::PopStyleVar();
  }
  const bool passed_now = result && result->passed && !view.stale;
  if (passed_now) passed_banner(view, queue);
}

}  // namespace warpshop::ui
