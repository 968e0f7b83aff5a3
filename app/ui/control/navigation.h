// Goes from panel to panel, from access to access, and between the editor's line and the access
// shown in the maps: keyboard equivalents of clicks on pictures.
#pragma once

#include "app/shell.h"
#include "control/docks.h"
#include "control/film.h"
#include "control/lecturing.h"
#include "control/results.h"
#include "panels/dram_panel.h"
#include "panels/pipeline_panel.h"
#include "panels/roofline_panel.h"
#include "panels/schedulers_panel.h"
#include "panels/transactions_panel.h"

namespace warpshop::ui {

class Navigation {
 public:
  Navigation(Shell& shell, Docks& docks, Results& results, Film& film, Lecturing& lecturing);

 private:
  void focus_panel(const std::string& id);
  void show_stage(lab::Stage stage);
  void step_access(int by);
  void tell_end(int by);  // in a lecture, where the arrow leads no further
  void select_line(int line);
  void go_to(const SourcePlace& place);
  void step_moment(const command::StepMoment& c);
  bool step_focus(const command::StepMoment& c);
  int partition_of(const lab::KernelRun& run, const AccessEntry& entry,
                   const models::PartitionMap& map) const;

  Shell& shell_;
  Docks& docks_;
  Results& results_;
  Film& film_;
  Lecturing& lecturing_;
  EditorPanelState& editor_;
  TransactionsPanelState& coalescer_;
  RooflinePanelState& roofline_;
  SchedulersPanelState& schedulers_;
  PipelinePanelState& pipeline_;
  DramPanelState& dram_;
  int last_partition_ = -1;  // the last target of StepMoment, since an access may use several
};

}  // namespace warpshop::ui
