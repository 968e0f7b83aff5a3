// `warpshop VERB …`: everything that works without the window. docs/cli.md describes the verbs.
#pragma once

namespace warpshop::cli {

// Exit statuses of the command line; scripts rely on them.
inline constexpr int kAllPassed = 0;
inline constexpr int kCheckFailed = 1;    // a check failed or a kernel was faulty
inline constexpr int kInputError = 2;     // wrong usage, or an unusable file
inline constexpr int kToolFailed = 3;     // no compiler, an unwritable folder, our bug
inline constexpr int kInterrupted = 130;  // Ctrl-C: 128 + SIGINT, as in shells

// `has_window`: the program can open the lab, so that `doctor` checks what the window needs.
int main_cli(int argc, char** argv, bool has_window);

}  // namespace warpshop::cli
