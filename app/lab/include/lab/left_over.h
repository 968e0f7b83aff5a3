// Finds unused files in a lab's folders: a renamed kernel's old text, a note that no step shows.
#pragma once

#include <filesystem>
#include <vector>

#include "lab/lab.h"

namespace warpshop::lab {

// Texts, kernels and pictures (.md .cu .cuh .png .svg .bin) whose name appears in no lab.toml,
// demo.toml or text of the lab, in any language; lines starting with # do not count. Sorted.
// Ignores INSTRUCTOR.md, which is for people, and NAME-dark.png, which belongs to NAME.png.
std::vector<std::filesystem::path> left_over_files(const Lab& lab);

}  // namespace warpshop::lab
