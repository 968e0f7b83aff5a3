#include "panels/dialogs.h"

#include <algorithm>
#include <sstream>

#include "app/actions.h"
#include "core/files.h"
#include "core/text_id.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "panels/history_panel.h"
#include "text/cuda_language.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

void heading(std::string_view text) {
  paragraph(look().fonts->bold, 17, look()->text, text);
}

void prose(std::string_view text) {
  paragraph(look().fonts->regular, kBody, look()->body, text);
}

// Buttons at the right end of the dialog; the first is the safe one and takes Enter.
struct Choice {
  std::string label;
  ButtonKind kind;
  Command command;
};

void choices(const std::vector<Choice>& all, CommandQueue& queue) {
  const float spacing = px(10), room = content_width();
  const auto width_of = [&](const Choice& c) {
    const std::string_view text(c.label.data(), c.label.find("##"));
    return std::min(room, text_size(look().fonts->medium, kBody, text).x + px(36));
  };
  gap(6);
  // In rows, each at the right end; the first button goes first.
  for (size_t n = 0; n < all.size();) {
    size_t end = n + 1;
    float width = width_of(all[n]);
    while (end < all.size() && width + spacing + width_of(all[end]) <= room) width += spacing + width_of(all[end++]);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    for (const size_t first = n; n < end; ++n) {
      if (n > first) ImGui::SameLine(0, spacing);
      if (button(all[n].label, all[n].kind, {width_of(all[n]), px(32)})) queue.push(all[n].command);
    }
  }
}

// What the palette offers: every action, and every step of every lab.
struct Offer {
  std::string id, title, group, keys;
  Command command;
};

bool matches(const std::string& text, const std::string& filter) {
  const std::string in = lower(text);
  std::istringstream words(lower(filter));
  for (std::string word; words >> word;) {
    if (in.find(word) == std::string::npos) return false;
  }
  return true;
}

// Without a filter: where the student was last, then the actions. With one: actions first.
std::vector<Offer> offers_of(const View& view, const std::string& filter) {
  std::vector<Offer> out;
  const auto add_step = [&](const lab::Lab& lab, const lab::Step& step, const char* group) {
    out.push_back({"step:" + lab.id + "/" + step.id, lab.title + " › " + step.title, tr(group), "", command::OpenStep{lab.id, step.id}});
  };
  if (filter.empty()) {
    for (const std::string& recent : view.settings->recent) {
      for (const lab::Lab& lab : view.labs->labs) {
        for (const lab::Step& step : lab.steps) {
          if (recent == lab.id + "/" + step.id && &step != view.session->step()) add_step(lab, step, tr_later("Recent"));
        }
      }
    }
    if (out.size() > 5) out.erase(out.begin() + 5, out.end());
  }
  for (const Action* action : find_actions(filter)) {
    out.push_back({std::string(action->id), std::string(tr(action->title)), std::string(tr(action->group)), chord_text(action->chord),
                   action->command});
  }
  if (!filter.empty()) {
    for (const lab::Lab& lab : view.labs->labs) {
      for (const lab::Step& step : lab.steps) {
        if (matches(lab.title + " " + step.title, filter)) add_step(lab, step, tr_later("Lab"));
      }
    }
  }
  return out;
}

