// A device's state, as the panel of times and the dialog show it.
#pragma once

#include <string>

#include "draw/draw.h"
#include "work/devices.h"

namespace warpshop::ui {

// A mark in front of a device: a disc that is ready, a ring that turns while it starts or works, a
// cross for one that cannot be used.
void device_mark(ImDrawList* list, ImVec2 center, LinkState state, double now_s);

// "ready", "starting… on a cluster it may wait in the queue", "measuring: time"
std::string state_text(const DeviceRow& row);

}  // namespace warpshop::ui
