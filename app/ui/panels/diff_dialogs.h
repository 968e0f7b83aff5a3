// The dialogs that show two texts side by side.
#pragma once

#include "panels/dialogs.h"

namespace warpshop::ui {

void solution_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);
void conflict_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);
void changes_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue);

}  // namespace warpshop::ui
