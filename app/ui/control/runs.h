// Runs of the student's kernel and of the worked solution, and the GPU and block that they are for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/shell.h"
#include "control/docks.h"
#include "control/film.h"
#include "control/measuring.h"
#include "control/open_work.h"
#include "control/results.h"
#include "core/folder_watch.h"
#include "panels/ptx_panel.h"
#include "state/gpu_times.h"
#include "state/slow_compiler.h"
#include "work/run_worker.h"
#include "work/sass_worker.h"

namespace warpshop::ui {

class Runs {
 public:
  Runs(Shell& shell, Docks& docks, OpenWork& work, Results& results, Film& film,
       Measuring& measuring);

  void submit();
  void run_solution();  // so that its counters can be compared with the student's
  void forget();        // all results
  void forget_solution() {
    solution_.reset();
    solution_job_ = 0;
  }
  void use_first_block() { block_ = 0; }
  // Runs the new text: at once, or while the student types after a pause.
  void edited(bool typing);
  double due_s() const { return due_s_; }  // when the pause in typing ends; 0: nothing to run
  void pause();                            // stops the run and what is due

  void take_updates();
  void run_timers();
  void show_in(View& view);
  void note_frame();  // for edit_to_result_s()

  bool predicting() const;  // also while the worked solution's run interrupts it
  bool busy() const {
    return (worker_.busy() && (solution_runs_ || !predicting()) && !gpu_times_.running) ||
           due_s_ > 0;
  }
  double edit_to_result_s() const { return edit_to_result_s_; }
  bool ends_within(double seconds) { return worker_.ends_within(seconds); }

 private:
  void take_result(const RunUpdate& update);
  void show_refusal(const lab::RunResult& result);
  void take_predictions(std::shared_ptr<const PreparedResult> result);
  void predict_again();  // what the worked solution's run interrupted
  void keep_as_reference(const std::string& text);
  void predict_on_every_gpu();
  bool are_current(const GpuTimes& times) const;
  RunJob job_of(const std::string& source, const models::GpuProfile& gpu) const;
  void select_block(uint64_t block);

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Results& results_;
  Film& film_;
  Measuring& measuring_;
  PtxPanelState& ptx_;
  RunWorker worker_;
  SassWorker sass_worker_;
  std::optional<Diagnostics> missing_;
  SlowCompiler slow_compiler_;
  bool slow_compiler_told_ = false;
  uint64_t solution_job_ = 0;  // the run of the worked solution; 0: none requested
  bool solution_runs_ = false;
  bool prediction_due_ = false;     // interrupted by the run of the worked solution
  uint64_t predict_again_job_ = 0;  // brings the predictions of the result shown; 0: none
  std::shared_ptr<const PreparedResult> solution_;
  GpuTimes gpu_times_;
  uint64_t gpu_times_job_ = 0;
  std::shared_ptr<emulator::LivePrints> prints_;  // of the newest job, until its first result
  uint64_t block_ = 0;   // linear index of the block whose accesses are recorded
  struct WantedAccess {  // in a block that is being run again
    uint64_t job = 0;
    command::SelectGlobalAccess access;
  };
  std::optional<WantedAccess> wanted_access_;
  // The current run is of the same text: its result does not bring a panel to the front.
  bool panels_stay_ = false;
  std::string before_refusal_;  // the panel that the compiler's errors have covered; "": none
  double due_s_ = 0;            // when the pause in typing ends; 0: nothing to run
  double edited_at_s_ = 0;
  double edit_to_result_s_ = 0;
};

}  // namespace warpshop::ui
