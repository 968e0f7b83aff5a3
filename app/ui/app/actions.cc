#include "app/actions.h"

#include <algorithm>
#include <utility>

#include "imgui_internal.h"
#include "panels/panel_table.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

std::vector<Action> make_actions() {
  constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, alt = ImGuiMod_Alt, shift = ImGuiMod_Shift;
  using namespace command;
  using enum Gesture;
  // clang-format off
  std::vector<Action> all = {
      {"run", "Run the kernel", "Run", ImGuiKey_F6, ctrl | ImGuiKey_Enter, Run{}},
      {"stop", "Stop the run", "Run", shift | ImGuiKey_F6, 0, Stop{}},
      {"auto-run-on", "Run after every pause in typing", "Run", 0, 0, SetAutoRun{true}},
      {"auto-run-off", "Run only when asked", "Run", 0, 0, SetAutoRun{false}},
      {"devices", "Choose where kernels are measured…", "Run", ctrl | ImGuiKey_F6, 0, OpenDevices{}},
      {"own-kernel", "Open your own kernel…", "File", ctrl | ImGuiKey_O, 0, OpenOwnKernel{}},
      {"remove-lab", "Remove this lab of yours…", "File", 0, 0, AskRemoveLab{}},
      {"profile", "Import a profile from Nsight Compute…", "File", 0, 0, ImportProfile{}},
      {"profile-remove", "Remove the imported profile", "File", 0, 0, RemoveProfile{}},
      {"save", "Save", "File", ctrl | ImGuiKey_S, 0, Save{}},
      {"reset", "Reset this step…", "File", 0, 0, AskReset{}},
      {"hand-in", "Collect your kernels to hand in…", "File", 0, 0, AskHandIn{}},
      {"report", "Write the lab's report and show it", "File", 0, 0, WriteReport{}},
      {"progress", "Export or import your progress…", "File", 0, 0, OpenProgress{}},
      {"open-saved", "Open what was saved last", "File", 0, 0, OpenPath{}},
      {"work-folder", "Open the folder of your work", "File", 0, 0, OpenWorkFolder{}},
      {"picture", "Save a picture of the window", "File", ctrl | shift | ImGuiKey_I, 0, SavePicture{}},
      {"export-csv", "Copy the panel's numbers as CSV", "File", ctrl | shift | ImGuiKey_C, 0, ExportPanel{false}},
      {"export-picture", "Save a picture of the panel", "File", ctrl | shift | ImGuiKey_G, 0, ExportPanel{true}},
      {"quit", "Quit", "File", ctrl | ImGuiKey_Q, 0, Quit{}},
      {"undo", "Undo", "Editor", ctrl | ImGuiKey_Z, 0, EditorGesture{kUndo}},
      {"redo", "Redo", "Editor", ctrl | ImGuiKey_Y, ctrl | shift | ImGuiKey_Z, EditorGesture{kRedo}},
      {"cut", "Cut", "Editor", ctrl | ImGuiKey_X, 0, EditorGesture{kCut}},
      {"copy", "Copy", "Editor", ctrl | ImGuiKey_C, 0, EditorGesture{kCopy}},
      {"paste", "Paste", "Editor", ctrl | ImGuiKey_V, 0, EditorGesture{kPaste}},
      {"find", "Find in the code…", "Editor", ctrl | ImGuiKey_F, 0, EditorGesture{kFind}},
      {"replace", "Replace in the code…", "Editor", ctrl | ImGuiKey_H, 0, EditorGesture{kReplace}},
      {"find-next", "Find the next", "Editor", ImGuiKey_F3, 0, EditorGesture{kFindNext}},
      {"find-previous", "Find the previous", "Editor", shift | ImGuiKey_F3, 0, EditorGesture{kFindPrevious}},
      {"go-to-line", "Go to a line…", "Editor", ctrl | ImGuiKey_G, 0, EditorGesture{kGoToLine}},
      {"comment", "Comment lines, or uncomment them", "Editor", ctrl | ImGuiKey_Slash, 0, EditorGesture{kComment}},
      {"indent", "Indent lines", "Editor", ctrl | ImGuiKey_RightBracket, 0, EditorGesture{kIndent}},
      {"outdent", "Unindent lines", "Editor", ctrl | ImGuiKey_LeftBracket, 0, EditorGesture{kOutdent}},
      {"move-lines-up", "Move lines up", "Editor", alt | ImGuiKey_UpArrow, 0, EditorGesture{kMoveUp}},
      {"move-lines-down", "Move lines down", "Editor", alt | ImGuiKey_DownArrow, 0, EditorGesture{kMoveDown}},
      {"duplicate-lines", "Duplicate lines", "Editor", ctrl | shift | ImGuiKey_DownArrow, 0, EditorGesture{kDuplicate}},
      {"remove-lines", "Delete lines", "Editor", ctrl | shift | ImGuiKey_K, 0, EditorGesture{kRemoveLines}},
      {"caret-above", "Add a cursor above", "Editor", ctrl | alt | ImGuiKey_UpArrow, ctrl | shift | alt | ImGuiKey_UpArrow, EditorGesture{kCaretAbove}},
      {"caret-below", "Add a cursor below", "Editor", ctrl | alt | ImGuiKey_DownArrow, ctrl | shift | alt | ImGuiKey_DownArrow, EditorGesture{kCaretBelow}},
      {"next-occurrence", "Select the word, then its next occurrence", "Editor", ctrl | ImGuiKey_D, 0, EditorGesture{kNextOccurrence}},
      {"all-occurrences", "Select all occurrences", "Editor", ctrl | shift | ImGuiKey_L, 0, EditorGesture{kAllOccurrences}},
      {"matching-bracket", "Go to the matching bracket", "Editor", ctrl | shift | ImGuiKey_Backslash, 0, EditorGesture{kMatchingBracket}},
      {"wrap-on", "Wrap long lines", "View", 0, 0, SetWrap{true}},
      {"wrap-off", "Do not wrap long lines", "View", 0, 0, SetWrap{false}},
      {"changes", "Changes since another version…", "Edit", ctrl | shift | ImGuiKey_D, 0, OpenChanges{"baseline", ""}},
      {"pin", "Pin the last run as the baseline", "Edit", ctrl | shift | ImGuiKey_B, 0, PinLatest{}},
      {"restore-passed", "Restore the version that passed", "Edit", 0, 0, RestorePassed{}},
      {"unpin", "Unpin the baseline", "Edit", 0, 0, PinBaseline{""}},
      {"home", "All labs and your progress", "Lab", alt | ImGuiKey_Home, 0, OpenHome{}},
      {"next-step", "Next step", "Lab", alt | ImGuiKey_N, 0, MoveStep{1}},
      {"previous-step", "Previous step", "Lab", alt | ImGuiKey_P, 0, MoveStep{-1}},
      {"hint", "Show a hint", "Lab", alt | ImGuiKey_H, 0, ShowHint{}},
      {"solution", "Compare with the solution…", "Lab", 0, 0, AskSolution{}},
      {"everything-on", "Show everything in the labs' texts", "Lab", 0, 0, SetEverything{true}},
      {"everything-off", "Hide what answers the labs' questions", "Lab", 0, 0, SetEverything{false}},
      {"reload-labs", "Reload the labs", "Lab", 0, 0, ReloadLabs{}},
      {"next-access", "Next access of the warp", "Maps", ImGuiKey_RightArrow, alt | ImGuiKey_RightArrow, StepAccess{1}},
      {"previous-access", "Previous access of the warp", "Maps", ImGuiKey_LeftArrow, alt | ImGuiKey_LeftArrow, StepAccess{-1}},
      {"next-warp", "Same access, next warp", "Maps", ImGuiKey_DownArrow, alt | ImGuiKey_DownArrow, StepWarp{1}},
      {"previous-warp", "Same access, previous warp", "Maps", ImGuiKey_UpArrow, alt | ImGuiKey_UpArrow, StepWarp{-1}},
      {"next-block", "Show next block", "Maps", alt | shift | ImGuiKey_DownArrow, 0, StepBlock{1}},
      {"previous-block", "Show previous block", "Maps", alt | shift | ImGuiKey_UpArrow, 0, StepBlock{-1}},
      {"layouts", "Try layouts in CuTe's notation", "Maps", alt | shift | ImGuiKey_8, 0, TryLayouts{}},
      {"next-moment", "Next time window, or next point", "Maps", alt | ImGuiKey_Period, 0, StepMoment{1, false}},
      {"previous-moment", "Previous time window, or previous point", "Maps", alt | ImGuiKey_Comma, 0, StepMoment{-1, false}},
      {"next-partition", "Next partition or warp at the same time", "Maps", alt | shift | ImGuiKey_Period, 0, StepMoment{1, true}},
      {"previous-partition", "Previous partition or warp at the same time", "Maps", alt | shift | ImGuiKey_Comma, 0, StepMoment{-1, true}},
      {"machine-code", "Show the machine code (SASS), or hide it", "Maps", 0, 0, ToggleMachineCode{}},
      {"line-access", "Show the access of the editor's line", "Maps", alt | ImGuiKey_Enter, 0, SelectEditorLine{}},
      {"access-line", "Go to the line of what is shown", "Maps", alt | ImGuiKey_E, 0, GoToAccess{}},
      {"next-gpu", "Show maps for next GPU", "Maps", ctrl | alt | ImGuiKey_G, 0, StepGpu{1}},
      {"previous-gpu", "Show maps for previous GPU", "Maps", ctrl | alt | shift | ImGuiKey_G, 0, StepGpu{-1}},
      {"next-second-gpu", "Compare with the next GPU", "Maps", alt | ImGuiKey_G, 0, StepSecondGpu{1}},
      {"previous-second-gpu", "Compare with the previous GPU", "Maps", alt | shift | ImGuiKey_G, 0, StepSecondGpu{-1}},
      {"film-play", "Play or pause the warp's film", "Film", ImGuiKey_F8, 0, PlayFilm{}},
      {"film-step", "Next instruction of the warp", "Film", ImGuiKey_F10, shift | ImGuiKey_RightArrow, MoveFilm{FilmEvent::kStep, 1}},
      {"film-step-back", "Previous instruction of the warp", "Film", shift | ImGuiKey_F10, shift | ImGuiKey_LeftArrow, MoveFilm{FilmEvent::kStep, -1}},
      {"film-line", "Next line of the thread", "Film", ImGuiKey_F7, 0, MoveFilm{FilmEvent::kLine, 1}},
      {"film-line-back", "Previous line of the thread", "Film", shift | ImGuiKey_F7, 0, MoveFilm{FilmEvent::kLine, -1}},
      {"film-to-line", "Run the warp to the editor's line", "Film", ImGuiKey_F4, 0, FilmToLine{1}},
      {"film-to-line-back", "Run the warp back to the editor's line", "Film", shift | ImGuiKey_F4, 0, FilmToLine{-1}},
      {"film-access", "Next access in the film", "Film", ctrl | ImGuiKey_F10, 0, MoveFilm{FilmEvent::kAccess, 1}},
      {"film-access-back", "Previous access in the film", "Film", ctrl | shift | ImGuiKey_F10, 0, MoveFilm{FilmEvent::kAccess, -1}},
      {"film-divergence", "Next divergence", "Film", ImGuiKey_F9, 0, MoveFilm{FilmEvent::kDivergence, 1}},
      {"film-divergence-back", "Previous divergence", "Film", shift | ImGuiKey_F9, 0, MoveFilm{FilmEvent::kDivergence, -1}},
      {"film-finding", "Next finding in the film", "Film", ctrl | ImGuiKey_F9, 0, MoveFilm{FilmEvent::kFinding, 1}},
      {"timeline-in", "Timeline: zoom in", "Film", alt | ImGuiKey_Equal, 0, MoveTimeline{1.5, 0}},
      {"timeline-out", "Timeline: zoom out", "Film", alt | ImGuiKey_Minus, 0, MoveTimeline{1 / 1.5, 0}},
      {"timeline-all", "Timeline: all of it", "Film", alt | ImGuiKey_0, 0, MoveTimeline{0, 0}},
      {"timeline-later", "Timeline: later", "Film", alt | shift | ImGuiKey_RightArrow, 0, MoveTimeline{1, 0.25}},
      {"timeline-earlier", "Timeline: earlier", "Film", alt | shift | ImGuiKey_LeftArrow, 0, MoveTimeline{1, -0.25}},
      {"zoom-in", "Zoom in", "View", ctrl | ImGuiKey_Equal, ctrl | ImGuiKey_KeypadAdd, StepZoom{1}},
      {"zoom-out", "Zoom out", "View", ctrl | ImGuiKey_Minus, ctrl | ImGuiKey_KeypadSubtract, StepZoom{-1}},
      {"zoom-reset", "Zoom to 100%", "View", ctrl | ImGuiKey_0, ctrl | ImGuiKey_Keypad0, Zoom{0}},
      {"theme-dark", "Dark theme", "View", 0, 0, SetTheme{ThemeChoice::kDark}},
      {"theme-light", "Light theme", "View", 0, 0, SetTheme{ThemeChoice::kLight}},
      {"theme-system", "System theme", "View", 0, 0, SetTheme{ThemeChoice::kSystem}},
      {"motion-on", "Animate changes", "View", 0, 0, SetMotion{true}},
      {"motion-off", "Do not animate", "View", 0, 0, SetMotion{false}},
      {"lines-memory", "At each line: sectors and wavefronts", "View", 0, 0, SetLineMeasure{LineMeasure::kMemory}},
      {"lines-executed", "At each line: executed instructions", "View", 0, 0, SetLineMeasure{LineMeasure::kExecuted}},
      {"lines-lanes", "At each line: active lanes", "View", 0, 0, SetLineMeasure{LineMeasure::kLanes}},
      {"lines-stalls", "At each line: waiting of its warps", "View", 0, 0, SetLineMeasure{LineMeasure::kStalls}},
      {"digits-on", "Numbers and hatching beside the colours", "View", 0, 0, SetDigits{true}},
      {"digits-off", "Colours without numbers and hatching", "View", 0, 0, SetDigits{false}},
      {"full-screen", "Full screen, or back to the window", "View", ImGuiKey_F11, 0, ToggleFullScreen{}},
      {"mode-student", "Student mode: steps, editor, maps, results", "View", ctrl | alt | ImGuiKey_1, 0, SetMode{Mode::kStudent}},
      {"mode-analysis", "Analysis mode: all maps and counters", "View", ctrl | alt | ImGuiKey_2, 0, SetMode{Mode::kAnalysis}},
      {"mode-minimal", "Minimal mode: the editor and one panel", "View", ctrl | alt | ImGuiKey_3, 0, SetMode{Mode::kMinimal}},
      {"layout-reset", "Reset the layout", "View", 0, 0, ResetLayout{}},
      {"layout-lock", "Lock the layout", "View", 0, 0, LockLayout{true}},
      {"layout-unlock", "Unlock the layout", "View", 0, 0, LockLayout{false}},
      {"frame-time", "Show the frame time", "View", 0, 0, ShowFrameTime{}},
      {"lecture", "Give the lab as a lecture, or end it", "Lecture", ImGuiKey_F5, 0, GiveLecture{}},
      {"advance", "Reveal, then the next scene", "Lecture", ImGuiKey_PageDown, alt | ImGuiKey_PageDown, Advance{}},
      {"scene-back", "The scene before", "Lecture", ImGuiKey_PageUp, alt | ImGuiKey_PageUp, MoveScene{-1}},
      {"scenes", "List of scenes…", "Lecture", ImGuiKey_S, alt | ImGuiKey_S, OpenScenes{}},
      {"speaker-notes", "Notes for the speaker", "Lecture", ImGuiKey_N, alt | shift | ImGuiKey_N, OpenSpeakerNotes{}},
      {"notes-window", "Notes in a window of their own", "Lecture", ctrl | shift | ImGuiKey_N, 0, OpenNotesWindow{}},
      {"instructor", "Notes for instructors", "Lecture", ImGuiKey_I, alt | ImGuiKey_I, OpenInstructorNotes{}},
      {"handout", "Write a handout for the class and show it", "Lecture", 0, 0, WriteHandout{false}},
      {"handout-notes", "Write all notes on one page and show it", "Lecture", 0, 0, WriteHandout{true}},
      {"lecture-guide", "How to give a lecture", "Lecture", 0, 0, OpenPage{"lecture.md"}},
      {"courses", "Plans for half a day, two days and a semester", "Lecture", 0, 0, OpenPage{"courses.md"}},
      {"class-guide", "How to run a lab class", "Lecture", 0, 0, OpenPage{"class.md"}},
      {"grading-guide", "How to grade a class", "Lecture", 0, 0, OpenPage{"grading.md"}},
      {"laser", "Laser pointer", "Lecture", ImGuiKey_L, alt | ImGuiKey_L, ToggleLaser{}},
      {"blank", "Dark screen", "Lecture", ImGuiKey_B, alt | ImGuiKey_B, ToggleBlank{}},
      {"pen", "Pen: draw on the slide", "Lecture", ImGuiKey_D, alt | ImGuiKey_D, TogglePen{}},
      {"pen-color", "Pen: next colour", "Lecture", ImGuiKey_C, alt | ImGuiKey_C, NextPenColor{}},
      {"pen-wipe", "Pen: wipe the slide", "Lecture", ImGuiKey_W, alt | ImGuiKey_W, WipePen{}},
      {"pen-keep", "Pen: keep drawings for the next scenes, or not", "Lecture", ImGuiKey_K, alt | ImGuiKey_K, KeepPen{}},
      {"magnifier", "Magnifier: 2, 3 or 4 times, or off", "Lecture", ImGuiKey_M, alt | ImGuiKey_M, Magnify{}},
      {"clock", "Show the time since the start, or hide it", "Lecture", ImGuiKey_T, alt | ImGuiKey_T, ToggleClock{}},
      {"restore-kernel", "Restore the scene's kernel", "Lecture", ImGuiKey_R, alt | ImGuiKey_R, RestoreKernel{}},
      {"end-lecture", "End the lecture, or hide notices", "Lecture", ImGuiKey_Escape, 0, LeaveLecture{}},
      {"menu", "Open the menus", "Help", alt | ImGuiKey_F, 0, OpenMenu{}},
      {"palette", "Find an action…", "Help", ctrl | shift | ImGuiKey_P, ImGuiKey_F1, OpenPalette{}},
      {"glossary", "Glossary…", "Help", shift | ImGuiKey_F2, 0, OpenGlossary{}},
      {"lab-guide", "How to write a lab", "Help", 0, 0, OpenPage{"writing-a-lab.md"}},
      {"figures", "What the panel's figures mean", "Help", ImGuiKey_F2, 0, ExplainFigures{}},
      {"keys", "All keys", "Help", ctrl | ImGuiKey_F1, 0, OpenKeys{}},
      {"doctor", "System check", "Help", 0, 0, OpenDoctor{}},
      {"tour", "The tour: show it, or leave it", "Help", shift | ImGuiKey_F1, 0, ShowTour{}},
      {"tour-skip", "Skip this step of the tour", "Help", 0, 0, SkipTour{}},
  };
  // clang-format on
  auto at = std::find_if(all.begin(), all.end(), [](const Action& a) { return a.id == "zoom-in"; });
  for (const PanelRow& row : panel_table()) {
    if (row.go_title.empty()) continue;
    const std::string id(row.id);
    at = all.insert(at, {"go-" + id, row.go_title, "Go", row.go_chord, 0, FocusPanel{id}});
    ++at;
  }
  return all;
}

