// The catalogue of texts, and that the window says nothing that is not in it: the sources are read.
#include "text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <map>
#include <set>

#include "app/actions.h"
#include "core/files.h"
#include "emulator/finding.h"
#include "lab/run_result.h"
#include "models/bank_generations.h"
#include "models/transactions.h"
#include "state/mode.h"
#include "timing/counters.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kSource = WARPSHOP_SOURCE_DIR;

Catalogue english() {
  Result<Catalogue> catalogue = read_catalogue(kSource / "assets/text/en.toml");
  EXPECT_TRUE(catalogue.ok()) << (catalogue.ok() ? "" : render(catalogue.errors()));
  return catalogue.ok() ? *catalogue : Catalogue{};
}

// C++ as words, marks and whole literals; adjacent literals are one. Comments and preprocessor lines are left out.
struct Token {
  std::string text;     // of a literal: what it says
  bool literal = false;
  int line = 0;
};

std::vector<Token> tokens_of(const std::string& source) {
  std::vector<Token> out;
  int line = 1;
  bool line_start = true;
  for (size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '\n') {
      ++line;
      ++at;
      line_start = true;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
      continue;
    }
    if ((c == '#' && line_start) || source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
      continue;
    }
    line_start = false;
    if (c == '\'' || c == '"') {
      std::string text;
      size_t end = at + 1;
      for (; end < source.size() && source[end] != c; ++end) {
        if (source[end] == '\\' && end + 1 < source.size()) {
          ++end;
          text += source[end] == 'n' ? '\n' : source[end];
        } else {
          text += source[end];
        }
      }
      at = end + 1;
      if (c == '"') {
        if (!out.empty() && out.back().literal) {
          out.back().text += text;
        } else {
          out.push_back({text, true, line});
        }
      } else {
        out.push_back({"'" + text + "'", false, line});
      }
      continue;
    }
    size_t end = at + 1;
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      while (end < source.size() && (std::isalnum(static_cast<unsigned char>(source[end])) || source[end] == '_')) ++end;
    }
    out.push_back({source.substr(at, end - at), false, line});
    at = end;
  }
  return out;
}

std::map<std::string, std::vector<Token>> window_sources() {
  std::map<std::string, std::vector<Token>> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / "app/ui")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    const std::string name = fs::relative(entry.path(), kSource).string();
    if (name == "app/ui/text/text.h" || name == "app/ui/text/text.cc") continue;
    out[name] = tokens_of(*read_file(entry.path()));
  }
  return out;
}

// Tokens that are arguments of a call of one of `names`, however deep.
std::vector<bool> inside_calls(const std::vector<Token>& tokens, const std::set<std::string>& names) {
  std::vector<bool> inside(tokens.size());
  std::vector<bool> open;
  bool in = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].literal && tokens[i].text == "(") {
      open.push_back(in);
      in = in || (i > 0 && !tokens[i - 1].literal && names.contains(tokens[i - 1].text));
    } else if (!tokens[i].literal && tokens[i].text == ")" && !open.empty()) {
      in = open.back();
      open.pop_back();
    }
    inside[i] = in;
  }
  return inside;
}

const std::set<std::string> kSays = {"tr", "tr_later", "tr_id", "tr_count"};

// Something that a person would read: words with a space between, or a word that begins a sentence.
bool is_text(const std::string& literal) {
  const std::string text = literal.substr(0, literal.find("##"));
  bool letters = false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto at = [&](size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : 0; };
    letters |= std::isalpha(at(i)) && std::isalpha(at(i + 1));
    if (std::isalpha(at(i)) && at(i + 1) == ' ' && std::isalpha(at(i + 2))) return true;
  }
  return letters && text.size() >= 2 && std::isupper(static_cast<unsigned char>(text[0])) &&
         std::islower(static_cast<unsigned char>(text[1]));
}

