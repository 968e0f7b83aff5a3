#include "panels/step_text.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "draw/widgets.h"
#include "panels/checks.h"
#include "panels/export_menu.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

constexpr float kPageScale = 1.2f;  // of the text beside the editor
constexpr float kPageWidth = 660;   // some 80 letters a line

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

// The text begins with the step's title, unless its author has put a heading there.
void text_itself(const View& view, StepTextState& state, CommandQueue& queue) {
  const lab::Step& step = *view.session->step();
  const size_t start = step.text.find_first_not_of(" \t\r\n");
  const bool has_heading = start != std::string::npos && step.text.compare(start, 2, "# ") == 0;
  if (!has_heading) {
    paragraph(look().fonts->bold, kTitle, look()->text, step.title);
  }
  state.text.folder = view.session->lab()->folder;
  state.text.copies_code = true;
  ImGui::PushID(step.id.c_str());  // a table's columns are not as wide as those of another step's were
  markdown(state.text, step.text, [&](const std::string& link) { follow_link(view, link, queue); },
           [&](const Block& block) { return draw_text_figure(block, state.figures); });
  ImGui::PopID();
}

void hint_cards(const View& view, StepTextState& state, CommandQueue& queue) {
  const lab::Exercise* exercise = view.exercise();
  const lab::StepProgress* progress = view.session->progress_of(*view.session->step());
  if (!exercise || !progress) return;
  const int shown = std::min(progress->hints_shown, static_cast<int>(exercise->hints.size()));
  for (int i = 0; i < shown; ++i) {
    Card card(("hint" + std::to_string(i)).c_str());
    label(look().fonts->medium, kLabel, look()->accent, tr("Hint {}", i + 1));
    MarkdownView view_of_hint;
    view_of_hint.folder = view.session->lab()->folder;
    view_of_hint.copies_code = true;
    markdown(view_of_hint, exercise->hints[static_cast<size_t>(i)], [&](const std::string& link) { follow_link(view, link, queue); });
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
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || ImGui::GetIO().WantTextInput) return;
  const float page = ImGui::GetWindowHeight() * 0.85f;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - page));
}

UnansweredBelow step_text(const View& view, StepTextState& state, CommandQueue& queue) {
  gap(4);
  text_itself(view, state, queue);
  gap(8);
  const UnansweredBelow below = questions(view, state.answer, queue);
  hint_cards(view, state, queue);
  return below;
}

void reading_panel(const View& view, StepTextState& state, CommandQueue& queue) {
  Panel panel("editor", tr("Reading"));
  if (!panel) return;
  export_menu(tr("Reading"), {}, queue);
  const float before = std::exchange(look().scale, look().scale * kPageScale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{std::max(px(8), page_margin(content_width())), px(10)});
  ImGui::BeginChild("text", {0, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  turn_pages(view, state);
  step_text(view, state, queue);
  // As a tab before the steps it has to say itself how to go on.
  if (const ImGuiWindow* steps = panel_window("steps"); !steps || !in_front(steps)) checks(view, queue);
  ImGui::EndChild();
  look().scale = before;
}

}  // namespace warpshop::ui
