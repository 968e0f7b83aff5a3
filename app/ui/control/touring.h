// Advances the tour when the student has done what it asks for.
#pragma once

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "panels/step_text.h"
#include "state/tour.h"

namespace warpshop::ui {

class Touring {
 public:
  Touring(Shell& shell, Docks& docks, OpenWork& work);

  void begin();  // where it was left
  void update();
  const Tour& tour() const { return tour_; }

 private:
  void resume();
  void leave();
  void keep();  // saves it in the settings, and makes its panel visible

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  StepTextState& step_text_;
  Tour tour_;
};

}  // namespace warpshop::ui
