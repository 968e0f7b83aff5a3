#include "html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../lab/temporary_folder.h"

namespace warpshop::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, MarkdownBeginsBelowThePagesHeadings) {
  const std::string html =
      html_of_markdown("# Goal\n\nA *tile* of `a<b`.\n\n### Deep\n", "Title", 3, {});
  EXPECT_THAT(html, HasSubstr("<h3>Goal</h3>"));
  EXPECT_THAT(html, HasSubstr("<h5>Deep</h5>"));
  EXPECT_THAT(html, HasSubstr("<em>tile</em> of <code>a&lt;b</code>"));
  EXPECT_THAT(html_of_markdown("# Title\n\nText", "Title", 3, {}), Not(HasSubstr("Title")))
      << "the page has the title already";
  EXPECT_THAT(html_of_markdown("###### Six", "", 3, {}), HasSubstr("<h6>Six</h6>"))
      << "there is no h8";
}

TEST(Html, RawHtmlInATextIsText) {
  EXPECT_THAT(html_of_markdown("<script>alert(1)</script>", "", 3, {}), Not(HasSubstr("<script")));
}

TEST(Html, PicturesAreWrittenIntoThePage) {
  const TemporaryFolder folder;
  folder.write("dot.png", "PNG!");
  EXPECT_THAT(html_of_markdown("![a dot](dot.png)", "", 3, folder.path()),
              HasSubstr("<img src=\"data:image/png;base64,UE5HIQ==\" alt=\"a dot\""));
  // The picture has a dark version beside it. Its width comes from the file, which is drawn at
  // 200%.
  std::string png = "\x89PNG\r\n\x1a\n";
  for (const char* hex : {"0000000d4948445200000004000000010802000000765e989a0000000d49444154789c63"
                          "10d1b08123000b9d01e1b34205510000000049454e44ae426082"}) {
    for (const char* at = hex; *at; at += 2)
      png += static_cast<char>(std::stoi(std::string(at, 2), nullptr, 16));
  }
  folder.write("dot.png", png);
  folder.write("dot-dark.png", "DARK");
  const std::string both = html_of_markdown("![a dot](dot.png)", "", 3, folder.path());
  EXPECT_THAT(
      both,
      HasSubstr(
          "<picture><source media=\"screen and (prefers-color-scheme: dark)\" "
          "srcset=\"data:image/png;base64,REFSSw==\"/><img src=\"data:image/png;base64,iVBOR"));
  EXPECT_THAT(both, HasSubstr(" width=\"2\" alt=\"a dot\""));
  EXPECT_THAT(both, HasSubstr("/></picture></p>"));
  // Missing pictures, and pictures on the network or outside the folder, are replaced by their
  // description.
  for (const char* name : {"missing.png", "https://example.org/a.png", "../dot.png", "/dot.png"}) {
    const std::string html =
        html_of_markdown("![a dot](" + std::string(name) + ")", "", 3, folder.path());
    EXPECT_THAT(html, HasSubstr("<em>[a dot]</em>")) << name;
    EXPECT_THAT(html, Not(HasSubstr("<img"))) << name;
  }
}

TEST(Html, LinksInsideTheWindowBecomeWords) {
  const std::string html =
      html_of_markdown("[next](step:pad), [guide](https://example.org/)", "", 3, {});
  EXPECT_THAT(html, HasSubstr("next, <a href=\"https://example.org/\">guide</a>"));
}

TEST(Html, ATablesRowsHaveHeadings) {
  const std::string html = html_of({"C & D", {"name", "count"}, {{"a", "1"}}, {1}});
  EXPECT_THAT(html, HasSubstr("<caption>C &amp; D</caption>"));
  EXPECT_THAT(
      html, HasSubstr("<th scope=\"col\">name</th><th scope=\"col\" class=\"number\">count</th>"));
  EXPECT_THAT(html, HasSubstr("<tr><th scope=\"row\">a</th><td class=\"number\">1</td></tr>"));
}

}  // namespace
}  // namespace warpshop::report
