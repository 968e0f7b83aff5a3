#include "text/glossary.h"

#include <algorithm>
#include <sstream>

#include "core/ascii.h"
#include "core/files.h"
#include "text/format.h"
#include "text/markdown.h"

namespace warpshop::ui {
namespace {

std::string plain(const std::vector<Inline>& text) {
  std::string out;
  for (const Inline& part : text) out += part.text;
  return out;
}

}  // namespace

std::vector<GlossaryEntry> read_glossary(std::string_view markdown) {
  std::vector<GlossaryEntry> out;
  std::string section;
  for (const Block& block : parse_markdown(markdown)) {
    if (block.kind == Block::Kind::kHeading) section = plain(block.text);
    if (block.kind != Block::Kind::kTable) continue;
    for (const std::vector<Block::Cell>& row : block.rows) {
      if (row.size() < 2 || row.front().header) continue;
      out.push_back({plain(row[0].text), plain(row[1].text), section});
    }
  }
  return out;
}

std::vector<GlossaryEntry> load_glossary(const std::filesystem::path& data_dir,
                                         std::string_view language) {
  for (const auto& file : {data_dir / "assets" / "text" / (std::string(language) + ".glossary.md"),
                           data_dir / "docs" / "GLOSSARY.md"}) {
    if (Result<std::string> text = read_file(file); text.ok()) return read_glossary(*text);
  }
  return {};
}

const GlossaryEntry* entry_of_word(const std::vector<GlossaryEntry>& glossary,
                                   std::string_view word) {
  const auto names = [word](const GlossaryEntry& entry) {
    for (std::string_view rest = entry.term; !rest.empty();) {
      const size_t end = std::min(rest.find(", "), rest.size());
      if (rest.substr(0, end) == word) return true;
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return false;
  };
  const auto found = std::find_if(glossary.begin(), glossary.end(), names);
  return found == glossary.end() ? nullptr : &*found;
}

std::vector<const GlossaryEntry*> find_entries(const std::vector<GlossaryEntry>& glossary,
                                               std::string_view filter) {
  std::vector<std::string> words;
  std::istringstream stream(lower(filter));
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<std::pair<int, const GlossaryEntry*>> found;
  for (const GlossaryEntry& entry : glossary) {
    const std::string term = lower(entry.term), meaning = lower(entry.meaning);
    int score = 0;
    const bool all = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      const size_t at = term.find(word);
      if (at != std::string::npos) {
        score += at == 0 ? 0 : 1;
        return true;
      }
      score += 10;
      return meaning.find(word) != std::string::npos;
    });
    if (all) found.emplace_back(score, &entry);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : lower(a.second->term) < lower(b.second->term);
  });
  std::vector<const GlossaryEntry*> out;
  for (const auto& [score, entry] : found) out.push_back(entry);
  return out;
}

}  // namespace warpshop::ui
