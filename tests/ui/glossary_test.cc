#include "text/glossary.h"

#include <gtest/gtest.h>

#include <set>

#include "core/files.h"
#include "text/metrics.h"

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
  // The meaning is searched as well.
  const auto by_meaning = find_entries(entries, "unused columns");
  ASSERT_EQ(by_meaning.size(), 1U);
  EXPECT_EQ(by_meaning.front()->term, "padding");
}

TEST(Glossary, AWordOfTheCodeIsFoundAsItIsWritten) {
  const auto entries = shipped();
  for (const char* word : {"threadIdx", "__syncthreads", "atomicMax", "__any_sync", "float4"}) {
    const GlossaryEntry* entry = entry_of_word(entries, word);
    ASSERT_NE(entry, nullptr) << word;
    EXPECT_EQ(entry->section, "Words of CUDA C++");
  }
  EXPECT_EQ(entry_of_word(entries, "threadidx"), nullptr);
  EXPECT_EQ(entry_of_word(entries, "sync"), nullptr);
  EXPECT_EQ(entry_of_word(entries, ""), nullptr);
}

// Row for row and section for section, with the same text in code and in brackets.
TEST(Glossary, OtherLanguagesHaveTheSameRows) {
  const std::filesystem::path source = WARPSHOP_SOURCE_DIR;
  const auto english = shipped();
  const auto sections = [](const std::vector<GlossaryEntry>& entries) {
    std::vector<size_t> counts;
    for (size_t n = 0; n < entries.size(); ++n) {
      if (n == 0 || entries[n].section != entries[n - 1].section) counts.push_back(0);
      ++counts.back();
    }
    return counts;
  };
  int languages = 0;
  for (const auto& file : std::filesystem::directory_iterator(source / "assets/text")) {
    const std::string name = file.path().filename();
    if (!name.ends_with(".glossary.md")) continue;
    ++languages;
    const auto entries = load_glossary(source, name.substr(0, name.find('.')));
    ASSERT_EQ(entries.size(), english.size()) << name;
    EXPECT_EQ(sections(entries), sections(english)) << name;
    for (size_t n = 0; n < entries.size(); ++n) {
      EXPECT_NE(entries[n].meaning, english[n].meaning) << name << ": " << entries[n].term;
      // The definition's source in brackets.
      const auto source_of = [](const std::string& meaning) {
        return meaning.substr(std::min(meaning.rfind('['), meaning.size()), 4);
      };
      if (source_of(english[n].meaning) == "[as ") continue;
      EXPECT_EQ(source_of(entries[n].meaning), source_of(english[n].meaning))
          << name << ": " << entries[n].term;
    }
  }
  EXPECT_GE(languages, 1);
}

TEST(Glossary, AMetricsWordIsFoundInEachLanguage) {
  const std::filesystem::path source = WARPSHOP_SOURCE_DIR;
  Result<Catalogue> german = load_language(source, "de");
  ASSERT_TRUE(german.ok());
  use_language(std::move(german).value());
  const auto entries = load_glossary(source, "de");
  for (const std::string_view term :
       {metric::kSectors.term, metric::kLanesOfWord.term, metric::kLineCost.term,
        metric::kOccupancy.term, metric::kRegistersAThread.term, metric::kLanes.term,
        metric::kSlowdown.term, metric::kBursts.term, metric::kRowHits.term,
        metric::kInterfaceUse.term, metric::kIntensity.term, metric::kIssueRate.term,
        metric::kWarmTime.term, metric::kPredictedTime.term, metric::kPublished.term,
        state_metric(timing::WarpState::kWait).term,
        passes_metric(models::BankRule::kHalfWarps16).term,
        transactions_metric(models::CoalescingRule::kStrictHalfWarps).term}) {
    const auto found = find_entries(entries, tr(term));
    ASSERT_FALSE(found.empty()) << term;
    EXPECT_NE((" " + found.front()->term).find(std::string(tr(term))), std::string::npos) << term;
  }
  use_language({"en", "English", {}});
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