bool is_plain(ImGuiKeyChord chord) {
  const ImGuiKeyChord key = chord & ~ImGuiMod_Mask_;
  const bool function_key = key >= ImGuiKey_F1 && key <= ImGuiKey_F24;
  return (chord & (ImGuiMod_Ctrl | ImGuiMod_Alt)) == 0 && !function_key;
}

// What a keyboard of the user's language has on the key: "Strg" for "Ctrl".
std::string key_label(const std::string& key) {
  for (const char* named : {tr_later("Ctrl"), tr_later("Shift"), tr_later("Enter"),
                            tr_later("Home"), tr_later("PageUp"), tr_later("PageDown")}) {
    if (key == named) return tr(named);
  }
  return key;
}

std::string key_text(ImGuiKey key) {
  switch (key) {
    case ImGuiKey_Equal:
      return "+";
    case ImGuiKey_Minus:
      return "−";
    case ImGuiKey_Slash:
      return "/";
    case ImGuiKey_Backslash:
      return "\\";
    case ImGuiKey_LeftBracket:
      return "[";
    case ImGuiKey_RightBracket:
      return "]";
    case ImGuiKey_Period:
      return ".";
    case ImGuiKey_Comma:
      return ",";
    case ImGuiKey_LeftArrow:
      return "←";
    case ImGuiKey_RightArrow:
      return "→";
    case ImGuiKey_UpArrow:
      return "↑";
    case ImGuiKey_DownArrow:
      return "↓";
    default:
      return ImGui::GetKeyName(key);
  }
}

