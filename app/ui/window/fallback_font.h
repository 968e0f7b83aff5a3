// System fonts for characters that the window's own fonts lack, such as East Asian scripts and
// emoji. They are searched for when a text first contains such a character.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "window/fonts.h"

namespace warpshop::ui {

// The distinct characters of the text from U+2E80 up, none of which the window's own fonts have.
std::vector<ImWchar> characters_beyond(std::string_view text);

// Fonts known to have many such characters, those with the widest coverage first; empty if the
// folders have none of them.
std::vector<std::filesystem::path> find_fallback_fonts(
    const std::vector<std::filesystem::path>& folders);
std::vector<std::filesystem::path> system_font_folders();

// Adds them as fallbacks to every font. In the code fonts each sign is as wide as a letter, so that
// columns stay aligned and the cursor matches the sign. Skips files that cannot be read. Call once.
void add_fallback_fonts(const std::vector<std::filesystem::path>& files, const Fonts& fonts);

}  // namespace warpshop::ui
