// Two dialogs over the table of actions: the palette, which runs one, and the list of shortcuts,
// which edits them.
#pragma once

#include "panels/dialogs.h"

namespace warpshop::ui {

void palette_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);
void keys_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);

}  // namespace warpshop::ui
