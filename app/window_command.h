// The window's command line: `warpshop [OPTION…]`.
#pragma once

namespace warpshop {

// Opens the lab, or renders it to a file. Exit status as in cli/main_cli.h: 0, 2 for wrong usage or
// input, 3 when there is no display or no OpenGL, or this program was built without the window.
int window_command(int argc, char** argv);

bool has_window();  // false: this program was built without it

}  // namespace warpshop
