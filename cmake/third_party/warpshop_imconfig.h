// Dear ImGui's configuration, seen alike by every file that includes it (IMGUI_USER_CONFIG).
#pragma once

// Dense maps (a lane, a sector, a bank each a rectangle) pass 65,536 vertices in one window.
#define ImDrawIdx unsigned int

// Old names are errors, so that code follows the version we pinned.
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// The demo's code is not in the program; the metrics and debug windows stay.
#define IMGUI_DISABLE_DEMO_WINDOWS
