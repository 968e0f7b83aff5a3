#include "grade/grade.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "class_folder.h"
#include "grade/slurm.h"
#include "journal.h"
#include "lab/runner.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Submissions, AreFoundUnderTheirNames) {
  struct Named {
    const char* student;
    const char* file;
    const char* step;  // nullptr: not an exercise
  };
  const Named kCases[] = {
      {"a", "fixture/scale.cu", "scale"}, {"b", "fixture-scale.cu", "scale"},
      {"c", "scale.cu", "scale"},         {"d", "fixture-transpose.cu", "transpose"},
      {"e", "scale.txt", nullptr},        {"f", "other.cu", nullptr},
  };
  ClassFolder folder;
  for (const Named& c : kCases) folder.hand_in(c.student, c.file, "text");
  std::ofstream(folder.submissions() / "README") << "no student";
  fs::create_directory_symlink("/etc", folder.submissions() / "linked");
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().students.size(), std::size(kCases));
  for (const Named& c : kCases) {
    std::string steps;
    for (const Submission& submission : found.value().submissions) {
      if (submission.student == c.student && !submission.file.empty()) steps += submission.step->id;
    }
    EXPECT_EQ(steps, c.step == nullptr ? "" : c.step) << c.student;
  }
  std::string ignored;
  for (const Diagnostic& note : found.value().ignored) ignored += note.message + "\n";
  EXPECT_THAT(ignored, HasSubstr("linked is a link"));
  EXPECT_THAT(ignored, HasSubstr("README is not a student's folder"));
  EXPECT_THAT(ignored, HasSubstr("other.cu matches no exercise"));
  EXPECT_FALSE(folder.find({"nothing"}).ok());
}

TEST(Submissions, StrangeNamesAreShownAndDiffer) {
  const std::pair<std::string, const char*> kCases[] = {
      {"Zoë Müller", "Zoë Müller"},
      {"a\nb", "a%0Ab"},
      {"\xFF", "%FF"},
      {"a\u202Eb\u2066c", "a%E2%80%AEb%E2%81%A6c"},
      {"100%", "100%25"},
      {"\xC2\x85", "%C2%85"},
      {"\xED\xA0\x80", "%ED%A0%80"},
      {"\xC0\xAF", "%C0%AF"},
      {"\x1b[31m", "%1B[31m"},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"\xEF\xBF\xBF", "%EF%BF%BF"},
      {"<b>&\"'", "<b>&\"'"},
  };
  for (const auto& [bytes, shown] : kCases) EXPECT_EQ(shown_name(bytes), shown);
}

std::string changed(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Grade, GivesEachSubmissionItsVerdict) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", folder.solution("scale"));
  folder.hand_in("ada", "fixture/transpose.cu", folder.solution("transpose"));
  folder.hand_in("bob", "fixture-scale.cu", wrong_scale(folder));
  folder.hand_in("cy", "fixture-scale.cu", "int x = ;");
  folder.hand_in("dee", "fixture-scale.cu", "");
  folder.hand_in("eve", "fixture-scale.cu",
                 changed(folder.solution("scale"), "if (i < n)", "while (i < n)"));
  folder.hand_in("fay", "fixture-scale.cu",
                 changed(wrong_scale(folder), "if (i < n)", "if (i <= n)"));
  const GradeResult result = grade_all(folder, folder.options());
  ASSERT_EQ(result.grades.size(), 12U);
  EXPECT_EQ(result.graded_now, 7U);
  struct Expected {
    const char* student;
    const char* step;
    Verdict verdict;
    const char* reason;
  };
  const Expected kCases[] = {
      {"ada", "scale", Verdict::kPassed, ""},
      {"ada", "transpose", Verdict::kPassed, ""},
      {"bob", "scale", Verdict::kFailed, "all 4,096 elements wrong"},
      {"bob", "transpose", Verdict::kMissing, "nothing was handed in"},
      {"cy", "scale", Verdict::kBroken, "line 1"},
      {"dee", "scale", Verdict::kBroken, "the file is empty"},
      {"eve", "scale", Verdict::kLimit, "the kernel did not end"},
      {"fay", "scale", Verdict::kFailed, "after the end of \"in\""},
  };
  for (const Expected& c : kCases) {
    const Grade* grade = find_grade(result, c.student, c.step);
    ASSERT_NE(grade, nullptr);
    EXPECT_EQ(grade->verdict, c.verdict) << c.student << " " << c.step << ": " << grade->reason;
    EXPECT_THAT(grade->reason, HasSubstr(c.reason));
  }
}

