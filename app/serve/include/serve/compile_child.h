// The processes that compile for `warpshop serve`.
#pragma once

namespace warpshop::serve {

// Call this first in main(). If this process was started as such a child, compiles until its
// parent ends, and does not return.
void compile_for_class_if_child(int argc, char** argv);

}  // namespace warpshop::serve
