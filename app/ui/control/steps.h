// The steps of the labs: opening them, their questions and hints.
#pragma once

#include <string>

#include "app/shell.h"
#include "control/appearance.h"
#include "control/docks.h"
#include "control/leaving.h"
#include "control/open_work.h"
#include "control/runs.h"

namespace warpshop::ui {

class Steps {
 public:
  Steps(Shell& shell, Appearance& appearance, Docks& docks, OpenWork& work, Leaving& leaving,
        Runs& runs);

  void open(const std::string& lab, const std::string& step);

 private:
  void answered();  // a question of the open step

  Shell& shell_;
  Appearance& appearance_;
  Docks& docks_;
  OpenWork& work_;
  Leaving& leaving_;
  Runs& runs_;
};

}  // namespace warpshop::ui
