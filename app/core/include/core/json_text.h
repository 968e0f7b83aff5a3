// Writes JSON of any class of nlohmann/json. Bytes that are not UTF-8 become U+FFFD: a student's
// text may have them, and dump() would throw.
#pragma once

#include <string>

namespace warpshop {

// `indent`: spaces per level; -1: all on one line.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpshop
