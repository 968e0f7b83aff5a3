#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Whichever option comes first, the window handles it: it reports what is missing, or the lack of a
// display.
TEST(Window, EachOfItsOptionsOpensIt) {
  const Program program;
  const std::string help = program.run("--lab fixture --help", "DISPLAY= WAYLAND_DISPLAY=").out;
  size_t options = 0;
  for (size_t at = help.find("  --"); at != std::string::npos; at = help.find("  --", at + 1)) {
    const std::string option = help.substr(at + 2, help.find_first_of(" ,\n", at + 2) - at - 2);
    if (option == "--help") continue;
    ++options;
    const Outcome outcome = program.run(option, "DISPLAY= WAYLAND_DISPLAY=");
    EXPECT_NE(outcome.status, 0) << option;
    EXPECT_THAT(outcome.err, testing::Not(HasSubstr("subcommand"))) << option;
  }
  if (help.empty()) GTEST_SKIP() << "built without the window";
  EXPECT_GE(options, 10U) << help;
}

TEST(Help, IsToldByItsWordAsByItsOption) {
  const Program program;
  const Outcome word = program.run("help");
  EXPECT_EQ(word.status, 0);
  EXPECT_THAT(word.out, HasSubstr("Run an exercise's kernel and judge it"));
  EXPECT_EQ(word.out, program.run("--help").out);
}

TEST(Labs, JsonIsTheContracts) {
  const Program program;
  const Outcome outcome = program.run("labs --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json expected = {
      {"labs",
       {{{"id", "fixture"},
         {"title", "Fixture"},
         {"own", false},
         {"steps",
          {{{"id", "reading"}, {"title", "What there is to know"}, {"exercise", false}},
           {{"id", "scale"}, {"title", "Neighbours read neighbours"}, {"exercise", true}},
           {{"id", "transpose"}, {"title", "Through a tile"}, {"exercise", true}}}}}}}};
  EXPECT_EQ(json::parse(outcome.out), expected);
}

TEST(Labs, TheListShowsStepsAndWhatWasPassed) {
  const Program program;
  program.folder().write("home/progress.json",
                         R"({"version": 1, "steps": {"fixture/scale": {"passed": true}}})");
  const std::string out = program.run("labs").out;
  EXPECT_THAT(out, HasSubstr("✓ scale"));
  EXPECT_THAT(out, HasSubstr("  transpose"));
  EXPECT_THAT(out, HasSubstr("(reading)"));
}

TEST(Labs, BrokenProgressIsSaidAndTheListStillCome) {
  const Program program;
  program.folder().write("home/progress.json", "{");
  const Outcome outcome = program.run("labs");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("progress.json.broken-1"));
  EXPECT_THAT(outcome.out, HasSubstr("fixture"));
  EXPECT_EQ(program.folder().read("home/progress.json.broken-1"), "{");
}

TEST(Labs, ABrokenLabIsSaidBesideTheOthers) {
  const Program program;
  program.folder().write("data/labs/broken/lab.toml", "format = 1\ntitle =\n");
  const Outcome outcome = program.run("labs --json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("broken/lab.toml:2"));
  EXPECT_EQ(json::parse(outcome.out)["labs"].size(), 1U);
}

TEST(Labs, TheSkeletonCanBeTakenAway) {
  const Program program;
  const Outcome outcome = program.run("labs --skeleton fixture/scale");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("int i = threadIdx.x * gridDim.x + blockIdx.x;"));
  EXPECT_EQ(program.run("labs --skeleton fixture/reading").status, 2);
}

TEST(Labs, AStartedLabIsListedAndProves) {
  const Program program;
  const Outcome outcome = program.run("labs new warp-votes --title 'Votes of a warp'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("labs/warp-votes/lab.toml"));
  EXPECT_THAT(outcome.out, HasSubstr("/docs/writing-a-lab.md\n"));
  EXPECT_EQ(json::parse(program.run("labs --json").out)["labs"][1]["title"], "Votes of a warp");
  EXPECT_EQ(program.run("labs --prove warp-votes").status, 0);
  const Outcome again = program.run("labs new warp-votes");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("already a lab 'warp-votes' in " + program.path() +
                                   "/home/labs/warp-votes"));
}

// A user's lab is available to every verb, wherever --labs appears, and to none without it.
TEST(Labs, AnOwnFolderIsForEveryVerb) {
  const Program program;
  const Outcome made = program.run("labs new warp-votes --dir course");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("warpshop labs --labs course --prove warp-votes"));
  EXPECT_EQ(program.run("labs --prove warp-votes").status, 2);
  EXPECT_EQ(program.run("labs --labs course --prove warp-votes").status, 0);
  EXPECT_EQ(program.run("--labs course labs --prove warp-votes").status, 0);
  EXPECT_EQ(program.run("check warp-votes --solution --labs course").status, 0);
  EXPECT_EQ(program.run("check warp-votes --solution", "WARPSHOP_LABS=course").status, 0);
  EXPECT_EQ(
      program.run("report warp-votes --solution --labs course/warp-votes -o page.html").status, 0);
  EXPECT_THAT(program.folder().read("page.html"), HasSubstr("Warp votes"));
  EXPECT_THAT(program.run("labs --labs course").out,
              HasSubstr("your own: " + program.path() + "/course/warp-votes"));
  program.folder().write("class/ada/warp-votes/neighbours.cu",
                         program.folder().read("course/warp-votes/kernels/neighbours.cu"));
  const Outcome graded = program.run("grade class --labs course --out grades --jobs 1");
  EXPECT_EQ(graded.status, 0) << graded.err;
  EXPECT_THAT(graded.out, HasSubstr("1 passed"));
}

