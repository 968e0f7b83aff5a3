// `warpshop grade` as started by a course's script: closed descriptors, full disks, invalid
// options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace warpshop::cli {
namespace {

using ::testing::HasSubstr;

class GradeVerb : public ::testing::Test {
 protected:
  GradeVerb() {
    const std::string start = program_.run("labs --skeleton fixture/scale").out;
    for (const char* student : {"ada", "bob", "cy"}) {
      program_.folder().write(std::string("class/") + student + "/fixture/scale.cu", start);
    }
  }
  std::string folder() const { return program_.path(); }

  // Every line of the journal is a grade, and each is a failure, as expected of the untouched
  // start.
  void expect_grades(const std::string& out) const {
    std::istringstream journal(program_.folder().read(out + "/grades.jsonl"));
    size_t lines = 0;
    for (std::string line; std::getline(journal, line); ++lines) {
      const nlohmann::json grade = nlohmann::json::parse(line, nullptr, false);
      ASSERT_TRUE(grade.is_object()) << line;
      EXPECT_EQ(grade["verdict"], "failed") << line;
    }
    EXPECT_EQ(lines, 3U);
  }

  Program program_;
};

TEST_F(GradeVerb, StandardDescriptorsThatAreClosedChangeNothing) {
  for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-", "<&- 2>&-"}) {
    SCOPED_TRACE(closed);
    std::filesystem::remove_all(program_.folder().path() / "out");
    EXPECT_THAT(
        program_.run(std::string("grade class --out out ") + closed + "; echo status $?").out,
        HasSubstr("status 0"));
    expect_grades("out");
  }
}

TEST_F(GradeVerb, AnOutputThatCannotBeWrittenIsStatusThree) {
  for (const char* verb : {"labs --json", "labs", "check fixture/scale --solution --json",
                           "check fixture/scale --solution", "gpus", "grade class --out out"}) {
    EXPECT_EQ(program_.run(std::string(verb) + " > /dev/full; echo status $?").out, "status 3\n")
        << verb;
  }
  program_.folder().write("full/grades.jsonl", "");
  std::filesystem::remove(program_.folder().path() / "full/grades.jsonl");
  std::filesystem::create_symlink("/dev/full", program_.folder().path() / "full/grades.jsonl");
  const Outcome full = program_.run("grade class --out full");
  EXPECT_EQ(full.status, 3);
  EXPECT_THAT(full.err, HasSubstr("full/grades.jsonl"));
  program_.folder().write("file", "");
  EXPECT_EQ(program_.run("grade class --out file/out").status, 3);
}

TEST_F(GradeVerb, AFileBeyondTheShellsLimitIsStatusThree) {
  const Outcome outcome =
      program_.run("grade class --out out", "sh -c 'ulimit -f 2; exec \"$@\"' sh");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("File too large"));
  EXPECT_THAT(outcome.err, HasSubstr("ulimit -f"));
}

TEST_F(GradeVerb, TooFewDescriptorsAreSaid) {
  const Outcome few =
      program_.run("check fixture/scale --solution", "sh -c 'ulimit -n 8; exec \"$@\"' sh");
  EXPECT_EQ(few.status, 3);
  EXPECT_THAT(few.err, HasSubstr("ulimit -n"));
  EXPECT_EQ(
      program_.run("check fixture/scale --solution", "sh -c 'ulimit -Sn 8; exec \"$@\"' sh").status,
      0);
}

TEST_F(GradeVerb, ATimeIsANumber) {
  for (const char* time : {"nan", "inf", "-1", "0", "1e300", "x", "1s"}) {
    EXPECT_EQ(program_.run(std::string("grade class --limit-time ") + time).status, 2) << time;
    EXPECT_EQ(
        program_.run(std::string("check fixture/scale --solution --time-limit ") + time).status, 2)
        << time;
  }
}

TEST_F(GradeVerb, FilesThatMatchNoExerciseAreListed) {
  program_.folder().write("class/ada/fixture/sclae.cu", "");
  const Outcome graded = program_.run("grade class --out out");
  EXPECT_EQ(graded.status, 0);
  EXPECT_THAT(graded.err, HasSubstr("ada/fixture/sclae.cu matches no exercise"));
}

// The inputs' seed is random per grading, stated in the results, and unchanged when grading
// resumes; check accepts it, too.
TEST_F(GradeVerb, ItsInputsAreItsOwnAndCanBeRepeated) {
  EXPECT_EQ(program_.run("grade class --out out").status, 0);
  const auto seed = [this](const char* out) {
    return nlohmann::json::parse(
               program_.folder().read(std::string(out) + "/grades.json"))["inputs"]
        .get<uint64_t>();
  };
  const uint64_t first = seed("out");
  EXPECT_NE(first, 0U);
  const Outcome again = program_.run("grade class --out out");
  EXPECT_THAT(again.out, HasSubstr("(0 graded now)"));
  EXPECT_THAT(again.out, HasSubstr("inputs of seed " + std::to_string(first)));
  program_.run("grade class --out other");
  EXPECT_NE(seed("other"), first);
  EXPECT_THAT(program_.run("grade class --out other --inputs " + std::to_string(first)).out,
              HasSubstr("(3 graded now)"));
  EXPECT_EQ(seed("other"), first);
  EXPECT_EQ(program_.run("check fixture --solution --inputs " + std::to_string(first)).status, 0);
  for (const char* wrong : {"-1", "x", "1.5", "18446744073709551616"}) {
    EXPECT_EQ(program_.run(std::string("grade class --out out --inputs ") + wrong).status, 2)
        << wrong;
    EXPECT_EQ(program_.run(std::string("check fixture --solution --inputs ") + wrong).status, 2)
        << wrong;
  }
}

TEST_F(GradeVerb, ResultsAreNotPutAmongTheSubmissions) {
  std::filesystem::create_directory_symlink("class", program_.folder().path() / "linked");
  for (const char* out :
       {"class/out", "class", "linked/out", "linked/ada/deep/out", "class/../class/out"}) {
    const Outcome outcome = program_.run(std::string("grade class --out ") + out);
    EXPECT_EQ(outcome.status, 2) << out;
    EXPECT_THAT(outcome.err, HasSubstr("is inside the submissions folder"));
  }
  EXPECT_EQ(program_.run("grade class --out class-of-others").status, 0);
  EXPECT_EQ(program_.run("grade linked --out linked-results").status, 0);
}

// Landlock allows sixteen layers: if the sandbox cannot add one, nothing is read.
TEST_F(GradeVerb, WithoutItsSandboxNothingIsGraded) {
  program_.folder().write("wrap.py", R"(import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
for layer in range(16):
    attributes = (ctypes.c_uint64 * 3)(1 << 11, 0, 0)
    ruleset = libc.syscall(444, attributes, 8, 0)
    if ruleset < 0 or libc.syscall(446, ruleset, 0) != 0: sys.exit(77)
    os.close(ruleset)
os.execvp(sys.argv[1], sys.argv[1:])
)");
  program_.folder().write("class/ada/fixture/scale.cu", "#include \"/etc/passwd\"\n");
  const Outcome outcome =
      program_.run("grade class --out out", "python3 '" + folder() + "/wrap.py'");
  if (outcome.status == 77) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("Landlock"));
  EXPECT_EQ(program_.folder().read("out/grades.jsonl"), "");
}

}  // namespace
}  // namespace warpshop::cli
