#include "compile/child.h"

#include <atomic>
#include <string_view>

#include "nvrtc_server.h"

namespace warpshop::compile {
namespace {

std::atomic<bool> g_can_be_child{false};

}  // namespace

void compile_if_child(int argc, char** argv) {
  if (argc >= 3 && std::string_view(argv[1]) == kServeArgument) serve_as_child(argc, argv);
  g_can_be_child = true;
}

bool can_be_child() { return g_can_be_child; }

}  // namespace warpshop::compile
