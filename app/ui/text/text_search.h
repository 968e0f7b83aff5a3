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

// Where `query` begins in `text`, in bytes; occurrences do not overlap. Letters beyond ASCII match
// in their own case only.
std::vector<size_t> find_all(std::string_view text, std::string_view query, SearchOptions options);

// `text` with each of these occurrences of a query of `length` bytes replaced.
std::string replace_all(std::string_view text, const std::vector<size_t>& found, size_t length,
                        std::string_view replacement);

}  // namespace warpshop::ui
