// NVRTC in a child process. A program's text can crash NVRTC, keep it busy, or make it need all
// memory; in a child, none of this reaches a window with a student's work.
#pragma once

namespace warpshop::compile {

// To be called first in main(). If this process was started as such a child, compiles until its
// parent ends, and does not return. Otherwise returns, and from then on a Compiler runs NVRTC in a
// child; in programs that never call it, in their own process.
void compile_if_child(int argc, char** argv);

// Whether this program can be started as such a child: it has called compile_if_child().
bool can_be_child();

}  // namespace warpshop::compile