void palette(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  if (appearing) {
    state.filter.clear();
    state.chosen = 0;
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  const bool typed = ImGui::InputTextWithHint("##filter", tr("What do you want to do?"), &state.filter);
  ImGui::PopStyleVar();
  if (typed) state.chosen = 0;
  const std::vector<Offer> found = offers_of(view, state.filter);
  const int count = static_cast<int>(found.size());
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++state.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --state.chosen;
  state.chosen = std::clamp(state.chosen, 0, std::max(0, count - 1));
  const bool moved = ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow);
  const float row = px(32);
  ImGui::BeginChild("found", {0, std::min(row * 11, ImGui::GetMainViewport()->Size.y * 0.62f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  int number = 0;
  for (const Offer& offer : found) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width();
    ImGui::PushID(offer.id.c_str());
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
    // The keys keep their place; the group goes where there is none for it.
    const float y = at.y + (row - line_height(f.regular, kBody)) / 2;
    const float group = text_size(f.regular, kLabel, offer.group).x, title = text_size(f.regular, kBody, offer.title).x;
    const float keys_width = offer.keys.empty() ? 0 : text_size(f.regular, kLabel, offer.keys).x + px(12);
    const float room = width - px(24) - keys_width;
    draw_text_cut(list, {at.x + px(12), y}, f.regular, kBody, look()->text, offer.title, room);
    if (title + px(10) + group < room) {
      draw_text(list, {at.x + px(22) + title, y + px(1.5f)}, f.regular, kLabel, look()->muted, offer.group);
    }
    draw_text(list, {at.x + width - px(12), y + px(1.5f)}, f.regular, kLabel, look()->muted, offer.keys,
              Align::kRight);
    if (pressed) {
      queue.push(command::CloseDialog{});
      queue.push(offer.command);
    }
    ++number;
  }
  if (count == 0) {
    ImGui::Dummy(px(1, 10));
    label(f.regular, kBody, look()->muted, tr("Nothing by that name."));
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (count > 0 && ImGui::IsKeyPressed(ImGuiKey_Enter)) {
    queue.push(command::CloseDialog{});
    queue.push(found[static_cast<size_t>(state.chosen)].command);
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
  heading(tr("All keys"));
  paragraph(look().fonts->regular, kLabel, look()->muted,
        was_capturing ? tr("Press the new keys. Esc leaves them as they are, Backspace takes them away.")
                      : tr("Click an action to change its keys. Plain letters and arrows work while no text is "
                        "being edited."));
  ImGui::BeginChild("keys", {0, std::min(px(430), ImGui::GetMainViewport()->Size.y * 0.6f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  std::string_view group;
  for (const Action& action : actions()) {
    if (action.group != group) {
      group = action.group;
      gap(8);
      label(f.medium, kLabel, look()->accent, tr(group));
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
    if (action.second) text += "  " + std::string(tr("or")) + "  " + chord_text(action.second);
    if (waiting) text = tr("press keys…");
    if (text.empty()) text = "–";
    const float y = at.y + (height - line_height(f.regular, kBody)) / 2;
    const float keys_width = text_size(f.regular, kBody, text).x;
    draw_text_cut(list, {at.x, y}, f.regular, kBody, look()->text, tr(action.title), width - keys_width - px(12));
    draw_text(list, {at.x + width, y}, changed || waiting ? f.medium : f.regular, kBody,
              changed || waiting ? look()->accent : look()->muted, text, Align::kRight);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (was_capturing) capture_key(state, queue);
  choices({{tr_id("Close", "close"), ButtonKind::kSecondary, command::CloseDialog{}},
           {tr_id("All defaults", "defaults"), ButtonKind::kSecondary, command::ResetKeys{}}},
          queue);
}

void glossary(DialogState& state, bool appearing) {
  if (appearing) {
    state.filter.clear();
    ImGui::SetKeyboardFocusHere();
    if (state.glossary.empty() || state.glossary_language != language().id) {
      state.glossary_language = language().id;
      state.glossary = load_glossary(data_dir(), language().id);
    }
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  ImGui::InputTextWithHint("##filter", tr("Which word?"), &state.filter);
  ImGui::PopStyleVar();
  const char* sources = tr("Sources: PG and PG4 CUDA's programming guides · PTX its ISA · NC Nsight Compute · NV NVIDIA's forum · OCC cuda_occupancy.h · GTC the talk of GTC 2015 · TK GPU Teaching Kit · PMPP Programming Massively Parallel Processors · W our own word");
  const Face& face = look().fonts->regular;
  const float below = wrapped_height(face, kSmall, sources, content_width()) + px(10);
  ImGui::BeginChild("words", {0, std::min(px(430), std::max(px(90), ImGui::GetMainViewport()->Size.y * 0.7f - below))});
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
          state.glossary.empty() ? tr("docs/GLOSSARY.md is not there.") : tr("No such word."));
  }
  ImGui::EndChild();
  gap(6);
  paragraph(face, kSmall, look()->muted, sources);
}

// What a tooltip says of a figure, for all of a panel.
void figures(const DialogState& state, CommandQueue& queue) {
  heading(tr("What the panel's figures mean"));
  gap(4);
  ImGui::BeginChild("figures", {0, std::min(px(460), ImGui::GetMainViewport()->Size.y * 0.62f)}, ImGuiChildFlags_NavFlattened);
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ImGui::SetScrollY(ImGui::GetScrollY() + px(60));
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - px(60)));
  for (const ShownMetric& figure : state.figures) {
    paragraph(look().fonts->medium, kBody, look()->text, tr(figure.title));
    paragraph(look().fonts->regular, kBody, look()->body, tr(figure.meaning));
    paragraph(look().fonts->regular, kLabel, look()->muted, metric_note(figure));
    gap(8);
  }
  if (state.figures.empty()) paragraph(look().fonts->regular, kBody, look()->body, tr("There are no figures in sight."));
  ImGui::EndChild();
  choices({{tr_id("Close", "close"), ButtonKind::kPrimary, command::CloseDialog{}}}, queue);
}

// One line of the doctor: works or not, what was found, what to do.
void doctor_row(const lab::HealthLine& line) {
  using State = lab::HealthLine::State;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 mark{at.x + px(8), at.y + px(10)};
  switch (line.state) {
    case State::kOk: draw_check(list, mark, px(12), look()->good, px(2)); break;
    case State::kFail: draw_cross(list, mark, px(12), look()->poor, px(2)); break;
    case State::kWarn:
      list->AddTriangle({mark.x - px(6), mark.y + px(5)}, {mark.x + px(6), mark.y + px(5)}, {mark.x, mark.y - px(6)},
                        look()->poor, px(2));
      break;
  }
  ImGui::Indent(px(28));
  paragraph(look().fonts->medium, kBody, look()->text, tr(line.what));
  if (!line.found.empty()) paragraph(look().fonts->regular, kLabel, look()->muted, tr(line.found));
  if (!line.fix.empty()) paragraph(look().fonts->regular, kLabel, look()->text, "→ " + tr(line.fix));
  ImGui::Unindent(px(28));
}

// The same as `warpshop doctor`.
void doctor(const View& view, CommandQueue& queue) {
  heading(tr("What works on this machine"));
  gap(4);
  ImGui::BeginChild("health", {0, std::min(px(460), ImGui::GetMainViewport()->Size.y * 0.62f)});
  if (view.health) {
    // What is wrong goes first.
    for (const auto state : {lab::HealthLine::State::kFail, lab::HealthLine::State::kWarn, lab::HealthLine::State::kOk}) {
      for (const lab::HealthLine& line : *view.health) {
        if (line.state == state) doctor_row(line);
      }
    }
  } else {
    paragraph(look().fonts->regular, kBody, look()->muted, tr("Looking…"));
  }
  ImGui::EndChild();
  choices({{tr_id("Close", "close"), ButtonKind::kSecondary, command::CloseDialog{}},
           {tr_id("Look again", "again"), ButtonKind::kSecondary, command::OpenDoctor{}}},
          queue);
}

void prepare_diff(DialogState& state) {
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
}

void prepare_diff(const View& view, DialogState& state, const std::string& right, bool appearing) {
  prepare_diff(state);
  if (!appearing) return;
  state.diff->SetSideBySideMode(ImGui::GetMainViewport()->Size.x > px(1100));
  state.diff->SetText(view.session->text(), right);
  state.diff_of.clear();
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
    paragraph(f.regular, kLabel, look()->muted, tr("Run your text to see what the solution changes in each counter."));
    return;
  }
  if (!theirs || !theirs->completed) {
    paragraph(f.regular, kLabel, look()->muted, tr("The solution is being run…"));
    return;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = std::min(content_width(), px(720)), row = px(20);
  const auto columns = [&](std::string_view name, const std::string& a, const std::string& b,
                           const std::string& change, const std::string& ratio, ImU32 color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text_cut(list, at, f.regular, kLabel, color, name, width * 0.42f);
    draw_text(list, {at.x + width * 0.57f, at.y}, f.regular, kLabel, color, a, Align::kRight);
    draw_text(list, {at.x + width * 0.72f, at.y}, f.medium, kLabel, color, b, Align::kRight);
    draw_text(list, {at.x + width * 0.88f, at.y}, f.regular, kLabel, color, change, Align::kRight);
    draw_text(list, {at.x + width, at.y}, f.regular, kLabel, look()->muted, ratio, Align::kRight);
    ImGui::Dummy({width, row});
  };
  columns(tr("Counter"), tr("yours"), tr("solution"), tr("change"), "", look()->muted);
  bool any = false;
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t a = mine->counters.*info.field, b = theirs->counters.*info.field;
    if (a == b) continue;
    any = true;
    const std::string ratio = a == 0 || b == 0 ? "" : ratio_text(static_cast<double>(b) / static_cast<double>(a));
    const std::string change = b > a ? "+" + with_separators(b - a) : "\u2212" + with_separators(a - b);
    const std::string title = counter_title(info.name), unit = std::string(info.unit) + "s";
    columns(tr(title), with_separators(a), with_separators(b), change, ratio, look()->text);
    metric_tooltip({title, info.meaning, unit, counter_formula(info), info.nsight, counter_term(info)});
  }
  if (!any) paragraph(f.regular, kLabel, look()->muted, tr("Every counter is as yours."));
}

void solution(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  const lab::Exercise& exercise = *view.exercise();
  prepare_diff(view, state, exercise.solution, appearing);
  heading(tr("Your text beside the solution"));
  paragraph(look().fonts->regular, kLabel, look()->muted,
        tr("Your text is kept. Orange is yours alone, blue is the solution's."));
  const float note_height = std::min(px(230), ImGui::GetMainViewport()->Size.y * 0.3f);
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.86f - px(200) - note_height));
  gap(4);
  ImGui::BeginChild("note", {0, note_height});
  solution_effect(view);
  gap(6);
  if (!exercise.solution_note.empty()) {
    state.note.folder = view.session->lab()->folder;
    markdown(state.note, exercise.solution_note, [](const std::string&) {});
  }
  ImGui::EndChild();
  choices({{tr_id("Back to my text", "back"), ButtonKind::kPrimary, command::CloseDialog{}},
           {tr_id("Put the solution into the editor", "take"), ButtonKind::kSecondary,
            command::TakeSolution{}}},
          queue);
}

void conflict(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  prepare_diff(view, state, view.session->theirs(), appearing);
  heading(tr("The file was changed by another program"));
  prose(tr("You have edits here that are not saved. Which text goes on? The other one is kept in the history."));
  paragraph(look().fonts->regular, kLabel, look()->muted,
        tr("Left: yours, in the editor. Right: the file on the disk."));
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.55f));
  choices({{tr_id("Keep mine", "mine"), ButtonKind::kPrimary, command::ResolveConflict{true}},
           {tr_id("Take the file", "theirs"), ButtonKind::kSecondary, command::ResolveConflict{false}}},
          queue);
}

std::string version_name(const View& view, const std::string& id) {
  if (id.empty()) return tr("The text in the editor");
  const RunRecord* run = view.history->find(id);
  if (!run) return tr("Version {}", id);
  const bool pinned = view.history->baseline() == run;
  return tr("Version {}", id) + " · " + time_text(run->at) + (pinned ? " · " + std::string(tr("baseline")) : "");
}

void version_choice(const View& view, const char* id, std::string& chosen, float width) {
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, version_name(view, chosen).c_str(), ImGuiComboFlags_HeightLarge)) return;
  if (ImGui::Selectable(version_name(view, "").c_str(), chosen.empty())) chosen.clear();
  const std::vector<RunRecord>& runs = view.history->runs();
  for (size_t n = runs.size(); n-- > 0;) {
    if (ImGui::Selectable(version_name(view, runs[n].id).c_str(), runs[n].id == chosen)) chosen = runs[n].id;
  }
  ImGui::EndCombo();
}

