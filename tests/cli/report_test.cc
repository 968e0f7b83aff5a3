#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace warpshop::cli {
namespace {

using testing::HasSubstr;

// Problems found in the page; empty if there are none.
std::string problems_of(const Program& program, const std::string& page) {
  const std::string command = "python3 -B '" + std::string(WARPSHOP_TESTS_DIR) +
                              "/cli/page_check.py' '" + program.path() + "/" + page + "' >'" +
                              program.path() + "/problems' 2>&1";
  const int status = std::system(command.c_str());
  const std::string out = program.folder().read("problems");
  return status == 0 ? std::string() : "problems:\n" + out;
}

// Not a matcher, since a page is too long to print when a test fails.
bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

TEST(Report, ThePageIsWellFormedAloneAndSpeaksForItsPictures) {
  const Program program;
  for (const char* gpu : {"h200", "k40c", "gtx-280", "8800-gt"}) {
    const Outcome outcome =
        program.run("report fixture --start -o page.html --gpu " + std::string(gpu));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(problems_of(program, "page.html"), "") << gpu;
  }
}

// The handout of a lecture has its words, its picture and its number; the speaker's notes only on
// request.
TEST(Report, ALectureIsAHandout) {
  const Program program;
  program.folder().write("data/labs/fixture/INSTRUCTOR.md", "# For those who teach\n");
  program.folder().write("data/labs/fixture/demo.toml", R"(format = 1
title = "A lecture"
[[scene]]
title = "Far apart"
step = "scale"
kernel = "start"
say = "Lanes & their sectors."
ask = "How many?"
answer = "Thirty-two."
notes = "Wait for **three** hands."
minutes = 2
show = "transactions"
[[scene]]
title = "In numbers"
step = "scale"
kernel = "start"
say = "One number."
show = "number"
number = "global_load_sectors / global_load_requests"
unit = "sectors per load"
)");
  ASSERT_EQ(program.run("report fixture --lecture -o page.html").status, 0);
  const std::string page = program.folder().read("page.html");
  EXPECT_EQ(problems_of(program, "page.html"), "");
  for (const char* words : {"Far apart", "Lanes &amp; their sectors.", "How many?", "Thirty-two.",
                            "<svg", "32 sectors per load", "__global__"})
    EXPECT_TRUE(has(page, words)) << words;
  for (const char* words : {"three", "2 minutes", "For those who teach"})
    EXPECT_FALSE(has(page, words)) << words;
  ASSERT_EQ(program.run("report fixture --lecture --notes -o page.html").status, 0);
  const std::string notes = program.folder().read("page.html");
  EXPECT_EQ(problems_of(program, "page.html"), "");
  for (const char* words : {"<strong>three</strong>", "2 minutes", "For those who teach"})
    EXPECT_TRUE(has(notes, words)) << words;
  // One step has no lecture, and a lab may have none.
  EXPECT_NE(program.run("report fixture/scale --lecture").status, 0);
  EXPECT_NE(program.run("report fixture --notes").status, 0) << "notes of what?";
}

// What a notebook shows: tests/python/checks_test.py has the rest.
TEST(Report, ARunIsAPieceOfHtmlForOthersPages) {
  const Program program;
  ASSERT_EQ(program.run("check fixture/scale --start --html piece.html").status, 1);
  const std::string piece = program.folder().read("piece.html");
  EXPECT_TRUE(piece.starts_with("<div class=\"warpshop\" id=\"warpshop-")) << piece.substr(0, 80);
  EXPECT_TRUE(piece.ends_with("</div>\n"));
  for (const char* words : {"✗ fixture/scale: ", "<svg", "reference", "sectors for one load"})
    EXPECT_TRUE(has(piece, words)) << words;
  // In a page it breaks nothing, and the page's own checker is content.
  program.folder().write(
      "page.html", "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">" + piece + "</html>");
  EXPECT_EQ(problems_of(program, "page.html"), "");
  EXPECT_EQ(program.run("check fixture/scale --start --html piece.html/inside").status, 3)
      << "a file is no folder";

  program.folder().write("k.cu", "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n");
  const std::string run = "run k.cu --kernel k --block 33 --arg i32[32] --html piece.html";
  ASSERT_EQ(program.run(run).status, 1);
  const std::string own = program.folder().read("piece.html");
  for (const char* words : {"✗ k: completed, 1 error", "out-of-bounds", "p[threadIdx.x] = 1;"})
    EXPECT_TRUE(has(own, words)) << words;
  EXPECT_FALSE(has(own, "reference")) << "there is none";

  program.folder().write("k.cu", "__global__ void k() { wrong; }\n");
  ASSERT_EQ(program.run("run k.cu --kernel k --html piece.html").status, 2);
  const std::string broken = program.folder().read("piece.html");
  EXPECT_TRUE(has(broken, "identifier &quot;wrong&quot; is undefined"));
  program.folder().write("page.html", "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">" +
                                          broken + "</html>");
  EXPECT_EQ(problems_of(program, "page.html"), "");
}

TEST(Report, TheCheckerOfPagesSeesWhatIsWrong) {
  const Program program;
  struct Case {
    const char* what;
    std::string from, to, said;
  };
  const Case cases[] = {
      {"a tag that does not close", "</main>", "", "mismatched tag"},
      {"a picture from the network", "<header>",
       "<header><img alt=\"x\" src=\"https://example.org/x.png\"/>", "needs another file"},
      {"a script", "<header>", "<header><script></script>", "no place"},
      {"a picture without a title", "role=\"img\"", "role=\"none\"", "no title"},
      {"a link into nothing", "href=\"#scale\"", "href=\"#scald\"", "leads nowhere"},
      {"a style from elsewhere", "url(#waste)", "url(https://example.org)", "the style needs"},
      {"a heading that skips", "<h3>", "<h5>", "mismatched tag"},
  };
  ASSERT_EQ(program.run("report fixture --start -o page.html").status, 0);
  const std::string page = program.folder().read("page.html");
  for (const Case& c : cases) {
    program.folder().write("bad.html", with(page, c.from, c.to));
    EXPECT_THAT(problems_of(program, "bad.html"), HasSubstr(c.said)) << c.what;
  }
}

TEST(Report, ALabsWordsAreTextWhateverTheyHold) {
  const Program program;
  const std::string lab = "data/labs/fixture/lab.toml";
  const std::string words = "A & B <script>alert(1)</script>";
  std::string text =
      with(program.folder().read(lab), "title = \"Fixture\"", "title = \"" + words + "\"");
  const size_t summary = text.find("summary = \"");
  ASSERT_NE(summary, std::string::npos);
  text.insert(summary + 11, words + " ");
  program.folder().write(lab, text);
  ASSERT_EQ(program.run("report fixture --start -o page.html").status, 0);
  EXPECT_EQ(problems_of(program, "page.html"), "");
  const std::string page = program.folder().read("page.html");
  EXPECT_TRUE(has(page, "<h1>A &amp; B &lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_TRUE(has(page, "Content-Security-Policy\" content=\"default-src 'none'"))
      << "and if it were markup, it would not run";
}

TEST(Report, ItHoldsTheWorkAndWhatWasFound) {
  const Program program;
  const Outcome outcome = program.run(
      "report fixture/scale --file data/solutions/fixture/wrong/past-the-end.cu -o - --author 'A "
      "<B>'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "A &lt;B&gt; · rules of NVIDIA H200"));
  EXPECT_TRUE(has(outcome.out, "<code>  out[i] = 2.0f * in[i];</code>"));
  EXPECT_TRUE(
      has(outcome.out, "<a href=\"#scale-line-3\">line 3</a>: <strong>out-of-bounds</strong>"));
  EXPECT_TRUE(has(outcome.out, "✗ Not all checks pass."));
  EXPECT_FALSE(has(outcome.out, "What there is to know")) << "only the step that was asked for";
}

TEST(Report, AnExperimentAfterThePassDoesNotSpoilIt) {
  const Program program;
  const std::string passing = program.folder().read("data/solutions/fixture/scale.cu");
  program.folder().write("home/passed/fixture/scale.cu", passing);
  program.folder().write("home/work/fixture/scale.cu",
                         "// only trying\n" + program.run("labs --skeleton fixture/scale").out);
  program.folder().write("home/progress.json",
                         R"({"version": 1, "steps": {"fixture/scale": {"passed": true, )"
                         R"("version_passed_at": "2026-03-04T05:06:07Z"}}})");
  const std::string page = program.run("report fixture -o -").out;
  EXPECT_TRUE(
      has(page, "The last version that passed, on 2026-03-04 (the text has been changed since)"));
  EXPECT_TRUE(has(page, "✓ All checks pass."));
  EXPECT_FALSE(has(page, "only trying"));
  // The other exercise was never touched, which is not a failure.
  EXPECT_TRUE(has(page, "– not started"));
  EXPECT_FALSE(has(page, "✗ fails"));
  program.folder().write("page.html", page);
  EXPECT_EQ(problems_of(program, "page.html"), "");
}

TEST(Report, AMapSaysWhatTheModelsSay) {
  const Program program;
  // 16 blocks, lanes 64 bytes apart. On an H200 each lane has a sector of its own. On a GTX 280 a
  // half-warp spans 8 segments of 128 bytes, and two lanes keep each from being halved: 16 for the
  // warp.
  const std::string h200 = program.run("report fixture/scale --start -o -").out;
  EXPECT_TRUE(has(h200, "32 sectors for one load of a warp"));
  EXPECT_TRUE(has(h200, "1,024 bytes moved, 128 of them used, at best 128 moved"));
  EXPECT_TRUE(has(
      h200,
      "<td>0x700000000000</td><td class=\"number\">32</td><td class=\"number\">4</td><td>0</td>"));
  const std::string tesla = program.run("report fixture/scale --start -o - --gpu gtx-280").out;
  EXPECT_TRUE(has(tesla, "16 transactions for one load of a warp: 2,048 bytes moved"));
  program.folder().write(
      "t.cu", with(program.folder().read("data/kernels/fixture/transpose.cu"), "[33]", "[32]"));
  const std::string banks = program.run("report fixture/transpose --file t.cu -o -").out;
  EXPECT_TRUE(has(banks, "32 wavefronts for one load of shared memory"));
  EXPECT_TRUE(has(banks, "the busiest bank has 32 different words to deliver"));
}

TEST(Report, WrongElementsArePicturedAndListed) {
  const Program program;
  const std::string out =
      program.run("report fixture/scale --file data/solutions/fixture/wrong/off-by-one.cu -o -")
          .out;
  EXPECT_TRUE(has(out, "1 of 4,096 elements of out are wrong"));
  EXPECT_TRUE(has(out, "out[4,095]: got never written"));
}

TEST(Report, AnswersAreSharedOnlyOnceGiven) {
  const Program program;
  const std::string before = program.run("report fixture/reading -o -").out;
  EXPECT_TRUE(has(before, "How many bytes has a sector?"));
  EXPECT_FALSE(has(before, "✓ right"));
  EXPECT_FALSE(has(before, "A line of 128 bytes has four sectors."));
  program.folder().write("home/progress.json",
                         R"({"version": 1, "steps": {"fixture/reading": {"answers": {"0": 2}}}})");
  const std::string after = program.run("report fixture/reading -o -").out;
  EXPECT_TRUE(has(after, "128 <strong>(your answer)</strong> <span class=\"poor\">✗</span>"));
  EXPECT_TRUE(has(after, "32 <span class=\"good\">✓ right</span>"));
  EXPECT_TRUE(has(after, "A line of 128 bytes has four sectors."));
}

TEST(Report, WrongUseIsSaid) {
  const Program program;
  EXPECT_EQ(program.run("report nowhere").status, 2);
  EXPECT_THAT(program.run("report nowhere").err, HasSubstr("fixture"));
  EXPECT_EQ(program.run("report fixture --file x.cu").status, 2) << "a file is for one step";
  EXPECT_EQ(program.run("report fixture/scale --file missing.cu").status, 2);
  EXPECT_EQ(program.run("report fixture -o data/labs/fixture/lab.toml/x.html").status, 3);
  EXPECT_EQ(program.run("report fixture/scale").status, 0);
  EXPECT_THAT(program.folder().read("fixture-report.html"), HasSubstr("</html>"));
}

}  // namespace
}  // namespace warpshop::cli
