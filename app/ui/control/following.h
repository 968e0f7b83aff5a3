// "Follow me": shows the lecturer's text in a session of its own, which writes nothing. The
// student's work is where it was when they are back.
#pragma once

#include <string>

#include "app/shell.h"
#include "control/docks.h"
#include "control/leaving.h"
#include "control/open_work.h"
#include "control/runs.h"
#include "control/steps.h"
#include "control/versions.h"

namespace warpshop::ui {

class Following {
 public:
  Following(Shell& shell, Docks& docks, OpenWork& work, Leaving& leaving, Runs& runs, Steps& steps,
            Versions& versions);

 private:
  void follow(const command::FollowText& shown);
  void end();

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Leaving& leaving_;
  Runs& runs_;
  Steps& steps_;
  Versions& versions_;
  std::string own_lab_, own_step_;  // where the student was
  bool from_home_ = false;
};

}  // namespace warpshop::ui
