// What dialogs are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "draw/widgets.h"

namespace warpshop::ui {

void dialog_heading(std::string_view text);
void dialog_prose(std::string_view text);

struct DialogChoice {
  std::string label;
  ButtonKind kind;
  Command command;
};

// Buttons at the right end of the dialog. The first is the safe one: it takes Enter, also in a
// dialog that the mouse has opened and in which nothing has the keyboard's focus yet.
// `takes_enter`: false while Enter means something else.
void dialog_choices(const std::vector<DialogChoice>& all, CommandQueue& queue,
                    bool takes_enter = true);

}  // namespace warpshop::ui
