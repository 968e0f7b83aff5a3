#include "text/markdown.h"

#include <utility>

#include "lab/markdown.h"

namespace warpshop::ui {
namespace {

struct List {
  bool ordered = false;
  int next = 1;
};

struct Reader {
  std::vector<Block> blocks;
  std::vector<List> lists;
  Inline style;
  std::vector<Inline>* into = nullptr;  // where text is appended; null: discarded
  bool in_code = false;
  bool item_open = false;  // in a list item whose marker has not been used yet
  std::string marker;
  int quotes = 0;
  bool in_formula = false;
  std::string formula;
  bool in_picture = false;
  int pictures = 0;     // in the paragraph
  std::string picture;  // the last one's file
  bool beside = false;  // the paragraph also has other text

  void open_text(Block block) {
    blocks.push_back(std::move(block));
    into = &blocks.back().text;
  }

  // In tight lists, an item's text has no paragraph of its own.
  void ensure_block() {
    if (into || in_code) return;
    open_paragraph();
  }

  void open_paragraph() {
    Block block;
    if (!lists.empty()) {
      block.kind = Block::Kind::kListItem;
      block.level = static_cast<int>(lists.size()) - 1;
      block.marker = item_open ? marker : "";
      block.continues = !item_open;
      item_open = false;
    } else if (quotes > 0) {
      block.kind = Block::Kind::kQuote;
      block.level = quotes - 1;
    }
    open_text(std::move(block));
  }

  // A formula is one piece. `$$…$$` gets its own line; text after it continues below.
  void end_formula(bool own_line) {
    in_formula = false;
    Inline piece = style;
    const size_t first = formula.find_first_not_of(' ');
    if (first != std::string::npos)
      piece.text = formula.substr(first, formula.find_last_not_of(' ') - first + 1);
    formula.clear();
    style.new_line = false;
    lab::Formula read = lab::parse_formula(piece.text);
    if (read.ok()) {
      piece.formula = std::make_shared<const lab::FormulaNode>(std::move(read.root));
    } else {  // keep the source as text
      const char* mark = own_line ? "$$" : "$";
      piece.text = mark + piece.text + mark;
      piece.code = true;
    }
    const bool splits = into && (blocks.back().kind == Block::Kind::kParagraph ||
                                 blocks.back().kind == Block::Kind::kListItem ||
                                 blocks.back().kind == Block::Kind::kQuote);
    if (!own_line || !piece.formula || (into && !splits)) {
      ensure_block();
      into->push_back(std::move(piece));
      return;
    }
    // Remove trailing spaces from the line above.
    while (into && !into->empty() && !into->back().formula && into->back().text.ends_with(' ')) {
      into->back().text.pop_back();
      if (into->back().text.empty()) into->pop_back();
    }
    const bool empty = into && into->empty() && blocks.back().marker.empty();
    if (empty) blocks.pop_back();
    Block block;
    block.kind = Block::Kind::kFormula;
    block.level = static_cast<int>(lists.size());
    block.text.push_back(std::move(piece));
    blocks.push_back(std::move(block));
    into = nullptr;
  }

