// What is wrong, by place: compiler errors, refused launches, and what the emulator caught.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void findings_panel(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
