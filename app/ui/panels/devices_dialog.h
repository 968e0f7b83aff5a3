// The dialog in which the student says where kernels are measured, and keeps the workers elsewhere.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct DevicesDialogState {
  std::string command;  // of a worker that is to be added
};

void devices_dialog(const View& view, DevicesDialogState& state, bool appearing,
                    CommandQueue& queue);

}  // namespace warpshop::ui
