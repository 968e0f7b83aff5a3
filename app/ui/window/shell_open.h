// Opens a file, a folder or an address with the program that the desktop has for it.
#pragma once

struct ImGuiContext;

namespace warpshop::ui {

// For ImGuiPlatformIO::Platform_OpenInShellFn. False: there is no such program, or it failed at
// once. Dear ImGui's own waits until xdg-open ends, which takes as long as a browser that it has to
// start, and then the window stands still.
bool open_in_shell(ImGuiContext* context, const char* what);

}  // namespace warpshop::ui
