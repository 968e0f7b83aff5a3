// The dialog for choosing where kernels are measured and for managing GPU workers on other
// machines.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct DevicesDialogState {
  std::string command;  // of the worker to add
};

void devices_dialog(const View& view, DevicesDialogState& state, bool appearing,
                    CommandQueue& queue);

}  // namespace warpshop::ui
