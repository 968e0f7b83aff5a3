#include "control/speaking.h"

#include <ctime>

#include "app/actions.h"
#include "draw/panel.h"
#include "draw/widgets.h"
#include "panels/notes_dialogs.h"
#include "state/lecture_place.h"
#include "text/text.h"

namespace warpshop::ui {

bool Speaking::follow() {
  const std::optional<LecturePlace> place = lecture_place();
  const lab::Lab* lab = place ? find_lab(*work_.labs, place->lab) : nullptr;
  if (lab && (!lab->demo || place->scene >= lab->demo->scenes.size())) lab = nullptr;
  const bool moved =
      lab != lecture_.lab ||
      (lab && (lecture_.scene != place->scene || lecture_.revealed != place->revealed));
  if (!moved) return false;
  lecture_ = {};
  if (!lab) return true;
  lecture_.lab = lab;
  lecture_.scene = place->scene;
  lecture_.revealed = place->revealed;
  lecture_.started_s = shell_.now() - static_cast<double>(std::time(nullptr) - place->started);
  return true;
}

void Speaking::draw() {
  View view = shell_.view;
  view.lecture = lecture_.on() ? &lecture_ : nullptr;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(24, 20));
  ImGui::Begin("##speaker", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking);
  if (lecture_.on()) {
    speaker_page(view, notes_);
  } else {
    empty_panel(
        tr("No lecture is being given on this machine. F5 in Warpshop's window starts one."));
  }
  ImGui::End();
  ImGui::PopStyleVar();
  // The keys of the lecture belong to its own window; here only the zoom has some.
  const Action* action = pressed_action(false, false, false);
  if (action &&
      (action->command.get_if<command::Zoom>() || action->command.get_if<command::StepZoom>() ||
       action->command.get_if<command::ToggleFullScreen>()))
    shell_.queue.push(action->command);
}

}  // namespace warpshop::ui
