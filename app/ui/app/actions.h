// The one registry of actions: the palette, the menu, tooltips, the list of keys and the keyboard
// read it.
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
  std::string_view id;      // stable: "run"
  std::string_view title;   // "Run the kernel"
  std::string_view group;   // "Run"
  ImGuiKeyChord chord = 0;  // 0: none
  ImGuiKeyChord second = 0;
  Command command;
  // Its chord counts while the code editor has the keyboard, and goes before any other action's
  // there.
  bool in_editor() const;
};

const std::vector<Action>& actions();

// The keys that the user has chosen, by action id: chord_text of each, "" for none. All others have
// their defaults; a chord that was chosen is taken from whatever had it. Names and chords that are
// not known are passed over. Only the window's thread calls it.
using ChosenKeys = std::map<std::string, std::string>;
void use_keys(const ChosenKeys& chosen);
// The action that a chord belongs to now, outside the code editor or in it; null: none.
const Action* action_of(ImGuiKeyChord chord, bool in_editor = false);
// The chord of "Ctrl+Shift+P"; nothing for text that is none.
std::optional<ImGuiKeyChord> chord_from_text(std::string_view text);
const Action* find_action(std::string_view id);

std::string chord_text(ImGuiKeyChord chord);          // "Ctrl+Shift+P"
std::string shortcut_of(std::string_view action_id);  // of its first chord; "" without one
// The one that does it wherever the keyboard is, "Alt+H": a letter or an arrow alone belongs to a
// text that is edited. Its first where none does; "" without one.
std::string shortcut_anywhere(std::string_view action_id);

// The action whose chord was pressed in this frame. Plain keys count only while no text is edited,
// and plain arrows not while they move the keyboard's focus. `in_editor`: that text is the
// student's code.
const Action* pressed_action(bool text_input, bool arrows_taken, bool in_editor);

// Actions whose title, group or search_words match `filter` (every word, any order, any case), best
// first.
std::vector<const Action*> find_actions(std::string_view filter);

}  // namespace warpshop::ui
