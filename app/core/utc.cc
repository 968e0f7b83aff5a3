#include "core/utc.h"

namespace warpshop {

std::string utc_text(std::time_t time, const char* format) {
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  char text[64] = {};
  std::strftime(text, sizeof text, format, &utc);
  return text;
}

std::string utc_now(const char* format) { return utc_text(std::time(nullptr), format); }

}  // namespace warpshop
