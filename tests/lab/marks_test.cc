#include "lab/marks.h"

#include <gtest/gtest.h>

namespace warpshop::lab {
namespace {

struct SplitCase {
  const char* name;
  const char* marked;
  const char* solution;
  const char* skeleton;
};

TEST(Marks, OneFileGivesSolutionAndSkeleton) {
  const SplitCase kCases[] = {
      {.name = "replaced",
       .marked = "a\n  //! begin\n  good();\n  //! instead\n  //! bad();\n  //! end\nb\n",
       .solution = "a\n  good();\nb\n",
       .skeleton = "a\n  bad();\nb\n"},
      {.name = "removed",
       .marked = "a\n//! begin\ngood();\n//! end\nb\n",
       .solution = "a\ngood();\nb\n",
       .skeleton = "a\nb\n"},
      {.name = "added_only_in_the_skeleton",
       .marked = "//! begin\n//! instead\n//! // your code\n//! end\nb\n",
       .solution = "b\n",
       .skeleton = "// your code\nb\n"},
      {.name = "two_blocks_and_an_empty_line",
       .marked = "//! begin\nx\n//! instead\n//!\n//! end\nm\n//! begin\ny\n//! instead\n//! "
                 "z\n//! end\n",
       .solution = "x\nm\ny\n",
       .skeleton = "\nm\nz\n"},
      {.name = "text_keeps_its_own_spaces",
       .marked = "  //! begin\n  x\n  //! instead\n  //!   deeper\n  //! end\n",
       .solution = "  x\n",
       .skeleton = "    deeper\n"},
      {.name = "no_newline_at_the_end",
       .marked = "//! begin\nx\n//! instead\n//! y\n//! end\nlast",
       .solution = "x\nlast",
       .skeleton = "y\nlast"},
      {.name = "plain_comments_are_kept",
       .marked = "// note\n//! begin\nx  // why\n//! end\n",
       .solution = "// note\nx  // why\n",
       .skeleton = "// note\n"},
  };
  for (const SplitCase& c : kCases) {
    const Result<MarkedText> split = split_marks(c.marked, "s.cu");
    ASSERT_TRUE(split.ok()) << c.name << ": " << render(split.errors());
    EXPECT_EQ(split->solution, c.solution) << c.name;
    EXPECT_EQ(split->skeleton, c.skeleton) << c.name;
  }
}

struct BadCase {
  const char* name;
  const char* marked;
  std::vector<int> lines;  // of the errors, in order
};

TEST(Marks, UnbalancedMarksAreNamedByLine) {
  const BadCase kCases[] = {
      {"none", "a\nb\n", {1}},
      {"no_end", "a\n//! begin\nb\n", {2}},
      {"no_begin", "a\n//! end\n", {2}},
      {"instead_alone", "//! instead\n//! x\n//! end\n", {1}},
      {"begin_in_begin", "//! begin\n//! begin\n//! end\n", {2}},
      {"two_insteads", "//! begin\n//! instead\n//! instead\n//! end\n", {3}},
      {"bare_line_after_instead", "//! begin\n//! instead\nx\n//! end\n", {3}},
      {"unknown", "//! begin\n//! beginn\n//! end\n", {2}},
      {"all_at_once", "//! end\n//! begin\n//! begin\nx\n", {1, 3, 3}},
  };
  for (const BadCase& c : kCases) {
    const Result<MarkedText> split = split_marks(c.marked, "s.cu");
    ASSERT_FALSE(split.ok()) << c.name;
    std::vector<int> lines;
    for (const Diagnostic& error : split.errors()) {
      EXPECT_EQ(error.place.file, "s.cu");
      lines.push_back(error.place.line);
    }
    EXPECT_EQ(lines, c.lines) << c.name << "\n" << render(split.errors());
  }
}

}  // namespace
}  // namespace warpshop::lab
