#include "panels/dialogs.h"

#include <algorithm>

#include "actions.h"
#include "core/files.h"
#include "cuda_language.h"
#include "format.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "widgets.h"

namespace warpshop::ui {
namespace {

void heading(std::string_view text) {
  label(look().fonts->bold, 17, look()->text, text);
}

void prose(std::string_view text) {
  paragraph(look().fonts->regular, kBody, look()->body, text);
}

// Buttons at the right end of the dialog; the first is the safe one and takes Enter.
struct Choice {
  const char* label;
  ButtonKind kind;
  Command command;
};

void choices(std::initializer_list<Choice> all, CommandQueue& queue) {
  const float spacing = px(10);
  float width = -spacing;
  for (const Choice& c : all) {
    const std::string_view text(c.label, std::string_view(c.label).find("##"));
    width += text_size(look().fonts->medium, kBody, text).x + px(36) + spacing;
  }
  gap(6);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, content_width() - width));
  bool first = true;
  for (const Choice& c : all) {
    if (!first) ImGui::SameLine(0, spacing);
    first = false;
    const std::string_view text(c.label, std::string_view(c.label).find("##"));
    if (button(c.label, c.kind, {text_size(look().fonts->medium, kBody, text).x + px(36), px(32)})) {
      queue.push(c.command);
    }
  }
}

void palette(DialogState& state, bool appearing, CommandQueue& queue) {
  if (appearing) {
    state.filter.clear();
    state.chosen = 0;
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  const bool typed = ImGui::InputTextWithHint("##filter", "What do you want to do?", &state.filter);
  ImGui::PopStyleVar();
  if (typed) state.chosen = 0;
  const std::vector<const Action*> found = find_actions(state.filter);
  const int count = static_cast<int>(found.size());
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++state.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --state.chosen;
  state.chosen = std::clamp(state.chosen, 0, std::max(0, count - 1));
  const bool moved = ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow);
  const float row = px(32);
  ImGui::BeginChild("found", {0, row * 11});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  int number = 0;
  for (const Action* action : found) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width();
    ImGui::PushID(std::string(action->id).c_str());
    const bool pressed = ImGui::InvisibleButton("action", {width, row});
    ImGui::PopID();
    const bool chosen = number == state.chosen;
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseDelta.x + ImGui::GetIO().MouseDelta.y != 0) {
      state.chosen = number;
    }
    if (chosen) {
      list->AddRectFilled(at, {at.x + width, at.y + row}, look()->raised, px(6));
      if (moved) ImGui::SetScrollHereY();
    }
    const float y = at.y + (row - line_height(f.regular, kBody)) / 2;
    const float group = text_size(f.regular, kLabel, action->group).x;
    draw_text(list, {at.x + px(12), y}, f.regular, kBody, look()->text, action->title);
    const float after = at.x + px(12) + text_size(f.regular, kBody, action->title).x + px(10);
    const std::string keys = chord_text(action->chord);
    const float keys_width = text_size(f.regular, kLabel, keys).x;
    if (after + group < at.x + width - keys_width - px(30)) {
      draw_text(list, {after, y + px(1.5f)}, f.regular, kLabel, look()->muted, action->group);
    }
    draw_text(list, {at.x + width - px(12), y + px(1.5f)}, f.regular, kLabel, look()->muted, keys,
              Align::kRight);
    if (pressed) {
      queue.push(command::CloseDialog{});
      queue.push(action->command);
    }
    ++number;
  }
  if (count == 0) {
    ImGui::Dummy(px(1, 10));
    label(f.regular, kBody, look()->muted, "   Nothing by that name.");
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (count > 0 && ImGui::IsKeyPressed(ImGuiKey_Enter)) {
    queue.push(command::CloseDialog{});
    queue.push(found[static_cast<size_t>(state.chosen)]->command);
  }
}

// The keys that were pressed in this frame, as a chord; 0: none but modifiers.
ImGuiKeyChord chord_pressed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    const bool modifier = (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) ||
                          (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper);
    if (modifier || ImGui::IsMouseKey(static_cast<ImGuiKey>(key))) continue;
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) {
      return static_cast<ImGuiKeyChord>(key) |
             (ImGui::GetIO().KeyMods & (ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiMod_Shift));
    }
  }
  return 0;
}