// Reports unreferenced files, and the check that should have caught a wrong kernel.
TEST(Labs, AProofNamesLeftOverFilesAndTheCheckThatShouldHaveFailed) {
  const Program program;
  ASSERT_EQ(program.run("labs new votes").status, 0);
  program.folder().write("home/labs/votes/solutions/wrong/forgotten.cu", "left over");
  program.folder().write("home/labs/votes/solutions/wrong/neighbours-no-guard.cu",
                         program.folder().read("home/labs/votes/kernels/neighbours.cu"));
  const Outcome outcome = program.run("labs --prove votes");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("unused: " + program.path() +
                                     "/home/labs/votes/solutions/wrong/forgotten.cu"));
  EXPECT_THAT(outcome.out, HasSubstr("every check passes; \"no-findings\" should have failed"));
}

TEST(Labs, ALabIsProved) {
  const Program program;
  EXPECT_EQ(program.run("labs --prove fixture").status, 0);
  program.folder().write("data/solutions/fixture/wrong/off-by-one.cu",
                         program.folder().read("data/kernels/fixture/scale.cu"));
  const Outcome outcome = program.run("labs --prove fixture");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("✗ scale off-by-one.cu"));
}

TEST(Gpus, TheH200IsItself) {
  const Program program;
  const Outcome outcome = program.run("gpus --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json gpus = json::parse(outcome.out)["gpus"];
  bool found = false;
  for (const json& gpu : gpus) {
    if (gpu["id"] != "h200") continue;
    found = true;
    EXPECT_EQ(gpu["compute_capability"], "9.0");
    EXPECT_EQ(gpu["sm_count"], 132);
    EXPECT_EQ(gpu["max_warps_per_sm"], 64);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(program.run("gpus").out, HasSubstr("NVIDIA H200"));
}

TEST(Gpus, AreComparedNumberByNumberWithWhatIsAssumed) {
  const Program program;
  const Outcome outcome = program.run("gpus 8800-gt k40c");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("partition_count +partition +4 +12 .assumed."));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("dram_banks +bank +unknown +16 .assumed."));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("memory_type +GDDR3 +GDDR5"));
  const Outcome as_json = program.run("gpus 8800-gt k40c --json");
  ASSERT_EQ(as_json.status, 0) << as_json.err;
  const json gpus = json::parse(as_json.out)["gpus"];
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_TRUE(gpus[0]["numbers"]["dram_banks"].is_null());
  EXPECT_EQ(gpus[1]["numbers"]["partition_count"]["assumed"], true);
  const Outcome unknown = program.run("gpus h300");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("h300"));
}

TEST(Doctor, SaysWhatIsThereAndWhatIsMissing) {
  const Program program;
  const Outcome good = program.run("doctor", "WARPSHOP_CACHE_UNUSED=1");
  EXPECT_EQ(good.status, 0) << good.out;
  for (const char* what :
       {"NVRTC", "CUDA headers", "compiling", "GPU driver", "display", "OpenGL", "data", "labs",
        "GPU profiles", "fonts", "your work", "cache", "cores"}) {
    EXPECT_THAT(good.out, HasSubstr(what));
  }
  std::filesystem::remove_all(program.folder().path() / "data" / "labs");
  const Outcome bad = program.run("doctor");
  EXPECT_EQ(bad.status, 3);
  EXPECT_THAT(bad.out, HasSubstr("lacks labs"));
  EXPECT_THAT(bad.out, HasSubstr("→ run ./start"));
}

TEST(Doctor, AHomeThatCannotBeWrittenIsAWarning) {
  const Program program;
  program.folder().write("home", "not a folder");
  const Outcome outcome = program.run("doctor");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("is not writable"));
  EXPECT_THAT(outcome.out, HasSubstr("WARPSHOP_HOME"));
}

TEST(Help, TeachesByExample) {
  const Program program;
  for (const char* verb : {"", "labs", "check", "run", "gpus", "doctor"}) {
    const Outcome outcome = program.run(std::string(verb) + " --help");
    EXPECT_EQ(outcome.status, 0) << verb;
    EXPECT_THAT(outcome.out, HasSubstr("Example")) << verb;
    EXPECT_THAT(outcome.out, HasSubstr("  warpshop ")) << verb;
  }
  EXPECT_THAT(program.run("--help").out, HasSubstr("Exit status: 0"));
  EXPECT_THAT(program.run("--help").out, HasSubstr("warpshop --lab coalescing "));
}

}  // namespace
}  // namespace warpshop::cli
