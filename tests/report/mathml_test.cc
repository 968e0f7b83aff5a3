#include "mathml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "html.h"

namespace warpshop::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Elements are closed in order, attributes are quoted, and "<" and "&" appear nowhere else.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = 0; at < xml.size(); ++at) {
    if (xml[at] == '&' && xml.find(';', at) > at + 6) return false;
    if (xml[at] != '<') continue;
    size_t end = at + 1;
    bool quoted = false;
    for (; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '<') return false;
      quoted ^= xml[end] == '"';
    }
    if (end >= xml.size()) return false;
    const std::string inside = xml.substr(at + 1, end - at - 1);
    const std::string name = inside.substr(0, inside.find(' '));
    if (inside[0] == '/') {
      if (open.empty() || open.back() != inside.substr(1)) return false;
      open.pop_back();
    } else if (inside.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty();
}

TEST(MathMl, PartsBecomeElements) {
  const struct {
    const char* tex;
    const char* inside;
  } cases[] = {
      {"n", "<mi>n</mi>"},
      {"2 n^3", "<mrow><mn>2</mn><msup><mi>n</mi><mn>3</mn></msup></mrow>"},
      {"x_i", "<msub><mi>x</mi><mi>i</mi></msub>"},
      {"x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"},
      {"\\frac{a+b}{2}", "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>"},
      {"\\sqrt x", "<msqrt><mi>x</mi></msqrt>"},
      {"\\sum_{i=0}^{31} a",
       "<mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mn>31</mn></"
       "munderover><mi>a</mi></mrow>"},
      {"\\text{bytes < 4 \\& \"x\"}", "<mtext>bytes &lt; 4 &amp; &quot;x&quot;</mtext>"},
      {"\\mathrm{GB}", "<mi mathvariant=\"normal\">GB</mi>"},
      {"a < b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"},
      {"\\lceil x \\rceil",
       "<mrow><mo stretchy=\"false\">⌈</mo><mi>x</mi><mo stretchy=\"false\">⌉</mo></mrow>"},
      {"\\left( x \\right.",
       "<mrow><mo fence=\"true\" stretchy=\"true\" form=\"prefix\">(</mo><mi>x</mi></mrow>"},
      {"a\\,b", "<mrow><mi>a</mi><mspace width=\"0.167em\"/><mi>b</mi></mrow>"},
      {"a^{}", "<mi>a</mi>"},
  };
  for (const auto& c : cases) {
    const std::string out = mathml(c.tex, false);
    EXPECT_THAT(out, HasSubstr(c.inside)) << c.tex;
    EXPECT_TRUE(is_well_formed(out)) << out;
    EXPECT_THAT(out, testing::StartsWith("<math alttext=\""));
    EXPECT_TRUE(is_well_formed(mathml(c.tex, true)));
  }
  EXPECT_THAT(mathml("a < b", true),
              testing::StartsWith("<math display=\"block\" alttext=\"a &lt; b\">"));
}

TEST(MathMl, AFormulaThatIsNotUnderstoodIsItsSource) {
  EXPECT_EQ(mathml("\\foo < 2", false), "<code>$\\foo &lt; 2$</code>");
  EXPECT_EQ(mathml("\\foo", true), "<code>$$\\foo$$</code>");
}

TEST(MathMl, FormulasOfATextAreInThePage) {
  const std::string html = html_of_markdown(
      "Is $a < b \\text{\"c\"}$?\n\n$$\n\\frac{a}{b}\n$$\n\nNot `$x$` nor US$5.", "", 3, {});
  EXPECT_TRUE(is_well_formed(html)) << html;
  EXPECT_THAT(html, Not(HasSubstr("x-equation")));
  EXPECT_THAT(html, HasSubstr("Is <math alttext=\"a &lt; b \\text{&quot;c&quot;}\""));
  EXPECT_THAT(html, HasSubstr("<math display=\"block\" alttext=\"\\frac{a}{b}\""));
  EXPECT_THAT(html, HasSubstr("<mfrac><mi>a</mi><mi>b</mi></mfrac>"));
  EXPECT_THAT(html, HasSubstr("Not <code>$x$</code> nor US$5."));
}

}  // namespace
}  // namespace warpshop::report
