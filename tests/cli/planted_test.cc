// Planted beginners' mistakes and their correct twins: planted/*.cu. A section is a kernel `k`:
//
//   //// its name
//   // run: the launch, as arguments of `warpshop run`
//   // expect: nothing | KIND [KEY=VALUE …] [and_others] [either_order]
//      KEY: of a finding in `run --json`; _ stands for a space
//   // says: part of the message     // cause: part of the cause
//
// A finding of this kind must be on a line with HERE (or OTHER, since the order is unknown); its
// other line, if any line has OTHER, likewise. Findings of other kinds are errors unless
// `and_others` is given. `either_order`: the blocks run on several cores, and if OTHER's access
// comes later, neither the other line nor the cause is certain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;

struct Planted {
  std::string name;
  std::string run;
  std::string kind;  // empty: a correct kernel
  std::map<std::string, std::string> values;
  bool and_others = false;
  bool either_order = false;
  std::string says;
  std::string cause;
  std::string source;
  std::set<int> here;
  std::set<int> other;
};

void read_expectation(Planted& planted, const std::string& text) {
  std::istringstream words(text);
  words >> planted.kind;
  if (planted.kind == "nothing") planted.kind.clear();
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      EXPECT_TRUE(word == "and_others" || word == "either_order") << planted.name << ": " << word;
      (word == "and_others" ? planted.and_others : planted.either_order) = true;
      continue;
    }
    std::string value = word.substr(equals + 1);
    std::replace(value.begin(), value.end(), '_', ' ');
    planted.values[word.substr(0, equals)] = value;
  }
}

std::vector<Planted> sections_of(const std::filesystem::path& path) {
  std::vector<Planted> sections;
  std::ifstream file(path);
  int line = 0;
  for (std::string text; std::getline(file, text);) {
    const auto after = [&](const char* head) {
      return text.starts_with(head) ? text.substr(std::string(head).size()) : std::string();
    };
    if (const std::string name = after("//// "); !name.empty()) {
      sections.emplace_back().name = name;
      line = 0;
      continue;
    }
    if (sections.empty()) continue;
    Planted& planted = sections.back();
    if (std::string run = after("// run: "); !run.empty()) {
      planted.run = std::move(run);
    } else if (const std::string expectation = after("// expect: "); !expectation.empty()) {
      read_expectation(planted, expectation);
    } else if (std::string says = after("// says: "); !says.empty()) {
      planted.says = std::move(says);
    } else if (std::string cause = after("// cause: "); !cause.empty()) {
      planted.cause = std::move(cause);
    } else {
      ++line;
      planted.source += text + "\n";
      if (text.find("// HERE") != std::string::npos) planted.here.insert(line);
      if (text.find("// OTHER") != std::string::npos) planted.other.insert(line);
    }
  }
  return sections;
}

// A value as written in `expect`: a string, a number, or "2,1,0".
std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const json& part : value) out += (out.empty() ? "" : ",") + part.dump();
  return out;
}

void expect_finding(const Planted& planted, const json& findings) {
  const json* found = nullptr;
  for (const json& finding : findings) {
    if (finding["kind"] == planted.kind) {
      if (found == nullptr) found = &finding;
    } else {
      EXPECT_TRUE(planted.and_others) << finding.dump(1);
    }
  }
  ASSERT_NE(found, nullptr) << findings.dump(1);
  std::set<int> places = planted.here;
  places.insert(planted.other.begin(), planted.other.end());
  ASSERT_FALSE(planted.here.empty());
  ASSERT_TRUE((*found)["line"].is_number()) << found->dump(1);
  EXPECT_TRUE(places.contains((*found)["line"].get<int>())) << found->dump(1);
  const bool other_came_later = !planted.here.contains((*found)["line"].get<int>());
  if (planted.either_order && other_came_later) return;
  if (!planted.other.empty()) {
    ASSERT_TRUE(found->contains("other_line")) << found->dump(1);
    EXPECT_TRUE(places.contains((*found)["other_line"].get<int>())) << found->dump(1);
  }
  for (const auto& [key, value] : planted.values) {
    ASSERT_TRUE(found->contains(key)) << key;
    EXPECT_EQ(text_of((*found)[key]), value) << key;
  }
  EXPECT_THAT((*found)["message"].get<std::string>(), testing::HasSubstr(planted.says));
  EXPECT_THAT(text_of((*found)["cause"]), testing::HasSubstr(planted.cause));
}

class PlantedMistakes : public testing::TestWithParam<const char*> {};

TEST_P(PlantedMistakes, AreFoundAndTheirTwinsAreNot) {
  const std::filesystem::path path = std::filesystem::path(WARPSHOP_TESTS_DIR) / "cli" / "planted" /
                                     (std::string(GetParam()) + ".cu");
  const std::vector<Planted> sections = sections_of(path);
  ASSERT_FALSE(sections.empty()) << path;
  const Program program;
  for (const Planted& planted : sections) {
    SCOPED_TRACE(planted.name);
    program.folder().write("k.cu", planted.source);
    const std::string gpu = planted.run.find("--gpu ") == std::string::npos ? "--gpu h200 " : "";
    const Outcome outcome = program.run("run k.cu --kernel k --json " + gpu + planted.run);
    const json result = json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(result.is_object() && result["run"].is_object()) << outcome.out << outcome.err;
    const json& findings = result["run"]["findings"];
    if (planted.kind.empty()) {
      EXPECT_TRUE(findings.empty()) << findings.dump(1);
      EXPECT_TRUE(result["errors"].empty()) << result["errors"].dump(1);
      EXPECT_EQ(outcome.status, 0);
    } else {
      expect_finding(planted, findings);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedMistakes,
                         testing::Values("bounds_global", "bounds_other", "misaligned",
                                         "uninitialised", "races_shared", "races_global",
                                         "barriers_and_masks", "order_of_blocks", "mbarriers",
                                         "waiting_and_heap"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace warpshop::cli
