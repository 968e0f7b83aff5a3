// The labs, and the student's work on the open step.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "app/shell.h"
#include "core/folder_watch.h"
#include "state/run_history.h"
#include "state/session.h"

namespace warpshop::ui {

struct OpenWork {
  explicit OpenWork(Shell& shell) : shell_(shell) {}

  bool has_kernel() const { return session->step() && session->step()->exercise; }
  void leave_step();   // saves it
  void name_window();  // after the open step
  void watch_file();   // for other programs' changes
  bool take_file_changed() { return file_changed_.exchange(false); }

  // The GPU whose rules count: the scene's, else the step's, else the settings'.
  const std::string& gpu_id() const;
  const models::GpuProfile* gpu() const { return shell_.profile_of(gpu_id()); }
  void choose_gpu(const std::string& id);
  // Takes the GPU that the step is about, whichever one the student has chosen otherwise.
  void use_step_gpu();

  std::shared_ptr<const lab::LabLibrary> labs;
  std::unique_ptr<Session> session;
  RunHistory history;          // of the open step
  uint64_t text_revision = 1;  // see View
  double autosave_due_s = 0;   // 0: nothing to save

 private:
  Shell& shell_;
  std::atomic<bool> file_changed_{false};
  FolderWatch watch_{[this] {
    file_changed_ = true;
    GlWindow::wake();
  }};
  // If the open step is about one GPU: that GPU, or the one chosen in the step. Empty: the settings
  // decide.
  std::string step_gpu_;
};

}  // namespace warpshop::ui
