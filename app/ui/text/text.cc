#include "text/text.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "core/files.h"
#include "core/nesting.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr DiagnosticKind kKind = "text";

SourcePlace place_of(const std::string& file, const toml::source_region& source) {
  return {file, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column), 0};
}

// The placeholders of a text: 0 for {} and {0}, …, numbering {} consecutively; or names, in
// sentences from other rooms.
std::set<std::string> places_in(std::string_view text) {
  std::set<std::string> places;
  int next = 0;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (name.empty()) {
      places.insert(std::to_string(next++));
    } else if ((name.size() == 1 && name[0] >= '0' && name[0] <= '9') ||
               std::all_of(name.begin(), name.end(),
                           [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; })) {
      places.insert(std::string(name));
    }
  }
  return places;
}

std::string list_of(const std::set<std::string>& places) {
  std::string out;
  for (const std::string& place : places) out += (out.empty() ? "{" : " {") + place + "}";
  return out.empty() ? "none" : out;
}

constexpr std::array<std::pair<std::string_view, Plural>, 6> kPlurals = {
    {{"one-other", Plural::kOneOther},
     {"zero-to-one", Plural::kZeroToOne},
     {"none", Plural::kNone},
     {"east-slavic", Plural::kEastSlavic},
     {"polish", Plural::kPolish},
     {"czech", Plural::kCzech}}};

// Reads the file's [language] table.
void take_language(const toml::table& language, const std::string& file, Catalogue& catalogue,
                   Diagnostics& problems) {
  catalogue.name = language["name"].value_or(std::string());
  for (const auto& [key, node] : language) {
    const SourcePlace place = place_of(file, node.source());
    const std::optional<std::string> text = node.value<std::string>();
    const auto rule = std::find_if(kPlurals.begin(), kPlurals.end(),
                                   [&](const auto& row) { return text && row.first == *text; });
    if (key == "plural" && rule != kPlurals.end()) {
      catalogue.plural = rule->second;
    } else if (key == "decimal_mark" && text && text->size() == 1) {
      catalogue.decimal_mark = text->front();
    } else if (key == "group_mark" && text && text->size() <= 4) {
      catalogue.group_mark = *text;
    } else if (key != "name") {
      std::string rules;
      for (const auto& row : kPlurals)
        rules += (rules.empty() ? "" : ", ") + std::string(row.first);
      problems.push_back(make_error_at(
          place, kKind, "this is nothing that a language has",
          "name; plural, one of " + rules + "; decimal_mark and group_mark, of numbers"));
    }
  }
}

// Reads one of the file's texts, or one of its plural forms.
void take_text(const std::string& key, const std::string& name, const toml::node& node,
               const SourcePlace& place, Catalogue& catalogue, Diagnostics& problems) {
  const std::optional<std::string> text = node.value<std::string>();
  if (!text || text->empty()) {
    problems.push_back(
        make_error_at(place, kKind, "'" + name + "' must be a text that is not empty"));
    return;
  }
  const std::set<std::string> wanted = places_in(name), given = places_in(*text);
  // A singular may omit its number: "one lane".
  std::set<std::string> needed = wanted;
  needed.erase("count");
  if (wanted.size() == 1) needed.clear();
  if (!std::includes(wanted.begin(), wanted.end(), given.begin(), given.end()) ||
      !std::includes(given.begin(), given.end(), needed.begin(), needed.end())) {
    problems.push_back(make_error_at(
        place, kKind,
        "'" + name + "' is given " + list_of(wanted) + ", its text has " + list_of(given)));
  }
  const auto [before, fresh] =
      catalogue.texts.try_emplace(key, Catalogue::Entry{*text, place.line});
  if (!fresh) {
    problems.push_back(make_error_at(
        place, kKind,
        "'" + name + "' is there twice, first at line " + std::to_string(before->second.line)));
  }
}

// Reads plural forms. "other" is the text itself; a language with fewer forms needs no more.
void take_forms(const std::string& name, const toml::table& forms, const std::string& file,
                Catalogue& catalogue, Diagnostics& problems) {
  for (const auto& [form, node] : forms) {
    const SourcePlace place = place_of(file, form.source());
    if (form == "few" || form == "many") {
      take_text(name + "\n" + std::string(form.str()), name, node, place, catalogue, problems);
    } else if (form == "other") {
      take_text(name, name, node, place, catalogue, problems);
    } else {
      problems.push_back(
          make_error_at(place, kKind, "'" + name + "' has the forms few, many and other"));
    }
  }
}

