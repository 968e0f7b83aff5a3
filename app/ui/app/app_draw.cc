// Draws a frame: the bars, the panels or what stands in their place, and everything on top.
#include <cstdio>
#include <utility>

#include "app/actions.h"
#include "app/app.h"
#include "app/controllers.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "panels/menu_bar.h"
#include "panels/top_bar.h"
#include "panels/tour_card.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {

// Takes the keys of editing actions before the editor interprets them otherwise. The command is
// queued after the panels are drawn, so that text typed before the key comes first.
const Action* App::take_editor_keys() {
  const bool lecture = shell_.lecture.on();
  if (!(shell_.editor().focused || lecture) || shell_.dialog.shown != Dialog::kNone) return nullptr;
  const Action* action = pressed_action(true, false, true);
  const auto* gesture = action ? action->command.get_if<command::EditorGesture>() : nullptr;
  if (lecture && !(gesture && is_search(gesture->gesture))) {
    // The lecture's page keys work wherever the keyboard focus is.
    action = !ImGui::GetIO().WantTextInput            ? nullptr
             : ImGui::IsKeyPressed(ImGuiKey_PageDown) ? find_action("advance")
             : ImGui::IsKeyPressed(ImGuiKey_PageUp)   ? find_action("scene-back")
                                                      : nullptr;
  }
  if (!action) return nullptr;
  for (const ImGuiKeyChord chord : {action->chord, action->second}) {
    const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
    if (key != ImGuiKey_None)
      ImGui::SetKeyOwner(key, ImGui::GetID("editor-keys"), ImGuiInputFlags_LockThisFrame);
  }
  return action;
}

void App::draw() {
  if (shell_.options.ui.notes) {
    control_->speaking.draw();
    shell_.toasts.draw(shell_.view.now_s, std::nullopt, shell_.queue);
    return;
  }
  const Action* editor_action = take_editor_keys();
  const bool lecture = shell_.lecture.on();
  const View& view = shell_.view;
  CommandQueue& queue = shell_.queue;
  const Tour& tour = control_->touring.tour();
  Docks& docks = control_->docks;
  std::optional<std::pair<float, float>> free_in_bar;
  if (lecture) {
    free_in_bar = lecture_bar(view, queue);
  } else {
    menu_bar(view, control_->help.take_menu_asked(), queue);
    top_bar(view, queue);
  }
  // No tour during a lecture, and none about panels that the home page hides.
  const bool touring = !lecture && (!docks.home_open() || tour.step().is_for_home());
  const float bars =
      lecture ? px(kTopBarHeight)
              : px(kWorkBarHeight) +
                    (touring ? tour_strip(tour, shell_.facts, px(kWorkBarHeight), queue) : 0);
  docks.draw_docks(bars, busy());
  control_->help.begin_figures();
  if (lecture) {
    control_->lecturing.draw();
  } else if (docks.home_open()) {
    docks.draw_home(bars);
  } else {
    docks.draw_panels();
  }
  control_->help.end_figures();
  if (editor_action) queue.push(editor_action->command);
  const bool dialog_open = shell_.dialog.shown != Dialog::kNone;
  dialogs(view, shell_.dialog, queue);
  if (touring) tour_frame(tour);
  shell_.toasts.draw(view.now_s, free_in_bar, queue);
  cut_text_tooltip();
  if (show_times_) draw_frame_time();
  // Works in the list of scenes as well.
  if (lecture && (!dialog_open || shell_.dialog.open == Dialog::kScenes))
    control_->lecturing.type_scene_number();
  if (!dialog_open) take_keys();
}

void App::take_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  // An open menu takes the arrows and letters. Esc only closes the menu, which has already happened
  // here.
  const bool list_open = !ImGui::GetCurrentContext()->OpenPopupStack.empty();
  const bool esc_is_its_own =
      std::exchange(list_was_open_, list_open) && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (esc_is_its_own) return;
  // A character rather than a key: where it is depends on the keyboard.
  if (shell_.lecture.on() && !io.WantTextInput && io.InputQueueCharacters.contains('?'))
    send(command::OpenKeys{});
  // As in any slide show. It presses the button that has the keyboard focus, if that is visible.
  if (shell_.lecture.on() && !io.WantTextInput && !list_open && !io.NavVisible &&
      ImGui::IsKeyPressed(ImGuiKey_Space, false))
    send(command::Advance{});
  if (const Action* action = pressed_action(io.WantTextInput || list_open,
                                            io.NavVisible && !arrows_walk_accesses(), false)) {
    // Alt alone moves to the tabs; suppress that if another key arrived in the same frame.
    ImGui::GetCurrentContext()->NavWindowingToggleLayer = false;
    send(action->command);
  }
}

void App::draw_frame_time() {
  char build[16], render[16];
  std::snprintf(build, sizeof build, "%.2f", times_.build_ms);
  std::snprintf(render, sizeof render, "%.2f", times_.render_ms);
  const std::string text =
      tr("frame {} · panels {} ms · drawing {} ms · edit to result {}", times_.frames,
         local_number(build), local_number(render),
         edit_to_result_s() > 0 ? duration_text(edit_to_result_s()) : std::string("–"));
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 at{viewport->Pos.x + px(16), viewport->Pos.y + viewport->Size.y - px(34)};
  const ImVec2 size = text_size(look().fonts->code, kLabel, text);
  list->AddRectFilled({at.x - px(8), at.y - px(4)}, {at.x + size.x + px(8), at.y + size.y + px(4)},
                      look()->raised, px(6));
  draw_text(list, at, look().fonts->code, kLabel, look()->text, text);
}

}  // namespace warpshop::ui
