// Where a number comes from; shown as a badge beside every number.
#pragma once

#include <string_view>

namespace warpshop::lab {

enum class Provenance { kMeasured, kSimulated, kPredicted, kPublished };
std::string_view name_of(Provenance provenance);

}  // namespace warpshop::lab