TEST(Text, EveryTextOfTheWindowIsInTheCatalogue) {
  const Catalogue catalogue = english();
  std::set<std::string> said;
  for (const auto& [file, tokens] : window_sources()) {
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (tokens[i].literal || !kSays.contains(tokens[i].text) || tokens[i + 1].text != "(") continue;
      // The texts are the first argument, or the second and third of tr_count.
      size_t at = i + 2;
      if (tokens[i].text == "tr_count") {
        for (int depth = 0; at < tokens.size() && !(depth == 0 && tokens[at].text == "," && !tokens[at].literal); ++at) {
          if (tokens[at].literal) continue;
          depth += tokens[at].text == "(" || tokens[at].text == "{" || tokens[at].text == "[";
          depth -= tokens[at].text == ")" || tokens[at].text == "}" || tokens[at].text == "]";
        }
        ++at;
      }
      for (int n = tokens[i].text == "tr_count" ? 2 : 1; n > 0 && at < tokens.size() && tokens[at].literal; --n, at += 2) {
        said.insert(tokens[at].text);
        EXPECT_TRUE(catalogue.texts.contains(tokens[at].text))
            << file << ":" << tokens[at].line << ": add to assets/text/en.toml: \"" << tokens[at].text << "\"";
      }
    }
  }
  // What is said by name: actions, and the words of other rooms.
  const auto say = [&](std::string_view text) {
    said.insert(std::string(text));
    EXPECT_TRUE(catalogue.texts.contains(text)) << "add to assets/text/en.toml: \"" << text << "\"";
  };
  for (const Action& action : actions()) {
    say(action.title);
    say(action.group);
  }
  for (const Mode mode : kModes) say(title_of(mode));
  for (int stage = 0; stage < lab::kStageCount; ++stage) say(name_of(static_cast<lab::Stage>(stage)));
  for (const char* summary : {"no findings", "correct", "wrong", "no GPU here", "no GPU", "not run", "not measured"}) say(summary);
  for (const lab::Provenance of : {lab::Provenance::kMeasured, lab::Provenance::kSimulated, lab::Provenance::kPredicted,
                                   lab::Provenance::kPublished}) {
    say(lab::name_of(of));
  }
  for (const timing::Limiter limiter : {timing::Limiter::kNone, timing::Limiter::kWarps, timing::Limiter::kBlocks,
                                        timing::Limiter::kRegisters, timing::Limiter::kShared}) {
    say(name_of(limiter));
  }
  for (int kind = 0; !emulator::name_of(static_cast<emulator::FindingKind>(kind)).empty() && kind < 64; ++kind) {
    say(emulator::name_of(static_cast<emulator::FindingKind>(kind)));
    if (static_cast<emulator::FindingKind>(kind) == emulator::FindingKind::kTexture) break;
  }
  for (const char* what : {"NVRTC", "CUDA headers", "compiling", "GPU driver", "display", "OpenGL", "data", "labs",
                           "GPU profiles", "fonts", "your work", "cache", "cores"}) {
    say(what);  // lab/health.h
  }
  for (const timing::CounterInfo& info : timing::counter_table()) {
    std::string title(info.name);
    std::replace(title.begin(), title.end(), '_', ' ');
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    say(title);
    say(std::string(info.unit) + "s");
    say(info.meaning);
  }
  for (size_t state = 0; state < timing::kWarpStates; ++state) say(timing::meaning_of(static_cast<timing::WarpState>(state)));
  for (int rule = 0; rule < 5; ++rule) {
    say(models::words_of(static_cast<models::BankRule>(rule)));
    const models::CoalescingWords words = models::words_of(static_cast<models::CoalescingRule>(rule));
    for (std::string_view word : {words.transaction, words.transactions, words.generation, words.rule}) say(word);
  }
  for (const auto& [text, entry] : catalogue.texts) {
    EXPECT_TRUE(said.contains(text)) << "assets/text/en.toml:" << entry.line << ": nobody says \"" << text << "\"";
  }
}

// Whoever writes a text must let the catalogue say it.
TEST(Text, NoTextOfTheWindowIsSaidWithoutTheCatalogue) {
  // Diagnostics are the same on the terminal; what ImGui and the system are told is no text.
  const std::set<std::string> kOthers = {"make_error", "make_error_at", "no_window", "CsvTable", "glfwWindowHintString",
                                         "strftime", "table", "row"};
  // Titles of actions and modes are keys of the catalogue by their table; names of files, keywords, commands of the
  // system, units, formulas and metrics of Nsight Compute are the same in every language.
  const std::set<std::string> kTables = {"app/ui/app/actions.cc",       "app/ui/state/mode.cc",          "app/ui/window/fonts.cc",
                                         "app/ui/text/cuda_language.cc", "app/ui/window/system_theme.cc", "app/ui/text/format.cc",
                                         "app/ui/work/run_worker.cc",
                                         "app/ui/text/metrics.h",         "app/ui/text/metrics.cc"};
  const std::set<std::string> kNames = {"Warpshop", "Warpshop##menu", "Alt+N", " T instr/s", " G instr/s", "Stall ", "GeForce ", "Tesla ", "Quadro "};
  for (const auto& [file, tokens] : window_sources()) {
    if (kTables.contains(file)) continue;
    const std::vector<bool> said = inside_calls(tokens, kSays), other = inside_calls(tokens, kOthers);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].literal || said[i] || other[i] || !is_text(tokens[i].text) || kNames.contains(tokens[i].text)) continue;
      ADD_FAILURE() << file << ":" << tokens[i].line << ": let tr() say \"" << tokens[i].text
                    << "\", and add it to assets/text/en.toml";
    }
  }
}

class CatalogueFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "warpshop-text-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    fs::remove_all(folder_);
    use_language({"en", "English", {}});
  }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  fs::path folder_;
};

