// The current time in UTC.
#pragma once

#include <string>

namespace warpshop {

// `format` is that of strftime, for at most 63 bytes: utc_now("%Y-%m-%d") is "2026-11-21".
std::string utc_now(const char* format);

}  // namespace warpshop
