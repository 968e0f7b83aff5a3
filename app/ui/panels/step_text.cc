#include "panels/step_text.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "draw/panel.h"
#include "draw/widgets.h"
#include "lab/step_text.h"
#include "lab/translation.h"
#include "panels/card.h"
#include "panels/checks.h"
#include "panels/estimate_card.h"
#include "panels/export_menu.h"
#include "panels/step_parts.h"
#include "state/step_opening.h"
#include "text/format.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

constexpr float kPageScale = 1.2f;  // relative to the text beside the editor
constexpr float kPageWidth = 660;   // about 80 letters per line

void follow_link(const View& view, const std::string& link, CommandQueue& queue) {
  if (link.starts_with(kCopyLink)) {
    queue.push(command::CopyText{link.substr(std::string_view(kCopyLink).size()), tr("The code")});
  } else if (link.starts_with("step:")) {
    queue.push(command::OpenStep{view.session->lab()->id, link.substr(5)});
  } else if (link.starts_with("line:")) {
    SourcePlace place;
    place.line = std::atoi(link.c_str() + 5);
    queue.push(command::GoTo{place});
  } else if (link.starts_with("https://") || link.starts_with("http://")) {
    queue.push(command::OpenAddress{link});
  }
}

// A step's text in the order in which its parts are shown.
struct TextParts {
  std::string title;      // its own heading; empty: it has none
  std::string text;       // what precedes the questions
  std::string task;       // of an exercise, and everything after it
  std::string after_run;  // lab/step_text.h
};

TextParts text_parts(const lab::Step& step) {
  TextParts out;
  const lab::StepText parts = lab::parts_of(step.text);
  out.text = parts.before;
  out.after_run = parts.after_run;
  const bool between = !step.questions.empty() ||
                       (step.exercise && (step.exercise->estimate || step.exercise->contract));
  const size_t task = step.exercise && between ? first_section(out.text) : std::string::npos;
  if (task != std::string::npos) {
    out.task = out.text.substr(task);
    out.text.resize(task);
  }
  const size_t start = out.text.find_first_not_of(" \t\r\n");
  if (start != std::string::npos && out.text.compare(start, 2, "# ") == 0) {
    const size_t end = std::min(out.text.find('\n', start), out.text.size());
    out.title = out.text.substr(start, end - start);
    // In one piece, unless something comes between.
    if (!step.able.empty()) out.text.erase(0, end);
  }
  return out;
}

void text_part(const View& view, MarkdownView& of, StepTextState& state, const std::string& text,
               CommandQueue& queue) {
  of.folder = view.session->lab()->folder;
  of.copies_code = true;
  // Per step, so that a table does not inherit the column widths of another step's.
  ImGui::PushID(view.session->step()->id.c_str());
  ImGui::PushID(&of);
  markdown(
      of, text, [&](const std::string& link) { follow_link(view, link, queue); },
      [&](const Block& block) { return draw_text_figure(block, state.figures); });
  ImGui::PopID();
  ImGui::PopID();
}

// Draws the text, below the step's title unless the author has supplied a heading.
void text_itself(const View& view, StepTextState& state, const TextParts& parts,
                 CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  if (parts.title.empty()) paragraph(look().fonts->bold, kTitle, look()->text, step.title);
  if (!step.able.empty()) {
    if (!parts.title.empty()) text_part(view, state.title, state, parts.title, queue);
    gap(8);
    able_line(view, [&](const std::string& link) { follow_link(view, link, queue); });
    gap(10);
  }
  text_part(view, state.text, state, parts.text, queue);
}

// For a step about one GPU, says so, and names the other GPU being shown.
void gpu_note(const View& view, CommandQueue& queue) {
  const lab::Exercise* exercise = view.exercise();
  if (!exercise || !exercise->model_gpu) return;
  const std::string about = short_gpu_name(exercise->model_gpu->name);
  const Face& face = look().fonts->regular;
  if (view.gpu == exercise->model_gpu->id) {
    paragraph(
        face, kLabel, look()->muted,
        tr("This step is about the {}: the panels show that GPU while the step is open.", about));
    return;
  }
  std::string other = view.gpu;
  for (const models::GpuProfile& gpu : *view.gpus) {
    if (gpu.id == view.gpu) other = short_gpu_name(gpu.name);
  }
  paragraph(face, kLabel, look()->poor,
            tr("This step is about the {}; the panels show the {}.", about, other));
  if (link(tr("Show the {}", about) + "##step-gpu", kLabel))
    queue.push(command::SelectGpu{exercise->model_gpu->id});
}

// In front of a lab's first step, in a window that speaks another language.
void language_note(const View& view) {
  if (view.session->step_number() != 0 || lab::speaks(*view.session->lab(), language().id)) return;
  paragraph(look().fonts->regular, kLabel, look()->muted,
            tr("The texts of this lab are in English: there is no translation yet."));
}

