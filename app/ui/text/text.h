// The texts of the window in the language of the person before it. The code says each in English; a
// catalogue, one file of assets/text/, has the same in another language:
//
//   label(…, tr("Steps"));                            a text
//   tr("line {} · warp {}", line, warp)               with its values, in any order: {1} {0}
//   tr_count(n, "{} lane", "{} lanes")                one, or more
//   {.title = tr_later("Sectors per load")}           of a table: tr(row.title) says it
//   tr_id("Run", "run")                               for ImGui: "Run##run"
//   tr(finding.message)                               what another room says (core/sentence.h)
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
#include "core/sentence.h"

namespace warpshop::ui {

// How a language counts: which form a number takes. The rules are those of Unicode's CLDR, for
// whole numbers.
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
  Texts texts;  // by what the code says; further forms of a counted one by its name and the form's,
                // "{} lanes\nfew"
  Plural plural = Plural::kOneOther;
  char decimal_mark = '.';
  std::string group_mark = ",";  // of thousands
};

// Reads a catalogue. Errors have file and line: what is no TOML, no text, said twice, or leaves out
// or adds a {}; with `english` also what the window does not say. What is missing is said in
// English.
Result<Catalogue> read_catalogue(const std::filesystem::path& file,
                                 const Catalogue* english = nullptr);
// What English has and the catalogue lacks, in the order of the English file.
std::vector<std::string> missing_texts(const Catalogue& catalogue, const Catalogue& english);
// The ids of the catalogues in data_dir()/assets/text, sorted.
std::vector<std::string> languages(const std::filesystem::path& data_dir);
// Which of them the environment asks for, "de" for LANG=de_AT.UTF-8: LC_ALL, else LC_MESSAGES, else
// LANG; "en" where it names none of them.
std::string system_language(const std::vector<std::string>& known);
// The catalogue of that language, checked against the English one. "pseudo" is a language for
// tests: English with accents, 40% longer, about as German is.
Result<Catalogue> load_language(const std::filesystem::path& data_dir, std::string_view id);
Catalogue pseudo_language(const Catalogue& english);

// Texts are in that language from now on. Only the window's thread calls it, between two frames:
// what tr() gave before is gone.
void use_language(Catalogue catalogue);
const Catalogue& language();

// In the language of the window; the English text itself where the catalogue lacks it.
const char* tr(const char* english);
std::string_view tr(std::string_view english);
inline std::string_view tr(const std::string& english) { return tr(std::string_view(english)); }
// A text of a table, which is said later: tr(tr_later("…")).
constexpr const char* tr_later(const char* english) { return english; }

// What a room says, in the language of the window.
std::string tr(const Sentence& sentence);

// {} or {0} and so on, replaced. A brace that is meant is none of these.
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

// `one` for a count of 1, else `more`, as the language counts. {} or {0} is the count, with
// separators; {1} and so on are `parts`.
std::string counted_text(uint64_t count);
std::string_view counted_form(uint64_t count, std::string_view one, std::string_view more);
template <typename... Parts>
std::string tr_count(uint64_t count, const char* one, const char* more, const Parts&... parts) {
  return fill_in(counted_form(count, one, more), {counted_text(count), text_part(parts)...});
}

// A number as English writes it, "1,017.25", with the marks of the language.
std::string local_number(std::string_view english);

// "Run##run": ImGui's label, and the name by which it is known whatever the language.
std::string tr_id(const char* english, std::string_view id);

}  // namespace warpshop::ui
