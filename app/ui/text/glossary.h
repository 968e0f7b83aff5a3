// The terms of the field, read from docs/GLOSSARY.md, the only place where they are defined.
// Translations are in assets/text/LANG.glossary.md, row for row.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

struct GlossaryEntry {
  std::string term;
  std::string meaning;  // one or two sentences, with the source in brackets
  std::string section;  // "Memory"
};

// The rows of the file's tables, in order.
std::vector<GlossaryEntry> read_glossary(std::string_view markdown);

// Loads that language's glossary, else the English one; empty if the file is missing.
std::vector<GlossaryEntry> load_glossary(const std::filesystem::path& data_dir,
                                         std::string_view language);

// The entry for a word of CUDA as written in code; null if none. One term may list several words,
// separated by commas.
const GlossaryEntry* entry_of_word(const std::vector<GlossaryEntry>& glossary,
                                   std::string_view word);

// Entries that match every word of `filter` (any order, any case), those whose term matches first.
// If it is empty, all entries in alphabetical order.
std::vector<const GlossaryEntry*> find_entries(const std::vector<GlossaryEntry>& glossary,
                                               std::string_view filter);

}  // namespace warpshop::ui
