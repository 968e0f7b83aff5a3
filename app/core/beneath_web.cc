#include "beneath_parts.h"
#include "core/beneath.h"

namespace warpshop {

Descriptor open_beneath(int folder, const std::filesystem::path& relative, int flags) {
  return open_part_by_part(folder, relative, flags);
}

}  // namespace warpshop
