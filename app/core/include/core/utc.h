// Times in UTC.
#pragma once

#include <ctime>
#include <string>

namespace warpshop {

// `format` is that of strftime, for at most 63 bytes: utc_text(0, "%Y-%m-%d") is "1970-01-01".
std::string utc_text(std::time_t time, const char* format);
std::string utc_now(const char* format);

}  // namespace warpshop