// Esc leaves the key as it is, Backspace takes it away.
void capture_key(DialogState& state, CommandQueue& queue) {
  const ImGuiKeyChord chord = chord_pressed();
  if (chord == 0) return;
  if (chord == ImGuiKey_Backspace) {
    queue.push(command::SetKey{state.capturing, ""});
  } else if (chord != ImGuiKey_Escape) {
    queue.push(command::SetKey{state.capturing, chord_text(chord)});
  }
  state.capturing.clear();
}

void keys(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  if (appearing) state.capturing.clear();
  const bool was_capturing = !state.capturing.empty();
  heading("All keys");
  label(look().fonts->regular, kLabel, look()->muted,
        was_capturing ? "Press the new keys. Esc leaves them as they are, Backspace takes them away."
                      : "Click an action to change its keys. Plain letters and arrows work while no text is "
                        "being edited.");
  ImGui::BeginChild("keys", {0, std::min(px(430), ImGui::GetMainViewport()->Size.y * 0.6f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  std::string_view group;
  for (const Action& action : actions()) {
    if (action.group != group) {
      group = action.group;
      gap(8);
      label(f.medium, kLabel, look()->accent, group);
      gap(2);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width() - px(12), height = px(26);
    const bool waiting = state.capturing == action.id;
    if (ImGui::InvisibleButton(std::string(action.id).c_str(), {width, height}) && !was_capturing) {
      state.capturing = action.id;
    }
    if (waiting || ImGui::IsItemHovered()) {
      list->AddRectFilled({at.x - px(6), at.y}, {at.x + width + px(6), at.y + height}, look()->raised, px(6));
    }
    const bool changed = view.settings->keys.contains(std::string(action.id));
    std::string text = chord_text(action.chord);
    if (action.second) text += "  or  " + chord_text(action.second);
    if (waiting) text = "press keys…";
    if (text.empty()) text = "–";
    const float y = at.y + (height - line_height(f.regular, kBody)) / 2;
    const float keys_width = text_size(f.regular, kBody, text).x;
    draw_text_cut(list, {at.x, y}, f.regular, kBody, look()->text, action.title, width - keys_width - px(12));
    draw_text(list, {at.x + width, y}, changed || waiting ? f.medium : f.regular, kBody,
              changed || waiting ? look()->accent : look()->muted, text, Align::kRight);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (was_capturing) capture_key(state, queue);
  choices({{"Close##close", ButtonKind::kSecondary, command::CloseDialog{}},
           {"All defaults##defaults", ButtonKind::kSecondary, command::ResetKeys{}}},
          queue);
}

void glossary(DialogState& state, bool appearing) {
  if (appearing) {
    state.filter.clear();
    ImGui::SetKeyboardFocusHere();
    if (state.glossary.empty()) {
      if (Result<std::string> text = read_file(data_dir() / "docs" / "GLOSSARY.md"); text.ok()) {
        state.glossary = read_glossary(*text);
      }
    }
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  ImGui::InputTextWithHint("##filter", "Which word?", &state.filter);
  ImGui::PopStyleVar();
  ImGui::BeginChild("words", {0, std::min(px(430), ImGui::GetMainViewport()->Size.y * 0.7f)});
  const std::vector<const GlossaryEntry*> found = find_entries(state.glossary, state.filter);
  for (const GlossaryEntry* entry : found) {
    gap(2);
    label(look().fonts->medium, kBody, look()->text, entry->term);
    ImGui::SameLine();
    label(look().fonts->regular, kLabel, look()->muted, entry->section);
    paragraph(look().fonts->regular, kBody, look()->body, entry->meaning);
    gap(4);
  }
  if (found.empty()) {
    gap(8);
    label(look().fonts->regular, kBody, look()->muted,
          state.glossary.empty() ? "docs/GLOSSARY.md is not there." : "No such word.");
  }
  ImGui::EndChild();
}

// One line of the doctor: works or not, what was found, what to do.
void doctor_row(bool good, std::string_view what, std::string_view found, std::string_view fix) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 mark{at.x + px(8), at.y + px(10)};
  if (good) {
    draw_check(list, mark, px(12), look()->good, px(2));
  } else {
    draw_cross(list, mark, px(12), look()->poor, px(2));
  }
  ImGui::Indent(px(28));
  label(look().fonts->medium, kBody, look()->text, what);
  if (!found.empty()) paragraph(look().fonts->regular, kLabel, look()->muted, found);
  if (!fix.empty()) paragraph(look().fonts->regular, kLabel, look()->text, fix);
  ImGui::Unindent(px(28));
  gap(4);
}

void doctor(const View& view, CommandQueue& queue) {
  heading("What works on this machine");
  gap(4);
  if (view.compiler_missing) {
    const Diagnostic& d = view.compiler_missing->front();
    doctor_row(false, "CUDA compiler (NVRTC)", d.message,
               d.help.empty() ? "Run ./start again: it fetches NVRTC without a CUDA Toolkit." : d.help);
  } else {
    doctor_row(true, "CUDA compiler (NVRTC)", "Kernels are compiled on this machine.", "");
  }
  doctor_row(true, "Emulator", "Kernels run on this machine's processor; no GPU is needed.", "");
  if (view.gpus->empty()) {
    doctor_row(false, "GPU profiles", "No profile was found in assets/gpus.",
               "Run ./start again, or set WARPSHOP_DATA to the folder that holds assets/.");
  } else {
    doctor_row(true, "GPU profiles", std::to_string(view.gpus->size()) + " found.", "");
  }
  for (const Diagnostic& problem : view.labs->problems) {
    doctor_row(false, "A lab could not be loaded", render(problem), "");
  }
  doctor_row(true, "Your work", user_dir().string(), "");
  choices({{"Close##close", ButtonKind::kSecondary, command::CloseDialog{}}}, queue);
}

void prepare_diff(const View& view, DialogState& state, const std::string& right, bool appearing) {
  if (!state.diff) {
    state.diff = std::make_unique<TextDiff>();
    state.diff->SetLanguage(cuda_language());
    state.diff->SetLineSpacing(1.3f);
    state.diff->SetShowWhitespacesEnabled(false);
  }
  if (state.diff_theme != look().theme) {
    state.diff_theme = look().theme;
    TextEditor::Palette colors = editor_palette(*look().theme);
    colors[static_cast<size_t>(TextEditor::Color::background)] = look()->raised;
    state.diff->SetPalette(colors);
    state.diff->SetColors(with_alpha(look()->good, 0.25f), with_alpha(look()->poor, 0.25f));
  }
  if (appearing) {
    state.diff->SetSideBySideMode(ImGui::GetMainViewport()->Size.x > px(1100));
    state.diff->SetText(view.session->text(), right);
  }
}

void diff(DialogState& state, float height) {
  ScopedFont font(look().fonts->code, kLabel);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  state.diff->Render("##diff", {0, height});
  ImGui::PopStyleVar();
}

// Every counter that the solution changes: the student's, the solution's, and how many times more or less.
void solution_effect(const View& view) {
  const lab::KernelRun* mine = view.result() ? view.result()->student() : nullptr;
  const lab::KernelRun* theirs = view.solution ? view.solution->result.student() : nullptr;
  const Fonts& f = *look().fonts;
  if (!mine || !mine->completed || view.stale) {
    label(f.regular, kLabel, look()->muted, "Run your text to see what the solution changes in each counter.");
    return;
  }
  if (!theirs || !theirs->completed) {
    label(f.regular, kLabel, look()->muted, "The solution is being run…");
    return;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = std::min(content_width(), px(620)), row = px(20);
  const auto columns = [&](std::string_view name, const std::string& a, const std::string& b,
                           const std::string& change, ImU32 color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text_cut(list, at, f.regular, kLabel, color, name, width * 0.5f);
    draw_text(list, {at.x + width * 0.66f, at.y}, f.regular, kLabel, color, a, Align::kRight);
    draw_text(list, {at.x + width * 0.84f, at.y}, f.medium, kLabel, color, b, Align::kRight);
    draw_text(list, {at.x + width, at.y}, f.regular, kLabel, look()->muted, change, Align::kRight);
    ImGui::Dummy({width, row});
  };
  columns("Counter", "yours", "solution", "", look()->muted);
  bool any = false;
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t a = mine->counters.*info.field, b = theirs->counters.*info.field;
    if (a == b) continue;
    any = true;
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string change =
        a == 0 || b == 0 ? "" : ratio_text(static_cast<double>(b) / static_cast<double>(a));
    columns(name, with_separators(a), with_separators(b), change, look()->text);
  }
  if (!any) label(f.regular, kLabel, look()->muted, "Every counter is as yours.");
}

void solution(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  const lab::Exercise& exercise = *view.exercise();
  prepare_diff(view, state, exercise.solution, appearing);
  heading("Your text beside the solution");
  label(look().fonts->regular, kLabel, look()->muted,
        "Your text is kept. Orange is yours alone, blue is the solution's.");
  const float note_height = std::min(px(230), ImGui::GetMainViewport()->Size.y * 0.3f);
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.86f - px(200) - note_height));
  gap(4);
  ImGui::BeginChild("note", {0, note_height});
  solution_effect(view);
  gap(6);
  if (!exercise.solution_note.empty()) {
    markdown(state.note, exercise.solution_note, [](const std::string&) {});
  }
  ImGui::EndChild();
  choices({{"Back to my text##back", ButtonKind::kPrimary, command::CloseDialog{}},
           {"Put the solution into the editor##take", ButtonKind::kSecondary,
            command::TakeSolution{}}},
          queue);
}

void conflict(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  prepare_diff(view, state, view.session->theirs(), appearing);
  heading("The file was changed by another program");
  prose("You have edits here that are not saved. Which text goes on? The other one is kept in the history.");
  label(look().fonts->regular, kLabel, look()->muted,
        "Left: yours, in the editor. Right: the file on the disk.");
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.55f));
  choices({{"Keep mine##mine", ButtonKind::kPrimary, command::ResolveConflict{true}},
           {"Take the file##theirs", ButtonKind::kSecondary, command::ResolveConflict{false}}},
          queue);
}

float width_of(Dialog dialog) {
  switch (dialog) {
    case Dialog::kPalette: return 560;
    case Dialog::kGlossary: return 620;
    case Dialog::kKeys: return 520;
    case Dialog::kDoctor: return 560;
    case Dialog::kSolution:
    case Dialog::kConflict: return 1200;
    default: return 460;
  }
}

}  // namespace

