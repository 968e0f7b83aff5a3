// Opens a file, a folder or an address with the desktop's default program.
#pragma once

#include <filesystem>

struct ImGuiContext;

namespace warpshop::ui {

// For ImGuiPlatformIO::Platform_OpenInShellFn. False if there is no
// such program or it failed at once. Dear ImGui's own function waits
// for xdg-open to end, which freezes the window while a browser starts.
// In a browser, a file is a download.
bool open_in_shell(ImGuiContext* context, const char* what);

// Call for each file that was saved for the user: in a browser it is downloaded, and the result is
// true. Elsewhere it is where it should be.
bool hand_over(const std::filesystem::path& file);

// In a browser, asks the user for a file of theirs, which then arrives like one dropped onto the
// window. Does nothing elsewhere.
void ask_for_file();

}  // namespace warpshop::ui
