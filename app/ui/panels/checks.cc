#include "panels/checks.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "draw/markdown_view.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "panels/questions.h"

namespace warpshop::ui {
namespace {

enum class CheckState { kUnknown, kPassed, kFailed };

void check_mark(ImDrawList* list, ImVec2 center, CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      draw_check(list, center, px(11), look()->good, px(2));
      break;
    case CheckState::kFailed:
      draw_cross(list, center, px(11), look()->poor, px(2));
      break;
    case CheckState::kUnknown:
      list->AddCircle(center, px(4.5f), look()->line, 0, px(1.6f));
      break;
  }
}

// Returns the check's formula and, for each counter in it, its meaning and Nsight Compute's name.
std::string formula_text(const lab::CheckRule& rule) {
  std::string out = tr("Formula: {}", rule.metric);
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const size_t at = rule.metric.find(info.name);
    if (at == std::string::npos) continue;
    // Skip if this is only the start of a longer name.
    const size_t end = at + info.name.size();
    if (end < rule.metric.size() && rule.metric[end] == '_') continue;
    out += "\n\n" + std::string(info.name) + ": " + std::string(tr(info.meaning));
    if (!info.nsight.empty()) out += "\n" + tr("Nsight Compute: {}", info.nsight);
  }
  return out;
}

// Draws a mark and the title; below a failed check, the actual and the expected value.
void check_row(const std::string& title, const std::string& got, const std::string& wanted,
               const std::string& tip, const std::string& formula, CheckState state) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), left = px(24);
  const float title_height = wrapped_height(f.regular, kBody, title, width - left);
  const bool failed = state == CheckState::kFailed;
  std::string detail;
  if (failed) {
    detail = got;
    if (!wanted.empty()) detail += (detail.empty() ? "" : ", ") + tr("wanted {}", wanted);
  }
  const float detail_height =
      detail.empty() ? 0 : wrapped_height(f.medium, kLabel, detail, width - left) + px(2);
  const float height = title_height + detail_height + px(8);
  ImGui::Dummy({width, height});
  if (ImGui::IsItemHovered() && (!tip.empty() || !formula.empty())) tooltip(title, tip, formula);
  const float top = at.y + px(4);
  const ImVec2 mark{at.x + px(8), top + line_height(f.regular, kBody) / 2};
  check_mark(list, mark, state);
  draw_text_wrapped(list, {at.x + left, top}, f.regular, kBody,
                    state == CheckState::kUnknown ? t.muted : t.text, title, width - left);
  draw_text_wrapped(list, {at.x + left, top + title_height + px(2)}, f.medium, kLabel, t.poor,
                    detail, width - left);
}

std::string wanted_text(const lab::CheckResult& check) {
  std::string out;
  if (!check.wanted.empty()) out = tr("Wanted: {}", check.wanted);
  if (!check.got.empty()) out += (out.empty() ? "" : "\n") + tr("Got: {}", check.got);
  if (!check.message.empty()) out += (out.empty() ? "" : "\n\n") + plain_text(tr(check.message));
  return out;
}

