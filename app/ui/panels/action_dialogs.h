// The two dialogs over the one table of actions: the palette, which does one, and the list of all
// keys, which changes them.
#pragma once

#include "panels/dialogs.h"

namespace warpshop::ui {

void palette_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);
void keys_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);

}  // namespace warpshop::ui