void take_texts(const toml::table& table, const std::string& file, Catalogue& catalogue,
                Diagnostics& problems) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const toml::table* inner = node.as_table();
    if (inner != nullptr && inner->is_inline()) {
      take_forms(name, *inner, file, catalogue, problems);
    } else if (inner != nullptr) {
      take_texts(*inner, file, catalogue, problems);
    } else {
      take_text(name, name, node, place_of(file, key.source()), catalogue, problems);
    }
  }
}

// The keys of `catalogue` that English does not have.
void find_unknown(const Catalogue& catalogue, const Catalogue& english, const std::string& file,
                  Diagnostics& problems) {
  Diagnostics found;
  for (const auto& [key, entry] : catalogue.texts) {
    if (english.texts.contains(key.substr(0, key.find('\n')))) continue;
    found.push_back(make_error_at({file, entry.line, 0, 0}, kKind,
                                  "the window does not say '" + key + "'",
                                  "The left sides are those of en.toml, letter by letter."));
  }
  std::sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line
                                        : a.message.english() < b.message.english();
  });
  problems.insert(problems.end(), found.begin(), found.end());
}

std::string pseudo_text(std::string_view text) {
  static constexpr std::array<std::pair<char, const char*>, 10> kAccents = {{{'a', "ä"},
                                                                             {'e', "é"},
                                                                             {'i', "ï"},
                                                                             {'o', "ö"},
                                                                             {'u', "ü"},
                                                                             {'A', "Ä"},
                                                                             {'E', "É"},
                                                                             {'I', "Ï"},
                                                                             {'O', "Ö"},
                                                                             {'U', "Ü"}}};
  std::string out;
  size_t letters = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{') {  // keep placeholders
      const size_t end = text.find('}', at);
      if (end != std::string_view::npos) {
        out += text.substr(at, end - at + 1);
        at = end;
        continue;
      }
    }
    letters += (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    const auto accent = std::find_if(kAccents.begin(), kAccents.end(),
                                     [&](const auto& a) { return a.first == text[at]; });
    if (accent == kAccents.end()) {
      out += text[at];
    } else {
      out += accent->second;
    }
  }
  // Adds 40%, as words that can be wrapped like the others.
  static constexpr std::string_view kMoreWords = " längër alß ßönst jé", kMoreLetters = "längërßö";
  // A short text gets a longer word, not an extra one.
  const std::string_view kMore = letters < 10 ? kMoreLetters : kMoreWords;
  std::string more;
  size_t added = 0;
  for (size_t at = 0; added < (letters * 2 + 4) / 5; ++added) {
    do {
      more += kMore[at];
      at = (at + 1) % kMore.size();
    } while ((static_cast<unsigned char>(kMore[at]) & 0xC0) == 0x80);
  }
  if (more.ends_with(' ')) more.back() = 'j';
  return out + more;
}

Catalogue& current() {
  static Catalogue catalogue{"en", "English", {}};
  return catalogue;
}

}  // namespace

Result<Catalogue> read_catalogue(const std::filesystem::path& path, const Catalogue* english) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.errors();
  const std::string file = path.string();
  if (std::optional<Diagnostic> problem = toml_nests_too_deep(*text, file, kKind))
    return Diagnostics{std::move(*problem)};
  toml::table table;
  try {
    table = toml::parse(*text, file);
  } catch (const toml::parse_error& error) {
    return Diagnostics{
        make_error_at(place_of(file, error.source()), kKind, std::string(error.description()))};
  }
  Catalogue catalogue;
  Diagnostics problems;
  catalogue.id = path.stem().string();
  if (const toml::table* language = table["language"].as_table())
    take_language(*language, file, catalogue, problems);
  if (catalogue.name.empty()) {
    problems.push_back(make_error_at({file, 1, 0, 0}, kKind, "the name of the language is missing",
                                     "[language]\nname = \"…\""));
  }
  table.erase("language");
  take_texts(table, file, catalogue, problems);
  if (english) find_unknown(catalogue, *english, file, problems);
  if (!problems.empty()) return problems;
  return catalogue;
}

std::string system_language(const std::vector<std::string>& known) {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    locale = value;
    break;
  }
  locale = locale.substr(0, locale.find_first_of(".@"));
  std::replace(locale.begin(), locale.end(), '_', '-');
  for (const std::string& wanted : {locale, locale.substr(0, locale.find('-'))}) {
    if (std::find(known.begin(), known.end(), wanted) != known.end()) return wanted;
  }
  return "en";
}

