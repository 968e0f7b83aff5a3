// Files in a lab's folders that the lab does not use: a renamed kernel's old text, a note that no step shows.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/lab.h"

namespace warpshop::lab {

// Texts, kernels and pictures (.md .cu .cuh .png .svg .bin) whose name stands in no lab.toml, demo.toml or text of the
// lab, in any of its languages; a line that begins with # does not count. Sorted. INSTRUCTOR.md is for people, and
// NAME-dark.png goes with NAME.png.
std::vector<std::filesystem::path> left_over_files(const Lab& lab);

}  // namespace warpshop::lab
