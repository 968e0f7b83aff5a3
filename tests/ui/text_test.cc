// The catalogue contains every text of the window. Reads the sources.
#include "text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/actions.h"
#include "core/files.h"
#include "core/toml_string.h"
#include "emulator/finding.h"
#include "lab/run_result.h"
#include "lab/times.h"
#include "models/bank_generations.h"
#include "models/transactions.h"
#include "shown_texts.h"
#include "state/mode.h"
#include "text/format.h"
#include "text/metrics.h"
#include "timing/counters.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Texts of the English catalogue that are missing here, in the order of the English file.
std::vector<std::string> missing_texts(const Catalogue& catalogue, const Catalogue& english) {
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [key, entry] : english.texts) {
    if (!catalogue.texts.contains(key)) found.emplace_back(entry.line, key);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> out;
  for (auto& [line, key] : found) out.push_back(std::move(key));
  return out;
}

const fs::path kSource = WARPSHOP_SOURCE_DIR;

Catalogue english() {
  Result<Catalogue> catalogue = read_catalogue(kSource / "assets/text/en.toml");
  EXPECT_TRUE(catalogue.ok()) << (catalogue.ok() ? "" : render(catalogue.errors()));
  return catalogue.ok() ? *catalogue : Catalogue{};
}

std::map<std::string, std::vector<Token>> window_sources() {
  std::map<std::string, std::vector<Token>> out;
  for (auto& [name, tokens] : sources_in(kSource, "app/ui")) {
    if (name != "app/ui/text/text.h" && name != "app/ui/text/text.cc")
      out[name] = std::move(tokens);
  }
  return out;
}

const std::set<std::string> kSays = {"tr", "tr_later", "tr_id", "tr_count"};

// Texts looked up by name: actions, and words of other rooms.
std::vector<std::string> texts_of_tables() {
  std::vector<std::string> out = sentences_of_tables();
  const auto say = [&out](std::string_view text) { out.emplace_back(text); };
  for (const Action& action : actions()) {
    say(action.title);
    say(action.group);
  }
  for (const Mode mode : kModes) say(title_of(mode));
  for (size_t what = 0; what < static_cast<size_t>(lab::Timed::kPublished); ++what)
    say(lab::name_of(static_cast<lab::Timed>(what)));
  for (int stage = 0; stage < lab::kStageCount; ++stage)
    say(name_of(static_cast<lab::Stage>(stage)));
  for (const char* summary :
       {"no findings", "correct", "wrong", "no GPU here", "no GPU", "not run", "not measured"})
    say(summary);
  for (const lab::Provenance of : {lab::Provenance::kMeasured, lab::Provenance::kSimulated,
                                   lab::Provenance::kPredicted, lab::Provenance::kPublished}) {
    say(lab::name_of(of));
  }
  for (const timing::OccupancyLimiter limiter :
       {timing::OccupancyLimiter::kNone, timing::OccupancyLimiter::kWarps,
        timing::OccupancyLimiter::kBlocks, timing::OccupancyLimiter::kRegisters,
        timing::OccupancyLimiter::kShared}) {
    say(name_of(limiter));
  }
  for (int kind = 0;
       !emulator::name_of(static_cast<emulator::FindingKind>(kind)).empty() && kind < 64; ++kind) {
    say(emulator::name_of(static_cast<emulator::FindingKind>(kind)));
    if (static_cast<emulator::FindingKind>(kind) == emulator::FindingKind::kTexture) break;
  }
  for (const char* what :
       {"NVRTC", "CUDA headers", "compiling", "GPU driver", "display", "OpenGL", "data", "labs",
        "GPU profiles", "fonts", "your work", "cache", "cores"}) {
    say(what);  // lab/system_check.h
  }
  for (const timing::CounterInfo& info : timing::counter_table()) {
    std::string title(info.name);
    std::replace(title.begin(), title.end(), '_', ' ');
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    say(title);
    say(std::string(info.unit) + "s");
    say(info.meaning);
  }
  for (size_t state = 0; state < timing::kWarpStates; ++state)
    say(timing::meaning_of(static_cast<timing::WarpState>(state)));
  for (int rule = 0; rule < 5; ++rule) {
    say(models::words_of(static_cast<models::BankRule>(rule)));
    const models::CoalescingWords words =
        models::words_of(static_cast<models::CoalescingRule>(rule));
    for (std::string_view word :
         {words.transaction, words.transactions, words.generation, words.rule})
      say(word);
  }
  return out;
}

