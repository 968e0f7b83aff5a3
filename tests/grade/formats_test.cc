// Points, gradebooks and one-submission results, apart from any kernel. What a grader accepts is in
// formats_test.py.
#include "grade/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "class_folder.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using namespace std::string_literals;

const std::vector<std::string> kAll = {"correct", "no-findings", "loads", "stores", "whole-kernel"};

// One lab with an exercise of five checks and one of three.
class Formats : public ::testing::Test {
 protected:
  Formats() {
    lab_.id = "lab";
    lab_.steps.resize(2);
    lab_.steps[0].id = "five";
    lab_.steps[1].id = "three";
    for (lab::Step& step : lab_.steps) step.exercise.emplace();
    std::vector<lab::CheckRule>& own = lab_.steps[0].exercise->checks;
    own.resize(2);
    own[0].id = own[0].title = "loads";
    own[1].id = own[1].title = "stores";
    class_.students = {"ada"};
    for (lab::Step& step : lab_.steps) class_.exercises.emplace_back(&lab_, &step);
  }

  Points points(const std::vector<std::string>& options = {}) const {
    Result<Points> read = read_points(options, class_);
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : render(read.errors()));
    return read.ok() ? *read : Points{};
  }

  // `passed`: ids of the checks that pass, of the five.
  Grade grade(Verdict verdict, const std::vector<std::string>& passed) const {
    Grade grade;
    grade.student = "ada";
    grade.lab = "lab";
    grade.step = "five";
    grade.verdict = verdict;
    grade.reason = verdict == Verdict::kPassed ? "" : "the reason";
    for (const std::string& id : kAll) {
      const bool passes = std::find(passed.begin(), passed.end(), id) != passed.end();
      grade.checks.push_back({id, id, passes, "got it", "wanted it"});
    }
    return grade;
  }

  Score score(const Grade& grade, const std::vector<std::string>& options = {}) const {
    return score_of(grade, *lab_.steps[0].exercise, points(options).exercises[0]);
  }

  lab::Lab lab_;
  Class class_;
};

TEST_F(Formats, PointsAreSplitOverTheChecks) {
  struct Case {
    std::vector<std::string> options;
    std::vector<int> five, three;
  };
  const Case kCases[] = {
      {{}, {1, 1, 1, 1, 1}, {1, 1, 1}},
      {{"lab=10"}, {2, 2, 2, 2, 2}, {4, 3, 3}},
      {{"lab/five=12"}, {3, 3, 2, 2, 2}, {1, 1, 1}},
      {{"lab=10", "lab/five=0"}, {0, 0, 0, 0, 0}, {4, 3, 3}},
      {{"lab/five=loads:8,whole-kernel:2"}, {8, 2}, {1, 1, 1}},
      {{"lab/five=passed:10", "lab/three=3"}, {10}, {1, 1, 1}},
  };
  for (const Case& c : kCases) {
    const Points read = points(c.options);
    ASSERT_EQ(read.exercises.size(), 2U);
    std::vector<int> five, three;
    for (const auto& [id, most] : read.exercises[0]) five.push_back(most);
    for (const auto& [id, most] : read.exercises[1]) three.push_back(most);
    EXPECT_EQ(five, c.five) << testing::PrintToString(c.options);
    EXPECT_EQ(three, c.three) << testing::PrintToString(c.options);
  }
}

TEST_F(Formats, WrongPointsSayWhatWasExpected) {
  const std::pair<const char*, const char*> kCases[] = {
      {"lab", "no '='"},
      {"lab=", "not a whole number"},
      {"lab=1.5", "not a whole number"},
      {"lab=-1", "not a whole number"},
      {"lab=9999999999", "not a whole number"},
      {"lab/five=4", "5 checks, which cannot share fewer"},
      {"other=5", "no exercise 'other' is graded"},
      {"lab/five=load:3", "no check 'load'"},
      {"lab/five=loads:3,", "gives no whole number"},
      {"lab/five=loads:3,loads:2", "named twice"},
  };
  for (const auto& [option, message] : kCases) {
    const Result<Points> read = read_points({option}, class_);
    ASSERT_FALSE(read.ok()) << option;
    EXPECT_THAT(render(read.errors()), HasSubstr(message));
    EXPECT_FALSE(read.errors().front().help.empty()) << option;
  }
}

