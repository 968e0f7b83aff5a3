// JSON read with the line of every value, so that a wrong one can be named. (The library's own
// values know no places.) Private to the room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace warpshop::lab {

struct PlacedJson {
  enum class Kind : uint8_t { kNull, kFlag, kWhole, kNumber, kText, kList, kObject };
  Kind kind = Kind::kNull;
  int line = 0;  // where the value begins (of a text or number: where it ends)
  bool flag = false;
  int64_t whole = 0;  // kWhole
  double number = 0;  // kWhole and kNumber
  std::string text = {};
  std::vector<PlacedJson> items = {};
  std::vector<std::pair<std::string, PlacedJson>> members = {};

  const PlacedJson* find(std::string_view key) const;
};

// "a text", "a list", …
std::string_view name_of(PlacedJson::Kind kind);

// Error: file, line, column and what was expected there; a key that stands twice in an object.
Result<PlacedJson> parse_json(std::string_view text, const std::string& file);

}  // namespace warpshop::lab
