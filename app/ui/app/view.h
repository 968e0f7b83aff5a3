// What the panels can read of the program's state in this frame. Read-only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "draw/pen.h"
#include "imgui.h"
#include "lab/film.h"
#include "lab/system_check.h"
#include "maps/prepared_result.h"
#include "models/gpu_profile.h"
#include "state/gpu_times.h"
#include "state/imported_profile.h"
#include "state/lecture.h"
#include "state/line_measure.h"
#include "state/run_history.h"
#include "state/session.h"
#include "state/settings.h"
#include "work/sass_worker.h"

namespace warpshop::ui {

class Devices;

struct View {
  const lab::LabLibrary* labs = nullptr;
  const Session* session = nullptr;
  bool following = false;       // the session has the lecturer's text, not the student's
  bool home = false;            // the page of all labs replaces the panels
  bool text_in_editor = false;  // see reads(): the step's text replaces the editor
  const Settings* settings = nullptr;
  const std::vector<std::pair<std::string, std::string>>* languages = nullptr;  // id and own name
  uint64_t text_revision = 0;  // changes when the text is changed outside the editor
  const std::vector<models::GpuProfile>* gpus = nullptr;
  std::string gpu;  // id of the selected GPU

  // The newest result of this step, and the newest in which the kernel ran: while a half-typed text
  // does not compile, the maps of the previous text stay in place, greyed. Null before the first.
  const PreparedResult* latest = nullptr;
  const PreparedResult* prepared = nullptr;
  // The result of a scene that is not revealed yet: space for its figures is reserved already.
  const PreparedResult* behind_curtain = nullptr;
  bool latest_stale = false;  // the text or the GPU has changed since
  bool stale = false;         // the same for `prepared`
  bool running = false;
  double running_since_s = 0;
  // Output of a run without a result so far; null: it has printed nothing.
  const emulator::LivePrints* printing = nullptr;
  LineMeasure line_measure = LineMeasure::kMemory;  // the figure shown for each line of the editor
  bool predicting = false;         // there is a result, and its predictions are being computed
  Stages stages;                   // of the run in progress, else of `latest`
  std::optional<size_t> selected;  // of prepared->accesses.entries
  double selected_at_s = 0;        // for the animation
  bool substituted = false;        // `selected` was substituted by of_memory
  // The film of the selected access's warp; null while no panel shows it or it is being opened.
  // `film_state` may briefly belong to another step.
  const lab::FilmScript* film = nullptr;
  const emulator::ReplayState* film_state = nullptr;
  const lab::VariableState* film_variables = nullptr;  // likewise; null: not computed yet
  // Of `prepared`'s text, as far as predicted; null: nothing yet.
  const GpuTimes* gpu_times = nullptr;
  // Of `prepared`'s kernel; null: no panel shows it, or it is being made.
  std::shared_ptr<const Disassembly> sass;
  size_t film_step = 0;
  bool film_playing = false;
  bool film_opening = false;
  bool film_leads = false;  // the student steps through the film rather than from access to access
  Pointing pointing;        // of the previous frame
  // True if a lane is drawn at full strength: all are, unless the mouse points at others.
  bool strong(int lane) const { return pointing.lanes == 0 || (pointing.lanes >> lane & 1); }
  const Lecture* lecture = nullptr;               // null: no lecture is being given
  const Pen* pen = nullptr;                       // the lecture's
  const PreparedResult* solution = nullptr;       // the worked solution's run, once looked at
  const Diagnostics* compiler_missing = nullptr;  // null: all is well
  const RunHistory* history = nullptr;            // of this step
  const std::vector<lab::SystemCheckLine>* system_check = nullptr;  // null: not checked yet
  const Devices* devices = nullptr;
  const ImportedProfile* profile = nullptr;  // null: none was imported for this step
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
  // For a map of one kind of memory while the selected access goes to the other kind: a view that
  // selects the nearest access in the same warp instead. Unchanged in a lecture, which shows one
  // map, and if the warp has no such access.
  View of_memory(bool shared) const;
  // The film's current line; 0: none, or the film does not lead.
  int film_line() const { return film_instruction() ? film_instruction()->line : 0; }
  // Its current instruction; null likewise.
  const lab::FilmInstruction* film_instruction() const {
    return film && film_leads && film_step < film->steps.size() ? &film->at(film_step) : nullptr;
  }
  const timing::RecordedAccess* record() const {
    const AccessEntry* entry = access();
    return entry ? &result()->student()->records[entry->record] : nullptr;
  }
};

// Greys everything that the current window draws during its lifetime if `stale`: the numbers belong
// to an older text. A child window needs its own.
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
