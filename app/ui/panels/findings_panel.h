// Problems listed by location: compiler errors, refused launches, and findings of the emulator.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void findings_panel(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
