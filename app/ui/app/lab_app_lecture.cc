// Giving a lecture: the script's scenes in a session of their own, so that nothing of the student's
// is touched.
#include <algorithm>
#include <utility>

#include "app/lab_app.h"

#include "text/text.h"

namespace warpshop::ui {

// A hall sees the screen, not its pixels: whatever the resolution, a line of text has the same part of the height, at
// 1000 pixels twice its size on a desk.
float App::hall_zoom() const {
  int width = 0, height = 0;
  window_->size(width, height);
  const float dense = window_->display_scale();
  const float hall = std::min(static_cast<float>(height) / 500, static_cast<float>(width) / 800) / dense;
  return std::clamp(settings_.zoom * hall, kMinZoom, std::max(kMaxZoom, hall));
}

void App::open_scene(size_t scene, bool revealed) {
  lecture_.scene = scene;
  lecture_.revealed = revealed;
  lecture_.number.reset();
  const lab::Scene& current = lecture_.current();
  // The class compares a kernel with the one before: its maps stay until the new ones are there.
  worker_->stop();
  run_due_s_ = autosave_due_s_ = 0;
  if (session_->step() == nullptr || session_->step()->id != current.step) {
    forget_results();
    say(session_->open(lecture_.lab->id, current.step));
  }
  session_->edit(current.source);
  editor_.point_at = line_to_show(current);
  editor_.pointed_frames = 0;
  ++text_revision_;
  window_->set_title(current.title + " – " + lecture_.demo().title + " – Warpshop");
  submit_run();
}

void App::take_scene_result() {
  const lab::Scene& scene = lecture_.current();
  if (!prepared_) return;
  if (scene.show == lab::Scene::Show::kNumber) {
    const Result<lab::SceneNumber> number = lab::scene_number(scene, prepared_->result);
    lecture_.number = number.ok() ? std::optional(*number) : std::nullopt;
    return;
  }
  const std::optional<size_t> access = scene_access(scene, prepared_->accesses);
  if (access == selected_) return;
  selected_ = access;
  selected_at_s_ = now();
}

void App::apply(const command::GiveLecture&) {
  if (lecture_.on()) {
    apply(command::LeaveLecture{});
    return;
  }
  const lab::Lab* lab = session_->lab();
  if (!lab || !lab->demo) {
    toasts_.say(tr("This lab has no script for a lecture."), now());
    return;
  }
  leave_step();
  save_layout();
  lecture_ = {};
  lecture_.lab = lab;
  lecture_.run_after = latest_ != nullptr;
  student_session_ = std::move(session_);
  session_ = std::make_unique<Session>(*labs_, true);
  forget_results();
  block_ = 0;
  dialog_.open = Dialog::kNone;
  layout_.reset();
  open_scene(0, false);
  focus_panel_ = "scene";  // so that the presenter's keys are no text
}

void App::apply(const command::LeaveLecture&) {
  if (!lecture_.on()) {
    toasts_.clear();
    frames_due_ = std::max(frames_due_, 3);
    return;
  }
  const bool run = std::exchange(lecture_, {}).run_after;
  session_ = std::move(student_session_);
  layout_.reset();
  editor_.shown.clear();  // the script's texts are not the student's to undo into
  const std::string lab = session_->lab()->id, step = session_->step()->id;
  forget_results();
  open_step(lab, step);
  if (run) submit_run();
}

void App::apply(const command::Advance&) {
  if (!lecture_.on()) return;
  if (lecture_.hidden()) {
    lecture_.revealed = true;
    selected_at_s_ = now();  // the map is drawn lane by lane, for all to see
    return;
  }
  apply(command::MoveScene{1});
}

void App::apply(const command::MoveScene& c) {
  if (!lecture_.on()) return;
  const auto wanted = static_cast<int64_t>(lecture_.scene) + c.by;
  if (wanted < 0 || wanted >= static_cast<int64_t>(lecture_.demo().scenes.size())) {
    toasts_.say(c.by > 0 ? tr("This is the last scene.") : tr("This is the first scene."), now());
    return;
  }
  // Going back, the class has seen it already.
  open_scene(static_cast<size_t>(wanted), c.by < 0);
}

void App::apply(const command::ToggleLaser&) { lecture_.laser = lecture_.on() && !lecture_.laser; }
void App::apply(const command::ToggleBlank&) { lecture_.blank = lecture_.on() && !lecture_.blank; }

}  // namespace warpshop::ui
