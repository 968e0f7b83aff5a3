// Parses Markdown into plain blocks. Grammar: CommonMark
// with tables and formulas, as parsed by md4c.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/formula.h"

namespace warpshop::ui {

struct Inline {
  std::string text;
  bool bold = false;
  bool italic = false;
  bool code = false;
  bool new_line = false;  // a hard line break before the text
  std::string link;       // empty: none
  // If set, `text` is its source. A formula that cannot be parsed is `code`.
  std::shared_ptr<const lab::FormulaNode> formula;
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
  // Heading: 1 to 6; list item and quote: depth from
  // 0; formula: that of the enclosing list, from 1.
  int level = 0;
  std::string marker;      // list item: "•" or "3."
  bool continues = false;  // list item: a further paragraph of the item above
  // Of headings, paragraphs, items and quotes; of a formula on a line of its own, the formula.
  std::vector<Inline> text;
  std::string code;      // without the last newline
  std::string language;  // "cuda"
  std::string picture;   // the file; `text` is its description
  std::string words;     // after the language, on the same line
  struct Cell {
    std::vector<Inline> text;
    int align = 0;  // -1 left, 0 centre or default, 1 right
    bool header = false;
  };
  std::vector<std::vector<Cell>> rows;  // of tables, header first
};

std::vector<Block> parse_markdown(std::string_view text);

// The words alone, a line for each block: for a tooltip.
std::string plain_text(std::string_view markdown);

// Offset of the first heading of level 2 ("## Your task"); npos if there is none. Ignores code.
size_t first_section(std::string_view text);

}  // namespace warpshop::ui
