// Markdown read into plain blocks. Source of the grammar: CommonMark with tables and formulas, by
// md4c.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/formula.h"

namespace warpshop::ui {

struct Inline {
  std::string text;
  bool bold = false;
  bool italic = false;
  bool code = false;
  bool new_line = false;  // a hard line break stands before the text
  std::string link;       // empty: none
  std::shared_ptr<const FormulaNode>
      formula;  // then `text` is its source; one that is not understood is `code`
};

struct Block {
  enum class Kind {
    kHeading,
    kParagraph,
    kListItem,
    kCode,
    kQuote,
    kTable,
    kRule,
    kFormula,
    kPicture
  };
  Kind kind = Kind::kParagraph;
  int level = 0;  // heading: 1 to 6; list item and quote: depth from 0; formula: of the list around
                  // it, from 1
  std::string marker;      // list item: "•" or "3."
  bool continues = false;  // list item: a further paragraph of the item above
  std::vector<Inline>
      text;              // of headings, paragraphs, items, quotes; the formula of a line of its own
  std::string code;      // without the last line end
  std::string language;  // "cuda"
  std::string picture;   // the file; `text` is its description
  std::string words;     // behind the language in the same line
  struct Cell {
    std::vector<Inline> text;
    int align = 0;  // -1 left, 0 centre or default, 1 right
    bool header = false;
  };
  std::vector<std::vector<Cell>> rows;  // of tables, header first
};

std::vector<Block> parse_markdown(std::string_view text);

// Where the first heading of level 2 begins ("## Your task"); npos without one. Code is passed
// over.
size_t first_section(std::string_view text);

}  // namespace warpshop::ui
