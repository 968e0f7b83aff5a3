// `warpshop` opens the lab, `warpshop --render FILE.png` draws it off-screen, and `warpshop VERB …`
// works on the terminal: see cli/. Both start it again to run NVRTC: see compile/child.h.
#include <signal.h>

#include <string_view>

#include "cli/enough_stack.h"
#include "cli/main_cli.h"
#include "cli/standard_descriptors.h"
#include "compile/child.h"
#include "serve/compile_child.h"
#include "window_command.h"

namespace {

// An option comes first, and is not one that the command line answers itself.
bool asks_for_window(int argc, char** argv) {
  if (argc == 1) return true;
  const std::string_view first = argv[1];
  if (!first.starts_with("-") || first == "-h" || first == "--help" || first == "--version")
    return false;
  const bool labs = first == "--labs", labs_with_value = first.starts_with("--labs=");
  // `warpshop --labs DIR check …` is the command line's.
  const int after = labs ? 3 : 2;
  return !(labs || labs_with_value) || argc <= after || argv[after][0] == '-';
}

int program(int argc, char** argv) {
  warpshop::compile::compile_if_child(argc, argv);
  warpshop::serve::compile_for_class_if_child(argc, argv);
  ::signal(SIGXFSZ, SIG_IGN);  // beyond the shell's limit on files, writing fails and is reported
  if (asks_for_window(argc, argv)) return warpshop::window_command(argc, argv);
  return warpshop::cli::main_cli(argc, argv, warpshop::has_window());
}

}  // namespace

int main(int argc, char** argv) {
  warpshop::cli::open_standard_descriptors();
  return warpshop::cli::with_enough_stack(program, argc, argv);
}
