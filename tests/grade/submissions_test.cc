// The contents of a class's folder: nothing is lost silently, and nothing is read through a link.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "class_folder.h"
#include "handed_in.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ignored_of(const Class& submissions) {
  std::string out;
  for (const Diagnostic& line : submissions.ignored) {
    out += std::string(line.severity == Severity::kError ? "error " : "note ") +
           line.message.english() + "\n";
  }
  return out;
}

const Submission& submission_of(const Class& submissions, const std::string& student,
                                const std::string& step = "scale") {
  for (const Submission& submission : submissions.submissions) {
    if (submission.student == student && submission.step->id == step) return submission;
  }
  ADD_FAILURE() << student;
  return submissions.submissions.front();
}

TEST(Submissions, WhatIsNamedAlmostAsAnExerciseIsSaid) {
  ClassFolder folder;
  folder.hand_in("good", "fixture/scale.cu", "text");
  folder.hand_in("capitals", "Fixture/Scale.cu", "text");
  folder.hand_in("capital-file", "fixture/Scale.CU", "text");
  folder.hand_in(".hidden", "fixture/scale.cu", "text");
  folder.hand_in("twice", "fixture/scale.cu", "text");
  folder.hand_in("twice", "fixture-scale.cu", "text");
  fs::create_directories(folder.submissions() / "linked");
  fs::create_directory_symlink("../good/fixture", folder.submissions() / "linked" / "fixture");
  for (int i = 0; i < 300; ++i) folder.hand_in("many", "f" + std::to_string(i) + ".cu", "text");
  folder.hand_in("zoe", "odd.cu", "text");
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  const std::string ignored = ignored_of(found.value());
  EXPECT_THAT(
      ignored,
      HasSubstr("capitals/Fixture is not the lab's folder fixture: names are case-sensitive"));
  EXPECT_THAT(ignored, HasSubstr("capital-file/fixture/Scale.CU matches no exercise: names are "
                                 "case-sensitive, fixture/scale.cu is one"));
  EXPECT_THAT(ignored, HasSubstr(".hidden starts with '.'"));
  EXPECT_THAT(ignored,
              HasSubstr("twice/fixture-scale.cu is ignored in favour of fixture/scale.cu"));
  EXPECT_THAT(ignored, HasSubstr("linked/fixture is a link and is not followed"));
  EXPECT_THAT(ignored, HasSubstr("many: 295 more"));
  EXPECT_THAT(ignored,
              HasSubstr("zoe/odd.cu matches no exercise"));  // another student's 300 do not hide it
  EXPECT_THAT(ignored, Not(HasSubstr("error ")));
  EXPECT_EQ(submission_of(*found, "twice").file, "twice/fixture/scale.cu");

  const GradeResult result = gather(found.value(), folder.options()).value();
  EXPECT_EQ(find_grade(result, "linked", "scale")->reason,
            "nothing was handed in; ignored: fixture");
  EXPECT_THAT(find_grade(result, "many", "scale")->reason,
              HasSubstr("ignored: f0.cu, f1.cu, f10.cu, …"));
  EXPECT_EQ(find_grade(result, "good", "transpose"), nullptr);
}

// What may be the missing text is not hidden behind the student's other files.
// `grade submissions/ada --one` writes beside ada; the class has no student of that name.
TEST(Submissions, ResultsOfOneStudentAreNoStudent) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", "text");
  folder.hand_in("ada-grades", "inputs-seed", "1");
  folder.hand_in("ada-grades", "grades.jsonl", "");
  folder.hand_in("bob-grades", "inputs-seed", "1");  // no bob
  folder.hand_in("bob-grades", "grades.jsonl", "");
  folder.hand_in("ada-b-grades", "fixture/scale.cu", "text");
  folder.hand_in("ada-b", "fixture/scale.cu", "text");
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->students,
              ::testing::ElementsAre("ada", "ada-b", "ada-b-grades", "bob-grades"));
  EXPECT_THAT(ignored_of(*found), HasSubstr("ada-grades has the results of ada"));
}