std::string text_of_version(const View& view, const std::string& id) {
  if (id.empty()) return view.session->text();
  const RunRecord* run = view.history->find(id);
  if (!run) return "";
  const Result<std::string> text = view.history->text_of(*run);
  return text.ok() ? *text : render(text.errors());
}

void changes(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  const std::string left = text_of_version(view, state.left), right = text_of_version(view, state.right);
  const std::string shown = text_id(left) + " " + text_id(right);
  prepare_diff(state);
  if (appearing || state.diff_of != shown) {
    state.diff_of = shown;
    state.diff->SetSideBySideMode(ImGui::GetMainViewport()->Size.x > px(1100));
    state.diff->SetText(left, right);
  }
  heading(tr("Changes between two versions"));
  const float half = (content_width() - px(12)) / 2;
  const bool beside = half > px(220);
  version_choice(view, "##left", state.left, beside ? half : content_width());
  if (beside) ImGui::SameLine(0, px(12));
  version_choice(view, "##right", state.right, beside ? half : content_width());
  if (left == right) {
    paragraph(look().fonts->regular, kLabel, look()->muted, tr("These two are the same, letter by letter."));
  } else {
    paragraph(look().fonts->regular, kLabel, look()->muted, tr("Orange is the first alone, blue is the second alone."));
  }
  diff(state, std::max(px(120), ImGui::GetMainViewport()->Size.y * 0.84f - px(210)));
  std::vector<Choice> all = {{tr_id("Close", "close"), ButtonKind::kPrimary, command::CloseDialog{}}};
  if (!state.left.empty()) {
    all.push_back({tr_id("Put the first into the editor", "take-version"), ButtonKind::kSecondary, command::TakeVersion{state.left}});
    const RunRecord* baseline = view.history->baseline();
    if (!baseline || baseline->id != state.left) {
      all.push_back({tr_id("Pin the first as the baseline", "pin-version"), ButtonKind::kSecondary, command::PinBaseline{state.left}});
    }
  }
  choices(all, queue);
}

