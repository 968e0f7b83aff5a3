// The other end of nvrtc_child.h.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::compile {

// The argument that makes this program a compiler's child; it is followed by the bytes that a job
// may use.
inline constexpr std::string_view kServeArgument = "--nvrtc-child";

// Whether this program can be started as a child: it has called compile_if_child().
bool can_be_child();

}  // namespace warpshop::compile
