#include "text/text_search.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(TextSearch, FindsAndReplaces) {
  struct Case {
    const char *text, *query;
    SearchOptions options;
    std::vector<size_t> found;
    const char* replaced;  // with "#"
  };
  const Case cases[] = {
      {"in[i] = In", "in", {}, {0, 8}, "#[i] = #"},
      {"in[i] = In", "in", {.match_case = true}, {0}, "#[i] = In"},
      {"in int in", "in", {.whole_word = true}, {0, 7}, "# int #"},
      {"aaaa", "aa", {}, {0, 2}, "##"},
      {"_in in_", "in", {.whole_word = true}, {}, "_in in_"},
      {"a", "", {}, {}, "a"},
      {"", "a", {}, {}, ""},
      {"größe = Größe", "größe", {}, {0, 10}, "# = #"},
  };
  for (const Case& c : cases) {
    const std::vector<size_t> found = find_all(c.text, c.query, c.options);
    EXPECT_EQ(found, c.found) << c.text << " / " << c.query;
    EXPECT_EQ(replace_all(c.text, found, std::string_view(c.query).size(), "#"), c.replaced)
        << c.text;
  }
}

}  // namespace
}  // namespace warpshop::ui
