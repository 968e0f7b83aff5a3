#include "text/markdown.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

using Kind = Block::Kind;

std::string plain(const std::vector<Inline>& text) {
  std::string out;
  for (const Inline& run : text) out += (run.new_line ? "\n" : "") + run.text;
  return out;
}

TEST(Markdown, HeadingsAndParagraphs) {
  const auto blocks =
      parse_markdown("# One warp\n\nAsks for *32* words,\nat **once**.\n\n## Task\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].kind, Kind::kHeading);
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(plain(blocks[0].text), "One warp");
  EXPECT_EQ(plain(blocks[1].text), "Asks for 32 words, at once.");
  ASSERT_EQ(blocks[1].text.size(), 5u);
  EXPECT_TRUE(blocks[1].text[1].italic);
  EXPECT_EQ(blocks[1].text[1].text, "32");
  EXPECT_TRUE(blocks[1].text[3].bold);
  EXPECT_EQ(blocks[2].level, 2);
}

TEST(Markdown, ListsKeepTheirDepthAndNumbers) {
  const auto blocks = parse_markdown("3. three\n4. four\n   - inner\n\n     more of inner\n");
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].marker, "3.");
  EXPECT_EQ(blocks[1].marker, "4.");
  EXPECT_EQ(blocks[1].level, 0);
  EXPECT_EQ(blocks[2].marker, "•");
  EXPECT_EQ(blocks[2].level, 1);
  EXPECT_TRUE(blocks[3].continues);
  EXPECT_EQ(plain(blocks[3].text), "more of inner");
}

