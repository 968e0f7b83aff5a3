// The words of the field, read from docs/GLOSSARY.md: the one place where they are defined. Another
// language has them in assets/text/LANG.glossary.md, row for row.
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

// The rows of the file's tables, in their order.
std::vector<GlossaryEntry> read_glossary(std::string_view markdown);

// In that language, else in English; empty where the file is missing.
std::vector<GlossaryEntry> load_glossary(const std::filesystem::path& data_dir,
                                         std::string_view language);

// The entry whose term is that word of CUDA, as it is written in code; null: none. A term names
// several with commas.
const GlossaryEntry* entry_of_word(const std::vector<GlossaryEntry>& glossary,
                                   std::string_view word);

// Entries that match every word of `filter` (any order, any case): those whose term does first. All
// of them, by the alphabet, when it is empty.
std::vector<const GlossaryEntry*> find_entries(const std::vector<GlossaryEntry>& glossary,
                                               std::string_view filter);

}  // namespace warpshop::ui