// Each key by its name.
std::string spelled(ImGuiKeyChord chord, std::string (*name)(const std::string&)) {
  if (chord == 0) return "";
  std::string out;
  if (chord & ImGuiMod_Ctrl) out += name("Ctrl") + "+";
  if (chord & ImGuiMod_Alt) out += name("Alt") + "+";
  if (chord & ImGuiMod_Shift) out += name("Shift") + "+";
  return out + name(key_text(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_)));
}

}  // namespace

namespace {

std::vector<Action>& changeable_actions() {
  static std::vector<Action> all = make_actions();
  return all;
}

}  // namespace

bool Action::in_editor() const { return command.get_if<command::EditorGesture>() != nullptr; }

const std::vector<Action>& actions() { return changeable_actions(); }

void use_keys(const ChosenKeys& chosen) {
  std::vector<Action> all = make_actions();
  for (const auto& [id, text] : chosen) {
    const std::optional<ImGuiKeyChord> chord = chord_from_text(text);
    const auto action =
        std::find_if(all.begin(), all.end(), [&id = id](const Action& a) { return a.id == id; });
    if (action == all.end() || (!chord && !text.empty())) continue;
    for (Action& other : all) {
      if (!chord) break;
      if (other.in_editor() != action->in_editor()) continue;
      if (other.chord == *chord) other.chord = std::exchange(other.second, 0);
      if (other.second == *chord) other.second = 0;
    }
    action->chord = chord.value_or(0);
    action->second = 0;
  }
  changeable_actions() = std::move(all);
}