// The sandboxed process may read all headers that kernels may include.
TEST(Grade, ASubmissionMayIncludeWhatAKernelMay) {
  ClassFolder folder;
  folder.hand_in(
      "ada", "fixture-scale.cu",
      "#if __has_include(<curand_kernel.h>)\n#include <curand_kernel.h>\n#endif\n#include "
      "<cooperative_groups.h>\n#include <cuda/std/array>\n" +
          folder.solution("scale"));
  const GradeResult result = grade_all(folder, folder.options());
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kPassed)
      << find_grade(result, "ada", "scale")->reason;
}

// The same checks as `warpshop check`, with the same figures.
TEST(Grade, JudgesAsCheckDoes) {
  ClassFolder folder;
  for (const auto& [student, text] :
       {std::pair("ada", folder.solution("scale")), {"bob", wrong_scale(folder)}}) {
    folder.hand_in(student, "fixture-scale.cu", text);
    const GradeResult result = grade_all(folder, folder.options());
    Result<lab::Runner> runner = lab::Runner::create();
    ASSERT_TRUE(runner.ok());
    lab::RunRequest request;
    request.lab = &folder.labs().front();
    request.step = request.lab->find_step("scale");
    request.source = text;
    request.file_name = "scale.cu";
    request.gpu = folder.options().gpu;
    const lab::RunResult run = runner->run(request);
    const Grade* grade = find_grade(result, student, "scale");
    ASSERT_EQ(grade->checks.size(), run.checks.size());
    ASSERT_GE(run.checks.size(), 4U);
    for (size_t n = 0; n < run.checks.size(); ++n) {
      EXPECT_EQ(grade->checks[n].id, run.checks[n].id);
      EXPECT_EQ(grade->checks[n].passed, run.checks[n].passed) << run.checks[n].id;
      EXPECT_EQ(grade->checks[n].got, run.checks[n].got.english()) << run.checks[n].id;
    }
  }
}

// PowerShell's > writes UTF-16.
TEST(Grade, ATextInUtf16IsToldAsSuch) {
  ClassFolder folder;
  std::string wide = "\xFF\xFE";
  for (const char c : folder.solution("scale")) wide += {c, '\0'};
  folder.hand_in("ada", "fixture-scale.cu", wide);
  const GradeResult result = grade_all(folder, folder.options());
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kRefused);
  EXPECT_THAT(find_grade(result, "ada", "scale")->reason, HasSubstr("UTF-16"));
}

TEST(Grade, OneMebibyteIsRead) {
  ClassFolder folder;
  std::string text = folder.solution("scale") + "// ";
  text.resize((size_t{1} << 20) - 1, ' ');
  folder.hand_in("ada", "fixture-scale.cu", text + "\n");
  folder.hand_in("bob", "fixture-scale.cu", text + " \n");
  const GradeResult result = grade_all(folder, folder.options());
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kPassed);
  EXPECT_EQ(find_grade(result, "bob", "scale")->verdict, Verdict::kRefused);
}

