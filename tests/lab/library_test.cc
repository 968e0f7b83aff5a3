// The program's and the user's labs: where they are searched for, and what can go wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/files.h"
#include "lab/lab.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// The fixture is the program's only lab; copies of it are the user's.
class Library : public testing::Test {
 protected:
  Library() { fs::copy(fixture_data(), folder_.path() / "data", fs::copy_options::recursive); }
  static fs::path fixture_data() { return fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data"; }
  fs::path at(const std::string& place) const { return folder_.path() / place; }

  // The fixture under another id in one folder, with kernels
  // beside lab.toml (loose) or in kernels/.
  void write_one_folder(const std::string& place, bool loose = false) const {
    const fs::path to = at(place);
    fs::create_directories(to.parent_path());
    fs::copy(fixture_data() / "labs" / "fixture", to, fs::copy_options::recursive);
    fs::copy(fixture_data() / "solutions" / "fixture", to / "solutions",
             fs::copy_options::recursive);
    fs::copy(fixture_data() / "kernels" / "fixture", loose ? to : to / "kernels",
             fs::copy_options::recursive);
    rename(place);
  }
  void write_three_folders(const std::string& root, const std::string& id) const {
    for (const char* part : {"labs", "kernels", "solutions"}) {
      fs::create_directories(at(root) / part);
      fs::copy(fixture_data() / part / "fixture", at(root) / part / id,
               fs::copy_options::recursive);
    }
    rename(root + "/labs/" + id);
  }
  LabLibrary load(const std::vector<fs::path>& own) const {
    return load_labs(LabPlaces{at("data"), own});
  }

  TemporaryFolder folder_;

 private:
  void rename(const std::string& place) const {
    const std::string id = fs::path(place).filename().string();
    folder_.write(place + "/lab.toml", with(folder_.read(place + "/lab.toml"), "id = \"fixture\"",
                                            "id = \"" + id + "\""));
  }
};

std::vector<std::string> ids_of(const LabLibrary& library) {
  std::vector<std::string> ids;
  for (const Lab& lab : library.labs) ids.push_back(lab.id + (lab.own ? " (own)" : ""));
  return ids;
}

TEST_F(Library, AnOwnLabMayHaveAnyForm) {
  write_one_folder("mine/a-folder");
  write_one_folder("mine/loose", true);
  write_three_folders("course", "three");
  const LabLibrary library = load({at("mine"), at("course")});
  EXPECT_TRUE(library.problems.empty()) << render(library.problems);
  EXPECT_THAT(ids_of(library),
              ElementsAre("a-folder (own)", "fixture", "loose (own)", "three (own)"));
  const std::string reference = folder_.read("data/kernels/fixture/scale.cu");
  for (const Lab& lab : library.labs) {
    bool any = false;
    for (const Step& step : lab.steps) {
      if (!step.exercise || step.id != "scale") continue;
      any = true;
      EXPECT_EQ(step.exercise->reference, reference) << lab.id;
      EXPECT_FALSE(step.exercise->wrong.empty()) << lab.id;
    }
    EXPECT_TRUE(any) << lab.id;
  }
}

TEST_F(Library, OneLabsFolderMayBeNamedItself) {
  write_one_folder("anywhere/votes");
  EXPECT_THAT(ids_of(load({at("anywhere/votes")})), ElementsAre("fixture", "votes (own)"));
  // It is one lab, although it is named twice and again through a link.
  fs::create_directory_symlink(at("anywhere"), at("link"));
  const LabLibrary library = load({at("anywhere/votes"), at("anywhere"), at("link")});
  EXPECT_THAT(ids_of(library), ElementsAre("fixture", "votes (own)"));
  EXPECT_TRUE(library.problems.empty()) << render(library.problems);
}

TEST_F(Library, KernelsAndSolutionsAreNotReadThroughALink) {
  write_one_folder("mine/votes");
  write_three_folders("course", "three");
  for (const char* part :
       {"mine/votes/kernels", "mine/votes/solutions", "course/kernels", "course/solutions/three"}) {
    SCOPED_TRACE(part);
    fs::rename(at(part), at("elsewhere"));
    fs::create_directory_symlink(at("elsewhere"), at(part));
    const LabLibrary library = load({at("mine"), at("course")});
    EXPECT_EQ(library.labs.size(), 2U) << "the program's, and the other of the two";
    EXPECT_THAT(render(library.problems), HasSubstr("is a link and is not followed"));
    fs::remove(at(part));
    fs::rename(at("elsewhere"), at(part));
  }
}

TEST_F(Library, AnIdThatIsThereTwiceIsAnErrorWithBothPlaces) {
  write_one_folder("mine/fixture");
  const LabLibrary library = load({at("mine")});
  EXPECT_THAT(ids_of(library), ElementsAre("fixture"));  // the program's lab still works
  ASSERT_EQ(library.problems.size(), 1U);
  const Result<Lab> one = load_lab(LabPlaces{at("data"), {at("mine")}}, "fixture");
  ASSERT_FALSE(one.ok());
  for (const Diagnostic& problem : {library.problems[0], one.errors()[0]}) {
    EXPECT_EQ(problem.place.file, at("mine/fixture/lab.toml"));
    EXPECT_THAT(problem.message.english(), HasSubstr(at("data/labs/fixture").string()));
  }
}

TEST_F(Library, AFolderThatWasNamedHasLabs) {
  fs::create_directory(at("empty"));
  struct Case {
    const char* folder;
    const char* message;
  };
  for (const Case& c : {Case{"empty", "there is no lab in this folder"},
                        Case{"missing", "No such file or directory"}}) {
    const LabLibrary library = load({at(c.folder)});
    ASSERT_EQ(library.problems.size(), 1U) << c.folder;
    EXPECT_EQ(library.problems[0].place.file, at(c.folder));
    EXPECT_THAT(library.problems[0].message.english(), HasSubstr(c.message));
    EXPECT_THAT(ids_of(library), ElementsAre("fixture"));
  }
}

TEST_F(Library, AnUnknownLabIsToldWithThoseThatThereAre) {
  write_one_folder("mine/votes");
  const Result<Lab> lab = load_lab(LabPlaces{at("data"), {at("mine")}}, "vote");
  ASSERT_FALSE(lab.ok());
  EXPECT_THAT(lab.errors()[0].message.english(), HasSubstr(at("mine").string()));
  EXPECT_EQ(lab.errors()[0].help.english(), "the labs are fixture, votes");
}

TEST_F(Library, TheUsersFoldersComeFromTheVariableAndTheirData) {
  const ScopedVariable home("WARPSHOP_HOME", at("home").string());
  const ScopedVariable data("WARPSHOP_DATA", at("data").string());
  const ScopedVariable labs("WARPSHOP_LABS", "");
  EXPECT_THAT(lab_places().own, testing::IsEmpty());
  EXPECT_EQ(new_labs_folder(), at("home/labs"));
  fs::create_directories(at("home/labs"));
  EXPECT_THAT(lab_places().own, ElementsAre(at("home/labs")));
  EXPECT_TRUE(load_labs(lab_places()).problems.empty());  // empty, but not named explicitly
  use_lab_folders(at("one").string() + "/:" + at("two").string());
  EXPECT_THAT(lab_places().own, ElementsAre(at("one"), at("two"), at("home/labs")));
  EXPECT_EQ(new_labs_folder(), at("one"));
  use_lab_folders("here");
  EXPECT_EQ(lab_places().own.front(), fs::current_path() / "here");
}

}  // namespace
}  // namespace warpshop::lab