void passed_banner(const View& view, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const auto [lab, next] = view.session->neighbour(1);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const std::string key = shortcut_anywhere("next-step");
  const float button_width = std::max(px(64), text_size(f.medium, kLabel, tr("Next")).x + px(24));
  const float room = width - px(48) - (next ? button_width : 0);
  std::string text = tr("Passed — the last step is done");
  const bool own = view.exercise() && !view.exercise()->has_solution();
  if (own) text = tr("It computes what it did at first");
  if (next && !own) {
    const std::string shown = key.empty() ? std::string(tr("(no key)")) : key;
    text = tr("Passed — press {} for the next step", shown);
    if (text_size(f.medium, kBody, text).x > room)
      text = tr("Passed — {} for the next step", shown);
  }
  const float words = wrapped_height(f.medium, kBody, text, room);
  const float height = std::max(px(44), words + px(16));
  list->AddRectFilled(at, {at.x + width, at.y + height},
                      mix(t.panel, t.good, t.dark ? 0.22f : 0.13f), px(8));
  draw_check(list, {at.x + px(20), at.y + height / 2}, px(12), t.good, px(2.2f));
  draw_text_wrapped(list, {at.x + px(36), at.y + (height - words) / 2}, f.medium, kBody, t.text,
                    text, room);
  if (next) {
    ImGui::SetCursorScreenPos({at.x + width - button_width - px(8), at.y + (height - px(30)) / 2});
    if (button(tr_id("Next", "next"), ButtonKind::kPrimary, {button_width, px(30)}, kLabel)) {
      queue.push(command::MoveStep{1});
    }
    action_tooltip("next-step");
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

// After a pass the student may experiment with the text: the version that passed is kept, and a
// click restores it.
void kept_pass(const View& view, CommandQueue& queue) {
  const std::optional<std::string>& passed = view.session->passed_version();
  if (!passed || *passed == view.session->text()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_check(list, {at.x + px(8), at.y + px(3) + line_height(look().fonts->regular, kLabel) / 2},
             px(10), look()->good, px(1.8f));
  ImGui::Indent(px(24));
  paragraph(look().fonts->regular, kLabel, look()->body,
            tr("You have passed this step with an earlier version, which counts."));
  if (link(tr_id("Restore the version that passed", "restore-passed"), kLabel))
    queue.push(command::RestorePassed{});
  action_tooltip("restore-passed");
  ImGui::Unindent(px(24));
}

CheckState state_of(const lab::CheckResult& check) {
  if (!check.evaluated) return CheckState::kUnknown;
  return check.passed ? CheckState::kPassed : CheckState::kFailed;
}

// The limit on the whole kernel is listed only when it fails, since nobody who solves the exercise
// as intended ever reaches it.
bool is_listed(const lab::CheckResult& check) {
  return check.id != "whole-kernel" || state_of(check) == CheckState::kFailed;
}

}  // namespace

void checks(const View& view, CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  const lab::StepProgress* progress = view.session->progress_of(step);
  gap(2);
  if (!step.exercise) {
    // A reading step is done when its questions are answered.
    if (all_answered(*view.session) && progress && progress->passed) {
      passed_banner(view, queue);
    } else {
      label(look().fonts->regular, kLabel, look()->muted, tr("Answer the questions to go on."));
    }
    return;
  }
  const lab::RunResult* result = view.latest ? &view.latest->result : nullptr;
  const bool ran = result && !result->checks.empty();
  const ImVec2 top_left = ImGui::GetCursorScreenPos();
  const std::vector<lab::CheckRule>& rules = step.exercise->checks;
  {
    const Fonts& f = *look().fonts;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImGui::GetWindowDrawList(), at, f.regular, kLabel, look()->muted, tr("Checks"));
    if (view.latest_stale && ran) {
      draw_text(ImGui::GetWindowDrawList(), {at.x + content_width(), at.y}, f.regular, kLabel,
                look()->muted,
                view.running ? tr("running…") : tr("outdated: edited since this run"),
                Align::kRight);
    }
    ImGui::Dummy({content_width(), line_height(f.regular, kLabel)});
  }
  {
    Greyed grey(view.latest_stale);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
    if (ran) {
      bool helped = false;
      for (const lab::CheckResult& check : result->checks) {
        if (!is_listed(check)) continue;
        const CheckState state = state_of(check);
        const auto rule = std::find_if(rules.begin(), rules.end(),
                                       [&](const lab::CheckRule& r) { return r.id == check.id; });
        check_row(tr(check.title), tr(check.got), tr(check.wanted), wanted_text(check),
                  rule == rules.end() ? "" : formula_text(*rule), state);
        if (rule != rules.end()) {
          note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                      {rule->title, tr(check.wanted), rule->unit.empty() ? "-" : rule->unit,
                       rule->metric, "", "counter"});
        }
        // Show help for the first failing check only.
        if (state != CheckState::kFailed || helped || check.message.empty()) continue;
        helped = true;
        ImGui::Indent(px(24));
        markdown_label(tr(check.message), kLabel, look()->muted);
        ImGui::Unindent(px(24));
        gap(4);
      }
    } else {
      check_row(tr("Result correct"), "", "", "", "", CheckState::kUnknown);
      check_row(tr("No findings"), "", "", "", "", CheckState::kUnknown);
      for (const lab::CheckRule& rule : rules) {
        check_row(rule.title, "", "", "", formula_text(rule), CheckState::kUnknown);
      }
    }
    ImGui::PopStyleVar();
  }
  note_spot("checks", top_left, {top_left.x + content_width(), ImGui::GetCursorScreenPos().y});
  const bool passed_now = result && result->passed && !view.latest_stale;
  if (passed_now) {
    passed_banner(view, queue);
  } else {
    kept_pass(view, queue);
  }
}

void checks_summary(const View& view, CommandQueue& queue) {
  const lab::RunResult* result = view.latest ? &view.latest->result : nullptr;
  if (!view.exercise()) return;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(24);
  ImGui::Dummy({width, height});
  note_spot("checks");
  const bool hovered = ImGui::IsItemHovered();
  const Greyed grey(view.latest_stale);
  struct Mark {
    std::string title;
    CheckState state;
  };
  std::vector<Mark> marks;
  if (result) {
    for (const lab::CheckResult& check : result->checks) {
      if (is_listed(check)) marks.push_back({tr(check.title), state_of(check)});
    }
  } else {
    marks = {{std::string(tr("Result correct")), CheckState::kUnknown},
             {std::string(tr("No findings")), CheckState::kUnknown}};
    for (const lab::CheckRule& rule : view.exercise()->checks)
      marks.push_back({rule.title, CheckState::kUnknown});
  }
  const size_t count = marks.size();
  const auto passed = std::count_if(marks.begin(), marks.end(), [](const Mark& mark) {
    return mark.state == CheckState::kPassed;
  });
  for (size_t i = 0; i < count; ++i) {
    const float x = at.x + px(8) + px(20) * static_cast<float>(i);
    check_mark(list, {x, at.y + height / 2}, marks[i].state);
    if (hovered && std::abs(ImGui::GetMousePos().x - x) < px(10)) tooltip(marks[i].title, {});
  }
  draw_text(list, {at.x + width, at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular,
            kLabel, look()->muted, tr("{} of {} checks pass", passed, count), Align::kRight);
  if (result && result->passed && !view.latest_stale) passed_banner(view, queue);
}

}  // namespace warpshop::ui
