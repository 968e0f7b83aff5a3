// The lecture's script: what is read, every mistake with its place, and the number that a scene
// shows.
#include "lab/demo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lab/lab.h"
#include "lab/run_result.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDemoData = fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data";

constexpr const char* kScript = R"(format = 1
title = "A script"

[[scene]]
title = "The start"
step = "scale"
kernel = "start"
say = "Lanes far apart."
ask = "How many sectors?"
answer = "32."
show = "transactions"
at = "out[i] = 2.0f"
access = "store"
published = { label = "somebody", value = 16.96, unit = "GB/s", source = "a lecture" }

[[scene]]
title = "A number"
step = "scale"
kernel = "mine.cu"
say = "One number."
show = "number"
number = "global_load_sectors / global_load_requests"
unit = "sectors"
ideal = 4
)";

class ScriptedLab {
 public:
  ScriptedLab() {
    fs::copy(kDemoData, folder_.path(), fs::copy_options::recursive);
    folder_.write("labs/fixture/mine.cu", "// mine\n");
    write(kScript);
  }
  void write(const std::string& script) { folder_.write("labs/fixture/demo.toml", script); }
  Result<Lab> load() const { return load_lab(folder_.path(), "fixture"); }

 private:
  TemporaryFolder folder_;
};

TEST(Demo, AScriptIsRead) {
  const ScriptedLab scripted;
  const Result<Lab> lab = scripted.load();
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  ASSERT_TRUE(lab->demo);
  EXPECT_EQ(lab->demo->title, "A script");
  ASSERT_EQ(lab->demo->scenes.size(), 2U);
  const Scene& first = lab->demo->scenes[0];
  EXPECT_EQ(first.source, lab->find_step("scale")->exercise->skeleton);
  EXPECT_EQ(first.file_name, "scale.cu");
  EXPECT_EQ(first.show, Scene::Show::kTransactions);
  // The line that has the text, counted from 1.
  const std::string before = first.source.substr(0, first.source.find("out[i] = 2.0f"));
  EXPECT_EQ(first.line, 1 + std::count(before.begin(), before.end(), '\n'));
  EXPECT_EQ(first.access, emulator::AccessKind::kStore);
  ASSERT_TRUE(first.published);
  EXPECT_EQ(first.published->value, 16.96);
  const Scene& second = lab->demo->scenes[1];
  EXPECT_EQ(second.source, "// mine\n");
  EXPECT_EQ(second.file_name, "mine.cu");
  EXPECT_EQ(second.ideal, "4");
  EXPECT_FALSE(second.published);
}

TEST(Demo, ALabNeedsNoScript) {
  const Result<Lab> lab = load_lab(kDemoData, "fixture");
  ASSERT_TRUE(lab.ok());
  EXPECT_FALSE(lab->demo);
}

