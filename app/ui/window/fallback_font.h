// Signs that the window's own faces lack, as those of East Asia and emoji, come from fonts of the
// system. They are looked for when a text first has one of them.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "window/fonts.h"

namespace warpshop::ui {

// The characters of the text from U+2E80 on, of which the window's own faces have none; each once.
std::vector<ImWchar> characters_beyond(std::string_view text);

// Fonts that are known to have many of them, the widest first; empty: the folders have none of
// those.
std::vector<std::filesystem::path> find_fallback_fonts(
    const std::vector<std::filesystem::path>& folders);
std::vector<std::filesystem::path> system_font_folders();

// Adds them behind every face. In the faces for code each sign is as wide as a letter, so that
// columns stay columns and the cursor is where the sign is. A file that cannot be read is passed
// over. Called once.
void add_fallback_fonts(const std::vector<std::filesystem::path>& files, const Fonts& fonts);

}  // namespace warpshop::ui