// assets/text/en.toml. A table is the source that says its texts first.
std::string english_catalogue() {
  std::vector<ShownText> texts =
      texts_shown(window_sources(), {"tr", "tr_later", "tr_id"}, "tr_count");
  for (ShownText& text : sentences_of_rooms(kSource)) texts.push_back(std::move(text));
  for (std::string& text : texts_of_tables()) texts.push_back({std::move(text), "tables"});
  EXPECT_GT(texts.size(), 2000u);
  std::string out =
      "# Every text of the window, in English. Written from the sources: docs/languages.md.\n"
      "[language]\nname = \"English\"\n";
  std::set<std::string> said;
  std::string table;
  for (const ShownText& text : texts) {
    if (!said.insert(text.text).second) continue;
    if (table != text.file) out += "\n[" + toml_string(table = text.file) + "]\n";
    out += toml_string(text.text) + " = " + toml_string(text.text) + "\n";
  }
  return out;
}

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> out;
  for (std::string line; std::getline(in, line);) out.insert(line);
  return out;
}

TEST(Text, TheEnglishCatalogueHoldsWhatTheSourcesSay) {
  const fs::path file = kSource / "assets/text/en.toml";
  const std::string wanted = english_catalogue();
  if (std::getenv("WARPSHOP_WRITE_TEXTS") != nullptr) {
    ASSERT_TRUE(write_file_atomically(file, wanted).ok());
  }
  const Result<std::string> is = read_file(file);
  ASSERT_TRUE(is.ok());
  if (*is == wanted) return;
  const std::set<std::string> had = lines_of(*is), has = lines_of(wanted);
  for (const std::string& line : has)
    if (!had.contains(line)) ADD_FAILURE() << "assets/text/en.toml lacks " << line;
  for (const std::string& line : had)
    if (!has.contains(line)) ADD_FAILURE() << "assets/text/en.toml: no source says " << line;
  FAIL() << "WARPSHOP_WRITE_TEXTS=1 build/tests/ui_tests --gtest_filter='Text.*' writes it anew";
}

// Every text in the window's sources goes through the catalogue.
TEST(Text, NoTextOfTheWindowIsSaidWithoutTheCatalogue) {
  // Diagnostics are the same on the terminal; strings for ImGui and the system are not texts.
  const std::set<std::string> kOthers = {
      "make_error",           "make_error_at", "no_window", "CsvTable",
      "glfwWindowHintString", "strftime",      "table",     "row"};
  // Tables of titles of actions and modes hold keys of the catalogue. File names, keywords, system
  // commands, units, formulas and Nsight Compute's metrics are the same in every language. Search
  // words of the palette are in all languages at once.
  const std::set<std::string> kTables = {"app/ui/app/actions.cc",
                                         "app/ui/app/search_words.cc",
                                         "app/ui/state/mode.cc",
                                         "app/ui/window/fonts.cc",
                                         "app/ui/window/fallback_font.cc",
                                         "app/ui/window/browser_keys.cc",
                                         "app/ui/window/system_theme_linux.cc",
                                         "app/ui/text/cuda_language.cc",
                                         "app/ui/text/format.cc",
                                         "app/ui/work/run_worker.cc",
                                         "app/ui/text/metrics.h",
                                         "app/ui/text/metrics.cc"};
  const std::set<std::string> kNames = {"Warpshop", " T instr/s", " G instr/s", "Stall ",
                                        "GeForce ", "Tesla ", "Quadro ", "Slash",
                                        // CuTe's notation.
                                        "Sw<5,0,5> o (32,32):(32,1)", "Sw<3,3,3> o (32,64):(64,1)"};
  // A panel's key; key_label() translates it.
  const auto is_chord = [](const std::string& text) {
    return text.find('+') != std::string::npos && chord_from_text(text).has_value();
  };
  for (const auto& [file, tokens] : window_sources()) {
    if (kTables.contains(file)) continue;
    const std::vector<bool> said = inside_calls(tokens, kSays),
                            other = inside_calls(tokens, kOthers);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].literal || said[i] || other[i] || !is_text(tokens[i].text) ||
          is_chord(tokens[i].text) || kNames.contains(tokens[i].text))
        continue;
      ADD_FAILURE() << file << ":" << tokens[i].line << ": let tr() say \"" << tokens[i].text
                    << "\"";
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
  const fs::path english_file = write(
      "en.toml",
      "[language]\nname = \"English\"\n[a]\n\"Run\" = \"Run\"\n\"{} of {}\" = \"{} of {}\"\n");
  const Result<Catalogue> english = read_catalogue(english_file);
  ASSERT_TRUE(english.ok());
  struct Case {
    const char* what;
    std::string text;
    std::string said;
  };
  const std::string head = "[language]\nname = \"Deutsch\"\n[a]\n", run = "\"Run\" = \"Los\"\n";
  const Case cases[] = {
      {"unknown form", head + run + "\"{} of {}\" = { two = \"{} von {}\" }\n",
       "de.toml:5:16: error: '{} of {}' has the forms few, many and other"},
      {"a place that there is not", head + run + "\"line {line}\" = \"Zeile {zeile}\"\n",
       "de.toml:5:1: error: 'line {line}' is given {line}, its text has {zeile}"},
      {"no rule", "[language]\nname = \"Deutsch\"\nplural = \"many\"\n",
       "de.toml:3:10: error: this is nothing that a language has"},
      {"unknown", head + run + "\"{} of {}\" = \"{} von {}\"\n\"Rum\" = \"Los\"\n",
       "de.toml:6: error: the window does not say 'Rum'"},
      {"not given enough", head + run + "\"{} of {}\" = \"{} von\"\n",
       "de.toml:5:1: error: '{} of {}' is given {0} {1}, its text has {0}"},
      {"given too much", head + "\"Run\" = \"{} los\"\n\"{} of {}\" = \"{} von {}\"\n",
       "de.toml:4:1: error: 'Run' is given none, its text has {0}"},
      {"no text", head + "\"Run\" = 3\n\"{} of {}\" = \"{} von {}\"\n",
       "de.toml:4:1: error: 'Run' must be a text"},
      {"twice", head + run + "\"{} of {}\" = \"{} von {}\"\n[b]\n\"Run\" = \"Los\"\n",
       "'Run' is there twice, first at line"},
      {"no TOML", head + "\"Run\" = \n", "de.toml:4:"},
      {"no name", "[a]\n" + run + "\"{} of {}\" = \"{} von {}\"\n",
       "de.toml:1: error: the name of the language is missing"},
  };
  for (const Case& c : cases) {
    const Result<Catalogue> read = read_catalogue(write("de.toml", c.text), &*english);
    ASSERT_FALSE(read.ok()) << c.what;
    EXPECT_THAT(render(read.errors()), HasSubstr(c.said)) << c.what;
  }
}

