// Everything that can be requested in the window. Panels queue commands; after the frame is drawn
// each is applied by the controller that handles it. To add one, add a struct here and its handler
// to a controller.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>
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

// clang-format off
namespace command {
// Labs and steps.

struct OpenStep { std::string lab, step; };
struct OpenHome {};  // again: closes it
struct CloseHome {};
// To the next or previous step, across labs.
struct MoveStep { int by = 1; };
struct AnswerQuestion { int question = 0, choice = 0; };
struct AnswerNumber { int question = 0; double number = 0; };
// Shows a lecturer's text instead of the student's own, until the student goes back to it.
struct FollowText { std::string lab, step, source; };
struct EndFollowing {};
struct GiveEstimate { double value = 0; };  // until a version has passed
struct ShowHint {};  // the next one

// The student's text.

// The editor's current text. `steps`: the intermediate texts that can be undone one by one; empty:
// a single change.
struct EditText { std::string text; std::vector<TextStep> steps = {}; };
struct EditorGesture { Gesture gesture = Gesture::kUndo; };
// Wraps lines that are longer than the editor is wide.
struct SetWrap { bool on = true; };
struct Save {};
struct AskReset {};
struct Reset {};
struct AskSolution {};   // "look at the solution?"
struct ShowSolution {};  // as a diff against the student's text
struct TakeSolution {};  // loads it into the editor; the student's text stays in the history
struct RetryUnsaved {};  // repeats the command that failed because the text could not be saved
struct SaveElsewhere { std::string file; };
struct LeaveUnsaved {};  // goes on without saving
struct ResolveConflict { bool keep_mine = true; };
// Loads a version from the history into the editor.
struct TakeVersion { std::string run; };
struct RestorePassed {};  // loads the last version that passed into the editor
// Compares two runs of the history; "": the text in the editor.
struct OpenChanges { std::string left, right; };
// Pins a run as the baseline; "": none.
struct PinBaseline { std::string run; };
struct PinLatest {};

// Runs.

struct Run {};
struct Stop {};
struct SelectGpu { std::string id; };
// For comparison.
struct SelectSecondGpu { std::string id; };
struct StepSecondGpu { int by = 1; };
// The text's time on every GPU, once the chosen one's is known.
struct PredictOnEveryGpu {};
// Selects the block whose accesses the maps show, by its linear index.
struct SelectBlock { uint64_t block = 0; };
struct StepBlock { int by = 1; };

// Where kernels are measured. For places see devices.h.

struct OpenDevices {};
struct SelectDevice { std::string place; int gpu = -1; };
// Retries, or finds out which GPUs are there.
struct ConnectDevice { std::string place; };
// Adds and selects a worker.
struct AddWorker { std::string command; };
struct RemoveWorker { std::string command; };

// What the maps show.

// `entry`: index into AccessIndex::entries.
struct SelectAccess { size_t entry = 0; };
// A warp's access to global memory by its number, from 0.
// Runs its block again unless that block is already shown.
struct SelectGlobalAccess { uint64_t block = 0; uint32_t warp = 0, step = 0; };
// Within the warp.
struct StepAccess { int by = 1; };
// To the same access of another warp.
struct StepWarp { int by = 1; };
// To an access that loads memory in the next time window, or in the next partition.
struct StepMoment { int by = 1; bool other_partition = false; };
struct SelectEditorLine {};  // the line of the editor's cursor
struct GoToAccess {};        // moves the editor's cursor to the line of the shown access
struct StepGpu { int by = 1; };
// Selects the most expensive access of a source line.
struct SelectLine { int line = 0; };
// Moves the editor's cursor.
struct GoTo { SourcePlace place; };

// The film of the warp that the maps show.

struct MoveFilm { FilmEvent event = FilmEvent::kStep; int by = 1; };
struct SeekFilm { size_t step = 0; };
struct PlayFilm {};  // plays or pauses
// To the next or previous time that the warp reaches the line; 0: the editor's line.
struct FilmToLine { int by = 1; int line = 0; };
// Opens the film of the warp in which a finding of the student's kernel occurs, at that point.
struct FilmOfFinding { size_t finding = 0; };
// Opens the film of the thread that wrote an element, at the write.
struct FilmOfElement { std::string output; uint64_t element = 0; };
// Moves the schedulers' timeline. `zoom`: 0 shows all
// of it; `shift`: as a fraction of the visible range.
struct MoveTimeline { double zoom = 1, shift = 0; };

// The window.

struct SetMode { Mode mode = Mode::kStudent; };
// Gives the lecture of a lab's script; "": the open lab, or on the page of all labs the one whose
// lecture ended last. Again: goes back to the student's text.
struct GiveLecture { std::string lab = {}; };
struct Advance {};  // reveals the answer if it is hidden, else opens the next scene
struct MoveScene { int by = 1; };
struct GoToScene {
  size_t scene = 0;  // from 0
};
struct OpenScenes {};  // the list of scenes
struct OpenSpeakerNotes {};
struct OpenInstructorNotes {};
struct OpenNotesWindow {};  // a second process, for another screen
struct ToggleLaser {};
struct ToggleBlank {};
struct TogglePen {};
struct NextPenColor {};
struct ChoosePenColor { int color = 0; };
struct WipePen {};
struct KeepPen {};  // toggles whether drawings stay when the scene changes
struct Magnify {};  // cycles through 2 ×, 3 ×, 4 × and off
struct ToggleClock {};
struct RestoreKernel {};  // the scene's original, after it was edited
// Each call closes one thing that is open; if none is, the first asks, the second
// ends the lecture. Outside a lecture: hides the notices.
struct LeaveLecture {};
struct ToggleFullScreen {};
struct SetTheme { ThemeChoice choice = ThemeChoice::kSystem; };
// `factor`: 0 resets to 100%.
struct Zoom { float factor = 0; };
// To the next larger (1) or smaller (-1) step, see next_zoom().
struct StepZoom { int direction = 1; };
struct SetLanguage { std::string id; };
struct SetMotion { bool on = true; };
// Which figure the editor shows for each line.
struct SetLineMeasure { LineMeasure measure = LineMeasure::kMemory; };
// Shows lane numbers on the maps, and hatching on what falls short of the ideal.
struct SetDigits { bool on = true; };
// Shows what the labs' texts hide until questions are answered and steps passed.
struct SetEverything { bool on = true; };
struct SetAutoRun { bool on = true; };
struct LockLayout { bool locked = true; };
struct ResetLayout {};
struct TryLayouts {};         // in the panel Banks
struct ToggleMachineCode {};  // in the panel PTX, which comes to the front
struct FocusPanel { std::string panel; };
// Shows the panel that a click on a stage of the pipeline leads to.
struct ShowStage { int stage = 0; };
struct OpenMenu {};  // the first menu, for the keyboard
struct OpenPalette {};
struct OpenGlossary {
  std::string word = {};  // the entry to open it at, in English; empty: all entries
};
struct OpenKeys {};
// `chord`: chord_text; "": no shortcut.
struct SetKey { std::string action, chord; };
struct ResetKeys {};
struct OpenDoctor {};
struct OpenProgress {};  // the dialog for the two below
struct ExportProgress { std::string file; };
struct ImportProgress { std::string file; };
struct OpenWorkFolder {};
// A page of the documentation, by its name in docs/.
struct OpenPage { std::string file; };
// Opens it with the desktop's default program; "": what was saved last.
struct OpenPath { std::string path = {}; };
// Likewise a page of the web; without one, copies the address.
struct OpenAddress { std::string address; };
struct ReloadLabs {};  // reads them again from their files
// Opens the dialog for a kernel of the student's own; "": asks for the file.
struct OpenOwnKernel { std::string file = {}; };
// Compares the open step's kernel with a profile of Nsight Compute; "": asks for the file. It stays
// with the step until it is removed or replaced.
struct ImportProfile { std::string file = {}; };
struct RemoveProfile {};
struct MakeKernelLab {};  // from the contents of that dialog
// The lab that was made from the same kernel before.
struct OpenKernelLab { std::string lab; };
// Of the open lab, if it is the user's own: its folder goes to the history.
struct AskRemoveLab {};
struct RemoveLab {};
struct ShowTour {};  // again: leaves it
struct SkipTour {};
struct LeaveTour {};
struct CloseDialog {};
struct CopyText { std::string text, what; };
struct AskHandIn {};                   // lists the kernels first
struct HandIn { std::string file; };  // writes them into one archive
struct WriteReport {};  // writes the lab's report into user_dir()/reports
// Writes the script of the lab's lecture there: for the class, or with the speaker's notes.
struct WriteHandout { bool notes = false; };
struct SavePicture {};  // saves a picture of the window into user_dir()/pictures
// Taken once the panel's menu has closed.
struct SavePanelPicture { std::string title; float x = 0, y = 0, width = 0, height = 0; };
// Exports the panel that has the keyboard focus: a picture, or its numbers as CSV.
struct ExportPanel { bool picture = false; };
struct ExplainFigures {};  // those of the panel that has the keyboard focus
struct ShowFrameTime {};
struct Quit {};
}  // namespace command
// clang-format on

