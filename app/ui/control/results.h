// The results on screen, and what is selected in them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "maps/prepared_result.h"

namespace warpshop::ui {

class Results {
 public:
  Results(Shell& shell, Docks& docks, OpenWork& work) : shell_(shell), docks_(docks), work_(work) {}

  // True if the text or the GPU has changed since.
  bool stale(const std::shared_ptr<const PreparedResult>& of) const;
  const lab::KernelRun* student() const { return prepared ? prepared->result.student() : nullptr; }
  const lab::KernelRun* current_student() const {  // null if stale
    return shell_.view.stale ? nullptr : student();
  }
  const AccessEntry* access() const {
    return prepared && selected ? &prepared->accesses.entries[*selected] : nullptr;
  }
  // Selects an access and scrolls the editor to it. `show`: brings its map to the front.
  void select(size_t entry, bool show);
  void select_scene_access();  // and takes the scene's number
  // Scrolls the editor to a line, unless it is in view or being edited.
  void scroll_to(int line);

  // The newest run of the open step's text.
  struct Job {
    uint64_t id = 0;  // 0: none yet
    bool done = true;
    bool stopped = false;  // by the user, while it ran
    bool asked = false;    // requested, not started by a pause in typing
    double since_s = 0;
  };
  Job job;
  std::shared_ptr<const PreparedResult> latest, prepared;  // see View
  Stages stages;
  std::optional<size_t> selected;
  double selected_at_s = 0;

 private:
  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
};

}  // namespace warpshop::ui
