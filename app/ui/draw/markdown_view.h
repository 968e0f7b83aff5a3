// Draws Markdown as a page: headings, prose, lists, tables, code.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "text/markdown.h"

namespace warpshop::ui {

inline constexpr const char* kCopyLink = "copy:";

struct MarkdownView {
  std::vector<Block> blocks;
  std::string source;            // that `blocks` was parsed from
  std::filesystem::path folder;  // of its pictures
  bool copies_code = false;      // code blocks get a Copy button
};

// Parses again only if the text has changed. Calls `on_link` with the target of a clicked link, or
// with kCopyLink and the code when a block's Copy button is pressed. `figure` may draw a code block
// as something else, and returns true if it did.
void markdown(MarkdownView& view, const std::string& text,
              const std::function<void(const std::string&)>& on_link,
              const std::function<bool(const Block&)>& figure = {});

// A sentence or two of an author's, in the size and colour of a label: code and formulas as in a
// text.
void markdown_label(const std::string& text, float em, unsigned color);

}  // namespace warpshop::ui
