// Text into HTML. What is written is well-formed XML, too.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/markup.h"

namespace warpshop::report {

// Markdown (CommonMark with tables) as HTML. Headings begin at `top_heading`; a first heading that
// only repeats `title` is left out. Pictures are read from `folder` and written into the page.
std::string html_of_markdown(std::string_view markdown, std::string_view title, int top_heading,
                             const std::filesystem::path& folder);

// A table with a caption. The first column of each row is its heading; columns listed in `numbers`
// are aligned to the right. Cells are HTML.
struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<size_t> numbers;
};
std::string html_of(const Table& table);

}  // namespace warpshop::report
