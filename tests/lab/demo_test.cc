// The lecture's script: what is read from it, the place of every
// mistake, and the number that a scene shows.
#include "lab/demo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.h"
#include "lab/lab.h"
#include "lab/run_result.h"
#include "lab/shown_access.h"
#include "temporary_folder.h"
#include "timing/memory_timeline.h"

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
notes = "Those who say *4* think of **one** thread: ask for the 32 addresses of one moment."
minutes = 2.5
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
at = "mine"
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
  EXPECT_EQ(first.notes,
            "Those who say *4* think of **one** thread: ask for the 32 addresses of one moment.");
  EXPECT_EQ(first.minutes, 2.5);
  EXPECT_EQ(lab->demo->scenes[1].notes, "");
  EXPECT_EQ(first.show, Scene::Show::kTransactions);
  // The number of the line with this text, counting from 1.
  const std::string before = first.source.substr(0, first.source.find("out[i] = 2.0f"));
  EXPECT_EQ(first.line, 1 + std::count(before.begin(), before.end(), '\n'));
  EXPECT_EQ(first.access.kind, emulator::AccessKind::kStore);
  EXPECT_FALSE(first.whole_run);
  ASSERT_TRUE(first.published);
  EXPECT_EQ(first.published->value, 16.96);
  const Scene& second = lab->demo->scenes[1];
  EXPECT_EQ(second.line, 1);
  EXPECT_TRUE(second.whole_run);
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
    const char* at;  // the error is on the line with this text
    const char* message;
  };
  const Case kCases[] = {
      {"unknown_key", "title = \"A script\"", "title = \"A script\"\nauthor = 1", "author",
       "unknown key 'author'"},
      {"newer_format", "format = 1", "format = 2", "format = 2", "format 2 is unknown"},
      {"no_such_step", "step = \"scale\"\nkernel = \"start\"",
       "step = \"scalar\"\nkernel = \"mine.cu\"", "scalar", "no step 'scalar'"},
      {"reading_step", "step = \"scale\"\nkernel = \"mine.cu\"",
       "step = \"reading\"\nkernel = \"mine.cu\"", "step = \"reading\"", "has no exercise to run"},
      {"no_such_file", "mine.cu", "yours.cu", "yours.cu", "yours.cu"},
      {"no_say", "say = \"One number.\"", "", "[[scene]]\ntitle = \"A number\"",
       "the scene has no 'say'"},
      {"no_time_at_all", "minutes = 2.5", "minutes = 0", "minutes = 0", "'minutes' is more than 0"},
      {"notes_with_a_broken_formula", "**one** thread", "$\\frac{1$ thread", "notes = ", ""},
      {"bad_show", "show = \"transactions\"", "show = \"sectors\"", "show = \"sectors\"",
       "\"sectors\" is none of \"transactions\", \"banks\", \"number\", \"partitions\""},
      {"bad_access", "access = \"store\"", "access = \"write\"", "access = \"write\"",
       "is no access"},
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
       "number = \"blocks\"", "'number' is not for a map"},
      {"ideal_of_a_map", "show = \"transactions\"", "show = \"transactions\"\nideal = 4",
       "ideal = 4\na", "'ideal' is for show = \"number\""},
      {"expected_of_a_panel", "show = \"transactions\"", "show = \"warp\"\nexpect = 4",
       "expect = 4", "'expect' needs 'number'"},
      {"no_such_panel", "show = \"transactions\"", "show = \"editor\"", "show = \"editor\"",
       "\"roofline\""},
      {"access_not_in_the_line", "access = \"store\"", "access = \"in[k]\"", "access = \"in[k]\"",
       "the line has no \"in[k]\""},
      {"access_number", "access = \"store\"", "access = \"store 0\"", "access = \"store 0\"",
       "counted from 1"},
      {"access_of_nothing", "access = \"store\"", "access = \"store out\"",
       "access = \"store out\"", "is no access"},
      {"expectation_broken", "ideal = 4", "ideal = 4\nexpect = \"4 +\"", "expect = ", "expected"},
      {"access_of_a_number", "at = \"mine\"", "at = \"mine\"\naccess = \"load\"",
       "access = \"load\"", "chooses what a map shows"},
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
    for (const Diagnostic& error : lab.errors())
      EXPECT_FALSE(error.help.english().starts_with("warpshop ")) << error.help;
  }
}

