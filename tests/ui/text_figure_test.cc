// Figures in a lab's text: the addresses of 32 lanes, given by an expression, and their cost.
#include "maps/text_figure.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "lab/lab.h"
#include "lab/translation.h"
#include "text/markdown.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

TEST(TextFigure, MapsAreReadFromTheWordsBehindTheFence) {
  const std::vector<Block> blocks =
      parse_markdown("```map aligned: 4 * lane; offset 13: 4 * (lane + 13)\nletters\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].language, "map");
  EXPECT_EQ(blocks[0].code, "letters");
  const std::optional<TextFigure> figure = read_text_figure(blocks[0].language, blocks[0].words);
  ASSERT_TRUE(figure);
  ASSERT_EQ(figure->accesses.size(), 2u);
  EXPECT_EQ(figure->accesses[0].label, "aligned");
  EXPECT_EQ(figure->accesses[0].cost, 4);  // 128 bytes, aligned to a line: 4 sectors of 32
  EXPECT_EQ(figure->accesses[1].label, "offset 13");
  EXPECT_EQ(figure->accesses[1].cost, 5);  // bytes 52 to 179: sectors 1 to 5
  EXPECT_EQ(figure->accesses[1].ideal, 4);
  ASSERT_TRUE(figure->accesses[1].map);
  EXPECT_EQ(figure->accesses[1].map->rows.size(), 2u);  // in two lines
}

TEST(TextFigure, BanksAreCountedByTheirRule) {
  struct Case {
    const char* words;
    int cost;
  };
  for (const Case& c : {Case{"a row: 4 * lane", 1}, Case{"a column: 128 * lane", 32},
                        Case{"a padded column: 132 * lane", 1},
                        Case{"every second word: 8 * lane", 2}, Case{"one word: 0", 1}}) {
    const std::optional<TextFigure> figure = read_text_figure("banks", c.words);
    ASSERT_TRUE(figure) << c.words;
    EXPECT_EQ(figure->accesses.front().cost, c.cost) << c.words;
    EXPECT_EQ(figure->accesses.front().ideal, 1) << c.words;
  }
}

TEST(TextFigure, WhatCannotBeReadStaysLetters) {
  for (const char* words : {"", "no colon", "a: ", "a: 4 * thread", "a: 4 * lane +",
                            "a: 0 - lane * 4", "a: lane", "a: lane / 3", "a: 4 * lane; b"}) {
    EXPECT_FALSE(read_text_figure("map", words)) << words;
  }
  EXPECT_FALSE(read_text_figure("cuda", "a: 4 * lane"));
  EXPECT_FALSE(read_text_figure("", ""));
}

TEST(TextFigure, ThoseOfTheLabsAreFigures) {
  int figures = 0;
  for (const std::string& language : languages(data_dir())) {
    for (const lab::Lab& lab : lab::load_labs_in(data_dir(), language).labs) {
      for (const lab::Step& step : lab.steps) {
        for (const Block& block : parse_markdown(step.text)) {
          if (block.language != "map" && block.language != "banks") continue;
          ++figures;
          EXPECT_TRUE(read_text_figure(block.language, block.words))
              << language << ": " << lab.id << "/" << step.id << ": " << block.words;
          EXPECT_FALSE(block.code.empty()) << "for the report: " << lab.id << "/" << step.id;
        }
      }
    }
  }
  EXPECT_GE(figures, 3);
}

}  // namespace
}  // namespace warpshop::ui
