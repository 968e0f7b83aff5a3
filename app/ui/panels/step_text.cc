#include "panels/step_text.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "draw/widgets.h"
#include "panels/checks.h"
#include "panels/export_menu.h"
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
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    const bool opened = platform.Platform_OpenInShellFn &&
                        platform.Platform_OpenInShellFn(ImGui::GetCurrentContext(), link.c_str());
    if (!opened) queue.push(command::CopyText{link, tr("The address")});
  }
}

// Splits an exercise's text into what precedes its task, and the task with everything after it. For
// other steps, the first part is the whole text.
std::pair<std::string, std::string> task_of(const lab::Step& step) {
  const size_t task =
      step.exercise && !step.questions.empty() ? first_section(step.text) : std::string::npos;
  if (task == std::string::npos) return {step.text, ""};
  return {step.text.substr(0, task), step.text.substr(task)};
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
void text_itself(const View& view, StepTextState& state, CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  const size_t start = step.text.find_first_not_of(" \t\r\n");
  const bool has_heading = start != std::string::npos && step.text.compare(start, 2, "# ") == 0;
  if (!has_heading) {
    paragraph(look().fonts->bold, kTitle, look()->text, step.title);
  }
  text_part(view, state.text, state, task_of(step).first, queue);
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
    state.answer = {};
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
  gap(4);
  gpu_note(view, queue);
  text_itself(view, state, queue);
  gap(8);
  // Students predict before they read the task and before any figures give the answer away.
  const UnansweredBelow below = questions(view, state.answer, queue);
  if (const std::string task = task_of(*view.session->step()).second; !task.empty()) {
    gap(10);
    text_part(view, state.task, state, task, queue);
    gap(8);
  }
  hint_cards(view, state, queue);
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
