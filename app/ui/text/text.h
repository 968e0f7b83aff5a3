// The texts of the window in the language of the person before it. The code says each in English; a
// catalogue, one file of assets/text/, has the same in another language:
//
//   label(…, tr("Steps"));                            a text
//   tr("line {} · warp {}", line, warp)               with what belongs into it, in any order: {1} {0}
//   tr_count(n, "{} lane", "{} lanes")                one, or more
//   {.title = tr_later("Sectors per load")}           of a table: tr(row.title) says it
//   tr_id("Run", "run")                               for ImGui: "Run##run"
//
// tests/ui/text_test.cc finds texts that are not in the catalogue, and those that no tr() says.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"

namespace warpshop::ui {

struct Catalogue {
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Entry {
    std::string text;
    int line = 0;  // in its file
  };
  using Texts = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  std::string id;    // "en": the file's name
  std::string name;  // "English": what the language calls itself
  Texts texts;       // by what the code says
};

// Reads a catalogue. Errors have file and line: what is no TOML, no text, said twice, or leaves out or
// adds a {}. With `english` also: texts that are missing, and those that the window does not know.
Result<Catalogue> read_catalogue(const std::filesystem::path& file, const Catalogue* english = nullptr);
// The ids of the catalogues in data_dir()/assets/text, sorted.
std::vector<std::string> languages(const std::filesystem::path& data_dir);
// The catalogue of that language, checked against the English one. "pseudo" is a language for tests:
// English with accents, 40% longer, about as German is.
Result<Catalogue> load_language(const std::filesystem::path& data_dir, std::string_view id);
Catalogue pseudo_language(const Catalogue& english);

// Texts are in that language from now on. Only the window's thread calls it, between two frames: what tr()
// gave before is gone.
void use_language(Catalogue catalogue);
const Catalogue& language();

// In the language of the window; the English text itself where the catalogue lacks it.
const char* tr(const char* english);
std::string_view tr(std::string_view english);
inline std::string_view tr(const std::string& english) { return tr(std::string_view(english)); }
// A text of a table, which is said later: tr(tr_later("…")).
constexpr const char* tr_later(const char* english) { return english; }

// {} or {0} and so on, replaced. A brace that is meant is none of these.
std::string fill_in(std::string_view text, const std::vector<std::string>& parts);

inline std::string text_part(std::string_view part) { return std::string(part); }
inline std::string text_part(std::integral auto part) { return std::to_string(part); }

template <typename... Parts>
  requires(sizeof...(Parts) > 0)
std::string tr(const char* english, const Parts&... parts) {
  return fill_in(tr(english), {text_part(parts)...});
}

// `one` for a count of 1, else `more`. {} or {0} is the count, with separators; {1} and so on are `parts`.
std::string counted_text(uint64_t count);
template <typename... Parts>
std::string tr_count(uint64_t count, const char* one, const char* more, const Parts&... parts) {
  return fill_in(tr(count == 1 ? one : more), {counted_text(count), text_part(parts)...});
}

// "Run##run": ImGui's label, and the name by which it is known whatever the language.
std::string tr_id(const char* english, std::string_view id);

}  // namespace warpshop::ui
