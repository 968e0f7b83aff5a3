// The window's texts in the user's language. The code has each text in English; a catalogue, one
// file in assets/text/, has its translation:
//
//   label(…, tr("Steps"));                            a text
//   tr("line {} · warp {}", line, warp)               with values, in any order: {1} {0}
//   tr_count(n, "{} lane", "{} lanes")                singular or plural
//   {.title = tr_later("Sectors per load")}           in a table: tr(row.title) translates it
//   tr_id("Run", "run")                               for ImGui: "Run##run"
//   tr(finding.message)                               another room's sentence (core/sentence.h)
//
// tests/ui/text_test.cc finds texts that are missing from the catalogue, and texts that are shown
// without tr().
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "core/sentence.h"

namespace warpshop::ui {

// A language's plural rule. From Unicode's CLDR, for whole numbers.
enum class Plural : uint8_t {
  kOneOther,    // one: 1 (English, German, Italian, Spanish, …)
  kZeroToOne,   // one: 0 and 1 (French, Brazilian Portuguese)
  kNone,        // one form for all (Japanese, Chinese, Korean, Vietnamese, …)
  kEastSlavic,  // one: 1, 21, 31, …; few: 2–4, 22–24, …; many (Russian, Ukrainian)
  kPolish,      // one: 1; few: 2–4, 22–24, …; many
  kCzech,       // one: 1; few: 2–4; other (Czech, Slovak)
};
std::string_view form_of(Plural rule, uint64_t count);  // "one", "few", "many", "other"

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
  // By the English text in the code; further plural forms
  // by that text and the form's name, "{} lanes\nfew".
  Texts texts;
  Plural plural = Plural::kOneOther;
  char decimal_mark = '.';
  std::string group_mark = ",";  // thousands separator
};

// Reads a catalogue. Errors give file and line: not TOML, not a string,
// a duplicate, a {} left out or added; with `english`, also a text that
// the window does not use. Missing texts are shown in English.
Result<Catalogue> read_catalogue(const std::filesystem::path& file,
                                 const Catalogue* english = nullptr);
// The ids of the catalogues in data_dir()/assets/text, sorted.
std::vector<std::string> languages(const std::filesystem::path& data_dir);
// The language requested by the environment, "de" for LANG=de_AT.UTF-8: LC_ALL, else LC_MESSAGES,
// else LANG; "en" if it names none of `known`.
std::string system_language(const std::vector<std::string>& known);
// Loads a language's catalogue, checked against the English one. "pseudo" is a language for tests:
// English with accents, 40% longer, about as long as German.
Result<Catalogue> load_language(const std::filesystem::path& data_dir, std::string_view id);
Catalogue pseudo_language(const Catalogue& english);

// Switches the language. Call only from the window's thread, between two frames: it invalidates all
// earlier results of tr().
void use_language(Catalogue catalogue);
const Catalogue& language();

// Translates a text; returns the English text if the catalogue lacks it.
const char* tr(const char* english);
std::string_view tr(std::string_view english);
inline std::string_view tr(const std::string& english) { return tr(std::string_view(english)); }
// Marks a text in a table that is translated later: tr(tr_later("…")).
constexpr const char* tr_later(const char* english) { return english; }

// A sentence from another room, in the window's language.
std::string tr(const Sentence& sentence);

// Replaces {}, {0} and so on with `parts`. Other braces are kept.
std::string fill_in(std::string_view text, const std::vector<std::string>& parts);

inline std::string text_part(std::string_view part) { return std::string(part); }
inline std::string text_part(const std::string& part) { return part; }
inline std::string text_part(const char* part) { return part; }
inline std::string text_part(const Sentence& part) { return tr(part); }
inline std::string text_part(std::integral auto part) { return std::to_string(part); }

template <typename... Parts>
requires(sizeof...(Parts) > 0) std::string tr(const char* english, const Parts&... parts) {
  return fill_in(tr(english), {text_part(parts)...});
}

// `one` for a count of 1, else `more`, by the language's plural rule. {} or {0} is the count, with
// separators; {1} and so on are `parts`.
std::string counted_text(uint64_t count);
std::string_view counted_form(uint64_t count, std::string_view one, std::string_view more);
template <typename... Parts>
std::string tr_count(uint64_t count, const char* one, const char* more, const Parts&... parts) {
  return fill_in(counted_form(count, one, more), {counted_text(count), text_part(parts)...});
}

// Converts a number in English notation, "1,017.25", to the language's separators.
std::string local_number(std::string_view english);

// "Run##run": an ImGui label with an id that does not depend on the language.
std::string tr_id(const char* english, std::string_view id);

}  // namespace warpshop::ui
