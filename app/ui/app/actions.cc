#include "app/actions.h"

#include <algorithm>
#include <utility>

#include "imgui_internal.h"
#include "panels/panel_table.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// A row of the table; the chords are spelled as chord_text() does.
struct ActionRow {
  std::string_view id, title;
  Command command;
  std::string_view chord = "", second = "";
};

struct ActionGroup {
  std::string_view name;
  std::vector<ActionRow> rows;
};

std::vector<ActionGroup> action_table() {
  using namespace command;
  using Edit = EditorGesture;
  using enum FilmEvent;
  using enum Gesture;
  using enum LineMeasure;
  using enum Mode;
  using enum ThemeChoice;
  // clang-format off
  return {
    {"Run", {
      {"run", "Run the kernel", Run{}, "F6", "Ctrl+Enter"},
      {"stop", "Stop the run", Stop{}, "Shift+F6"},
      {"auto-run-on", "Run after every pause in typing", SetAutoRun{true}},
      {"auto-run-off", "Run only when asked", SetAutoRun{false}},
      {"devices", "Choose where kernels are measured…", OpenDevices{}, "Ctrl+F6"},
    }},
    {"File", {
      {"own-kernel", "Open your own kernel…", OpenOwnKernel{}, "Ctrl+O"},
      {"remove-lab", "Remove this lab of yours…", AskRemoveLab{}},
      {"profile", "Import a profile from Nsight Compute…", ImportProfile{}},
      {"profile-remove", "Remove the imported profile", RemoveProfile{}},
      {"save", "Save", Save{}, "Ctrl+S"},
      {"reset", "Reset this step…", AskReset{}},
      {"hand-in", "Collect your kernels to hand in…", AskHandIn{}},
      {"report", "Write the lab's report and show it", WriteReport{}},
      {"progress", "Export or import your progress…", OpenProgress{}},
      {"open-saved", "Open what was saved last", OpenPath{}},
      {"work-folder", "Open the folder of your work", OpenWorkFolder{}},
      {"picture", "Save a picture of the window", SavePicture{}, "Ctrl+Shift+I"},
      {"export-csv", "Copy the panel's numbers as CSV", ExportPanel{false}, "Ctrl+Shift+C"},
      {"export-picture", "Save a picture of the panel", ExportPanel{true}, "Ctrl+Shift+G"},
      {"quit", "Quit", Quit{}, "Ctrl+Q"},
    }},
    {"Editor", {
      {"undo", "Undo", Edit{kUndo}, "Ctrl+Z"},
      {"redo", "Redo", Edit{kRedo}, "Ctrl+Y", "Ctrl+Shift+Z"},
      {"cut", "Cut", Edit{kCut}, "Ctrl+X"},
      {"copy", "Copy", Edit{kCopy}, "Ctrl+C"},
      {"paste", "Paste", Edit{kPaste}, "Ctrl+V"},
      {"find", "Find in the code…", Edit{kFind}, "Ctrl+F"},
      {"replace", "Replace in the code…", Edit{kReplace}, "Ctrl+H"},
      {"find-next", "Find the next", Edit{kFindNext}, "F3"},
      {"find-previous", "Find the previous", Edit{kFindPrevious}, "Shift+F3"},
      {"go-to-line", "Go to a line…", Edit{kGoToLine}, "Ctrl+G"},
      {"comment", "Comment lines, or uncomment them", Edit{kComment}, "Ctrl+/"},
      {"indent", "Indent lines", Edit{kIndent}, "Ctrl+]"},
      {"outdent", "Unindent lines", Edit{kOutdent}, "Ctrl+["},
      {"move-lines-up", "Move lines up", Edit{kMoveUp}, "Alt+↑"},
      {"move-lines-down", "Move lines down", Edit{kMoveDown}, "Alt+↓"},
      {"duplicate-lines", "Duplicate lines", Edit{kDuplicate}, "Ctrl+Shift+↓"},
      {"remove-lines", "Delete lines", Edit{kRemoveLines}, "Ctrl+Shift+K"},
      {"caret-above", "Add a cursor above", Edit{kCaretAbove}, "Ctrl+Alt+↑", "Ctrl+Alt+Shift+↑"},
      {"caret-below", "Add a cursor below", Edit{kCaretBelow}, "Ctrl+Alt+↓", "Ctrl+Alt+Shift+↓"},
      {"next-occurrence", "Select the word, then its next occurrence", Edit{kNextOccurrence},
       "Ctrl+D"},
      {"all-occurrences", "Select all occurrences", Edit{kAllOccurrences}, "Ctrl+Shift+L"},
      {"matching-bracket", "Go to the matching bracket", Edit{kMatchingBracket}, "Ctrl+Shift+\\"},
    }},
    {"View", {
      {"wrap-on", "Wrap long lines", SetWrap{true}},
      {"wrap-off", "Do not wrap long lines", SetWrap{false}},
    }},
    {"Edit", {
      {"changes", "Changes since another version…", OpenChanges{"baseline", ""}, "Ctrl+Shift+D"},
      {"pin", "Pin the last run as the baseline", PinLatest{}, "Ctrl+Shift+B"},
      {"restore-passed", "Restore the version that passed", RestorePassed{}},
      {"unpin", "Unpin the baseline", PinBaseline{""}},
    }},
    {"Lab", {
      {"home", "All labs and your progress", OpenHome{}, "Alt+Home"},
      {"next-step", "Next step", MoveStep{1}, "Alt+N"},
      {"previous-step", "Previous step", MoveStep{-1}, "Alt+P"},
      {"hint", "Show a hint", ShowHint{}, "Alt+H"},
      {"solution", "Compare with the solution…", AskSolution{}},
      {"everything-on", "Show everything in the labs' texts", SetEverything{true}},
      {"everything-off", "Hide what answers the labs' questions", SetEverything{false}},
      {"reload-labs", "Reload the labs", ReloadLabs{}},
    }},
    {"Maps", {
      {"next-access", "Next access of the warp", StepAccess{1}, "→", "Alt+→"},
      {"previous-access", "Previous access of the warp", StepAccess{-1}, "←", "Alt+←"},
      {"next-warp", "Same access, next warp", StepWarp{1}, "↓", "Alt+↓"},
      {"previous-warp", "Same access, previous warp", StepWarp{-1}, "↑", "Alt+↑"},
      {"next-block", "Show next block", StepBlock{1}, "Alt+Shift+↓"},
      {"previous-block", "Show previous block", StepBlock{-1}, "Alt+Shift+↑"},
      {"layouts", "Try layouts in CuTe's notation", TryLayouts{}, "Alt+Shift+8"},
      {"next-moment", "Next time window, or next point", StepMoment{1}, "Alt+."},
      {"previous-moment", "Previous time window, or previous point", StepMoment{-1}, "Alt+,"},
      {"next-partition", "Next partition or warp at the same time", StepMoment{1, true},
       "Alt+Shift+."},
      {"previous-partition", "Previous partition or warp at the same time", StepMoment{-1, true},
       "Alt+Shift+,"},
      {"machine-code", "Show the machine code (SASS), or hide it", ToggleMachineCode{}},
      {"line-access", "Show the access of the editor's line", SelectEditorLine{}, "Alt+Enter"},
      {"access-line", "Go to the line of what is shown", GoToAccess{}, "Alt+E"},
      {"next-gpu", "Show maps for next GPU", StepGpu{1}, "Ctrl+Alt+G"},
      {"previous-gpu", "Show maps for previous GPU", StepGpu{-1}, "Ctrl+Alt+Shift+G"},
      {"next-second-gpu", "Compare with the next GPU", StepSecondGpu{1}, "Alt+G"},
      {"previous-second-gpu", "Compare with the previous GPU", StepSecondGpu{-1}, "Alt+Shift+G"},
    }},
    {"Film", {
      {"film-play", "Play or pause the warp's film", PlayFilm{}, "F8"},
      {"film-step", "Next instruction of the warp", MoveFilm{kStep, 1}, "F10", "Shift+→"},
      {"film-step-back", "Previous instruction of the warp", MoveFilm{kStep, -1},
       "Shift+F10", "Shift+←"},
      {"film-line", "Next line of the thread", MoveFilm{kLine, 1}, "F7"},
      {"film-line-back", "Previous line of the thread", MoveFilm{kLine, -1}, "Shift+F7"},
      {"film-to-line", "Run the warp to the editor's line", FilmToLine{1}, "F4"},
      {"film-to-line-back", "Run the warp back to the editor's line", FilmToLine{-1}, "Shift+F4"},
      {"film-access", "Next access in the film", MoveFilm{kAccess, 1}, "Ctrl+F10"},
      {"film-access-back", "Previous access in the film", MoveFilm{kAccess, -1}, "Ctrl+Shift+F10"},
      {"film-divergence", "Next divergence", MoveFilm{kDivergence, 1}, "F9"},
      {"film-divergence-back", "Previous divergence", MoveFilm{kDivergence, -1}, "Shift+F9"},
      {"film-finding", "Next finding in the film", MoveFilm{kFinding, 1}, "Ctrl+F9"},
      {"timeline-in", "Timeline: zoom in", MoveTimeline{1.5, 0}, "Alt++"},
      {"timeline-out", "Timeline: zoom out", MoveTimeline{1 / 1.5, 0}, "Alt+−"},
      {"timeline-all", "Timeline: all of it", MoveTimeline{0, 0}, "Alt+0"},
      {"timeline-later", "Timeline: later", MoveTimeline{1, 0.25}, "Alt+Shift+→"},
      {"timeline-earlier", "Timeline: earlier", MoveTimeline{1, -0.25}, "Alt+Shift+←"},
    }},
    {"View", {
      {"zoom-in", "Zoom in", StepZoom{1}, "Ctrl++", "Ctrl+KeypadAdd"},
      {"zoom-out", "Zoom out", StepZoom{-1}, "Ctrl+−", "Ctrl+KeypadSubtract"},
      {"zoom-reset", "Zoom to 100%", Zoom{0}, "Ctrl+0", "Ctrl+Keypad0"},
      {"theme-dark", "Dark theme", SetTheme{kDark}},
      {"theme-light", "Light theme", SetTheme{kLight}},
      {"theme-system", "System theme", SetTheme{kSystem}},
      {"motion-on", "Animate changes", SetMotion{true}},
      {"motion-off", "Do not animate", SetMotion{false}},
      {"lines-memory", "At each line: sectors and wavefronts", SetLineMeasure{kMemory}},
      {"lines-executed", "At each line: executed instructions", SetLineMeasure{kExecuted}},
      {"lines-lanes", "At each line: active lanes", SetLineMeasure{kLanes}},
      {"lines-stalls", "At each line: waiting of its warps", SetLineMeasure{kStalls}},
      {"digits-on", "Numbers and hatching beside the colours", SetDigits{true}},
      {"digits-off", "Colours without numbers and hatching", SetDigits{false}},
      {"full-screen", "Full screen, or back to the window", ToggleFullScreen{}, "F11"},
      {"mode-student", "Student mode: steps, editor, maps, results", SetMode{kStudent},
       "Ctrl+Alt+1"},
      {"mode-analysis", "Analysis mode: all maps and counters", SetMode{kAnalysis}, "Ctrl+Alt+2"},
      {"mode-minimal", "Minimal mode: the editor and one panel", SetMode{kMinimal}, "Ctrl+Alt+3"},
      {"layout-reset", "Reset the layout", ResetLayout{}},
      {"layout-lock", "Lock the layout", LockLayout{true}},
      {"layout-unlock", "Unlock the layout", LockLayout{false}},
      {"frame-time", "Show the frame time", ShowFrameTime{}},
    }},
    {"Lecture", {
      {"lecture", "Give the lab as a lecture, or end it", GiveLecture{}, "F5"},
      {"advance", "Reveal, then the next scene", Advance{}, "PageDown", "Alt+PageDown"},
      {"scene-back", "The scene before", MoveScene{-1}, "PageUp", "Alt+PageUp"},
      {"scenes", "List of scenes…", OpenScenes{}, "S", "Alt+S"},
      {"speaker-notes", "Notes for the speaker", OpenSpeakerNotes{}, "N", "Alt+Shift+N"},
      {"notes-window", "Notes in a window of their own", OpenNotesWindow{}, "Ctrl+Shift+N"},
      {"instructor", "Notes for instructors", OpenInstructorNotes{}, "I", "Alt+I"},
      {"handout", "Write a handout for the class and show it", WriteHandout{false}},
      {"handout-notes", "Write all notes on one page and show it", WriteHandout{true}},
      {"lecture-guide", "How to give a lecture", OpenPage{"lecture.md"}},
      {"courses", "Plans for half a day, two days and a semester", OpenPage{"courses.md"}},
      {"class-guide", "How to run a lab class", OpenPage{"class.md"}},
      {"grading-guide", "How to grade a class", OpenPage{"grading.md"}},
      {"laser", "Laser pointer", ToggleLaser{}, "L", "Alt+L"},
      {"blank", "Dark screen", ToggleBlank{}, "B", "Alt+B"},
      {"pen", "Pen: draw on the slide", TogglePen{}, "D", "Alt+D"},
      {"pen-color", "Pen: next colour", NextPenColor{}, "C", "Alt+C"},
      {"pen-wipe", "Pen: wipe the slide", WipePen{}, "W", "Alt+W"},
      {"pen-keep", "Pen: keep drawings for the next scenes, or not", KeepPen{}, "K", "Alt+K"},
      {"magnifier", "Magnifier: 2, 3 or 4 times, or off", Magnify{}, "M", "Alt+M"},
      {"clock", "Show the time since the start, or hide it", ToggleClock{}, "T", "Alt+T"},
      {"restore-kernel", "Restore the scene's kernel", RestoreKernel{}, "R", "Alt+R"},
      {"end-lecture", "End the lecture, or hide notices", LeaveLecture{}, "Escape"},
    }},
    {"Help", {
      {"menu", "Open the menus", OpenMenu{}, "Alt+F"},
      {"palette", "Find an action…", OpenPalette{}, "Ctrl+Shift+P", "F1"},
      {"glossary", "Glossary…", OpenGlossary{}, "Shift+F2"},
      {"lab-guide", "How to write a lab", OpenPage{"writing-a-lab.md"}},
      {"figures", "What the panel's figures mean", ExplainFigures{}, "F2"},
      {"keys", "All keys", OpenKeys{}, "Ctrl+F1"},
      {"doctor", "System check", OpenDoctor{}},
      {"tour", "The tour: show it, or leave it", ShowTour{}, "Shift+F1"},
      {"tour-skip", "Skip this step of the tour", SkipTour{}},
    }},
  };
  // clang-format on
}

ImGuiKeyChord chord_of(std::string_view text) {
  return text.empty() ? 0 : chord_from_text(text).value();
}

std::vector<Action> make_actions() {
  std::vector<Action> all;
  for (const ActionGroup& group : action_table()) {
    for (const ActionRow& row : group.rows) {
      all.push_back({std::string(row.id), row.title, group.name, chord_of(row.chord),
                     chord_of(row.second), row.command});
    }
  }
  auto at = std::find_if(all.begin(), all.end(), [](const Action& a) { return a.id == "zoom-in"; });
  for (const PanelRow& row : panel_table()) {
    if (row.go_title.empty()) continue;
    const std::string id(row.id);
    at = all.insert(
        at, {"go-" + id, row.go_title, "Go", chord_of(row.go_chord), 0, command::FocusPanel{id}});
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
