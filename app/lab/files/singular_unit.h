// "sectors per request" → "sector per request": what a check's unit is called after a 1.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::lab {

// Empty: the unit is the same after a 1 ("%", "times the ideal"), or its noun is not in the table.
std::string singular_unit(std::string_view unit);

}  // namespace warpshop::lab