// Figures by the rules of an old chip are labelled with that chip, not with the selected GPU.
TEST(Demo, FiguresOfAModelAreHeadedWithItsGpu) {
  size_t scenes = 0;
  for (const Lab& lab : load_labs(data_dir()).labs) {
    if (!lab.demo) continue;
    for (const Scene& scene : lab.demo->scenes) {
      if (scene.number.find("model.") == std::string::npos) continue;
      ++scenes;
      EXPECT_EQ(scene.gpu, lab.find_step(scene.step)->exercise->model_gpu->id)
          << lab.id << ": " << scene.title;
    }
  }
  EXPECT_GT(scenes, 0U);
  TemporaryFolder folder;
  for (const char* part :
       {"assets", "kernels/dram-bursts", "solutions/dram-bursts", "labs/dram-bursts"}) {
    fs::create_directories(folder.path() / part);
    fs::copy(fs::canonical(data_dir() / part), folder.path() / part, fs::copy_options::recursive);
  }
  ASSERT_TRUE(load_lab(folder.path(), "dram-bursts").ok());
  const std::string script = read_file(folder.path() / "labs/dram-bursts/demo.toml").value();
  folder.write("labs/dram-bursts/demo.toml",
               with(script, "title = \"What is visited together lies together\"",
                    "title = \"What is visited together lies together\"\ngpu = \"h200\""));
  const Result<Lab> lab = load_lab(folder.path(), "dram-bursts");
  ASSERT_FALSE(lab.ok());
  EXPECT_THAT(render(lab.errors()), HasSubstr("by the rules of rtx-6000"));
}

