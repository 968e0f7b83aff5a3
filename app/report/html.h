// Converts text to HTML that is also well-formed XML.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/markup.h"

namespace warpshop::report {

// Markdown (CommonMark with tables) as HTML. Headings start at `top_heading`; omits a first heading
// that only repeats `title`. Embeds pictures from `folder`.
std::string html_of_markdown(std::string_view markdown, std::string_view title, int top_heading,
                             const std::filesystem::path& folder);

// A table with a caption. The first cell of each row is its heading; columns listed in `numbers`
// are right-aligned. Cells are HTML.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<size_t> numbers;
};
std::string html_of(const Table& table);

}  // namespace warpshop::report
