#include "lab/proof.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "broken_lab.h"
#include "core/files.h"
#include "lab/left_over.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

Runner& runner() {
  static Runner instance = std::move(Runner::create().value());
  return instance;
}

void expect_proved(const Lab& lab) {
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  const std::vector<ProofItem> items = prove_lab(runner(), lab, gpu);
  EXPECT_FALSE(items.empty());
  for (const ProofItem& item : items) {
    EXPECT_TRUE(item.holds) << lab.id << "/" << item.step << " " << item.what << ": " << item.found;
  }
}

// Every lab in labs/: skeletons fail, solutions pass, and wrong kernels fail as they should.
class EveryLab : public testing::TestWithParam<std::string> {};

TEST_P(EveryLab, HoldsWhatItPromises) {
  const Result<Lab> lab = load_lab(data_dir(), GetParam());
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  expect_proved(*lab);
}

std::vector<std::string> lab_ids() {
  std::vector<std::string> ids;
  for (const auto& folder : std::filesystem::directory_iterator(data_dir() / "labs"))
    ids.push_back(folder.path().filename());
  std::sort(ids.begin(), ids.end());
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Labs, EveryLab, testing::ValuesIn(lab_ids()), [](const auto& lab) {
  std::string name = lab.param;
  std::erase(name, '-');
  return name;
});

TEST(Proof, TheFixtureHolds) {
  expect_proved(
      load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value());
}

// The proof exposes a lab whose promises are false.
TEST(Proof, FalsePromisesAreFound) {
  Lab lab = load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value();
  lab.steps.pop_back();
  Exercise& exercise = *lab.steps[1].exercise;
  const std::string solution = exercise.solution;
  exercise.solution = exercise.skeleton;                // a solution that fails
  exercise.skeleton = "this is not C++";                // a skeleton that does not compile
  exercise.wrong = {{"good.cu", solution, "correct"}};  // a "wrong" kernel that is correct
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  std::vector<ProofItem> items = prove_lab(runner(), lab, gpu);
  std::erase_if(items,
                [](const ProofItem& i) { return i.what == "questions" || i.what == "task"; });
  ASSERT_EQ(items.size(), 3U);
  for (const ProofItem& item : items) EXPECT_FALSE(item.holds) << item.what;
  EXPECT_EQ(items[2].found, "every check passes; \"correct\" should have failed");
}

// An answer that can be had without thinking is exposed as well, with the line of its question.
TEST(Proof, AnAnswerThatIsGivenAwayIsFound) {
  const BrokenLab fixture;
  Lab lab = fixture.load().value();
  const int line = line_of(fixture.folder().read("labs/fixture/lab.toml"), "[[step.question]]");
  lab.steps.resize(1);
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  std::vector<ProofItem> items = prove_lab(runner(), lab, gpu);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].what, "questions");
  EXPECT_TRUE(items[0].holds) << items[0].found;
  lab.steps[0].text = with(lab.steps[0].text, "<!-- after the run -->", "");
  items = prove_lab(runner(), lab, gpu);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_FALSE(items[0].holds);
  EXPECT_EQ(items[0].found, "lab.toml:" + std::to_string(line) +
                                ": what is shown before the question says \"32\", the right "
                                "answer");
}

// Without bounds on the whole kernel a cheat passes, and the proof names it.
TEST(Proof, ACheatThatPassesIsFound) {
  Lab lab = load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value();
  lab.steps.pop_back();
  Exercise& exercise = *lab.steps[1].exercise;
  exercise.checks.clear();
  exercise.wrong.clear();
  exercise.whole_kernel = {
      .instructions = 1000, .memory_sectors = 1000, .shared_memory = 1000, .ratios = 1000};
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  std::map<std::string, ProofItem> items;
  for (ProofItem& item : prove_lab(runner(), lab, gpu)) items[item.what] = item;
  ASSERT_TRUE(items.contains("cheats"));
  EXPECT_FALSE(items["cheats"].holds);
  EXPECT_NE(items["cheats"].found.find("not for this kernel: "), std::string::npos)
      << items["cheats"].found;
  ASSERT_TRUE(items.contains("lanes one after the other (solution)"));
  EXPECT_FALSE(items["lanes one after the other (solution)"].holds);
  EXPECT_FALSE(items.contains("inputs made anew (solution)"))
      << "its results are wrong whatever is bounded";
}

// A bound that an honest kernel exceeds is too tight. Here it is the reference, which is slower
// than the start and the solution.
TEST(Proof, AReferenceThatFailsForItsCostAloneIsFound) {
  Lab lab = load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value();
  lab.steps.pop_back();
  Exercise& exercise = *lab.steps[1].exercise;
  exercise.wrong.clear();
  const std::string fast = "if (i < n) out[i] = 2.0f * in[i];";
  ASSERT_NE(exercise.reference.find(fast), std::string::npos);
  exercise.reference.replace(exercise.reference.find(fast), fast.size(),
                             "float two = 0; for (volatile int k = 0; k < 100; k = k + 1) two = 2; "
                             "if (i < n) out[i] = two * in[i];");
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  std::map<std::string, ProofItem> items;
  for (ProofItem& item : prove_lab(runner(), lab, gpu)) items[item.what] = item;
  EXPECT_TRUE(items["solution"].holds) << items["solution"].found;
  ASSERT_TRUE(items.contains("reference"));
  EXPECT_FALSE(items["reference"].holds);
  EXPECT_NE(items["reference"].found.find("loosen the exercise's whole_kernel"), std::string::npos);
}

