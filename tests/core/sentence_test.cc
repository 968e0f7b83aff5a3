#include "core/sentence.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace warpshop {
namespace {

// A language with few sentences, in which 0 is singular and the decimal separator is a comma.
class Few final : public Phrases {
 public:
  std::string_view text(std::string_view english) const override {
    const auto found = texts_.find(english);
    return found == texts_.end() ? english : found->second;
  }
  std::string_view counted(uint64_t count, std::string_view one,
                           std::string_view more) const override {
    return text(count <= 1 ? one : more);
  }
  std::string number(std::string_view english) const override {
    std::string out(english);
    for (char& c : out) c = c == '.' ? ',' : c;
    return out;
  }

 private:
  std::map<std::string_view, std::string_view> texts_ = {
      {"{access} of {bytes} at {place}", "{place}: {access}, {bytes}"},
      {"read", "LESEN"},
      {"{count} byte", "{count} BYTE"},
      {"{count} bytes", "{count} BYTES"},
      {"It is late.", "ES IST SPÄT."},
  };
};

TEST(Sentence, IsEnglishForTheTerminalAndInAnyLanguageForTheWindow) {
  const auto say = [](uint64_t bytes) {
    return sentence("{access} of {bytes} at {place}",
                    {{"access", sentence("read")},
                     {"bytes", counted(bytes, "{count} byte", "{count} bytes")},
                     {"place", "0x10"}});
  };
  struct Case {
    Sentence said;
    const char* english;
    const char* other;
  };
  const Case cases[] = {
      {say(4), "read of 4 bytes at 0x10", "0x10: LESEN, 4 BYTES"},
      {say(1), "read of 1 byte at 0x10", "0x10: LESEN, 1 BYTE"},
      {say(0), "read of 0 bytes at 0x10", "0x10: LESEN, 0 BYTE"},
      {decimal(2.5, 2), "2.50", "2,50"},
      {number("1.5"), "1.5", "1,5"},
      {"0x10.5", "0x10.5", "0x10.5"},  // a name, not a number
      {sentence("not {known} there", {{"known", 3}}), "not 3 there", "not 3 there"},
      {sentence("It is late.").then(decimal(0.5, 1)), "It is late. 0.5", "ES IST SPÄT. 0,5"},
      {Sentence().then(sentence("It is late."), "; "), "It is late.", "ES IST SPÄT."},
      {sentence("It is late.").then({}, "; "), "It is late.", "ES IST SPÄT."},
      {sentence("read").then("x", ", ").then(decimal(1.5, 1), "; "), "read, x; 1.5",
       "LESEN, x; 1,5"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.said.english(), c.english);
    EXPECT_EQ(c.said.in(Few()), c.other);
  }
}

TEST(Sentence, IsReadLikeAString) {
  const Sentence said = sentence("{n} lanes", {{"n", 3}});
  const std::string copy = said;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy, "3 lanes");
  EXPECT_EQ(said, "3 lanes");
  EXPECT_EQ(std::string_view(said).size(), 7u);
  EXPECT_EQ("at " + said, "at 3 lanes");
  EXPECT_EQ(said + std::string("!"), "3 lanes!");
  EXPECT_EQ(said + said, "3 lanes3 lanes");
  std::ostringstream out;
  out << said;
  EXPECT_EQ(out.str(), "3 lanes");
  EXPECT_TRUE(Sentence().empty());
}

TEST(Sentence, PlacesAreFilledOnceAndOthersStay) {
  EXPECT_EQ(fill_places("{a} {b} {a}", {{"a", "{b}"}, {"b", "2"}}), "{b} 2 {b}");
  EXPECT_EQ(fill_places("{} { a} {0} {A} {a", {{"a", "1"}, {"", "2"}}), "{} { a} {0} {A} {a");
  EXPECT_EQ(fill_places("{{a}}", {{"a", "1"}}), "{1}");
  EXPECT_EQ(fill_places("", {{"a", "1"}}), "");
}

}  // namespace
}  // namespace warpshop
