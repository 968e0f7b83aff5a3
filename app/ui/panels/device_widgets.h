// Shows a device's state in the Times panel and the devices dialog.
#pragma once

#include <string>

#include "draw/draw.h"
#include "work/devices.h"

namespace warpshop::ui {

// Draws a device's mark: a disc when ready, a spinning ring while it starts or works, a cross when
// unusable.
void device_mark(ImDrawList* list, ImVec2 center, LinkState state, double now_s);

// Returns the state for display: "ready", "starting… (on a cluster it may wait in the queue)", …
// Empty for the emulator alone.
std::string state_text(const DeviceRow& row);

}  // namespace warpshop::ui
