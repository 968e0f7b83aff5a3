// The other end of nvrtc_child.h and locked_nvrtc.cc.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::compile {

// The argument that makes this program a compiler's child; the bytes that a job may use follow. A
// child for untrusted sources has more arguments: the seconds that the jobs of one channel may use,
// a file that none of them may read, and what they may read.
inline constexpr std::string_view kServeArgument = "--nvrtc-child";

// The message that opens a channel is one byte of these, and the descriptors that it names.
inline constexpr char kHasReadable = 1;
inline constexpr char kHasWorking = 2;

// Compiles until the parent ends. `argv`: of the process, whose first argument is kServeArgument.
[[noreturn]] void serve_as_child(int argc, char** argv);

}  // namespace warpshop::compile