float width_of(Dialog dialog) {
  switch (dialog) {
    case Dialog::kPalette: return 560;
    case Dialog::kGlossary: return 620;
    case Dialog::kKeys: return 520;
    case Dialog::kDoctor: return 560;
    case Dialog::kFigures:
    case Dialog::kDevices: return 600;
    case Dialog::kSolution:
    case Dialog::kChanges:
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
    case Dialog::kPalette: palette(view, state, appearing, queue); break;
    case Dialog::kGlossary: glossary(state, appearing); break;
    case Dialog::kKeys:
      keys(view, state, appearing, queue);
      break;
    case Dialog::kDoctor: doctor(view, queue); break;
    case Dialog::kReset:
      heading(tr("Start this step afresh?"));
      prose(tr("The editor goes back to the text that the step began with. A copy of your text is kept in the "
            "history folder beside your work."));
      choices({{tr_id("Keep my text", "keep"), ButtonKind::kPrimary, command::CloseDialog{}},
               {tr_id("Start afresh", "confirm"), ButtonKind::kSecondary, command::Reset{}}},
              queue);
      break;
    case Dialog::kAskSolution:
      heading(tr("Look at the solution?"));
      prose(tr("You learn most from the attempt before it: there may be a hint left. Your text is kept either "
            "way."));
      choices({{tr_id("Not yet", "keep"), ButtonKind::kPrimary, command::CloseDialog{}},
               {tr_id("Show the solution", "confirm"), ButtonKind::kSecondary, command::ShowSolution{}}},
              queue);
      break;
    case Dialog::kSolution: solution(view, state, appearing, queue); break;
    case Dialog::kConflict: conflict(view, state, appearing, queue); break;
    case Dialog::kChanges: changes(view, state, appearing, queue); break;
    case Dialog::kFigures: figures(state, queue); break;
    case Dialog::kDevices: devices_dialog(view, state.devices, appearing, queue); break;
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
