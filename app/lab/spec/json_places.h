// Reads JSON keeping the line of every value for messages (the library's own values have no
// positions). Private to the room.
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
  int line = 0;  // where the value starts (for a text or number: where it ends)
  bool flag = false;
  int64_t whole = 0;  // kWhole
  double number = 0;  // kWhole and kNumber
  std::string text = {};
  std::vector<PlacedJson> items = {};
  std::vector<std::pair<std::string, PlacedJson>> members = {};

  const PlacedJson* find(std::string_view key) const;
};

// "a string", "a list", …
std::string_view name_of(PlacedJson::Kind kind);

// Error: file, line, column and what was expected there; a duplicate key in an object.
Result<PlacedJson> parse_json(std::string_view text, const std::string& file);

}  // namespace warpshop::lab