// Any one of the commands above.
class Command {
 public:
  template <typename C>
  requires(!std::is_same_v<C, Command>) Command(C of) : of_(std::move(of)) {}
  // Null if it is another command.
  template <typename C>
  const C* get_if() const {
    return std::any_cast<C>(&of_);
  }
  const std::type_info& type() const { return of_.type(); }

 private:
  std::any of_;
};

// What the mouse points at. Every panel highlights the same lanes, line and memory.
struct Pointing {
  uint32_t lanes = 0;    // one bit per lane; 0: none
  int line = 0;          // of the source; 0: none
  uint64_t address = 0;  // of global memory
  uint32_t bytes = 0;    // from that address; 0: not memory
  bool operator==(const Pointing&) const = default;
};

// What an action has asked the focused panel to export.
enum class ExportAsked { kNothing, kCsv, kPicture };

class CommandQueue {
 public:
  // Called in every frame by the panel under the mouse.
  void point_at(const Pointing& at) { pointing_ = at; }
  Pointing take_pointing() { return std::exchange(pointing_, {}); }
  // Answered by the panel that has the keyboard focus, if it has anything to export.
  void ask_export(ExportAsked what) { export_asked_ = what; }
  ExportAsked export_asked() const { return export_asked_; }
  ExportAsked take_export_asked() { return std::exchange(export_asked_, ExportAsked::kNothing); }
  void push(Command command) { commands_.push_back(std::move(command)); }
  std::vector<Command> take() { return std::exchange(commands_, {}); }

 private:
  Pointing pointing_;
  ExportAsked export_asked_ = ExportAsked::kNothing;
  std::vector<Command> commands_;
};

}  // namespace warpshop::ui
