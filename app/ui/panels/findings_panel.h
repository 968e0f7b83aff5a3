// What is wrong, by place: compiler errors, refused launches, and what the emulator caught.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void findings_panel(const View& view, CommandQueue& queue);

// How many errors there are, findings of the emulator among them; warnings do not count.
int error_count(const lab::RunResult& result);

}  // namespace warpshop::ui
