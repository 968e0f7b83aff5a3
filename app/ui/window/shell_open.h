// Opens a file, a folder or an address with the desktop's default program.
#pragma once

struct ImGuiContext;

namespace warpshop::ui {

// For ImGuiPlatformIO::Platform_OpenInShellFn. False if there is no
// such program or it failed at once. Dear ImGui's own function waits
// for xdg-open to end, which freezes the window while a browser starts.
bool open_in_shell(ImGuiContext* context, const char* what);

}  // namespace warpshop::ui
