// Markdown drawn as a page: headings, prose, lists, tables, code.
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
  std::string source;            // of `blocks`
  std::filesystem::path folder;  // where its pictures are
  bool copies_code =
      false;  // blocks of code offer it: `on_link` is then called with kCopyLink and the code
};

// Parses again only when the text has changed. `on_link` is called with a link's target when
// clicked. `figure` may draw a block of code as something else: true where it did.
void markdown(MarkdownView& view, const std::string& text,
              const std::function<void(const std::string&)>& on_link,
              const std::function<bool(const Block&)>& figure = {});

}  // namespace warpshop::ui
