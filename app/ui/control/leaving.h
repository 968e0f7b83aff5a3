// Protects the student's files: nothing is lost without the student's consent. Handles text that
// cannot be saved when its step or the window is left, another window on the same files, and moving
// the work to another machine.
#pragma once

#include <optional>

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "state/instance_lock.h"

namespace warpshop::ui {

class Leaving {
 public:
  Leaving(Shell& shell, Docks& docks, OpenWork& work);

  void begin_beside_other_windows();
  void show_other_window();  // once the first panel has the keyboard focus, which closes dialogs
  int window_number() const { return instance_.window(); }  // on this work, from 1
  // Saves the text. If that fails, asks the student and sends `then` again after their answer.
  bool kept_or_asked(Command then);

 private:
  void retry();
  void leave_unsaved();

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  InstanceLock instance_;
  bool other_window_due_ = false;
  std::optional<Command> after_unsaved_;  // waits for the student's answer in the dialog
};

}  // namespace warpshop::ui
