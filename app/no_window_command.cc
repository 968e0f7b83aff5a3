// For a program built without the window: warpshop_portable, or WARPSHOP_UI=OFF.
#include <cstdio>

#include "cli/main_cli.h"
#include "window_command.h"

namespace warpshop {

bool has_window() { return false; }

int window_command(int, char**) {
  std::fputs(
      "warpshop: this program was built without its window.\n"
      "`warpshop --help` lists what it does on the terminal.\n",
      stderr);
  return cli::kToolFailed;
}

}  // namespace warpshop