// A grader that is killed now loses nothing that is finished.
TEST(Grade, EachGradeIsWrittenAtOnce) {
  ClassFolder folder;
  for (const char* student : {"a", "b", "c"})
    folder.hand_in(student, "fixture-scale.cu", folder.solution("scale"));
  GradeOptions options = folder.options();
  size_t seen = 0;
  options.progress = [&](size_t finished, size_t) {
    const std::string journal = read_file(folder.out() / "grades.jsonl").value();
    EXPECT_EQ(std::count(journal.begin(), journal.end(), '\n'), static_cast<long>(finished));
    ++seen;
  };
  grade_all(folder, options);
  EXPECT_EQ(seen, 3U);
}

TEST(Grade, GoesOnWhereItStopped) {
  ClassFolder folder;
  for (const char* student : {"a", "b", "c"}) {
    folder.hand_in(student, "fixture-scale.cu", folder.solution("scale"));
  }
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 3U);
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 0U);

  // A crash in the middle of a line: that submission is graded again; the other grades are kept.
  const fs::path journal = folder.out() / "grades.jsonl";
  fs::resize_file(journal, fs::file_size(journal) - 7);
  const GradeResult again = grade_all(folder, folder.options());
  EXPECT_EQ(again.graded_now, 1U);
  for (const Grade& grade : again.grades) EXPECT_EQ(grade.verdict, Verdict::kPassed);

  folder.hand_in("b", "fixture-scale.cu", wrong_scale(folder));  // handed in again
  const GradeResult anew = grade_all(folder, folder.options());
  EXPECT_EQ(anew.graded_now, 1U);
  EXPECT_EQ(find_grade(anew, "b", "scale")->verdict, Verdict::kFailed);
}

TEST(Grade, GroupsAreGatheredWithoutGapsOrTwice) {
  ClassFolder folder;
  for (int n = 0; n < 7; ++n) {
    folder.hand_in("s" + std::to_string(n), "fixture-scale.cu",
                   n % 2 == 0 ? folder.solution("scale") : wrong_scale(folder));
  }
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  GradeOptions options = folder.options();
  EXPECT_EQ(incomplete_groups(found.value(), options, 3), (std::vector<int>{0, 1, 2}));
  size_t graded = 0;
  for (const int group : {2, 0}) {
    options.group = group;
    options.groups = 3;
    graded += grade(found.value(), options).value().graded_now;
  }
  // The node of group 1 failed.
  EXPECT_EQ(incomplete_groups(found.value(), folder.options(), 3), std::vector<int>{1});
  options.group = 1;
  graded += grade(found.value(), options).value().graded_now;
  EXPECT_EQ(graded, 7U);
  const GradeResult all = gather(found.value(), folder.options()).value();
  ASSERT_EQ(all.grades.size(), 7U);
  for (const Grade& grade : all.grades) {
    const bool even = (grade.student[1] - '0') % 2 == 0;
    EXPECT_EQ(grade.verdict, even ? Verdict::kPassed : Verdict::kFailed) << grade.student;
  }
}

TEST(Grade, AJournalThatCannotBeKeptIsAFailureOfThisMachine) {
  ClassFolder folder;
  folder.hand_in("a", "fixture-scale.cu", folder.solution("scale"));
  std::ofstream(folder.out()) << "a file in the folder's place";
  const Result<GradeResult> no_folder = grade(folder.find().value(), folder.options());
  ASSERT_FALSE(no_folder.ok());
  EXPECT_EQ(no_folder.errors().front().kind.name(), "tool");
  EXPECT_THAT(no_folder.errors().front().message, HasSubstr("cannot create the folder: "));
  EXPECT_FALSE(no_folder.errors().front().help.empty());

  fs::remove(folder.out());
  fs::create_directories(folder.out());
  fs::create_symlink("/dev/full", folder.out() / "grades.jsonl");
  const Result<GradeResult> device = grade(folder.find().value(), folder.options());
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.errors().front().kind.name(), "tool");

  // Disk full, simulated by a limit on this process.
  Result<Journal> journal = Journal::open(folder.out() / "full.jsonl");
  ASSERT_TRUE(journal.ok());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit ten{10, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &ten);
  const Status appended = journal->append(Grade{});
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.errors().front().kind.name(), "tool");
}

