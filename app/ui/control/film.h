// The film of a warp: opened when a panel shows it; the maps and the editor follow it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/shell.h"
#include "control/docks.h"
#include "control/results.h"
#include "panels/shared_panel.h"
#include "panels/variables_panel.h"
#include "panels/warp_panel.h"
#include "work/film_worker.h"

namespace warpshop::ui {

class Film {
 public:
  Film(Shell& shell, Docks& docks, Results& results);

  void close();
  // The maps no longer follow the film, but the film them.
  void follow() { leads_ = false; }
  void follow_selection();  // opens the selected access's film if a panel shows it
  void take_news();
  void play();
  void show_in(View& view) const;
  bool busy() const { return worker_.busy(); }
  std::optional<double> next_step_s() const {
    return playing_ ? std::optional(due_s_) : std::nullopt;
  }

 private:
  void drop_script();
  void show_step(size_t step);  // in the maps and the editor too
  // Searches forwards or backwards from that step; none: from before the first.
  void run_to_line(const command::FilmToLine& c, std::optional<size_t> from);
  void show_finding(const command::FilmOfFinding& c);

  Shell& shell_;
  Docks& docks_;
  Results& results_;
  EditorPanelState& editor_;
  WarpPanelState& warp_;
  VariablesPanelState& registers_;
  SharedPanelState& shared_;
  FilmWorker worker_;
  struct Of {  // the last request
    std::shared_ptr<const lab::FilmSource> source;
    uint64_t block = 0;
    uint32_t warp = 0;
    bool operator==(const Of&) const = default;
  };
  Of of_;
  std::shared_ptr<const lab::FilmScript> script_;
  std::shared_ptr<const emulator::ReplayState> state_;
  std::shared_ptr<const lab::VariableState> variables_;
  size_t step_ = 0;
  std::optional<size_t> follows_;                  // the selected access that step_ corresponds to
  std::optional<command::FilmOfFinding> finding_;  // to be shown once the film is open
  std::optional<command::FilmToLine> to_line_;     // likewise
  bool seeks_writer_ = false;                      // searching for the thread that wrote an element
  bool from_start_ = false;                        // the film being opened starts at its first step
  bool asked_ = false;  // requested by an action; otherwise visible panels request it
  bool leads_ = false;
  bool playing_ = false;
  double due_s_ = 0;  // when to play the next step
};

}  // namespace warpshop::ui
