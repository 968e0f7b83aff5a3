#include "panels/action_dialogs.h"

#include <algorithm>

#include "app/actions.h"
#include "app/palette.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "panels/dialog_parts.h"

namespace warpshop::ui {
namespace {

// Returns the keys pressed in this frame as a chord; 0 if there are none besides modifiers.
ImGuiKeyChord chord_pressed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    const bool modifier =
        (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) ||
        (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper);
    if (modifier || ImGui::IsMouseKey(static_cast<ImGuiKey>(key))) continue;
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) {
      return static_cast<ImGuiKeyChord>(key) |
             (ImGui::GetIO().KeyMods & (ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiMod_Shift));
    }
  }
  return 0;
}

// Esc keeps the shortcut, Backspace removes it.
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

}  // namespace

void palette_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  if (appearing) {
    state.filter.clear();
    state.chosen = 0;
    ImGui::SetKeyboardFocusHere();
  }
  // Enter would take the keyboard from the field: where it chooses nothing, it does nothing.
  std::vector<Offer> found = palette_offers(view, state.filter);
  if (!appearing && found.empty()) {
    const ImGuiID nobody = ImGui::GetID("palette-enter");
    for (const ImGuiKey key : {ImGuiKey_Enter, ImGuiKey_KeypadEnter})
      ImGui::SetKeyOwner(key, nobody, ImGuiInputFlags_LockThisFrame);
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(12, 9));
  const bool typed =
      ImGui::InputTextWithHint("##filter", tr("What do you want to do?"), &state.filter);
  ImGui::PopStyleVar();
  if (typed) {
    state.chosen = 0;
    found = palette_offers(view, state.filter);
  }
  const int count = static_cast<int>(found.size());
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++state.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --state.chosen;
  state.chosen = std::clamp(state.chosen, 0, std::max(0, count - 1));
  const bool moved =
      ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow);
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
    // The shortcut keeps its place; the group is dropped if there is no room for it.
    const float y = at.y + (row - line_height(f.regular, kBody)) / 2;
    const float group = text_size(f.regular, kLabel, offer.group).x,
                title = text_size(f.regular, kBody, offer.title).x;
    const float keys_width =
        offer.keys.empty() ? 0 : text_size(f.regular, kLabel, offer.keys).x + px(12);
    const float room = width - px(24) - keys_width;
    draw_text_cut(list, {at.x + px(12), y}, f.regular, kBody, look()->text, offer.title, room);
    if (title + px(10) + group < room) {
      draw_text(list, {at.x + px(22) + title, y + px(1.5f)}, f.regular, kLabel, look()->muted,
                offer.group);
    }
    draw_text(list, {at.x + width - px(12), y + px(1.5f)}, f.regular, kLabel, look()->muted,
              offer.keys, Align::kRight);
    if (pressed) {
      queue.push(command::CloseDialog{});
      queue.push(offer.command);
    }
    ++number;
  }
  if (count == 0) {
    ImGui::Dummy(px(1, 10));
    label(f.regular, kBody, look()->muted, tr("No matches."));
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (count > 0 && ImGui::IsKeyPressed(ImGuiKey_Enter)) {
    queue.push(command::CloseDialog{});
    queue.push(found[static_cast<size_t>(state.chosen)].command);
  }
}

void keys_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  if (appearing) state.capturing.clear();
  const bool was_capturing = !state.capturing.empty();
  dialog_heading(tr("All keys"));
  paragraph(look().fonts->regular, kLabel, look()->muted,
            was_capturing
                ? tr("Press the new keys. Esc leaves them as they are, Backspace takes them away.")
                : tr("Click an action to change its keys. Plain letters and arrows work while no "
                     "text is being edited."));
  // The list alone scrolls: it leaves room for the buttons below it, in two rows if need be.
  const float below = px(24 + 20 + 2 * 32) + 4 * ImGui::GetStyle().ItemSpacing.y;
  const float room = ImGui::GetMainViewport()->Size.y - ImGui::GetCursorPosY() - below;
  ImGui::BeginChild("keys", {0, std::clamp(room, px(52), px(430))});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  std::string_view group;
  // In a lecture, its keys come first.
  std::vector<const Action*> shown;
  for (const Action& action : actions()) shown.push_back(&action);
  if (view.lecture)
    std::stable_partition(shown.begin(), shown.end(), [](const Action* action) {
      return action->group == find_action("end-lecture")->group;
    });
  for (const Action* one : shown) {
    const Action& action = *one;
    if (action.group != group) {
      group = action.group;
      gap(8);
      label(f.medium, kLabel, look()->accent, tr(group));
      gap(2);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool changed = view.settings->keys.contains(action.id);
    std::string text = chord_label(action.chord);
    if (action.second) text += "  " + std::string(tr("or")) + "  " + chord_label(action.second);
    const float width = content_width() - px(12), row = px(26);
    // In a narrow dialog the keys take a row of their own.
    const float height = text_size(f.regular, kBody, text).x > width / 2 ? 2 * row : row;
    const bool waiting = state.capturing == action.id;
    if (ImGui::InvisibleButton(action.id.c_str(), {width, height}) && !was_capturing) {
      state.capturing = action.id;
    }
    if (waiting || ImGui::IsItemHovered()) {
      list->AddRectFilled({at.x - px(6), at.y}, {at.x + width + px(6), at.y + height},
                          look()->raised, px(6));
    }
    if (waiting) text = tr("press keys…");
    if (text.empty()) text = "–";
    const float y = at.y + (row - line_height(f.regular, kBody)) / 2;
    draw_text_cut(list, {at.x, y}, f.regular, kBody, look()->text, tr(action.title),
                  height > row ? width : width - text_size(f.regular, kBody, text).x - px(12));
    draw_text(list, {at.x + width, y + height - row}, changed || waiting ? f.medium : f.regular,
              kBody, changed || waiting ? look()->accent : look()->muted, text, Align::kRight);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (was_capturing) capture_key(state, queue);
  dialog_choices(
      {{tr_id("Close", "close"), ButtonKind::kSecondary, command::CloseDialog{}},
       {tr_id("All defaults", "defaults"), ButtonKind::kSecondary, command::ResetKeys{}}},
      queue, !was_capturing);
}

}  // namespace warpshop::ui
