// Finds the downloads pinned in cmake/fetch.py, such as NVRTC: installed with the program, or
// fetched by ./start.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop {

// PREFIX if this program is PREFIX/bin/warpshop with its data in PREFIX/share/warpshop; empty in a
// build tree.
std::filesystem::path installed_prefix();

// The folders that may hold the pinned download `name`: PREFIX/lib/warpshop/NAME first, then
// CACHE/NAME.
std::vector<std::filesystem::path> places_of_fetched(std::string_view name);

// What to type to fetch `name`: ./start, or if installed, the pinned downloads' own script.
std::string fetch_command(std::string_view name);

}  // namespace warpshop
