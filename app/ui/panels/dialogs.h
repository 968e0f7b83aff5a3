// The dialogs: each asks one thing, closes with Esc, and acts through a command.
#pragma once

#include <memory>
#include <string>

#include "TextDiff.h"
#include "commands.h"
#include "markdown_view.h"
#include "view.h"

namespace warpshop::ui {

enum class Dialog { kNone, kPalette, kKeys, kDoctor, kReset, kAskSolution, kSolution, kConflict };

struct DialogState {
  Dialog open = Dialog::kNone;   // set it to open one
  Dialog shown = Dialog::kNone;  // in the frame before
  std::string filter;            // palette, keys
  int chosen = 0;                // palette
  std::unique_ptr<TextDiff> diff;
  const Theme* diff_theme = nullptr;
  MarkdownView note;
};

void dialogs(const View& view, DialogState& state, CommandQueue& queue);

}  // namespace warpshop::ui