TEST_F(CatalogueFile, TheWindowSpeaksTheLanguageOfTheFile) {
  write("en.toml",
        "[language]\nname = \"English\"\n[a]\n\"{} of {}\" = \"{} of {}\"\n\"{} lane\" = \"{} "
        "lane\"\n\"{} lanes\" = \"{} lanes\"\n");
  const Result<Catalogue> english = read_catalogue(folder_ / "en.toml");
  ASSERT_TRUE(english.ok());
  Result<Catalogue> german =
      read_catalogue(write("de.toml",
                           "[language]\nname = \"Deutsch\"\n[a]\n\"{} of {}\" = \"von {1}: "
                           "{0}\"\n\"{} lane\" = \"eine Spur\"\n\"{} lanes\" = \"{} Spuren\"\n"),
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

TEST_F(CatalogueFile, WhatIsMissingIsSaidInEnglishAsEnglishCounts) {
  const fs::path english_file =
      write("en.toml",
            "[language]\nname = \"English\"\n[a]\n\"Run\" = \"Run\"\n\"{} lane\" = \"{} "
            "lane\"\n\"{} lanes\" = \"{} lanes\"\n");
  const Result<Catalogue> english = read_catalogue(english_file);
  ASSERT_TRUE(english.ok());
  Result<Catalogue> french = read_catalogue(
      write(
          "fr.toml",
          "[language]\nname = \"Français\"\nplural = \"zero-to-one\"\n[a]\n\"Run\" = \"Lancer\"\n"),
      &*english);
  ASSERT_TRUE(french.ok()) << render(french.errors());
  EXPECT_THAT(missing_texts(*french, *english), testing::ElementsAre("{} lane", "{} lanes"));
  use_language(std::move(french).value());
  EXPECT_STREQ(tr("Run"), "Lancer");
  EXPECT_EQ(tr_count(0, "{} lane", "{} lanes"), "0 lanes");
}

TEST_F(CatalogueFile, LanguagesCountInTheirOwnWays) {
  const Result<Catalogue> english =
      read_catalogue(write("en.toml",
                           "[language]\nname = \"English\"\n[a]\n\"{} lane\" = \"{} lane\"\n\"{} "
                           "lanes\" = \"{} lanes\"\n"));
  ASSERT_TRUE(english.ok());
  Result<Catalogue> polish = read_catalogue(
      write(
          "pl.toml",
          "[language]\nname = \"Polski\"\nplural = \"polish\"\n[a]\n\"{} lane\" = \"{} pas\"\n\"{} "
          "lanes\" = { few = \"{} pasy\", many = \"{} pasów\", other = \"{} pasa\" }\n"),
      &*english);
  ASSERT_TRUE(polish.ok()) << render(polish.errors());
  use_language(std::move(polish).value());
  struct Case {
    uint64_t count;
    const char* said;
  };
  for (const Case& c : {Case{0, "0 pasów"},
                        {1, "1 pas"},
                        {2, "2 pasy"},
                        {5, "5 pasów"},
                        {12, "12 pasów"},
                        {22, "22 pasy"},
                        {112, "112 pasów"}}) {
    EXPECT_EQ(tr_count(c.count, "{} lane", "{} lanes"), c.said);
  }
}

// From Unicode's CLDR, "Language Plural Rules".
TEST(Text, FormsOfNumbersAreThoseOfCldr) {
  struct Case {
    Plural rule;
    uint64_t count;
    const char* form;
  };
  const Case cases[] = {
      {Plural::kOneOther, 0, "other"},  {Plural::kOneOther, 1, "one"},
      {Plural::kOneOther, 21, "other"}, {Plural::kZeroToOne, 0, "one"},
      {Plural::kZeroToOne, 1, "one"},   {Plural::kZeroToOne, 2, "other"},
      {Plural::kNone, 1, "other"},      {Plural::kEastSlavic, 1, "one"},
      {Plural::kEastSlavic, 21, "one"}, {Plural::kEastSlavic, 11, "many"},
      {Plural::kEastSlavic, 3, "few"},  {Plural::kEastSlavic, 13, "many"},
      {Plural::kEastSlavic, 24, "few"}, {Plural::kEastSlavic, 0, "many"},
      {Plural::kPolish, 21, "many"},    {Plural::kPolish, 22, "few"},
      {Plural::kPolish, 14, "many"},    {Plural::kCzech, 4, "few"},
      {Plural::kCzech, 5, "other"},     {Plural::kCzech, 22, "other"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(form_of(c.rule, c.count), c.form) << static_cast<int>(c.rule) << " " << c.count;
}

TEST_F(CatalogueFile, NumbersHaveTheMarksOfTheLanguage) {
  use_language({"de", "Deutsch", {}, Plural::kOneOther, ',', "."});
  EXPECT_EQ(with_separators(1048576), "1.048.576");
  EXPECT_EQ(fraction_text(1234567.25), "1.234.567,25");
  EXPECT_EQ(ratio_text(1.25), "1,25×");
  EXPECT_EQ(duration_text(1.24), "1,2 s");
  EXPECT_EQ(bytes_text(1572864), "1,5 MiB");
  EXPECT_EQ(moved_text(134217728), "134,2 MB");
  EXPECT_EQ(size_text("1024 × 1,024"), "1.024 × 1.024");
  EXPECT_EQ(tr(sentence("{time} us", {{"time", decimal(17.25, 1)}})), "17,2 us");
}

// Every language of the program has all texts of the window and the rooms.
TEST(Text, TheLanguagesOfTheProgramLackNothing) {
  const Catalogue complete = english();
  for (const std::string& id : languages(kSource)) {
    const Result<Catalogue> catalogue = load_language(kSource, id);
    ASSERT_TRUE(catalogue.ok()) << render(catalogue.errors());
    for (const std::string& text : missing_texts(*catalogue, complete)) {
      ADD_FAILURE() << "assets/text/" << id << ".toml lacks \"" << text << "\"";
    }
  }
}

// Finds texts that are in the catalogue but still in English. Those that are the same in both
// languages are listed.
TEST(Text, TheGermanTextsAreNotEnglish) {
  const std::set<std::string> kAlike = {
      // the program
      "Lab", "Labs", "Film", "Editor", "Student", "Minimal", "Version {}", "warm",
      "{error}. {message}",
      // threads, memory and the chip
      "Lane {}", "Thread ({}, {}, {})", "Warp", "Occupancy", "Occupancy {}", "Roofline", "Bank {}",
      "Partition {}", "Burst {}", "Element {}", "Pipeline", "DRAM", "L1", "L2", "ECC", "Refresh",
      "Caches", "FLOP", "%", "`ldmatrix`", "ideal {}", "n",
      // names, commands and combinations
      "{problem} ({doing})", "{}, {}", "{field}: {what}", "0, 1, 2, …", "Parameter",
      "{metric}: {why}", "Nsight Compute", "Nsight Compute: {}", "NVRTC", "OpenGL",
      "ssh gpu-server warpshop worker"};
  const Catalogue complete = english();
  const Result<Catalogue> german = load_language(kSource, "de");
  ASSERT_TRUE(german.ok()) << render(german.errors());
  for (const auto& [text, entry] : complete.texts) {
    const auto found = german->texts.find(text);
    if (found == german->texts.end()) continue;  // reported above
    if (kAlike.contains(text)) {
      EXPECT_EQ(found->second.text, entry.text) << "no longer alike: take it out of the list";
    } else {
      EXPECT_NE(found->second.text, entry.text)
          << "assets/text/de.toml:" << found->second.line << ": is this German?";
    }
  }
}

TEST(Text, FormulasOfWordsAreGerman) {
  Result<Catalogue> german = load_language(kSource, "de");
  ASSERT_TRUE(german.ok()) << render(german.errors());
  use_language(std::move(german).value());
  for (const models::BankRule rule :
       {models::BankRule::kMeasuredBanks, models::BankRule::kHalfWarps16}) {
    EXPECT_NE(tr(passes_metric(rule).formula), passes_metric(rule).formula);
  }
  EXPECT_NE(tr(state_metric(timing::WarpState::kWait).formula),
            state_metric(timing::WarpState::kWait).formula);
  for (const MetricWords& metric : {metric::kLanesOfWord, metric::kLineStalls,
                                    metric::kWrongElements, metric::kOfRoof, metric::kWarmTime}) {
    EXPECT_NE(tr(metric.formula), metric.formula);
  }
  EXPECT_EQ(tr(metric::kOccupancy.formula), metric::kOccupancy.formula)
      << "of counters' names alone";
  use_language({"en", "English", {}});
}

TEST(Text, TheEnvironmentChoosesTheFirstLanguage) {
  struct Case {
    const char* all;
    const char* lang;
    const char* chosen;
  };
  const Case cases[] = {{"", "de_DE.UTF-8", "de"}, {"", "de", "de"},
                        {"", "C.UTF-8", "en"},     {"", "", "en"},
                        {"", "fr_FR", "en"},       {"C", "de_DE", "en"},
                        {"de_AT@euro", "C", "de"}, {"", "pt_BR.UTF-8", "pt-BR"}};
  for (const Case& c : cases) {
    ASSERT_EQ(setenv("LC_ALL", c.all, 1), 0);
    ASSERT_EQ(setenv("LC_MESSAGES", "", 1), 0);
    ASSERT_EQ(setenv("LANG", c.lang, 1), 0);
    EXPECT_EQ(system_language({"de", "en", "pt-BR"}), c.chosen) << c.all << " " << c.lang;
  }
}

TEST(Text, TheLanguageForTestsIsLongerAndKeepsItsPlaces) {
  const Catalogue pseudo = pseudo_language(english());
  for (const auto& [text, entry] : pseudo.texts) {
    size_t before = 0, after = 0;
    for (char c : text) before += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    for (char c : entry.text) after += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    size_t letters = 0;
    bool place = false;  // inside {name}, which is not translated
    for (char c : text) {
      place = c == '{' || (place && c != '}');
      letters += !place && std::isalpha(static_cast<unsigned char>(c)) != 0;
    }
    EXPECT_GE(static_cast<double>(after),
              static_cast<double>(before) + 0.35 * static_cast<double>(letters))
        << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'),
              std::count(entry.text.begin(), entry.text.end(), '{'))
        << text;
  }
}

TEST(Text, PartsGoWhereTheTextWantsThem) {
  EXPECT_EQ(fill_in("{} {} {}", {"a", "b"}), "a b {}");
  EXPECT_EQ(fill_in("{1} {0} {1}", {"a", "b"}), "b a b");
  EXPECT_EQ(fill_in("{ } {x} {", {"a"}), "{ } {x} {");
  EXPECT_EQ(fill_in("{}", {"{0}"}), "{0}");  // inserted text is not substituted again
}

}  // namespace
}  // namespace warpshop::ui
