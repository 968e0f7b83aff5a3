// Explains the word under the mouse: shows its values while a film is stepped through, else its
// entry in the glossary.
#pragma once

#include "app/view.h"
#include "panels/editor_panel.h"

namespace warpshop::ui {

// Call while the editor is the hovered item.
void word_tooltip(const View& view, EditorPanelState& state);

}  // namespace warpshop::ui
