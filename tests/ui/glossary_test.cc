#include "text/glossary.h"

#include <gtest/gtest.h>

#include <set>

#include "core/files.h"

namespace warpshop::ui {
namespace {

std::vector<GlossaryEntry> shipped() {
  Result<std::string> text =
      read_file(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "docs/GLOSSARY.md");
  return text.ok() ? read_glossary(*text) : std::vector<GlossaryEntry>{};
}

TEST(Glossary, RowsOfAllTablesAreRead) {
  const auto entries = read_glossary(
      "# G\n\n## Memory\n\n| word | meaning |\n|---|---|\n| sector | 32 *bytes*. [NV] |\n| line | "
      "128. |\n\n"
      "## Chip\n\n| word | meaning |\n|---|---|\n| SM | A part. |\n");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].term, "sector");
  EXPECT_EQ(entries[0].meaning, "32 bytes. [NV]");
  EXPECT_EQ(entries[0].section, "Memory");
  EXPECT_EQ(entries[2].section, "Chip");
}

TEST(Glossary, TheTermComesBeforeTheMeaning) {
  const auto entries = shipped();
  ASSERT_GT(entries.size(), 60U);
  EXPECT_EQ(find_entries(entries, "bank").front()->term, "bank");
  EXPECT_EQ(find_entries(entries, "BANK conflict").front()->term, "bank conflict");
  EXPECT_TRUE(find_entries(entries, "flux capacitor").empty());
  EXPECT_EQ(find_entries(entries, "").size(), entries.size());
  // Found by what it means, too.
  const auto by_meaning = find_entries(entries, "unused columns");
  ASSERT_EQ(by_meaning.size(), 1U);
  EXPECT_EQ(by_meaning.front()->term, "padding");
}

TEST(Glossary, ItDefinesTheUnitsThatCountersHave) {
  std::set<std::string> terms;
  for (const GlossaryEntry& entry : shipped()) terms.insert(entry.term);
  for (const char* word : {"request", "sector", "wavefront", "bank", "warp", "lane", "occupancy",
                           "tile", "partition", "replay"}) {
    EXPECT_TRUE(terms.contains(word)) << word;
  }
}

}  // namespace
}  // namespace warpshop::ui
