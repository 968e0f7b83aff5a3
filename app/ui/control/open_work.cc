#include "control/open_work.h"

namespace warpshop::ui {

void OpenWork::leave_step() {
  if (!session || !session->step()) return;
  if (session->dirty()) shell_.say(session->save());
  shell_.say(session->autosave());
  shell_.say(session->save_progress());
}

void OpenWork::name_window() {
  shell_.window->set_title(session->step()->title + " – " + session->lab()->title + " – Warpshop");
}

void OpenWork::watch_file() { watch_.watch(session->file().parent_path()); }

const std::string& OpenWork::gpu_id() const {
  if (shell_.lecture.on() && !shell_.lecture.current().gpu.empty())
    return shell_.lecture.current().gpu;
  return step_gpu_.empty() ? shell_.settings.gpu : step_gpu_;
}

void OpenWork::choose_gpu(const std::string& id) {
  (step_gpu_.empty() ? shell_.settings.gpu : step_gpu_) = id;
}

void OpenWork::use_step_gpu() {
  step_gpu_.clear();
  const lab::Step* step = session->step();
  if (!step || !step->exercise || !step->exercise->model_gpu || !shell_.options.ui.gpu.empty())
    return;
  const std::string& id = step->exercise->model_gpu->id;
  if (shell_.profile_of(id)) step_gpu_ = id;
}

}  // namespace warpshop::ui
