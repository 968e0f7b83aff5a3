// The time now, in UTC.
#pragma once

#include <string>

namespace warpshop {

// By a format of strftime, 63 bytes at most: utc_now("%Y-%m-%d") is "2026-11-21".
std::string utc_now(const char* format);

}  // namespace warpshop