// The program's labs have no unused files, and an unused file is found in each folder of a lab.
TEST(Proof, LeftOverFilesAreNamed) {
  for (const Lab& lab : load_labs(data_dir()).labs) {
    for (const std::filesystem::path& file : left_over_files(lab)) ADD_FAILURE() << file;
  }
  const TemporaryFolder folder;
  std::filesystem::copy(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", folder.path(),
                        std::filesystem::copy_options::recursive);
  const std::string toml = folder.read("labs/fixture/lab.toml");
  folder.write("labs/fixture/lab.toml", toml + "\n# text = \"once.md\"\n");
  const std::vector<std::string> left = {"kernels/fixture/old-scale.cu", "labs/fixture/once.md",
                                         "solutions/fixture/wrong/never.cu"};
  for (const std::string& file : left) folder.write(file, "left over");
  std::vector<std::string> found;
  for (const auto& file : left_over_files(load_lab(folder.path(), "fixture").value())) {
    found.push_back(file.lexically_relative(folder.path()).string());
  }
  EXPECT_EQ(found, left);
}

// If a scene does not show what its text says, the proof reports what it does show.
TEST(Proof, AScenesWordsAndItsPictureAgree) {
  const struct Promise {
    const char* name;
    const char* keys;   // the scene's keys
    const char* found;  // empty: the proof passes
  } kPromises[] = {
      {"as the words say",
       "ask = \"The read of in?\"\nshow = \"transactions\"\nat = \"out[i] = 2.0f * "
       "in[i];\"\naccess = \"in[i]\"\nexpect = 4",
       ""},
      {"another cost",
       "show = \"transactions\"\nat = \"out[i] = 2.0f * in[i];\"\naccess = \"out[i]\"\nexpect = 32",
       "the map's number is 4, and 'expect' says 32"},
      {"another access",
       "say = \"in[i]: neighbours.\"\nshow = \"transactions\"\nat = \"out[i] = 2.0f * "
       "in[i];\"\naccess = \"store\"",
       "the words speak of in"},
      {"no second load",
       "show = \"transactions\"\nat = \"out[i] = 2.0f * in[i];\"\naccess = \"load 2\"",
       "the line makes no such access in the first block"},
      {"no such memory", "show = \"banks\"",
       "nothing to show: the kernel makes no such access in its first block"},
      {"no atomics", "show = \"contention\"",
       "the panel contention has nothing to show: the kernel has no atomics"},
      {"no atomics to count", "show = \"contention\"\nexpect = 1",
       "the panel contention has nothing to show: the kernel has no atomics"},
      {"no copies", "show = \"pipeline\"",
       "the panel pipeline has nothing to show: the kernel has no asynchronous copies"},
      {"a number as it is said", "show = \"number\"\nnumber = \"3.66 + n - n\"\nexpect = 3.7", ""},
      {"another number", "show = \"number\"\nnumber = \"3.66 + n - n\"\nexpect = 3.6",
       "the number is 3.7, and 'expect' says 3.6"},
      {"partitions", "show = \"partitions\"\nexpect = 900", "the panel's number is 1"},
      {"a panel's number", "show = \"occupancy\"\nnumber = \"occupancy_pct\"\nexpect = 50",
       "the number is 100, and 'expect' says 50"},
  };
  const TemporaryFolder folder;
  std::filesystem::copy(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", folder.path(),
                        std::filesystem::copy_options::recursive);
  std::string script = "format = 1\ntitle = \"A script\"\n";
  for (const Promise& c : kPromises) {
    const std::string keys = c.keys;
    script += "[[scene]]\ntitle = \"" + std::string(c.name) +
              "\"\nstep = \"scale\"\nkernel = \"solution\"\n" +
              (keys.starts_with("say") ? "" : "say = \"One.\"\n") + keys + "\n";
  }
  folder.write("labs/fixture/demo.toml", script);
  const Result<Lab> lab = load_lab(folder.path(), "fixture");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  const models::GpuProfile gpu = models::find_gpu_profile(data_dir(), "h200").value();
  std::vector<ProofItem> scenes = prove_lab(runner(), *lab, gpu);
  std::erase_if(scenes, [](const ProofItem& item) { return item.step != "demo"; });
  ASSERT_EQ(scenes.size(), std::size(kPromises));
  for (size_t i = 0; i < scenes.size(); ++i) {
    EXPECT_EQ(scenes[i].holds, std::string_view(kPromises[i].found).empty())
        << kPromises[i].name << ": " << scenes[i].found;
    EXPECT_NE(scenes[i].found.find(kPromises[i].found), std::string::npos)
        << kPromises[i].name << ": " << scenes[i].found;
    if (scenes[i].holds) continue;
    const std::string title = "title = \"" + std::string(kPromises[i].name) + "\"";
    EXPECT_TRUE(scenes[i].found.starts_with(
        "demo.toml:" + std::to_string(line_of(script, title) - 1) + ": "))
        << scenes[i].found;
  }
}

}  // namespace
}  // namespace warpshop::lab