TEST(Demo, EveryMistakeIsNamedWithItsLine) {
  struct Case {
    const char* name;
    const char *from, *to;
    const char* at;  // the error is at the line where this stands
    const char* message;
  };
  const Case kCases[] = {
      {"unknown_key", "title = \"A script\"", "title = \"A script\"\nauthor = 1", "author",
       "unknown key 'author'"},
      {"newer_format", "format = 1", "format = 2", "format = 2", "format 2 is not known"},
      {"no_such_step", "step = \"scale\"\nkernel = \"start\"",
       "step = \"scalar\"\nkernel = \"mine.cu\"", "scalar", "no step 'scalar'"},
      {"reading_step", "step = \"scale\"\nkernel = \"mine.cu\"",
       "step = \"reading\"\nkernel = \"mine.cu\"", "step = \"reading\"", "has no exercise to run"},
      {"no_such_file", "mine.cu", "yours.cu", "yours.cu", "yours.cu"},
      {"no_say", "say = \"One number.\"", "", "[[scene]]\ntitle = \"A number\"",
       "the scene has no 'say'"},
      {"bad_show", "show = \"transactions\"", "show = \"sectors\"", "show = \"sectors\"",
       "\"sectors\" is none of \"transactions\", \"banks\", \"number\""},
      {"bad_access", "access = \"store\"", "access = \"write\"", "access = \"write\"",
       "is none of"},
      {"line_not_there", "at = \"out[i] = 2.0f\"", "at = \"in[j]\"", "in[j]",
       "no line of scale.cu has"},
      {"line_not_one", "at = \"out[i] = 2.0f\"", "at = \"i\"", "at = \"i\"",
       "lines of scale.cu have"},
      {"number_missing", "number = \"global_load_sectors / global_load_requests\"", "",
       "[[scene]]\ntitle = \"A number\"", "has the key 'number'"},
      {"number_unknown", "global_load_requests\"", "global_load_request\"",
       "number = ", "no counter or size variable 'global_load_request'"},
      {"number_broken", "sectors / global", "sectors / / global", "number = ", "expected"},
      {"number_of_a_map", "show = \"transactions\"", "show = \"transactions\"\nnumber = \"blocks\"",
       "number = \"blocks\"", "are for show = \"number\""},
      {"expected_of_a_map", "show = \"transactions\"", "show = \"transactions\"\nexpect = 4",
       "expect = 4", "are for show = \"number\""},
      {"expectation_broken", "ideal = 4", "ideal = 4\nexpect = \"4 +\"", "expect = ", "expected"},
      {"place_of_a_number", "unit = \"sectors\"", "at = \"mine\"", "at = \"mine\"",
       "choose what a map shows"},
      {"published_negative", "value = 16.96", "value = -1", "published", "more than 0"},
      {"published_unknown", "unit = \"GB/s\",", "unit = \"GB/s\", page = 3,", "published",
       "unknown key 'page'"},
      {"no_scenes", "[[scene]]", "[[act]]", "[[act]]", "unknown key 'act'"},
      {"not_toml", "title = \"A script\"", "title = ", "title = ", ""},
  };
  for (const Case& c : kCases) {
    ScriptedLab scripted;
    std::string script = kScript;
    if (std::string(c.name) == "no_scenes") {
      for (size_t at; (at = script.find(c.from)) != std::string::npos;) script.replace(at, 9, c.to);
    } else {
      script = with(script, c.from, c.to);
    }
    scripted.write(script);
    const Result<Lab> lab = scripted.load();
    ASSERT_FALSE(lab.ok()) << c.name;
    const size_t at = script.find(c.at);
    const int line = 1 + static_cast<int>(std::count(script.begin(),
                                                     script.begin() + static_cast<long>(at), '\n'));
    const bool said =
        std::any_of(lab.errors().begin(), lab.errors().end(), [&](const Diagnostic& d) {
          return d.place.line == line && d.place.file.ends_with("labs/fixture/demo.toml") &&
                 d.message.english().find(c.message) != std::string::npos;
        });
    EXPECT_TRUE(said) << c.name << ": expected at line " << line << "\n" << render(lab.errors());
  }
}

TEST(Demo, ANumberIsGoodNearItsIdealAndNeitherWithoutOne) {
  struct Case { double value; std::optional<double> ideal; std::optional<bool> good; };
  for (const Case& c : {Case{32, 4, false}, Case{4, 4, true}, Case{1.04, 1, true}, Case{1.06, 1, false}, Case{98.4, 100, true},
                        Case{90, 100, false}, Case{0, 0, true}, Case{0.1, 0, false}, Case{64, std::nullopt, std::nullopt}}) {
    EXPECT_EQ(is_good({c.value, c.ideal, std::nullopt}), c.good) << c.value;
  }
}

TEST(Demo, ASceneNumberIsThatOfTheFirstSize) {
  Scene scene;
  scene.number = "global_load_sectors / global_load_requests";
  scene.ideal = "2 * n";
  scene.expect = "16 * n";
  RunResult result;
  EXPECT_FALSE(scene_number(scene, result).ok()) << "nothing has run";
  SizeResult size;
  size.size.variables["n"] = 2;
  size.student.completed = true;
  size.student.counters.global_load_sectors = 64;
  size.student.counters.global_load_requests = 2;
  result.sizes.push_back(size);
  const Result<SceneNumber> number = scene_number(scene, result);
  ASSERT_TRUE(number.ok());
  EXPECT_EQ(number->value, 32);
  EXPECT_EQ(number->ideal, 4);
  EXPECT_EQ(number->expect, 32);
  result.sizes.front().student.counters.global_load_requests = 0;
  EXPECT_FALSE(scene_number(scene, result).ok()) << "a division by zero is no number";
  result.sizes.front().student.completed = false;
  EXPECT_FALSE(scene_number(scene, result).ok());
}

}  // namespace
}  // namespace warpshop::lab
