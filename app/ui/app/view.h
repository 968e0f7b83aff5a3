// What the panels see of the program in this frame: all of it constant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "draw/pen.h"
#include "imgui.h"
#include "lab/health.h"
#include "maps/prepared_result.h"
#include "models/gpu_profile.h"
#include "state/lecture.h"
#include "state/line_measure.h"
#include "state/run_history.h"
#include "state/session.h"
#include "state/settings.h"
#include "work/devices.h"
#include "work/run_worker.h"
#include "work/sass_worker.h"

namespace warpshop::ui {

struct View {
  const lab::LabLibrary* labs = nullptr;
  const Session* session = nullptr;
  bool home = false;            // the page of all labs stands in the panels' place
  bool text_in_editor = false;  // see reads(): its text stands in the editor's place
  const Settings* settings = nullptr;
  const std::vector<std::pair<std::string, std::string>>* languages = nullptr;  // id and own name
  uint64_t text_revision = 0;  // changes when the text does so outside the editor
  const std::vector<models::GpuProfile>* gpus = nullptr;
  std::string gpu;  // id of the selected one

  // The newest result of this step, and the newest in which the kernel ran: a half-typed text that
  // does not compile leaves the maps of the text before in place, greyed. Null before the first.
  const PreparedResult* latest = nullptr;
  const PreparedResult* prepared = nullptr;
  const PreparedResult* behind_curtain =
      nullptr;                // of a scene, not shown yet: its figures have their room already
  bool latest_stale = false;  // the text or the GPU has changed since
  bool stale = false;         // the same of `prepared`
  bool running = false;
  double running_since_s = 0;
  const emulator::LivePrints* printing =
      nullptr;  // of a run that has no result yet; null: it has printed nothing
  LineMeasure line_measure = LineMeasure::kMemory;  // what the editor says of each line
  bool predicting = false;         // the result is there, its predictions are being made
  Stages stages;                   // of the run in progress, else of `latest`
  std::optional<size_t> selected;  // of prepared->accesses.entries
  double selected_at_s = 0;        // when, for the animation
  bool companion = false;          // `selected` is what of_memory has put there
  // The film of the selected access's warp: null while nobody looks at it or it is being opened.
  // `film_state` may be that of another step for a moment.
  const lab::FilmScript* film = nullptr;
  const emulator::ReplayState* film_state = nullptr;
  const lab::VariableState* film_variables = nullptr;  // likewise; null: not worked out yet
  std::shared_ptr<const Disassembly>
      sass;  // of `prepared`'s kernel; null: nobody looks, or it is being made
  size_t film_step = 0;
  bool film_playing = false;
  bool film_opening = false;
  bool film_leads = false;  // the student moves through the film, not from access to access
  Pointing pointing;        // of the frame before
  // Whether a lane is to be shown strongly: all are, unless the mouse points at others.
  bool strong(int lane) const { return pointing.lanes == 0 || (pointing.lanes >> lane & 1); }
  const Lecture* lecture = nullptr;          // null: none is being given
  const Pen* pen = nullptr;                  // the lecture's
  const PreparedResult* solution = nullptr;  // the worked solution's run, once it was looked at
  const Diagnostics* compiler_missing = nullptr;         // null: all is well
  const RunHistory* history = nullptr;                   // of this step
  const std::vector<lab::HealthLine>* health = nullptr;  // null: not looked at yet
  const Devices* devices = nullptr;
  double now_s = 0;

  const lab::RunResult* result() const { return prepared ? &prepared->result : nullptr; }
  bool did_not_compile() const { return latest && latest->result.sizes.empty(); }
  const lab::Exercise* exercise() const {
    const lab::Step* step = session->step();
    return step && step->exercise ? &*step->exercise : nullptr;
  }
  bool reads() const { return session->step() && !exercise(); }  // the step has no kernel
  const AccessEntry* access() const {
    return prepared && selected ? &prepared->accesses.entries[*selected] : nullptr;
  }
  // For a map of one kind of memory where the selected access goes to the other: the access nearest
  // to it in the same warp takes its place. Not in a lecture, which shows one map. As it is where
  // the warp has none.
  View of_memory(bool shared) const;
  // The line that runs in the film; 0: none, or the film does not lead.
  int film_line() const {
    return film && film_leads && film_step < film->steps.size() ? film->at(film_step).line : 0;
  }
  const timing::RecordedAccess* record() const {
    const AccessEntry* entry = access();
    return entry ? &result()->student()->records[entry->record] : nullptr;
  }
};

// What the current window draws while it lives is greyed where `stale`: the numbers belong to an
// older text. A child window needs its own.
class Greyed {
 public:
  explicit Greyed(bool stale);
  ~Greyed();
  Greyed(const Greyed&) = delete;
  Greyed& operator=(const Greyed&) = delete;

 private:
  ImDrawList* list_ = nullptr;
  int first_vertex_ = 0;
};

}  // namespace warpshop::ui