TEST(Grade, TwoProcessesCannotGradeTheSame) {
  ClassFolder folder;
  folder.hand_in("a", "fixture-scale.cu", folder.solution("scale"));
  fs::create_directories(folder.out());
  // Locks belong to open files, so this process can hold the other one's.
  const int other =
      ::open((folder.out() / "grades.jsonl").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_GE(other, 0);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const Result<GradeResult> result = grade(folder.find().value(), folder.options());
  ::close(other);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.errors().front().message, HasSubstr("in use"));
}

// Also in a spreadsheet that splits cells at semicolons or tabs and ignores the quotes.
TEST(Reports, NoCellOfTheCsvIsAFormula) {
  struct Case {
    const char* reason;
    const char* cell;
  };
  const Case kCases[] = {
      {"plain, and 1-1", "\"plain, and 1-1\""},
      {"=1+1", "'=1+1"},
      {" =1+1", "' =1+1"},
      {"a;=1+1", "\"a;'=1+1\""},
      {"a; \"=1+1", "\"a;' \"\"=1+1\""},
      {"a\t@x", "\"a\t'@x\""},
      {"a\n-1", "\"a\n'-1\""},
      {"\uFF1D1", "'\uFF1D1"},
      {"a;b", "\"a;b\""},
      {"\033]0;title\a", "\"\\x1B]0;title\\x07\""},
      {"\u202Eevil", "\\u202Eevil"},
  };
  for (const Case& c : kCases) {
    Grade grade;
    grade.student = "ada";
    grade.lab = "lab";
    grade.step = "step";
    grade.reason = c.reason;
    GradeResult result;
    result.grades = {grade};
    const std::string csv = grades_csv(result);
    EXPECT_THAT(csv, HasSubstr(std::string("ada,lab/step,missing,0,0,") + c.cell + ",,,,,\r\n"))
        << c.reason;
  }
}

TEST(Reports, HoldWhatStudentsWroteWithoutBreaking) {
  Grade grade;
  grade.student = "=cmd|'x'!A1, \"<script>alert(1)</script>\"";
  grade.lab = "fixture";
  grade.step = "scale";
  grade.verdict = Verdict::kFailed;
  grade.reason = "]]> & \x01 <b> \xEF\xBF\xBE\xEF\xBF\xBF \xFF";
  grade.messages = {"two\nlines"};
  GradeResult result;
  result.grades = {grade};
  Class submissions;
  submissions.students = {grade.student};
  lab::Lab lab;
  lab.id = "fixture";
  lab.steps.resize(1);
  lab.steps.front().id = "scale";
  submissions.exercises = {{&lab, &lab.steps.front()}};

  const nlohmann::json json = nlohmann::json::parse(grades_json(submissions, result));
  EXPECT_EQ(json["grades"][0]["student"], grade.student);
  const std::string csv = grades_csv(result);
  EXPECT_THAT(csv, HasSubstr("\"'=cmd|'x'!A1, \"\"<script>"));
  const std::string page = html_page(submissions, result);
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, Not(HasSubstr("\x01")));
  const std::string xml = junit_xml(result);
  EXPECT_THAT(xml, Not(HasSubstr("<script>")));
  EXPECT_THAT(xml, Not(HasSubstr("\x01")));
  EXPECT_THAT(xml, HasSubstr("failures=\"1\""));
  for (const std::string& text : {page, xml}) EXPECT_THAT(text, HasSubstr("\uFFFD"));
  // A real XML parser agrees.
  std::ofstream("junit-test.xml") << xml;
  EXPECT_EQ(std::system("python3 -c \"import xml.dom.minidom as m; d = m.parse('junit-test.xml'); "
                        "assert len(d.getElementsByTagName('failure')) == 1\""),
            0);
  fs::remove("junit-test.xml");
}

}  // namespace
}  // namespace warpshop::grade
