// Finding text in the student's code. No drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

struct SearchOptions {
  bool match_case = false;
  bool whole_word = false;
  bool operator==(const SearchOptions&) const = default;
};

// Byte offsets at which `query` occurs in `text`, without overlaps. Letters outside ASCII match
// only in their own case.
std::vector<size_t> find_all(std::string_view text, std::string_view query, SearchOptions options);

// `text` with these occurrences of a query of `length` bytes replaced.
std::string replace_all(std::string_view text, const std::vector<size_t>& found, size_t length,
                        std::string_view replacement);

}  // namespace warpshop::ui
