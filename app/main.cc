// `warpshop` opens the lab, `warpshop --render FILE.png` draws it off-screen, and `warpshop VERB …`
// works on the terminal: see cli/.
#include <string_view>

#include "cli/main_cli.h"
#include "core/standard_descriptors.h"
#include "window_command.h"

namespace {

// The window's own options; every other word is the command line's, --help among them.
bool asks_for_window(int argc, char** argv) {
  if (argc == 1) return true;
  const std::string_view first = argv[1];
  for (const std::string_view option :
       {"--render", "--size", "--lab", "--gpu", "--theme", "--zoom", "--solution", "--start",
        "--labs"}) {
    const bool with_value = first.size() > option.size() && first[option.size()] == '=';
    if (!first.starts_with(option) || (first.size() != option.size() && !with_value)) continue;
    // `warpshop --labs DIR check …` is the command line's.
    const int after = with_value ? 2 : 3;
    return option != "--labs" || argc <= after || argv[after][0] == '-';
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  warpshop::open_standard_descriptors();
  if (asks_for_window(argc, argv)) return warpshop::window_command(argc, argv);
  return warpshop::cli::main_cli(argc, argv);
}