void hint_cards(const View& view, StepTextState& state, CommandQueue& queue) {
  const lab::Exercise* exercise = view.exercise();
  const lab::StepProgress* progress = view.session->progress_of(*view.session->step());
  if (!exercise) return;
  const int shown =
      progress ? std::min(progress->hints_shown, static_cast<int>(exercise->hints.size())) : 0;
  for (int i = 0; i < shown; ++i) {
    Card card(("hint" + std::to_string(i)).c_str());
    label(look().fonts->medium, kLabel, look()->accent, tr("Hint {}", i + 1));
    MarkdownView view_of_hint;
    view_of_hint.folder = view.session->lab()->folder;
    view_of_hint.copies_code = true;
    markdown(view_of_hint, exercise->hints[static_cast<size_t>(i)],
             [&](const std::string& link) { follow_link(view, link, queue); });
  }
  if (state.hints_seen >= 0 && shown > state.hints_seen) state.hint_frames = 4;
  if (state.hint_frames > 0) {
    --state.hint_frames;
    ImGui::SetScrollHereY(1);
  }
  state.hints_seen = shown;
}

}  // namespace

float page_margin(float width) { return std::max(0.0f, (width - px(kPageWidth)) / 2); }

void turn_pages(const View& view, StepTextState& state) {
  const std::string open = view.session->place();
  if (state.shown != open) {
    state.shown = open;
    state.hints_seen = -1;
    state.hint_frames = 0;
    state.questions = {};
    state.estimate = {};
    state.further.clear();
    state.keeper = {};
    ImGui::SetScrollY(0);
  }
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) ||
      ImGui::GetIO().WantTextInput)
    return;
  const float page = ImGui::GetWindowHeight() * 0.85f;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - page));
}

UnansweredBelow step_text(const View& view, StepTextState& state, CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  const StepOpening opening = opening_of(step, view.session->progress_of(step),
                                         view.prepared != nullptr, view.settings->everything);
  const TextParts parts = text_parts(step);
  const FollowLink follow = [&](const std::string& link) { follow_link(view, link, queue); };
  state.keeper.begin(std::to_string(opening.questions_left) + (opening.run_left ? " run" : "") +
                     (opening.estimate_left ? " estimate" : "") +
                     (opening.after_run ? " after" : "") + (opening.passed ? " passed" : ""));
  gap(4);
  language_note(view);
  gpu_note(view, queue);
  state.keeper.block("text");
  text_itself(view, state, parts, queue);
  gap(8);
  // Students predict before they read the task and before any figures give the answer away.
  const UnansweredBelow below = questions(view, state.questions, state.keeper, queue);
  if (has_estimate_card(view)) {
    state.keeper.block("estimate");
    const float top = ImGui::GetCursorScreenPos().y;
    estimate_card(view, state.estimate, queue);
    int& frames = state.questions.followed.estimate_frames;
    if (frames > 0) {
      --frames;
      bring_card_into_sight(top);
    }
  }
  if (view.exercise() && view.exercise()->contract) {
    state.keeper.block("contract");
    contract_card(view, follow);
  }
  if (!parts.task.empty()) {
    gap(10);
    state.keeper.block("task");
    text_part(view, state.task, state, parts.task, queue);
    gap(8);
  }
  state.keeper.block("hints");
  hint_cards(view, state, queue);
  if (!parts.after_run.empty()) {
    gap(8);
    state.keeper.block("after-run");
    if (opening.after_run) {
      text_part(view, state.after_run, state, parts.after_run, queue);
    } else {
      waiting_card(opening, step.exercise.has_value());
    }
    gap(8);
  }
  if (opening.passed && !step.learned.empty()) {
    gap(4);
    learned_card(view, follow);
  }
  if (!step.further.empty()) {
    gap(12);
    further_questions(view, opening.passed, state.further, follow);
    gap(8);
  }
  state.keeper.end();
  return below;
}

void reading_panel(const View& view, StepTextState& state, CommandQueue& queue) {
  Panel panel("editor", tr("Reading"));
  if (!panel) return;
  export_menu(tr("Reading"), {}, queue);
  const Look before = look();
  Look page = before;
  page.scale *= kPageScale;
  use_look(page);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2{std::max(px(8), page_margin(content_width())), px(10)});
  ImGui::BeginChild("text", {0, 0},
                    ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  turn_pages(view, state);
  step_text(view, state, queue);
  // As a tab in front of the steps, it must show the checks itself.
  if (const ImGuiWindow* steps = panel_window("steps"); !steps || !in_front(steps))
    checks(view, queue);
  ImGui::EndChild();
  use_look(before);
}

}  // namespace warpshop::ui
