// Escaping text for HTML and XML.
#include "core/markup.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(Markup, NothingOfATextIsTakenForATag) {
  EXPECT_EQ(escaped("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  EXPECT_EQ(escaped("it's"), "it&#39;s");
}

// Char, as defined in https://www.w3.org/TR/xml/#charsets [2]; text is UTF-8.
TEST(Markup, WhatXmlCannotHoldIsReplaced) {
  const std::pair<std::string, const char*> kCases[] = {
      {"\xEF\xBF\xBE", "\uFFFD"},              // U+FFFE
      {"a\xEF\xBF\xBF", "a\uFFFD"},            // U+FFFF
      {"\xEF\xBF\xBD", "\uFFFD"},              // U+FFFD itself
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},  // a surrogate
      {"\xFF<", "\uFFFD&lt;"},
      {"\xC3", "\uFFFD"},            // truncated character
      {"\xC0\xBC", "\uFFFD\uFFFD"},  // '<' encoded in two bytes
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"ä€\U0001F600", "ä€\U0001F600"},
  };
  for (const auto& [bytes, text] : kCases) EXPECT_EQ(escaped(bytes), text);
}

TEST(Markup, ControlCharactersAreReplaced) {
  EXPECT_EQ(escaped("one\r\ntwo\x01\tthree"), "one\ntwo\uFFFD\tthree");
}

}  // namespace
}  // namespace warpshop
