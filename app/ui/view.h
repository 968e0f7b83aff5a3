// What the panels see of the program in this frame: all of it constant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/gpu_profile.h"
#include "prepared_result.h"
#include "run_worker.h"
#include "session.h"
#include "settings.h"

namespace warpshop::ui {

struct View {
  const lab::LabLibrary* labs = nullptr;
  const Session* session = nullptr;
  const Settings* settings = nullptr;
  uint64_t text_revision = 0;                // changes when the text does so outside the editor
  const std::vector<models::GpuProfile>* gpus = nullptr;
  std::string gpu;                           // id of the selected one

  const PreparedResult* prepared = nullptr;  // the latest of this step; null before the first
  bool stale = false;                        // the text or the GPU has changed since
  bool running = false;
  double running_since_s = 0;
  Stages stages;                             // of the run in progress, else of `prepared`
  std::optional<size_t> selected;            // of prepared->accesses.entries
  double selected_at_s = 0;                  // when, for the animation
  const Diagnostics* compiler_missing = nullptr;  // null: all is well
  double now_s = 0;

  const lab::RunResult* result() const { return prepared ? &prepared->result : nullptr; }
  const lab::Exercise* exercise() const {
    const lab::Step* step = session->step();
    return step && step->exercise ? &*step->exercise : nullptr;
  }
  const AccessEntry* access() const {
    return prepared && selected ? &prepared->accesses.entries[*selected] : nullptr;
  }
  const timing::RecordedAccess* record() const {
    const AccessEntry* entry = access();
    return entry ? &result()->student()->records[entry->record] : nullptr;
  }
};

// For as long as it lives, what is drawn is greyed: the numbers belong to an older text.
class Greyed {
 public:
  explicit Greyed(bool stale);
  ~Greyed();
  Greyed(const Greyed&) = delete;
  Greyed& operator=(const Greyed&) = delete;

 private:
  bool stale_;
};

}  // namespace warpshop::ui