TEST_F(Formats, OnlyCorrectResultsEarnPoints) {
  struct Case {
    Verdict verdict;
    std::vector<std::string> passed;
    std::optional<int> points;
  };
  const Case kCases[] = {
      {Verdict::kPassed, kAll, 5},
      {Verdict::kFailed, {"correct", "no-findings", "loads"}, 3},
      {Verdict::kFailed, {"no-findings", "loads", "stores"}, 0},
      {Verdict::kBroken, {}, 0},
      {Verdict::kLimit, {"correct"}, 0},
      {Verdict::kRefused, {}, 0},
      {Verdict::kMissing, {}, 0},
      {Verdict::kNoVerdict, kAll, std::nullopt},
  };
  for (const Case& c : kCases) {
    const Score got = score(grade(c.verdict, c.passed));
    EXPECT_EQ(got.points, c.points) << name_of(c.verdict);
    EXPECT_EQ(got.most, 5);
  }
  // All or nothing.
  EXPECT_EQ(score(grade(Verdict::kPassed, kAll), {"lab/five=passed:7"}).points, 7);
  EXPECT_EQ(score(grade(Verdict::kFailed, {"correct"}), {"lab/five=passed:7"}).points, 0);
  // A GPU's check, which no exercise has, says that the results are wrong there.
  Grade on_gpu = grade(Verdict::kFailed, kAll);
  on_gpu.checks.push_back({"gpu-correct", "Correct on the GPU", false, "wrong", "equal"});
  EXPECT_EQ(score(on_gpu).points, 0);
}

TEST_F(Formats, WithoutAVerdictThereIsNoResultAndNoZero) {
  const fs::path out = fs::temp_directory_path() / "warpshop-formats-test";
  fs::remove_all(out);
  Grade second = grade(Verdict::kPassed, kAll);
  second.student = "bob";
  class_.students = {"ada", "bob"};
  GradeResult result;
  result.grades = {grade(Verdict::kNoVerdict, {}), second};
  const Result<std::vector<WantedFile>> files =
      read_formats({"gradescope", "classroom50", "lms"}, out);
  ASSERT_TRUE(files.ok());
  const Result<WrittenFiles> written =
      write_reports(*files, class_, result, {.points = points({"lab=5"})});
  ASSERT_TRUE(written.ok());
  EXPECT_THAT(written.value().withheld, ElementsAre(out / "results.json", out / "result.json"));
  EXPECT_FALSE(fs::exists(out / "results.json"));
  EXPECT_FALSE(fs::exists(out / "result.json"));
  EXPECT_THAT(read_file(out / "canvas.csv").value(), HasSubstr("\r\nada,,,ada,,,"));
  EXPECT_THAT(read_file(out / "moodle.csv").value(), HasSubstr("\r\nada,-,"));
  EXPECT_THAT(read_file(out / "grades.csv").value(), HasSubstr("ada,lab/five,no-verdict,"));
  EXPECT_THAT(read_file(out / "grades.csv").value(), HasSubstr(",,,,,5\r\n"));
  EXPECT_THAT(read_file(out / "grades.junit.xml").value(), HasSubstr("<error message="));
  const nlohmann::json json = nlohmann::json::parse(read_file(out / "grades.json").value());
  EXPECT_TRUE(json["grades"][0]["points"].is_null());
  EXPECT_EQ(json["grades"][1]["points"], 5);
  fs::remove_all(out);
}

TEST_F(Formats, GradebooksHaveAColumnPerExerciseOrPerLab) {
  Grade five = grade(Verdict::kFailed, {"correct", "no-findings"});
  Grade three = grade(Verdict::kMissing, {});
  three.step = "three";
  GradeResult result;
  result.grades = {five, three};
  give_points(class_, points(), result);
  EXPECT_EQ(canvas_csv(class_, result, {}),
            "Student,ID,SIS User ID,SIS Login ID,Section,lab/five,lab/three\r\n"
            "    Points Possible,,,,,5,3\r\n"
            "ada,,,ada,,2,0\r\n");
  EXPECT_EQ(
      canvas_csv(class_, result, {.id_column = "SIS User ID", .columns = GradebookColumns::kLabs}),
      "Student,ID,SIS User ID,SIS Login ID,Section,lab\r\n"
      "    Points Possible,,,,,8\r\n"
      "ada,,ada,,,2\r\n");
  EXPECT_EQ(moodle_csv(class_, result, {.id_column = "ID number"}),
            "ID number,lab/five,lab/three\r\nada,2,0\r\n");
  // A lab with an exercise that has no verdict has none.
  result.grades[1].verdict = Verdict::kNoVerdict;
  give_points(class_, points(), result);
  EXPECT_EQ(moodle_csv(class_, result, {.columns = GradebookColumns::kLabs}),
            "username,lab\r\nada,-\r\n");
}