const Action* action_of(ImGuiKeyChord chord, bool in_editor) {
  for (const Action& action : actions()) {
    if (chord != 0 && action.in_editor() == in_editor &&
        (action.chord == chord || action.second == chord))
      return &action;
  }
  return nullptr;
}

std::optional<ImGuiKeyChord> chord_from_text(std::string_view text) {
  ImGuiKeyChord mods = 0;
  for (bool found = true; found;) {
    found = false;
    for (const auto& [name, mod] : {std::pair{std::string_view("Ctrl+"), ImGuiMod_Ctrl},
                                    {std::string_view("Alt+"), ImGuiMod_Alt},
                                    {std::string_view("Shift+"), ImGuiMod_Shift}}) {
      if (!text.starts_with(name)) continue;
      mods |= mod;
      text.remove_prefix(name.size());
      found = true;
    }
  }
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    if (chord_text(key) == text) return mods | key;
  }
  return std::nullopt;
}

const Action* find_action(std::string_view id) {
  for (const Action& action : actions()) {
    if (action.id == id) return &action;
  }
  return nullptr;
}

std::string chord_text(ImGuiKeyChord chord) {
  return spelled(chord, [](const std::string& key) { return key; });
}

std::string chord_label(ImGuiKeyChord chord) { return spelled(chord, key_label); }

