// `warpshop grade` as started by a course's script: closed descriptors, full disks, invalid
// options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

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

TEST_F(GradeVerb, ResultsAreBesideTheSubmissions) {
  EXPECT_EQ(program_.run("grade class").status, 0);
  for (const char* file : {"grades.json", "grades.csv", "grades.junit.xml", "index.html"})
    EXPECT_NE(program_.folder().read(std::string("class-grades/") + file), "") << file;
  const auto grades = nlohmann::json::parse(program_.folder().read("class-grades/grades.json"));
  EXPECT_THAT(grades["sandbox"].get<std::string>(), HasSubstr("system calls: "));
}

// docs/grading.md, "What a submission can do".
TEST_F(GradeVerb, ItsLimitsAreThoseOfItsPage) {
  const std::string help = program_.run("grade --help").out;
  for (const char* limit : {"--limit-time S=60 ", "--limit-memory N:POSITIVE=2048\n",
                            "--budget UINT:POSITIVE=500000000\n"})
    EXPECT_THAT(help, HasSubstr(limit));
}

// What cannot be read is not as good as graded.
TEST_F(GradeVerb, AFileThatCannotBeReadIsStatusThree) {
  namespace fs = std::filesystem;
  const fs::path folder = program_.folder().path();
  fs::permissions(folder / "class/ada/fixture/scale.cu", fs::perms::none);
  fs::permissions(folder, fs::perms::all);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) fs::permissions(entry.path(), fs::perms::all);
  }
  program_.folder().write("wrap.py",
                          "import os, sys\nif os.geteuid() == 0: os.setgid(65534), "
                          "os.setuid(65534)\nif not os.access(sys.argv[1], os.X_OK): "
                          "sys.exit(77)\nos.execvp(sys.argv[1], sys.argv[1:])\n");
  const Outcome graded = program_.run("grade class --out out", "python3 wrap.py");
  if (graded.status == 77) GTEST_SKIP() << "nobody but root can start the program here";
  EXPECT_EQ(graded.status, 3);
  EXPECT_THAT(graded.out, HasSubstr("2 failed, 1 no-verdict"));
  const auto grades = nlohmann::json::parse(program_.folder().read("out/grades.json"));
  EXPECT_THAT(grades["grades"][0]["reason"].get<std::string>(),
              HasSubstr("ada/fixture/scale.cu cannot be read: Permission denied"));
}

// Slurm's commands, which do what the test says. A real Slurm is in tests/remote/slurm_test.sh.
class GradeOnSlurm : public GradeVerb {
 protected:
  void slurm(const std::string& command, const std::string& script) const {
    program_.folder().write("bin/" + command, "#!/bin/sh\necho \"" + command + " $*\" >>'" +
                                                  folder() + "/calls'\n" + script);
    std::filesystem::permissions(program_.folder().path() / "bin" / command,
                                 std::filesystem::perms::owner_all);
  }
  Outcome grade(const std::string& options) const {
    return program_.run("grade class --out out " + options,
                        "PATH='" + folder() + "/bin':\"$PATH\"");
  }
  std::vector<std::string> calls() const {
    std::vector<std::string> out;
    std::istringstream all(program_.folder().read("calls"));
    for (std::string line; std::getline(all, line);) out.push_back(line);
    return out;
  }
};

// Runs the tasks that it is given, as a node would.
constexpr const char* kRunTasks =
    "echo 7\nfor last; do case $last in --array=*) tasks=${last#--array=} ;; esac; done\n"
    "IFS=,\nfor task in $tasks; do SLURM_ARRAY_TASK_ID=$task sh \"$last\" >/dev/null 2>&1; done\n";

TEST_F(GradeOnSlurm, ATaskGradesItsGroupAndGradedOnesAreNotSubmitted) {
  slurm("sbatch", kRunTasks);
  const Outcome first = grade("--groups 2 --slurm='--partition=lab --exclusive'");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("3 failed"));
  ASSERT_EQ(calls().size(), 1U);
  for (const char* option : {"--array=0,1 ", "--requeue", "--partition=lab --exclusive"})
    EXPECT_THAT(calls().front(), HasSubstr(option));
  EXPECT_NE(program_.folder().read("out/grades.json"), "");
  EXPECT_EQ(grade("--groups 2 --slurm").status, 0);
  EXPECT_EQ(calls().size(), 1U) << "everything was graded";
  // Only the group of the one who hands in again: bob is the second of three.
  program_.folder().write("class/bob/fixture/scale.cu", "int x = ;");
  EXPECT_THAT(grade("--groups 2 --slurm").out, HasSubstr("2 failed, 1 broken"));
  ASSERT_EQ(calls().size(), 2U);
  EXPECT_THAT(calls().back(), HasSubstr("--array=1 "));
}

TEST_F(GradeOnSlurm, UpToSixtyFourGroupsAreTriedThreeTimes) {
  slurm("sbatch", "echo 7\n");  // whose tasks all fail
  for (int n = 0; n < 70; ++n)
    program_.folder().write("class/s" + std::to_string(n) + "/fixture/scale.cu", "");
  const Outcome outcome = grade("--slurm");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("did not finish in 3 rounds"));
  EXPECT_EQ(calls().size(), 3U);
  for (const std::string& call : calls()) {
    EXPECT_THAT(call, HasSubstr("--array=0,1,"));
    EXPECT_THAT(call, HasSubstr(",62,63 "));
  }
  // With fewer students, one for each.
  for (int n = 0; n < 70; ++n)
    std::filesystem::remove_all(program_.folder().path() / "class" / ("s" + std::to_string(n)));
  grade("--slurm");
  EXPECT_THAT(calls().back(), HasSubstr("--array=0,1,2 "));
}

TEST_F(GradeOnSlurm, CtrlCCancelsTheArray) {
  slurm("sbatch", "echo 42\nkill -INT $PPID\nexec sleep 600\n");
  slurm("scancel", "");
  EXPECT_EQ(grade("--slurm").status, 130);
  EXPECT_EQ(calls().back(), "scancel 42");
  slurm("sbatch", kRunTasks);
  EXPECT_THAT(grade("--slurm").out, HasSubstr("3 failed"));
}

}  // namespace
}  // namespace warpshop::cli