std::vector<std::string> languages(const std::filesystem::path& data_dir) {
  std::vector<std::string> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(data_dir / "assets" / "text", error), end;
       !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".toml") out.push_back(at->path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<Catalogue> load_language(const std::filesystem::path& data_dir, std::string_view id) {
  const std::filesystem::path folder = data_dir / "assets" / "text";
  Result<Catalogue> english = read_catalogue(folder / "en.toml");
  if (!english.ok() || id == "en") return english;
  if (id == "pseudo") return pseudo_language(*english);
  const std::vector<std::string> known = languages(data_dir);
  if (std::find(known.begin(), known.end(), id) == known.end()) {
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    return make_error(kKind, "there is no language '" + std::string(id) + "'",
                      "Languages: " + names + ".");
  }
  return read_catalogue(folder / (std::string(id) + ".toml"), &*english);
}

Catalogue pseudo_language(const Catalogue& english) {
  Catalogue out{"pseudo", pseudo_text("English"), {}};
  for (const auto& [key, entry] : english.texts)
    out.texts.emplace(key, Catalogue::Entry{pseudo_text(entry.text), entry.line});
  return out;
}

void use_language(Catalogue catalogue) { current() = std::move(catalogue); }
const Catalogue& language() { return current(); }

const char* tr(const char* english) {
  const Catalogue::Texts& texts = current().texts;
  const auto found = texts.find(std::string_view(english));
  return found == texts.end() ? english : found->second.text.c_str();
}

std::string_view tr(std::string_view english) {
  const Catalogue::Texts& texts = current().texts;
  const auto found = texts.find(english);
  return found == texts.end() ? english : std::string_view(found->second.text);
}

namespace {

class WindowPhrases final : public Phrases {
 public:
  std::string_view text(std::string_view english) const override { return tr(english); }
  std::string_view counted(uint64_t count, std::string_view one,
                           std::string_view more) const override {
    return counted_form(count, one, more);
  }
  std::string number(std::string_view english) const override { return local_number(english); }
};

}  // namespace

std::string tr(const Sentence& sentence) { return sentence.in(WindowPhrases()); }

std::string_view form_of(Plural rule, uint64_t count) {
  const uint64_t last = count % 10, last_two = count % 100;
  const bool few = last >= 2 && last <= 4 && (last_two < 12 || last_two > 14);
  switch (rule) {
    case Plural::kOneOther:
      return count == 1 ? "one" : "other";
    case Plural::kZeroToOne:
      return count <= 1 ? "one" : "other";
    case Plural::kNone:
      return "other";
    case Plural::kEastSlavic:
      return last == 1 && last_two != 11 ? "one" : few ? "few" : "many";
    case Plural::kPolish:
      return count == 1 ? "one" : few ? "few" : "many";
    case Plural::kCzech:
      return count == 1 ? "one" : count >= 2 && count <= 4 ? "few" : "other";
  }
  return "other";
}

std::string_view counted_form(uint64_t count, std::string_view one, std::string_view more) {
  const std::string_view form = form_of(current().plural, count);
  // A missing text is shown in English, with English plurals.
  if (!current().texts.contains(more)) return count == 1 ? tr(one) : more;
  if (form == "one") return tr(one);
  const auto further = current().texts.find(std::string(more) + "\n" + std::string(form));
  return further == current().texts.end() ? tr(more) : std::string_view(further->second.text);
}

std::string local_number(std::string_view english) {
  std::string out;
  for (const char c : english) {
    if (c == ',') {
      out += current().group_mark;
    } else {
      out += c == '.' ? current().decimal_mark : c;
    }
  }
  return out;
}

std::string fill_in(std::string_view text, const std::vector<std::string>& parts) {
  std::string out;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t part = parts.size(), length = 0;
    if (text.compare(at, 2, "{}") == 0) {
      part = next++;
      length = 2;
    } else if (text[at] == '{' && at + 2 < text.size() && text[at + 1] >= '0' &&
               text[at + 1] <= '9' && text[at + 2] == '}') {
      part = static_cast<size_t>(text[at + 1] - '0');
      length = 3;
    }
    if (part >= parts.size()) {
      out += text[at];
      continue;
    }
    out += parts[part];
    at += length - 1;
  }
  return out;
}

std::string counted_text(uint64_t count) { return with_separators(count); }

std::string tr_id(const char* english, std::string_view id) {
  return std::string(tr(english)) + "##" + std::string(id);
}

}  // namespace warpshop::ui