TEST(Submissions, NearMissesComeFirst) {
  ClassFolder folder;
  std::vector<lab::Lab> labs = {folder.labs().front(), folder.labs().front()};
  labs[1].id = "other";  // has a step scale, too
  for (int i = 0; i < 20; ++i) folder.hand_in("hal", "f" + std::to_string(i) + ".cu", "text");
  folder.hand_in("hal", "scale.cu", "text");
  folder.hand_in("hal", "fixture/Transpose.cu", "text");
  folder.hand_in("ian", "fixture-scale.cu", "text");
  const Result<Class> found = find_submissions(folder.submissions(), labs, {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(submission_of(*found, "hal").left_alone, "fixture/Transpose.cu, scale.cu, f0.cu, …");
  EXPECT_THAT(ignored_of(*found),
              HasSubstr("hal/scale.cu matches no exercise: several labs have this step, "
                        "LAB/scale.cu is one"));
}

// Archives are not read. Whoever handed one in is not said to have handed in nothing at all.
TEST(Submissions, AnArchiveThatNobodyUnpackedIsSaid) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", "text");
  folder.hand_in("bob", "fixture.ZIP", "");
  folder.hand_in("cy", "fixture/scale.tar.gz", "");
  ASSERT_TRUE(write_file_atomically(folder.submissions() / "dee.zip", "").ok());
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  const std::string ignored = ignored_of(*found);
  EXPECT_THAT(ignored, HasSubstr("bob/fixture.ZIP is an archive: unpack it where it is"));
  EXPECT_THAT(ignored, HasSubstr("cy/fixture/scale.tar.gz is an archive: unpack it where it is"));
  EXPECT_THAT(ignored,
              HasSubstr("dee.zip is an archive: unpack it into a folder with the student's name"));
  const GradeResult result = gather(*found, folder.options()).value();
  EXPECT_EQ(find_grade(result, "bob", "scale")->reason,
            "nothing was handed in; ignored: fixture.ZIP");
  // Nothing but archives.
  fs::remove_all(folder.submissions() / "ada");
  const Result<Class> none = folder.find();
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(render(none.errors()), HasSubstr("dee.zip is an archive"));
  const Result<Class> itself =
      find_submissions(folder.submissions() / "dee.zip", folder.labs(), {});
  ASSERT_FALSE(itself.ok());
  EXPECT_THAT(render(itself.errors()), HasSubstr("unpack it first"));
}

// It is unknown whether something unreadable was handed in. In a child process, since root can read
// everything.
TEST(Submissions, WhatCannotBeReadIsNotMissing) {
  ClassFolder folder;
  for (const char* student : {"file", "lab", "folder", "good"})
    folder.hand_in(student, "fixture/scale.cu", folder.solution("scale"));
  fs::permissions(folder.submissions() / "file/fixture/scale.cu", fs::perms::none);
  fs::permissions(folder.submissions() / "lab/fixture", fs::perms::none);
  fs::permissions(folder.submissions() / "folder", fs::perms::none);
  fs::permissions(folder.data().parent_path(), fs::perms::all);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
    const Result<Class> found = folder.find();
    if (!found.ok()) ::_exit(3);
    const std::string ignored = ignored_of(found.value());
    EXPECT_THAT(ignored, HasSubstr("error lab/fixture cannot be read: Permission denied"));
    EXPECT_THAT(ignored, HasSubstr("error folder cannot be read: Permission denied"));
    const GradeResult result = gather(found.value(), folder.options()).value();
    for (const auto& [student, why] :
         {std::pair("file", "file/fixture/scale.cu cannot be read: Permission denied"),
          {"lab", "lab/fixture cannot be read: Permission denied"},
          {"folder", "folder cannot be read: Permission denied"}}) {
      EXPECT_EQ(find_grade(result, student, "scale")->verdict, Verdict::kNoVerdict) << student;
      EXPECT_EQ(find_grade(result, student, "scale")->reason, why);
    }
    EXPECT_EQ(find_grade(result, "good", "scale")->reason, "not graded yet");
    std::fflush(stdout);
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  for (const char* name : {"lab/fixture", "folder"})
    fs::permissions(folder.submissions() / name, fs::perms::owner_all);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A folder when listed, a link when read: someone else's solution does not count as the student's.
TEST(Submissions, AFolderThatBecomesALinkIsNotFollowed) {
  struct Case {
    const char* what;
    const char* replaced;
    const char* target;
    const char* reason;
  };
  const Case kCases[] = {
      {"the lab's folder", "zz/fixture", "../good/fixture", "is reached through a link"},
      {"the student's folder", "zz", "good", "is reached through a link"},
      {"the file", "zz/fixture/scale.cu", "../../good/fixture/scale.cu",
       "is a link; hand in the file itself"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.what);
    ClassFolder folder;
    folder.hand_in("good", "fixture/scale.cu", folder.solution("scale"));
    folder.hand_in("zz", "fixture/scale.cu", "rubbish");
    const Result<Class> found = folder.find();
    ASSERT_TRUE(found.ok());
    const fs::path replaced = folder.submissions() / c.replaced;
    fs::rename(replaced, folder.submissions().parent_path() / "put-away");
    fs::create_symlink(c.target, replaced);
    const Result<GradeResult> result = grade(found.value(), folder.options());
    ASSERT_TRUE(result.ok()) << render(result.errors());
    EXPECT_EQ(find_grade(result.value(), "good", "scale")->verdict, Verdict::kPassed);
    const Grade* grade = find_grade(result.value(), "zz", "scale");
    EXPECT_EQ(grade->verdict, Verdict::kRefused);
    EXPECT_THAT(grade->reason, HasSubstr(c.reason));
  }
}

// Under an exercise's name, whatever is no file is refused at once: nothing waits for a pipe's
// writer, and no device is read.
TEST(Submissions, ADeviceAPipeASocketAndAFolderAreRefused) {
  ClassFolder folder;
  const auto place = [&](const char* student) {
    fs::create_directories(folder.submissions() / student / "fixture");
    return folder.submissions() / student / "fixture/scale.cu";
  };
  std::vector<const char*> students = {"folder", "pipe", "socket"};
  fs::create_directory(place("folder"));
  ASSERT_EQ(::mkfifo(place("pipe").c_str(), 0644), 0);
  ASSERT_EQ(::mknod(place("socket").c_str(), S_IFSOCK | 0644, 0), 0);
  // Only root makes devices. As /dev/zero, which never ends.
  if (::mknod(place("device").c_str(), S_IFCHR | 0644, makedev(1, 5)) == 0) {
    students.push_back("device");
  } else {
    fs::remove_all(folder.submissions() / "device");
  }
  folder.hand_in("good", "fixture/scale.cu", folder.solution("scale"));
  const GradeResult result = grade_all(folder, folder.options());
  for (const char* student : students) {
    const Grade* grade = find_grade(result, student, "scale");
    EXPECT_EQ(grade->verdict, Verdict::kRefused) << student;
    EXPECT_EQ(grade->reason, std::string(student) + "/fixture/scale.cu is not a text file");
  }
  EXPECT_EQ(find_grade(result, "good", "scale")->verdict, Verdict::kPassed);
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 0U);
}

// Nothing tells which of a file's names is the student's own.
TEST(Submissions, AHardLinkIsAFile) {
  ClassFolder folder;
  folder.hand_in("good", "fixture/scale.cu", folder.solution("scale"));
  fs::create_directories(folder.submissions() / "other/fixture");
  fs::create_hard_link(folder.submissions() / "good/fixture/scale.cu",
                       folder.submissions() / "other/fixture/scale.cu");
  const GradeResult result = grade_all(folder, folder.options());
  for (const char* student : {"good", "other"})
    EXPECT_EQ(find_grade(result, student, "scale")->verdict, Verdict::kPassed) << student;
}

// The class's folder itself may be a link made by the lecturer.
TEST(Submissions, TheWayToTheClassMayBeALink) {
  ClassFolder folder;
  folder.hand_in("good", "fixture/scale.cu", folder.solution("scale"));
  const fs::path link = folder.submissions().parent_path() / "course";
  fs::create_directory_symlink("class", link);
  const Result<Class> found = find_submissions(link, folder.labs(), {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(find_grade(grade(found.value(), folder.options()).value(), "good", "scale")->verdict,
            Verdict::kPassed);
}

}  // namespace
}  // namespace warpshop::grade
