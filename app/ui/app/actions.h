// The single registry of actions, read by the palette, the menu, tooltips, the list of shortcuts
// and the keyboard.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "imgui.h"

namespace warpshop::ui {

struct Action {
  std::string id;           // stable: "run"
  std::string_view title;   // "Run the kernel"
  std::string_view group;   // "Run"
  ImGuiKeyChord chord = 0;  // 0: none
  ImGuiKeyChord second = 0;
  Command command;
  // True if its chord works while the code editor has the keyboard, where it takes precedence over
  // any other action's.
  bool in_editor() const;
};

const std::vector<Action>& actions();

// The user's own shortcuts: chord_text by action id, "" for none. All other actions keep their
// defaults; a chosen chord is taken away from the action that had it. Unknown ids and chords are
// ignored. Call only from the window's thread.
using ChosenKeys = std::map<std::string, std::string>;
void use_keys(const ChosenKeys& chosen);
// The action that a chord currently triggers, outside or inside the code editor; null if none.
const Action* action_of(ImGuiKeyChord chord, bool in_editor = false);
// Parses "Ctrl+Shift+P"; nullopt if the text is not a chord.
std::optional<ImGuiKeyChord> chord_from_text(std::string_view text);
const Action* find_action(std::string_view id);

std::string chord_text(ImGuiKeyChord chord);          // "Ctrl+Shift+P", as it is stored
std::string chord_label(ImGuiKeyChord chord);         // the same in the user's language
std::string shortcut_of(std::string_view action_id);  // its first chord's label; "" if it has none
// The chord that works wherever the keyboard focus is, such as "Alt+H": in a text being edited, a
// plain letter or arrow goes to the text. Falls back to the first chord; "" if the action has none.
std::string shortcut_anywhere(std::string_view action_id);

// The action whose chord was pressed in this frame. Plain keys count only while no text is being
// edited, and plain arrows only while they do not move the keyboard focus. `in_editor`: the text
// being edited is the student's code.
const Action* pressed_action(bool text_input, bool arrows_taken, bool in_editor);

}  // namespace warpshop::ui