TEST(Markdown, CodeKeepsItsLinesAndLanguage) {
  const auto blocks = parse_markdown("Say `in[i]`:\n\n```cuda\nout[i] =\n    in[i];\n```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_TRUE(blocks[0].text[1].code);
  EXPECT_EQ(blocks[1].kind, Kind::kCode);
  EXPECT_EQ(blocks[1].language, "cuda");
  EXPECT_EQ(blocks[1].code, "out[i] =\n    in[i];");
}

TEST(Markdown, TablesHaveRowsCellsAndAlignment) {
  const auto blocks = parse_markdown("| kernel | GB/s |\n|:---|---:|\n| copy | **112** |\n");
  ASSERT_EQ(blocks.size(), 1u);
  const Block& table = blocks[0];
  EXPECT_EQ(table.kind, Kind::kTable);
  ASSERT_EQ(table.rows.size(), 2u);
  ASSERT_EQ(table.rows[1].size(), 2u);
  EXPECT_TRUE(table.rows[0][0].header);
  EXPECT_EQ(table.rows[0][0].align, -1);
  EXPECT_EQ(table.rows[1][1].align, 1);
  EXPECT_EQ(plain(table.rows[1][1].text), "112");
  EXPECT_TRUE(table.rows[1][1].text[0].bold);
}

TEST(Markdown, LinksBreaksQuotesAndEntities) {
  const auto blocks = parse_markdown("[line 7](line:7)  \nnext &times; 2\n\n> quoted\n\n---\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].text[0].link, "line:7");
  EXPECT_EQ(plain(blocks[0].text), "line 7\nnext × 2");
  EXPECT_EQ(blocks[1].kind, Kind::kQuote);
  EXPECT_EQ(blocks[2].kind, Kind::kRule);
}

TEST(Markdown, HtmlIsTextAndNothingIsLost) {
  const auto blocks = parse_markdown("a <b>bold</b> move, i < n && n > 0");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(plain(blocks[0].text), "a <b>bold</b> move, i < n && n > 0");
  EXPECT_TRUE(parse_markdown("").empty());
}

TEST(Markdown, APictureAloneInItsParagraphIsABlock) {
  const auto blocks = parse_markdown(
      "![32 *lanes*](lanes.png)\n\nSee ![it](it.png) here.\n\n![](bare.png)\n\n- ![in](a.png)\n\n  "
      "b\n");
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(blocks[0].kind, Kind::kPicture);
  EXPECT_EQ(blocks[0].picture, "lanes.png");
  EXPECT_EQ(plain(blocks[0].text), "32 lanes");
  EXPECT_EQ(blocks[1].kind, Kind::kParagraph);
  EXPECT_EQ(plain(blocks[1].text), "See it here.");
  EXPECT_EQ(blocks[2].kind, Kind::kPicture);
  EXPECT_EQ(blocks[2].picture, "bare.png");
  EXPECT_EQ(blocks[3].kind, Kind::kListItem);
  EXPECT_EQ(plain(blocks[3].text), "in");
}

TEST(Markdown, FormulasArePiecesOfTheLine) {
  const auto blocks = parse_markdown("Of $2 n^3$ and `$x$`, *at $a_i$* US$5.");
  ASSERT_EQ(blocks.size(), 1u);
  const std::vector<Inline>& text = blocks[0].text;
  ASSERT_EQ(text.size(), 8u);
  ASSERT_TRUE(text[1].formula);
  EXPECT_EQ(text[1].text, "2 n^3");
  EXPECT_EQ(text[1].formula->children.size(), 2u);
  EXPECT_TRUE(text[3].code);
  EXPECT_EQ(text[3].text, "$x$");
  EXPECT_TRUE(text[6].italic && text[6].formula);
  EXPECT_EQ(text[7].text, " US$5.");
}

TEST(Markdown, ADisplayedFormulaHasABlockOfItsOwn) {
  const auto blocks =
      parse_markdown("At most\n$$\n\\frac{a}{b}\n$$\nbytes.\n\n$$x$$\n\n- one $$y$$\n  more\n");
  ASSERT_EQ(blocks.size(), 7u);
  EXPECT_EQ(plain(blocks[0].text), "At most");
  EXPECT_EQ(blocks[1].kind, Kind::kFormula);
  EXPECT_TRUE(blocks[1].text[0].formula);
  EXPECT_EQ(blocks[2].kind, Kind::kParagraph);
  EXPECT_EQ(plain(blocks[2].text), "bytes.");
  EXPECT_EQ(blocks[3].kind, Kind::kFormula);
  EXPECT_EQ(blocks[4].marker, "•");
  EXPECT_EQ(blocks[5].kind, Kind::kFormula);
  EXPECT_EQ(blocks[5].level, 1);
  EXPECT_TRUE(blocks[6].continues);
  EXPECT_EQ(plain(blocks[6].text), "more");
}

TEST(Markdown, AFormulaThatIsNotUnderstoodIsItsSource) {
  const auto blocks = parse_markdown("a $\\foo$ b\n\n$$\\foo$$");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(plain(blocks[0].text), "a $\\foo$ b");
  EXPECT_TRUE(blocks[0].text[1].code);
  EXPECT_FALSE(blocks[0].text[1].formula);
  EXPECT_EQ(plain(blocks[1].text), "$$\\foo$$");
}

TEST(Markdown, AFormulaInACellStaysInTheLine) {
  const auto blocks = parse_markdown("| a | b |\n|---|---|\n| $$x$$ | $\\frac{a}{b}$ |\n");
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].rows.size(), 2u);
  EXPECT_TRUE(blocks[0].rows[1][0].text[0].formula);
  EXPECT_TRUE(blocks[0].rows[1][1].text[0].formula);
}

TEST(Markdown, TheFirstSectionIsFoundOutsideOfCode) {
  struct Case {
    const char* text;
    size_t at;
  };
  const Case cases[] = {
      {"", std::string::npos},
      {"# Title\n\nText\n", std::string::npos},
      {"# Title\n\n## Your task\n", 9},
      {"## At once", 0},
      {"```\n## no heading\n```\n## Task\n", 22},
      {"### Deeper\n## Task\n", 11},
      {"a ## b\n", std::string::npos},
  };
  for (const Case& c : cases) EXPECT_EQ(first_section(c.text), c.at) << c.text;
}

TEST(PlainText, HasNoMarks) {
  EXPECT_EQ(plain_text("Row `first`, *column* 16 x.\n\nWhich **pitch**?"),
            "Row first, column 16 x.\nWhich pitch?");
}

}  // namespace
}  // namespace warpshop::ui
