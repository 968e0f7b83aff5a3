// Sentences that other rooms say to people (core/sentence.h): none bypasses the catalogue. Reads
// the sources, so that no sentence is forgotten.
#include "core/sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "device/protocol.h"
#include "emulator/finding.h"
#include "models/limitations.h"
#include "shown_texts.h"
#include "text/text.h"
#include "timing/prediction.h"

namespace warpshop::ui {

std::vector<std::string> sentences_of_tables() {
  std::vector<std::string> out;
  const auto say = [&out](std::string_view text) { out.emplace_back(text); };
  for (int model = 0; model <= static_cast<int>(models::ModelName::kBankModel); ++model) {
    say(models::title_of(static_cast<models::ModelName>(model)));
    for (const models::Limitation& row :
         models::limitations_of(static_cast<models::ModelName>(model))) {
      say(row.what);
      say(row.effect);
    }
  }
  for (int limiter = 0; limiter <= static_cast<int>(timing::Limiter::kLaunch); ++limiter)
    say(name_of(static_cast<timing::Limiter>(limiter)));
  for (int kind = 0; kind <= static_cast<int>(emulator::FindingKind::kRemovedCode); ++kind) {
    say(name_of(static_cast<emulator::FindingKind>(kind)));
  }
  // The first words of a finding: what was accessed, and how. Constants and parameters have no
  // atomics.
  for (const char* space : {"global", "shared", "local", "constant", "param", "texture"}) {
    for (const char* access : {"read", "write", "atomic"}) {
      const bool constant = std::string(space) == "constant" || std::string(space) == "param";
      if (!constant || std::string(access) != "atomic") say(std::string(space) + " " + access);
    }
  }
  for (const char* reason : {"power cap", "hardware slowdown", "thermal slowdown",
                             "thermal slowdown (hardware)", "power brake", "display clocks"}) {
    say(reason);  // device/clocks.cc
  }
  say("never written");  // BufferComparison::Mismatch::got_text
  return out;
}

namespace {

const std::filesystem::path kAllSources = WARPSHOP_SOURCE_DIR;

class Sentences : public testing::Test {
 protected:
  void SetUp() override {
    Result<Catalogue> catalogue = load_language(kAllSources, "en");
    ASSERT_TRUE(catalogue.ok()) << render(catalogue.errors());
    english_ = *catalogue;
  }
  void TearDown() override { use_language({"en", "English", {}}); }
  Catalogue english_;
};

// Texts for people must not be assembled from pieces of English: other languages order their words
// differently.
TEST_F(Sentences, NoRoomSaysAnythingPastTheCatalogue) {
  // Specs are only reported on the terminal.
  const std::set<std::string> kEnglish = {"app/lab/spec/spec_runner.cc"};
  const std::set<std::string> kFields = {"message", "cause",     "help",    "reason", "got",
                                         "wanted",  "in_common", "summary", "title"};
  for (const auto& sources : speaking_sources(kAllSources)) {
    for (const auto& [file, tokens] : sources) {
      if (kEnglish.contains(file)) continue;
      const std::vector<bool> said = inside_calls(tokens, {"sentence", "counted"});
      for (size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].literal || !kFields.contains(tokens[i].text) || tokens[i + 1].literal ||
            tokens[i + 1].text != "=")
          continue;
        int depth = 0;
        for (size_t at = i + 2; at < tokens.size(); ++at) {
          const Token& token = tokens[at];
          if (token.literal) {
            EXPECT_TRUE(said[at] || !is_text(token.text))
                << file << ":" << token.line << ": let sentence() say \"" << token.text << "\"";
            continue;
          }
          depth += token.text == "(" || token.text == "{";
          depth -= token.text == ")" || token.text == "}";
          if (depth < 0 || token.text == ";" || (depth == 0 && token.text == ",")) break;
        }
      }
    }
  }
}

// A GPU worker's errors and descriptions of its work reach the window through the worker protocol,
// with their parts.
TEST_F(Sentences, NoWorkerSaysAnythingPastTheCatalogue) {
  for (const char* room : {"app/device", "app/core"}) {
    for (const auto& [file, tokens] : sources_in(kAllSources, room)) {
      const std::vector<bool> said = inside_calls(tokens, {"sentence", "counted"});
      const std::vector<bool> told =
          inside_calls(tokens, {"make_error", "make_error_at", "check", "wait", "allocate", "made",
                                "lost", "run_once", "run_pair", "file_error"});
      for (size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].literal || !told[i] || said[i]) continue;
        EXPECT_FALSE(is_text(tokens[i].text))
            << file << ":" << tokens[i].line << ": let sentence() say \"" << tokens[i].text << "\"";
      }
    }
  }
}

// Whatever the parts and the texts contain, nothing is substituted twice or read as a format.
TEST_F(Sentences, PartsAreNoFormats) {
  use_language(
      {"xx", "Other", {{"{name} of {bytes} bytes", {"%s {bytes} {{name}} {nothing} {", 1}}}});
  const Sentence said =
      sentence("{name} of {bytes} bytes", {{"name", "%n{bytes}{0}"}, {"bytes", 4}});
  EXPECT_EQ(said.english(), "%n{bytes}{0} of 4 bytes");
  EXPECT_EQ(tr(said), "%s 4 {%n{bytes}{0}} {nothing} {");
}

TEST_F(Sentences, TheWindowSaysThemInItsLanguage) {
  Result<Catalogue> german = load_language(kAllSources, "de");
  ASSERT_TRUE(german.ok()) << render(german.errors());
  use_language(std::move(german).value());
  EXPECT_EQ(
      tr(sentence("{access} of {bytes} bytes at {address}, which is not a multiple of {bytes}",
                  {{"access", sentence("write")}, {"bytes", 16}, {"address", "0x104"}})),
      "Schreibzugriff auf 16 Bytes bei 0x104, was kein Vielfaches von 16 ist");
  EXPECT_EQ(tr(counted(1, "{count} warning", "{count} warnings")), "1 Warnung");
  EXPECT_EQ(tr(counted(3, "{count} warning", "{count} warnings")), "3 Warnungen");
  EXPECT_EQ(
      tr(sentence("Each is {factor} times the expected value.", {{"factor", number("1,000.5")}})),
      "Jedes ist das 1.000,5-Fache des Erwarteten.");
  EXPECT_EQ(tr(Sentence("identifier \"x\" is undefined")), "identifier \"x\" is undefined");
}

// A worker is another process, perhaps on another machine: its errors arrive through the protocol.
TEST_F(Sentences, TheWindowSaysAWorkersErrorsInItsLanguage) {
  Result<Catalogue> german = load_language(kAllSources, "de");
  ASSERT_TRUE(german.ok()) << render(german.errors());
  use_language(std::move(german).value());
  const Diagnostic fault = make_error(
      "gpu-fault", sentence("{problem} ({doing})",
                            {{"problem", sentence("the kernel used a misaligned address")},
                             {"doing", sentence("loading {file}", {{"file", "column.cu"}})}}));
  const Result<device::Message> message =
      device::read_message(device::error_line(1, {fault}, true));
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(tr(message->errors.front().message),
            "der Kernel hat eine falsch ausgerichtete Adresse benutzt (Laden von column.cu)");
}

}  // namespace
}  // namespace warpshop::ui