std::string shortcut_of(std::string_view action_id) {
  const Action* action = find_action(action_id);
  return action ? chord_label(action->chord) : "";
}

std::string shortcut_anywhere(std::string_view action_id) {
  const Action* action = find_action(action_id);
  if (!action) return "";
  const bool second = action->chord != 0 && is_plain(action->chord) && action->second != 0 &&
                      !is_plain(action->second);
  return chord_label(second ? action->second : action->chord);
}

const Action* pressed_action(bool text_input, bool arrows_taken, bool in_editor) {
  for (const Action& action : actions()) {
    if (action.in_editor() && !in_editor) continue;
    for (const ImGuiKeyChord chord : {action.chord, action.second}) {
      if (chord == 0 || (text_input && is_plain(chord))) continue;
      if (in_editor && !action.in_editor() && action_of(chord, true)) continue;
      const bool arrow = chord >= ImGuiKey_LeftArrow && chord <= ImGuiKey_DownArrow;
      if (arrow && arrows_taken) continue;
      // No key repeat for full screen: holding the key must not make it flicker.
      const bool repeat = (action.group == "Maps" || action.group == "Film" ||
                           action.group == "View" || action.in_editor()) &&
                          action.id != "full-screen";
      // On many keyboards, + is Shift and =.
      const bool plus =
          (chord & ~ImGuiMod_Mask_) == ImGuiKey_Equal &&
          ImGui::IsKeyChordPressed(chord | ImGuiMod_Shift, repeat ? ImGuiInputFlags_Repeat : 0,
                                   ImGuiKeyOwner_Any);
      if (plus ||
          ImGui::IsKeyChordPressed(chord, repeat ? ImGuiInputFlags_Repeat : 0, ImGuiKeyOwner_Any))
        return &action;
    }
  }
  return nullptr;
}

}  // namespace warpshop::ui