  void add(std::string_view text) {
    if (in_formula) {
      formula += text;
      return;
    }
    beside |= !in_picture && text != " ";
    if (!in_code && !into && text == " " && !blocks.empty() &&
        blocks.back().kind == Block::Kind::kFormula)
      return;
    if (in_code) {
      blocks.back().code += text;
      return;
    }
    ensure_block();
    const bool same = !into->empty() && !style.new_line && !into->back().formula &&
                      into->back().bold == style.bold && into->back().italic == style.italic &&
                      into->back().code == style.code && into->back().link == style.link;
    if (same) {
      into->back().text += text;
    } else {
      into->push_back(style);
      into->back().text = text;
      style.new_line = false;
    }
  }
};

std::string attribute(const MD_ATTRIBUTE& a) { return std::string(a.text, a.size); }

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  Reader& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_BLOCK_H: {
      Block block;
      block.kind = Block::Kind::kHeading;
      block.level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      r.open_text(std::move(block));
      break;
    }
    case MD_BLOCK_P:
      r.open_paragraph();
      r.pictures = 0;
      r.beside = false;
      break;
    case MD_BLOCK_QUOTE:
      ++r.quotes;
      break;
    case MD_BLOCK_UL:
      r.into = nullptr;
      r.lists.push_back({false, 1});
      break;
    case MD_BLOCK_OL:
      r.into = nullptr;
      r.lists.push_back({true, static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)});
      break;
    case MD_BLOCK_LI: {
      List& list = r.lists.back();
      r.marker = list.ordered ? std::to_string(list.next++) + "." : "•";
      r.item_open = true;
      r.into = nullptr;
      break;
    }
    case MD_BLOCK_CODE: {
      Block block;
      block.kind = Block::Kind::kCode;
      block.language = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      block.words = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info);
      block.words.erase(0, std::min(block.words.size(), block.language.size() + 1));
      block.level = static_cast<int>(r.lists.size());
      r.blocks.push_back(std::move(block));
      r.into = nullptr;
      r.in_code = true;
      break;
    }
    case MD_BLOCK_HR: {
      Block block;
      block.kind = Block::Kind::kRule;
      r.blocks.push_back(std::move(block));
      break;
    }
    case MD_BLOCK_TABLE: {
      Block block;
      block.kind = Block::Kind::kTable;
      r.blocks.push_back(std::move(block));
      break;
    }
    case MD_BLOCK_TR:
      r.blocks.back().rows.emplace_back();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: {
      Block::Cell cell;
      cell.header = type == MD_BLOCK_TH;
      const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
      cell.align = align == MD_ALIGN_LEFT ? -1 : align == MD_ALIGN_RIGHT ? 1 : 0;
      r.blocks.back().rows.back().push_back(std::move(cell));
      r.into = &r.blocks.back().rows.back().back().text;
      break;
    }
    default:
      break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  Reader& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_BLOCK_CODE: {
      r.in_code = false;
      std::string& code = r.blocks.back().code;
      while (!code.empty() && code.back() == '\n') code.pop_back();
      break;
    }
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      r.lists.pop_back();
      r.item_open = false;
      break;
    case MD_BLOCK_QUOTE:
      --r.quotes;
      break;
    case MD_BLOCK_P:
      if (r.pictures == 1 && !r.beside && r.into &&
          r.blocks.back().kind == Block::Kind::kParagraph) {
        r.blocks.back().kind = Block::Kind::kPicture;
        r.blocks.back().picture = std::move(r.picture);
      }
      break;
    default:
      break;
  }
  if (type != MD_BLOCK_DOC) r.into = nullptr;
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  Reader& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_SPAN_EM:
      r.style.italic = true;
      break;
    case MD_SPAN_STRONG:
      r.style.bold = true;
      break;
    case MD_SPAN_CODE:
      r.style.code = true;
      break;
    case MD_SPAN_A:
      r.style.link = attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
      break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
      r.in_formula = true;
      break;
    case MD_SPAN_IMG:
      r.in_picture = true;
      ++r.pictures;
      r.picture = attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
      break;
    default:
      break;
  }
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
  Reader& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_SPAN_EM:
      r.style.italic = false;
      break;
    case MD_SPAN_STRONG:
      r.style.bold = false;
      break;
    case MD_SPAN_CODE:
      r.style.code = false;
      break;
    case MD_SPAN_A:
      r.style.link.clear();
      break;
    case MD_SPAN_IMG:
      r.in_picture = false;
      break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
      r.end_formula(type == MD_SPAN_LATEXMATH_DISPLAY);
      break;
    default:
      break;
  }
  return 0;
}

// The named character references common in prose, which md4c passes on undecoded.
std::string entity(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"&amp;", "&"},       {"&lt;", "<"},    {"&gt;", ">"},     {"&quot;", "\""},
      {"&nbsp;", "\u00A0"}, {"&times;", "×"}, {"&le;", "≤"},     {"&ge;", "≥"},
      {"&ndash;", "–"},     {"&mdash;", "—"}, {"&hellip;", "…"}, {"&middot;", "·"}};
  for (const auto& [from, to] : kNames) {
    if (name == from) return std::string(to);
  }
  return std::string(name);
}

int on_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  Reader& r = *static_cast<Reader*>(user);
  switch (type) {
    case MD_TEXT_BR:
      r.style.new_line = true;
      break;
    case MD_TEXT_SOFTBR:
      r.add(" ");
      break;
    case MD_TEXT_ENTITY:
      r.add(entity({text, size}));
      break;
    case MD_TEXT_NULLCHAR:
      r.add("\uFFFD");
      break;
    default:
      r.add({text, size});
      break;
  }
  return 0;
}

}  // namespace

std::vector<Block> parse_markdown(std::string_view text) {
  Reader reader;
  MD_PARSER parser{};
  parser.flags = lab::kMarkdownFlags;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = on_text;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &reader);
  return std::move(reader.blocks);
}

std::string plain_text(std::string_view markdown) {
  std::string out;
  for (const Block& block : parse_markdown(markdown)) {
    if (!out.empty()) out += "\n";
    for (const Inline& run : block.text) out += run.text;
    out += block.code;
  }
  return out;
}

size_t first_section(std::string_view text) {
  bool code = false;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("```")) code = !code;
    if (!code && rest.starts_with("## ")) return at;
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return std::string_view::npos;
}

}  // namespace warpshop::ui
