// The text of the open step: edits, saving, earlier versions, and the worked solution.
#pragma once

#include <string>

#include "app/shell.h"
#include "control/appearance.h"
#include "control/open_work.h"
#include "control/results.h"
#include "control/runs.h"

namespace warpshop::ui {

class Versions {
 public:
  Versions(Shell& shell, Appearance& appearance, OpenWork& work, Results& results, Runs& runs);

  // Call when the text has changed other than by typing: shows it in the editor and runs it.
  void text_replaced();
  void look_outside();  // takes over what another program wrote
  void run_timers();

 private:
  void show_solution();
  void pin(const std::string& run);

  Shell& shell_;
  Appearance& appearance_;
  OpenWork& work_;
  Results& results_;
  Runs& runs_;
};

}  // namespace warpshop::ui
