// Everything the window may ask for. Panels queue commands; App applies them after the frame is
// drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/diagnostic.h"
#include "maps/film_steps.h"
#include "state/gesture.h"
#include "state/line_measure.h"
#include "state/mode.h"
#include "state/undo_journal.h"
#include "window/theme.h"

namespace warpshop::ui {

namespace command {
// Labs and steps.
struct OpenStep {
  std::string lab, step;
};
struct OpenHome {};  // or leave it
struct CloseHome {};
struct MoveStep {
  int by = 1;
};  // to the next or previous step, into the next lab too
struct AnswerQuestion {
  int question = 0, choice = 0;
};
struct ShowHint {};  // one more
// The student's text.
// The text as the editor has it now. `steps`: what can be undone one by one on the way there;
// empty: one change.
struct EditText {
  std::string text;
  std::vector<TextStep> steps = {};
};
struct EditorGesture {
  Gesture gesture = Gesture::kUndo;
};
struct SetWrap {
  bool on = true;
};  // lines that are longer than the editor is wide go on below
struct Save {};
struct AskReset {};
struct Reset {};
struct AskSolution {};   // "look at the solution?"
struct ShowSolution {};  // as a difference to the student's text
struct TakeSolution {};  // into the editor; the student's text is kept
struct RetryUnsaved {};  // what could not be done as the text could not be saved
struct SaveElsewhere {
  std::string file;
};
struct LeaveUnsaved {};  // without the text
struct ResolveConflict {
  bool keep_mine = true;
};
struct TakeVersion {
  std::string run;
};                        // of the history, into the editor
struct RestorePassed {};  // the last version that passed, into the editor
struct OpenChanges {
  std::string left, right;
};  // runs of the history; "": the text in the editor
struct PinBaseline {
  std::string run;
};  // "": none
struct PinLatest {};
// Runs.
struct Run {};
struct Stop {};
struct SelectGpu {
  std::string id;
};
struct SelectSecondGpu {
  std::string id;
};  // to compare with
struct StepSecondGpu {
  int by = 1;
};
struct SelectBlock {
  uint64_t block = 0;
};  // linear: whose accesses the maps show
struct StepBlock {
  int by = 1;
};
// Where kernels are measured; places as of devices.h.
struct OpenDevices {};
struct SelectDevice {
  std::string place;
  int gpu = -1;
};
struct ConnectDevice {
  std::string place;
};  // try again, or see what is there
struct AddWorker {
  std::string command;
};  // and choose it
struct RemoveWorker {
  std::string command;
};
// What the maps show.
struct SelectAccess {
  size_t entry = 0;
};  // index into AccessIndex::entries
// A warp's access to global memory by its number, from 0; its block is run again where it is not
// the one that is shown.
struct SelectGlobalAccess {
  uint64_t block = 0;
  uint32_t warp = 0, step = 0;
};
struct StepAccess {
  int by = 1;
};  // inside the warp
struct StepWarp {
  int by = 1;
};  // the same access of another warp
struct StepMoment {
  int by = 1;
  bool other_partition = false;
};  // to what loads memory in the next stretch of time, or in the next partition
struct SelectEditorLine {};  // that of the editor's cursor
struct GoToAccess {};        // the editor's cursor to the line of the shown access
struct StepGpu {
  int by = 1;
};
struct SelectLine {
  int line = 0;
};  // the costliest access of a source line
struct GoTo {
  SourcePlace place;
};  // the editor's cursor
// The film of the warp that the maps show.
struct MoveFilm {
  FilmEvent event = FilmEvent::kStep;
  int by = 1;
};
struct SeekFilm {
  size_t step = 0;
};
struct PlayFilm {};  // or pause
struct FilmToLine {
  int by = 1;
  int line = 0;
};  // to where the warp comes to it next or did before; 0: the editor's line
struct FilmOfFinding {
  size_t finding = 0;
};  // of the student's kernel: its thread's warp, where it happens
struct FilmOfElement {
  std::string output;
  uint64_t element = 0;
};  // of the thread that wrote it, where it does so
struct MoveTimeline {
  double zoom = 1, shift = 0;
};  // of the schedulers: zoom 0 shows all; shift in parts of what is in sight
// The window.
struct SetMode {
  Mode mode = Mode::kStudent;
};
struct GiveLecture {
  std::string lab = {};
};                  // of its script; "": the open lab. Again: back to the student's text
struct Advance {};  // reveals what is hidden, else the next scene
struct MoveScene {
  int by = 1;
};
struct GoToScene {
  size_t scene = 0;
};                     // from 0
struct OpenScenes {};  // the list of scenes
struct ToggleLaser {};
struct ToggleBlank {};
struct TogglePen {};
struct NextPenColor {};
struct ChoosePenColor {
  int color = 0;
};
struct WipePen {};
struct KeepPen {};  // what is drawn stays when the scene changes, or not
struct Magnify {};  // 2, 3 and 4 times, then off
struct ToggleClock {};
struct RestoreKernel {};  // the scene's own, after it was edited
struct LeaveLecture {
};  // puts away one thing after the other, then ends it; where none is given: hides the notices
struct ToggleFullScreen {};
struct SetTheme {
  ThemeChoice choice = ThemeChoice::kSystem;
};
struct Zoom {
  float factor = 0;
};  // 0: back to 100%
struct StepZoom {
  int direction = 1;
};  // to the next of zoom_steps(), 1 larger, -1 smaller
struct SetLanguage {
  std::string id;
};
struct SetMotion {
  bool on = true;
};
struct SetLineMeasure {
  LineMeasure measure = LineMeasure::kMemory;
};  // what the editor says of each line
struct SetDigits {
  bool on = true;
};  // lane numbers on the maps, hatching on what is short of ideal
struct SetAutoRun {
  bool on = true;
};
struct LockLayout {
  bool locked = true;
};
struct ResetLayout {};
struct FocusPanel {
  std::string panel;
};
struct ShowStage {
  int stage = 0;
};                   // where a click on the pipeline leads
struct OpenMenu {};  // the first one, for the keyboard
struct OpenPalette {};
struct OpenGlossary {
  std::string word = {};  // that it is opened at, in English; empty: all of it
};
struct OpenKeys {};
struct SetKey {
  std::string action, chord;
};  // chord_text; "": no key
struct ResetKeys {};
struct OpenDoctor {};
struct OpenProgress {};  // the dialog for the two below
struct ExportProgress {
  std::string file;
};
struct ImportProgress {
  std::string file;
};
struct OpenWorkFolder {};
struct OpenPath {
  std::string path = {};
};                     // with the desktop's program for it; "": what was saved last
struct ReloadLabs {};  // from their files
struct OpenOwnKernel {
  std::string file = {};
};                        // the dialog for a kernel of the student's own; "": asks for the file
struct MakeKernelLab {};  // of what that dialog has
struct ShowTour {};       // or leave it
struct SkipTour {};
struct LeaveTour {};
struct CloseDialog {};
struct CopyText {
  std::string text, what;
};
struct HandIn {};       // the kernels as files, in a folder
struct WriteReport {};  // of the lab, beside the student's work
struct SavePicture {};  // of the window, beside the student's work
struct SavePanelPicture {
  std::string title;
  float x = 0, y = 0, width = 0, height = 0;
};  // once its menu has closed
struct ExportPanel {
  bool picture = false;
};                         // of the panel with the keyboard, else its numbers as CSV
struct ExplainFigures {};  // of the panel with the keyboard
struct ShowFrameTime {};
struct Quit {};
}  // namespace command

template <typename V>
struct CommandMakers;
struct AnyCommand;  // a variant of them all: app/any_command.h

// One of the above. What panels include knows nothing of the variant: each of their files would
// take the compiler seconds more.
class Command {
 public:
  template <typename C>
  requires(!std::is_same_v<C, Command>) Command(C of) : any_(make(std::move(of))) {}
  const AnyCommand& any() const { return *any_; }

 private:
  template <typename C>
  static std::shared_ptr<const AnyCommand> make(C of);  // of all in AnyCommand, by commands.cc
  template <typename V>
  friend struct CommandMakers;

  std::shared_ptr<const AnyCommand> any_;
};

// What the mouse points at: every panel shows the same lanes, line and memory.
struct Pointing {
  uint32_t lanes = 0;    // a bit each; 0: none
  int line = 0;          // of the source; 0: none
  uint64_t address = 0;  // of global memory
  uint32_t bytes = 0;    // from there on; 0: no place in memory
  bool operator==(const Pointing&) const = default;
};

class CommandQueue {
 public:
  // Said anew in every frame by the panel under the mouse.
  void point_at(const Pointing& at) { pointing_ = at; }
  Pointing take_pointing() { return std::exchange(pointing_, {}); }
  void push(Command command) { commands_.push_back(std::move(command)); }
  std::vector<Command> take() { return std::exchange(commands_, {}); }

 private:
  Pointing pointing_;
  std::vector<Command> commands_;
};

}  // namespace warpshop::ui
