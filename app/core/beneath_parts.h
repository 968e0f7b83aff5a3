// Opens a path beneath a folder on systems that have no call for it.
#pragma once

#include <filesystem>

#include "core/descriptor.h"

namespace warpshop {

// As open_beneath: opens one component at a time and refuses links.
Descriptor open_part_by_part(int folder, const std::filesystem::path& relative, int flags);

}  // namespace warpshop
