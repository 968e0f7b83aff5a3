// Dear ImGui's configuration, seen alike by every file that includes it (IMGUI_USER_CONFIG).
#pragma once

// Dense maps (a lane, a sector, a bank each a rectangle) pass 65,536 vertices in one window.
#define ImDrawIdx unsigned int

// A character may be any of Unicode. With 16 bits the editor would give back an emoji as another character.
#define IMGUI_USE_WCHAR32

// Old names are errors, so that code follows the version we pinned.
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// The demo's code is not in the program; the metrics and debug windows stay.
#define IMGUI_DISABLE_DEMO_WINDOWS