TEST(Demo, ANumberIsGoodNearItsIdealAndNeitherWithoutOne) {
  struct Case {
    double value;
    std::optional<double> ideal;
    std::optional<bool> good;
  };
  for (const Case& c :
       {Case{32, 4, false}, Case{4, 4, true}, Case{1.04, 1, true}, Case{1.06, 1, false},
        Case{98.4, 100, true}, Case{90, 100, false}, Case{0, 0, true}, Case{0.1, 0, false},
        Case{64, std::nullopt, std::nullopt}}) {
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

TEST(Demo, ANumberIsSaidAsItsWordsSayIt) {
  struct Case {
    double value;
    const char* expect;
    const char* said;
  };
  for (const Case& c :
       {Case{18.244, "18", "18"}, Case{3.664, "3.7", "3.7"}, Case{104.97, "105", "105"},
        Case{98.43, "98", "98"}, Case{1.125, "1.13", "1.13"}, Case{32768, "32768", "32,768"},
        Case{1.017, "", "1"}, Case{9.97, "", "10"}, Case{0.6775, "", "0.68"}, Case{0, "0", "0"},
        Case{0.4, "18", "0.4"}, Case{17.06, "n / 2", "17"}, Case{-3.21, "", "-3.2"},
        Case{0.00123, "", "0.00123"}, Case{31.5, "31.50", "31.5"}}) {
    Scene scene;
    scene.expect = c.expect;
    EXPECT_EQ(said_number(scene, c.value), c.said) << c.value;
  }
}

TEST(Demo, AParameterIsFoundByItsName) {
  const std::string text =
      "// scale(a)\n__global__ void scale(const float* __restrict__ in,\n  float *out, int n) {}\n";
  EXPECT_EQ(parameter_place(text, "scale", "in"), 0);
  EXPECT_EQ(parameter_place(text, "scale", "out"), 1);
  EXPECT_EQ(parameter_place(text, "scale", "n"), 2);
  EXPECT_EQ(parameter_place(text, "scale", "float"), -1);
  EXPECT_EQ(parameter_place(text, "cale", "in"), -1);
}

// One warp. Line 7 reads `a`, then shared memory twice: one word for all lanes, and
// 32 words in one bank. Line 9 writes `out`.
KernelRun made_run() {
  KernelRun run;
  run.kernel = "scale";
  const auto site = [&](int line, ptx::Space space, emulator::AccessKind kind, const char* array,
                        int param) {
    emulator::AccessSite made;
    made.space = space;
    made.kind = kind;
    made.source.line = line;
    made.array = array;
    made.param = param;
    run.sites.push_back(made);
  };
  site(7, ptx::Space::kGlobal, emulator::AccessKind::kLoad, "", 0);
  site(7, ptx::Space::kShared, emulator::AccessKind::kLoad, "tile", -1);
  site(7, ptx::Space::kShared, emulator::AccessKind::kLoad, "other", -1);
  site(9, ptx::Space::kGlobal, emulator::AccessKind::kStore, "", 1);
  const uint64_t stride[] = {4, 0, 128, 128};
  for (uint32_t n = 0; n < 4; ++n) {
    timing::RecordedAccess record;
    record.access.site = n;
    record.access.space = run.sites[n].space;
    record.access.active_mask = 0xffffffffu;
    for (uint64_t lane = 0; lane < 32; ++lane)
      record.access.address[lane] = 4096 + lane * stride[n];
    run.records.push_back(record);
  }
  return run;
}

// A loop that the lanes leave one after another: 32, 24, 16, 8 of them are active, 20 on average.
TEST(Demo, AFilmShowsItsLineWithAsManyLanesAsOnAverage) {
  KernelRun run = made_run();
  run.records.resize(1);
  for (const uint32_t mask : {0xffffffu, 0xffffu, 0xffu}) {
    run.records.push_back(run.records.front());
    run.records.back().access.active_mask = mask;
  }
  run.records.push_back(run.records[2]);
  run.records.back().access.active_mask = 0xfffffu;
  run.records.back().warp.warp = 1;  // another warp's are not counted
  models::GpuProfile gpu;
  gpu.capability = {9, 0};
  Scene scene;
  scene.line = 7;
  scene.show = Scene::Show::kPanel;
  scene.panel = "warp";
  EXPECT_EQ(shown_access(scene, run, gpu)->record, 1U);
}

TEST(Demo, ASceneMeansOneAccessOfItsLine) {
  const KernelRun run = made_run();
  models::GpuProfile gpu;
  gpu.capability = {9, 0};
  Scene scene;
  scene.line = 7;
  scene.show = Scene::Show::kBanks;
  EXPECT_EQ(shown_access(scene, run, gpu)->cost.shown, 32) << "the costliest";
  scene.access.array = "tile";
  EXPECT_EQ(shown_access(scene, run, gpu)->record, 1U);
  EXPECT_EQ(shown_access(scene, run, gpu)->cost.shown, 1);
  scene.access.array = "third";
  EXPECT_FALSE(shown_access(scene, run, gpu));
  scene.access = {};
  scene.access.number = 2;
  EXPECT_EQ(shown_access(scene, run, gpu)->record, 2U);
  scene.access.number = 3;
  EXPECT_FALSE(shown_access(scene, run, gpu)) << "the line has two";
  scene.access = {};
  scene.show = Scene::Show::kTransactions;
  EXPECT_EQ(shown_access(scene, run, gpu)->cost.shown, 4);
  scene.access.kind = emulator::AccessKind::kStore;
  EXPECT_FALSE(shown_access(scene, run, gpu)) << "line 7 stores nothing there";
  scene.line = 9;
  scene.access.param = 1;
  EXPECT_EQ(shown_access(scene, run, gpu)->cost.shown, 32);
  scene.access.param = 0;
  EXPECT_FALSE(shown_access(scene, run, gpu));
  scene.line = 0;
  EXPECT_EQ(shown_access(scene, run, gpu)->cost.shown, 32) << "of all";
}

TEST(Demo, APanelsNumberIsThatOfItsHeadline) {
  RunResult result;
  EXPECT_FALSE(panel_number("occupancy", result)) << "nothing has run";
  result.sizes.emplace_back();
  KernelRun& run = result.sizes.front().student;
  run.occupancy.fraction = 0.25;
  EXPECT_EQ(panel_number("occupancy", result), 25);
  EXPECT_FALSE(panel_number("partitions", result)) << "not played";
  timing::MemoryTimeline memory;
  memory.camping.slowdown = 4.5;
  memory.dram.row_hits = 3;
  memory.dram.row_misses = 1;
  run.memory = std::make_shared<const timing::MemoryTimeline>(memory);
  EXPECT_EQ(panel_number("partitions", result), 4.5);
  EXPECT_EQ(panel_number("dram", result), 75);
  EXPECT_EQ(panel_number("contention", result), std::nullopt) << "no atomics";
  run.contention.global.requests = 2;
  run.contention.global.requests_by_lanes[1] = run.contention.global.requests_by_lanes[4] = 1;
  run.contention.shared.requests = run.contention.shared.requests_by_lanes[3] = 1;
  EXPECT_EQ(panel_number("contention", result), 2.5) << "5 turns beside 3";
  for (const std::string_view panel : kScenePanels)
    EXPECT_EQ(panel_number(panel, result).has_value(), has_panel_number(panel)) << panel;
}

TEST(Demo, WordsThatNameAnotherAccessContradictTheMap) {
  const KernelRun run = made_run();
  models::GpuProfile gpu;
  gpu.capability = {9, 0};
  struct Case {
    const char* name;
    const char* say;
    const char* ask;
    const char* array;
    bool contradicts;
  };
  for (const Case& c :
       {Case{"as it stands", "tile[ty][k]: one word for all.", "How many?", "tile", false},
        Case{"the other array", "tile[ty][k]: one word for all.", "How many?", "other", true},
        Case{"the question counts", "tile[ty][k] was easy.", "And the read of other?", "other",
             false},
        Case{"part of a word", "my_tile[ty][k]", "How many?", "other", false},
        Case{"nothing is named", "One word for all.", "How many wavefronts?", "other", false}}) {
    Scene scene;
    scene.source = "__global__ void scale(const float* in, float* out) {}";
    scene.say = c.say;
    scene.ask = c.ask;
    scene.line = 7;
    scene.show = Scene::Show::kBanks;
    scene.access.array = c.array;
    const auto shown = shown_access(scene, run, gpu);
    ASSERT_TRUE(shown);
    EXPECT_EQ(!contradiction(scene, run, *shown).empty(), c.contradicts) << c.name;
  }
}

}  // namespace
}  // namespace warpshop::lab
