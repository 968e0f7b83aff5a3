// Keys as browsers name them. Source: UI Events, KeyboardEvent `code` and `key`
// (w3.org/TR/uievents-code and -key).
#pragma once

#include <string_view>

#include "imgui.h"

namespace warpshop::ui {

// `code` is the place on the keyboard ("KeyY"), `key` what it types there ("z" on a German one).
// Letters and signs are keys by what they type, as on the desktop; everything else by its place.
// ImGuiKey_None: unknown.
ImGuiKey key_of_browser(std::string_view code, std::string_view key);

}  // namespace warpshop::ui
