// An exercise's task in a line or two.
#pragma once

#include <string>

#include "lab/lab.h"

namespace warpshop::cli {

// The exercise's contract, else the first sentences below "Your task" in its text, without
// Markdown. Empty: the text has neither.
std::string task_text(const lab::Step& step);

// Breaks the text into lines of at most `width` columns, each after `indent`.
std::string wrapped(const std::string& text, size_t width, const std::string& indent);

}  // namespace warpshop::cli
