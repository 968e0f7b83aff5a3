#include "text/text.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/files.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr const char* kKind = "text";

SourcePlace place_of(const std::string& file, const toml::source_region& source) {
  return {file, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column), 0};
}

// What a text wants to be given: 0 for {} and {0}, …; {} counts on.
std::set<int> places_in(std::string_view text) {
  std::set<int> places;
  int next = 0;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (text.compare(at, 2, "{}") == 0) {
      places.insert(next++);
    } else if (at + 2 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9' && text[at + 2] == '}') {
      places.insert(text[at + 1] - '0');
    }
  }
  return places;
}

std::string list_of(const std::set<int>& places) {
  std::string out;
  for (int place : places) out += (out.empty() ? "{" : " {") + std::to_string(place) + "}";
  return out.empty() ? "none" : out;
}

void take_texts(const toml::table& table, const std::string& file, Catalogue& catalogue, Diagnostics& problems) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (const toml::table* inner = node.as_table()) {
      take_texts(*inner, file, catalogue, problems);
      continue;
    }
    const SourcePlace place = place_of(file, key.source());
    const std::optional<std::string> text = node.value<std::string>();
    if (!text || text->empty()) {
      problems.push_back(make_error_at(place, kKind, "'" + name + "' must be a text that is not empty"));
      continue;
    }
    const std::set<int> wanted = places_in(name), given = places_in(*text);
    // A singular may leave its number out: "one lane".
    if (!std::includes(wanted.begin(), wanted.end(), given.begin(), given.end()) ||
        (given.size() < wanted.size() && wanted.size() > 1)) {
      problems.push_back(make_error_at(place, kKind,
                                       "'" + name + "' is given " + list_of(wanted) + ", its text has " + list_of(given)));
    }
    const auto [before, fresh] = catalogue.texts.try_emplace(name, Catalogue::Entry{*text, place.line});
    if (!fresh) {
      problems.push_back(make_error_at(place, kKind,
                                       "'" + name + "' is there twice, first at line " + std::to_string(before->second.line)));
    }
  }
}

// The keys of `english` that `catalogue` lacks, and the other way round.
void compare(const Catalogue& catalogue, const Catalogue& english, const std::string& file, Diagnostics& problems) {
  Diagnostics found;
  for (const auto& [key, entry] : catalogue.texts) {
    if (english.texts.contains(key)) continue;
    found.push_back(make_error_at({file, entry.line, 0, 0}, kKind, "the window does not say '" + key + "'",
                                  "The left sides are those of en.toml, letter by letter."));
  }
  for (const auto& [key, entry] : english.texts) {
    if (catalogue.texts.contains(key)) continue;
    found.push_back(make_error_at({file, 0, 0, 0}, kKind,
                                  "'" + key + "' is missing (line " + std::to_string(entry.line) + " of en.toml)"));
  }
  std::sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line : a.message < b.message;
  });
  problems.insert(problems.end(), found.begin(), found.end());
}

std::string pseudo_text(std::string_view text) {
  static constexpr std::array<std::pair<char, const char*>, 10> kAccents = {
      {{'a', "ä"}, {'e', "é"}, {'i', "ï"}, {'o', "ö"}, {'u', "ü"}, {'A', "Ä"}, {'E', "É"}, {'I', "Ï"}, {'O', "Ö"}, {'U', "Ü"}}};
  std::string out;
  size_t letters = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{') {  // a place stays one
      const size_t end = text.find('}', at);
      if (end != std::string_view::npos) {
        out += text.substr(at, end - at + 1);
        at = end;
        continue;
      }
    }
    letters += (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    const auto accent = std::find_if(kAccents.begin(), kAccents.end(), [&](const auto& a) { return a.first == text[at]; });
    if (accent == kAccents.end()) {
      out += text[at];
    } else {
      out += accent->second;
    }
  }
  // 40% more, as words that can be wrapped like the others.
  static constexpr std::string_view kWords = " längër alß ßönst jé", kLetters = "längërßö";
  // A short word gets longer, not a neighbour.
  const std::string_view kMore = letters < 10 ? kLetters : kWords;
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
  toml::table table;
  try {
    table = toml::parse(*text, file);
  } catch (const toml::parse_error& error) {
    return Diagnostics{make_error_at(place_of(file, error.source()), kKind, std::string(error.description()))};
  }
  Catalogue catalogue;
  Diagnostics problems;
  catalogue.id = path.stem().string();
  catalogue.name = table["language"]["name"].value_or(std::string());
  if (catalogue.name.empty()) {
    problems.push_back(make_error_at({file, 1, 0, 0}, kKind, "the name of the language is missing", "[language]\nname = \"…\""));
  }
  table.erase("language");
  take_texts(table, file, catalogue, problems);
  if (english) compare(catalogue, *english, file, problems);
  if (!problems.empty()) return problems;
  return catalogue;
}

std::vector<std::string> languages(const std::filesystem::path& data_dir) {
  std::vector<std::string> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(data_dir / "assets" / "text", error), end; !error && at != end; at.increment(error)) {
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
    return make_error(kKind, "there is no language '" + std::string(id) + "'", "Languages: " + names + ".");
  }
  return read_catalogue(folder / (std::string(id) + ".toml"), &*english);
}

Catalogue pseudo_language(const Catalogue& english) {
  Catalogue out{"pseudo", pseudo_text("English"), {}};
  for (const auto& [key, entry] : english.texts) out.texts.emplace(key, Catalogue::Entry{pseudo_text(entry.text), entry.line});
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

std::string fill_in(std::string_view text, const std::vector<std::string>& parts) {
  std::string out;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t part = parts.size(), length = 0;
    if (text.compare(at, 2, "{}") == 0) {
      part = next++;
      length = 2;
    } else if (text[at] == '{' && at + 2 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9' && text[at + 2] == '}') {
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

std::string tr_id(const char* english, std::string_view id) { return std::string(tr(english)) + "##" + std::string(id); }

}  // namespace warpshop::ui
