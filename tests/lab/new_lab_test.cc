#include "lab/new_lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.h"
#include "lab/lab.h"
#include "lab/left_over.h"
#include "lab/proof.h"
#include "lab/runner.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A data folder with the fixture's lab and the real assets.
class NewLab : public testing::Test {
 protected:
  NewLab() {
    const fs::path tests(WARPSHOP_TESTS_DIR);
    fs::copy(tests / "lab" / "data", folder_.path(), fs::copy_options::recursive);
    fs::create_directory_symlink(tests.parent_path() / "assets", folder_.path() / "assets");
  }
  const fs::path& data() const { return folder_.path(); }
  fs::path own() const { return folder_.path() / "home" / "labs"; }
  LabPlaces places() const { return {data(), {own()}}; }
  Result<std::vector<fs::path>> create(std::string_view id, std::string_view title) const {
    return create_lab(places(), own(), id, title);
  }
  TemporaryFolder folder_;
};

TEST_F(NewLab, ItProvesAsItIs) {
  const Result<std::vector<fs::path>> files = create("warp-votes", "");
  ASSERT_TRUE(files.ok()) << render(files.errors());
  for (const fs::path& file : *files) EXPECT_TRUE(fs::is_regular_file(file)) << file;

  const Result<Lab> lab = load_lab(places(), "warp-votes");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  EXPECT_EQ(lab->title, "Warp votes");
  ASSERT_TRUE(lab->demo);
  EXPECT_EQ(lab->demo->title, "Warp votes");
  Result<Runner> runner = Runner::create();
  ASSERT_TRUE(runner.ok()) << render(runner.errors());
  const models::GpuProfile gpu = models::find_gpu_profile(data(), "h200").value();
  int proved = 0;
  std::set<std::string> scenes;
  for (const ProofItem& item : prove_lab(*runner, *lab, gpu)) {
    EXPECT_TRUE(item.holds) << item.step << " " << item.what << ": " << item.found;
    ++proved;
    if (item.step == "demo") scenes.insert(item.what);
  }
  EXPECT_EQ(scenes.size(), lab->demo->scenes.size());
  EXPECT_GE(proved, 5);  // a solution, a skeleton, three wrong kernels
}

// An author starts from what our own labs promise (teaching_test.cc).
TEST_F(NewLab, ItShowsHowOurLabsTeach) {
  ASSERT_TRUE(create("votes", "Votes").ok());
  const Result<Lab> lab = load_lab(places(), "votes");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  size_t typed = 0, questions = 0;
  for (const Step& step : lab->steps) {
    EXPECT_NE(step.able, "") << step.id;
    EXPECT_EQ(step.learned.size(), 2U) << step.id;
    questions += step.questions.size();
    for (const Question& question : step.questions) typed += question.number ? 1 : 0;
    if (!step.exercise) continue;
    EXPECT_TRUE(step.exercise->estimate) << step.id;
    EXPECT_FALSE(step.further.empty()) << step.id;
    EXPECT_THAT(step.text, HasSubstr("<!-- after the run -->")) << step.id;
  }
  EXPECT_GE(3 * typed, questions);
}

TEST_F(NewLab, ItStandsAfterTheOthersAndKeepsNothingOfTheTemplatesName) {
  int last = 0;
  for (const Lab& lab : load_labs(places()).labs) last = std::max(last, lab.order);
  const Result<std::vector<fs::path>> files = create("votes", "Votes");
  ASSERT_TRUE(files.ok()) << render(files.errors());
  EXPECT_GT(load_lab(places(), "votes")->order, last);
  for (const fs::path& file : *files) {
    const std::string text = read_file(file).value();
    EXPECT_THAT(text, Not(HasSubstr("new-lab"))) << file;
    EXPECT_THAT(text, Not(HasSubstr("New lab"))) << file;
  }
}

TEST_F(NewLab, ATitleMayHaveAnyCharacters) {
  for (const char* title :
       {R"(Of "quotes" and \ strokes)", "A new-lab, order = 900", "Größe – ✓"}) {
    const Result<std::vector<fs::path>> files = create("any", title);
    ASSERT_TRUE(files.ok()) << render(files.errors());
    const Result<Lab> lab = load_lab(places(), "any");
    ASSERT_TRUE(lab.ok()) << render(lab.errors());
    EXPECT_EQ(lab->title, title);
    ASSERT_TRUE(lab->demo) << title;
    EXPECT_EQ(lab->demo->title, title);
    fs::remove_all(own() / "any");
  }
}

TEST_F(NewLab, WhatIsThereIsNotTouched) {
  struct Refused {
    const char* name;
    const char* id;
    const char* title;
    const char* message;
  };
  constexpr Refused kRefused[] = {
      {"a lab of the program", "fixture", "", "there is already a lab 'fixture' in "},
      {"a folder without a lab", "half", "", "there is already a folder"},
      {"capitals", "Votes", "", "cannot be a lab's id"},
      {"a path", "../votes", "", "cannot be a lab's id"},
      {"an option", "-votes", "", "cannot be a lab's id"},
      {"nothing", "", "", "cannot be a lab's id"},
      {"two lines", "votes", "Votes\norder = 1", "one line"},
  };
  folder_.write("home/labs/half/mine.cu", "mine");
  const std::string before = folder_.read("labs/fixture/lab.toml");
  for (const Refused& c : kRefused) {
    const Result<std::vector<fs::path>> files = create(c.id, c.title);
    ASSERT_FALSE(files.ok()) << c.name;
    EXPECT_THAT(files.errors().front().message, HasSubstr(c.message)) << c.name;
    EXPECT_EQ(files.errors().front().kind.name(), "usage") << c.name;
  }
  EXPECT_EQ(folder_.read("labs/fixture/lab.toml"), before);
  EXPECT_EQ(folder_.read("home/labs/half/mine.cu"), "mine");
  EXPECT_FALSE(fs::exists(own() / "votes"));
}

// If a template is missing, nothing is written.
TEST_F(NewLab, AMissingTemplateIsSaid) {
  fs::remove(data() / "assets");
  const Result<std::vector<fs::path>> files = create("votes", "");
  ASSERT_FALSE(files.ok());
  EXPECT_THAT(files.errors().front().message, HasSubstr("template"));
  EXPECT_FALSE(fs::exists(own() / "votes"));
}

// Everything is in one folder, the size for times is one at which
// GPUs are measured, and every file is used.
TEST_F(NewLab, ItIsOneFolder) {
  const Result<std::vector<fs::path>> files = create("votes", "");
  ASSERT_TRUE(files.ok()) << render(files.errors());
  for (const fs::path& file : *files) {
    EXPECT_EQ(*file.lexically_relative(own()).begin(), "votes") << file;
  }
  const Result<Lab> lab = load_lab(places(), "votes");
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  EXPECT_TRUE(lab->own);
  const Exercise& exercise = *lab->steps.at(1).exercise;
  ASSERT_TRUE(exercise.timed);
  EXPECT_GT(exercise.timed->variables.at("n"), exercise.sizes[0].variables.at("n"));
  EXPECT_THAT(left_over_files(*lab), testing::IsEmpty());
}

}  // namespace
}  // namespace warpshop::lab