void dialogs(const View& view, DialogState& state, CommandQueue& queue) {
  const bool appearing = state.open != state.shown;
  const bool capturing = !state.capturing.empty();  // Esc is then for the key
  state.shown = state.open;
  if (state.open == Dialog::kNone) return;
  constexpr const char* kName = "dialog";
  if (appearing) ImGui::OpenPopup(kName);
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const bool palette_shown = state.open == Dialog::kPalette || state.open == Dialog::kGlossary;
  const float width = std::min(px(width_of(state.open)), viewport->Size.x - px(40));
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2,
                           viewport->Pos.y + viewport->Size.y * (palette_shown ? 0.12f : 0.46f)},
                          ImGuiCond_Always, {0.5f, palette_shown ? 0.0f : 0.5f});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - px(24)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, palette_shown ? px(12, 12) : px(24, 20));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
  const bool visible = ImGui::BeginPopupModal(
      kName, nullptr,
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  if (!visible) {
    state.open = state.shown = Dialog::kNone;
    return;
  }
  switch (state.open) {
    case Dialog::kNone: break;
    case Dialog::kPalette: palette(state, appearing, queue); break;
    case Dialog::kGlossary: glossary(state, appearing); break;
    case Dialog::kKeys:
      keys(view, state, appearing, queue);
      break;
    case Dialog::kDoctor: doctor(view, queue); break;
    case Dialog::kReset:
      heading("Start this step afresh?");
      prose("The editor goes back to the text that the step began with. A copy of your text is kept in the "
            "history folder beside your work.");
      choices({{"Keep my text##keep", ButtonKind::kPrimary, command::CloseDialog{}},
               {"Start afresh##confirm", ButtonKind::kSecondary, command::Reset{}}},
              queue);
      break;
    case Dialog::kAskSolution:
      heading("Look at the solution?");
      prose("You learn most from the attempt before it: there may be a hint left. Your text is kept either "
            "way.");
      choices({{"Not yet##keep", ButtonKind::kPrimary, command::CloseDialog{}},
               {"Show the solution##confirm", ButtonKind::kSecondary, command::ShowSolution{}}},
              queue);
      break;
    case Dialog::kSolution: solution(view, state, appearing, queue); break;
    case Dialog::kConflict: conflict(view, state, appearing, queue); break;
  }
  // Esc leaves everything as it is; a conflict must be settled, and its safe answer is to keep ours.
  const bool outside = palette_shown && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
  if (!appearing && !capturing && (ImGui::IsKeyPressed(ImGuiKey_Escape, false) || outside)) {
    if (state.open == Dialog::kConflict) {
      queue.push(command::ResolveConflict{true});
    } else {
      queue.push(command::CloseDialog{});
    }
  }
  ImGui::EndPopup();
}

}  // namespace warpshop::ui