TEST_F(Formats, NoNameOrMessageBreaksAFormat) {
  class_.students = {"=cmd|'/C calc'!A0,\"x\""};
  Grade hostile = grade(Verdict::kFailed, {"correct"});
  hostile.student = class_.students.front();
  hostile.messages = {"<b>&\"' \x01 \x1b[31m \xEF\xBF\xBE \xFF \0 \u202E"s};
  hostile.checks[2].got = "\0=1+1"s;
  GradeResult result;
  result.grades = {hostile};
  const std::vector<Score> scores = give_points(class_, points(), result);
  for (const std::string& csv : {canvas_csv(class_, result, {}), moodle_csv(class_, result, {})})
    EXPECT_THAT(csv, HasSubstr("\"'=cmd|'/C calc'!A0,\"\"x\"\"\""));
  for (const std::string& text :
       {gradescope_json(result, scores), classroom50_json(result, scores, {})}) {
    const nlohmann::json json = nlohmann::json::parse(text);
    EXPECT_THAT(text, Not(HasSubstr("\\u0000"))) << "a database may refuse it";
    EXPECT_THAT(text, Not(HasSubstr("\\u001b")));
    EXPECT_EQ(json["tests"].size(), 5U);
  }
  const nlohmann::json json = nlohmann::json::parse(gradescope_json(result, scores));
  EXPECT_THAT(json["tests"][1]["output"].get<std::string>(), HasSubstr("<b>&\"' \\x01 \\x1B[31m"));
}

TEST_F(Formats, NamesAndPlacesOfFilesAreChecked) {
  const fs::path out = "/results";
  const Result<std::vector<WantedFile>> files = read_formats({"junit=/ci/report.xml", "lms"}, out);
  ASSERT_TRUE(files.ok());
  std::map<std::string, std::string> places;
  for (const auto& [format, file] : *files) places[std::string(name_of(format))] = file.string();
  EXPECT_THAT(places,
              ElementsAre(Pair("canvas", "/results/canvas.csv"), Pair("csv", "/results/grades.csv"),
                          Pair("html", "/results/index.html"), Pair("json", "/results/grades.json"),
                          Pair("junit", "/ci/report.xml"), Pair("moodle", "/results/moodle.csv")));
  for (const char* text : {"nunit", "junit=", "lms=x.csv", "", "=x"})
    EXPECT_FALSE(read_formats({text}, out).ok()) << text;
  EXPECT_FALSE(check_id_column(*read_formats({"canvas"}, out), "ID number").ok());
  EXPECT_FALSE(check_id_column(*read_formats({}, out), "ID").ok());
  EXPECT_TRUE(check_id_column(*files, "ID number").ok());
}

TEST(OneSubmission, IsTheFolderItself) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", folder.solution("scale"));
  folder.hand_in("ada", "transpose.cu", "int x = ;");
  const Result<Class> one =
      find_submission(folder.submissions() / "ada", folder.labs(), {"fixture"});
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(one.value().students, ElementsAre("ada"));
  const Result<GradeResult> result = grade(*one, folder.options());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(find_grade(*result, "ada", "scale")->verdict, Verdict::kPassed);
  EXPECT_EQ(find_grade(*result, "ada", "transpose")->verdict, Verdict::kBroken);
  EXPECT_FALSE(find_submission(folder.submissions() / "bob", folder.labs(), {}).ok());
}

// A link that a student plants, at any depth, is not followed.
TEST(OneSubmission, DoesNotFollowLinks) {
  ClassFolder folder;
  folder.hand_in("ada", "notes.txt", "");
  folder.hand_in("solution", "fixture/scale.cu", folder.solution("scale"));
  fs::create_directory_symlink(folder.submissions() / "solution" / "fixture",
                               folder.submissions() / "ada" / "fixture");
  fs::create_symlink(folder.submissions() / "solution" / "fixture" / "scale.cu",
                     folder.submissions() / "ada" / "scale.cu");
  const Result<Class> one =
      find_submission(folder.submissions() / "ada", folder.labs(), {"fixture/scale"});
  ASSERT_TRUE(one.ok());
  const Result<GradeResult> result = grade(*one, folder.options());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(find_grade(*result, "ada", "scale")->verdict, Verdict::kRefused);
}

}  // namespace
}  // namespace warpshop::grade