TEST_F(CatalogueFile, MistakesAreSaidWithFileAndLine) {
  const fs::path english_file =
      write("en.toml", "[language]\nname = \"English\"\n[a]\n\"Run\" = \"Run\"\n\"{} of {}\" = \"{} of {}\"\n");
  const Result<Catalogue> english = read_catalogue(english_file);
  ASSERT_TRUE(english.ok());
  struct Case {
    const char* what;
    std::string text;
    std::string said;
  };
  const std::string head = "[language]\nname = \"Deutsch\"\n[a]\n", run = "\"Run\" = \"Los\"\n";
  const Case cases[] = {
      {"missing", head + run, "de.toml: error: '{} of {}' is missing (line 5 of en.toml)"},
      {"unknown", head + run + "\"{} of {}\" = \"{} von {}\"\n\"Rum\" = \"Los\"\n", "de.toml:6: error: the window does not say 'Rum'"},
      {"not given enough", head + run + "\"{} of {}\" = \"{} von\"\n", "de.toml:5:1: error: '{} of {}' is given {0} {1}, its text has {0}"},
      {"given too much", head + "\"Run\" = \"{} los\"\n\"{} of {}\" = \"{} von {}\"\n", "de.toml:4:1: error: 'Run' is given none, its text has {0}"},
      {"no text", head + "\"Run\" = 3\n\"{} of {}\" = \"{} von {}\"\n", "de.toml:4:1: error: 'Run' must be a text"},
      {"twice", head + run + "\"{} of {}\" = \"{} von {}\"\n[b]\n\"Run\" = \"Los\"\n", "'Run' is there twice, first at line"},
      {"no TOML", head + "\"Run\" = \n", "de.toml:4:"},
      {"no name", "[a]\n" + run + "\"{} of {}\" = \"{} von {}\"\n", "de.toml:1: error: the name of the language is missing"},
  };
  for (const Case& c : cases) {
    const Result<Catalogue> read = read_catalogue(write("de.toml", c.text), &*english);
    ASSERT_FALSE(read.ok()) << c.what;
    EXPECT_THAT(render(read.errors()), HasSubstr(c.said)) << c.what;
  }
}

TEST_F(CatalogueFile, TheWindowSpeaksTheLanguageOfTheFile) {
  write("en.toml", "[language]\nname = \"English\"\n[a]\n\"{} of {}\" = \"{} of {}\"\n\"{} lane\" = \"{} lane\"\n\"{} lanes\" = \"{} lanes\"\n");
  const Result<Catalogue> english = read_catalogue(folder_ / "en.toml");
  ASSERT_TRUE(english.ok());
  Result<Catalogue> german = read_catalogue(
      write("de.toml", "[language]\nname = \"Deutsch\"\n[a]\n\"{} of {}\" = \"von {1}: {0}\"\n\"{} lane\" = \"eine Spur\"\n\"{} lanes\" = \"{} Spuren\"\n"),
      &*english);
  ASSERT_TRUE(german.ok()) << render(german.errors());
  EXPECT_EQ(tr("{} of {}", 1, "x"), "1 of x");
  use_language(std::move(german).value());
  EXPECT_EQ(tr("{} of {}", 1, "x"), "von x: 1");
  EXPECT_EQ(tr_count(1, "{} lane", "{} lanes"), "eine Spur");
  EXPECT_EQ(tr_count(2048, "{} lane", "{} lanes"), "2,048 Spuren");
  EXPECT_STREQ(tr("not there"), "not there");
  EXPECT_EQ(language().name, "Deutsch");
}

TEST(Text, TheLanguageForTestsIsLongerAndKeepsItsPlaces) {
  const Catalogue pseudo = pseudo_language(english());
  for (const auto& [text, entry] : pseudo.texts) {
    size_t before = 0, after = 0;
    for (char c : text) before += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    for (char c : entry.text) after += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    size_t letters = 0;
    for (char c : text) letters += std::isalpha(static_cast<unsigned char>(c)) != 0;
    EXPECT_GE(static_cast<double>(after), static_cast<double>(before) + 0.35 * static_cast<double>(letters)) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(entry.text.begin(), entry.text.end(), '{')) << text;
  }
}

TEST(Text, PartsGoWhereTheTextWantsThem) {
  EXPECT_EQ(fill_in("{} {} {}", {"a", "b"}), "a b {}");
  EXPECT_EQ(fill_in("{1} {0} {1}", {"a", "b"}), "b a b");
  EXPECT_EQ(fill_in("{ } {x} {", {"a"}), "{ } {x} {");
  EXPECT_EQ(fill_in("{}", {"{0}"}), "{0}");  // what is filled in is not read again
}

}  // namespace
}  // namespace warpshop::ui
