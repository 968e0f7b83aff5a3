// Building blocks of the dialogs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "draw/widgets.h"

namespace warpshop::ui {

void dialog_heading(std::string_view text);
void dialog_prose(std::string_view text);

// Scrolls the current window with the arrows.
void scroll_by_arrows();

struct DialogChoice {
  std::string label;
  ButtonKind kind;
  Command command;
};

// Draws buttons at the right end of the dialog. The first is the safe one and takes Enter, even if
// the dialog was opened with the mouse and nothing in it has the keyboard focus yet. `takes_enter`:
// false while Enter means something else.
void dialog_choices(const std::vector<DialogChoice>& all, CommandQueue& queue,
                    bool takes_enter = true);

}  // namespace warpshop::ui
