// Text into HTML and XML.
#include "core/markup.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(Markup, NothingOfATextIsTakenForATag) {
  EXPECT_EQ(escaped("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  EXPECT_EQ(escaped("it's"), "it&#39;s");
}

TEST(Markup, ControlCharactersAreReplaced) { EXPECT_EQ(escaped("one\r\ntwo\x01\tthree"), "one\ntwo\uFFFD\tthree"); }

}  // namespace
}  // namespace warpshop
