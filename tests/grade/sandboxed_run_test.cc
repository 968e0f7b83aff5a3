// Who is to blame for a child that ends without a result: the submission, if the kernel or the
// grader enforced a limit; not the submission, if the cause is external or the sandbox.
#include "sandboxed_run.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "class_folder.h"
#include "compile/compiler.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kEndless =
    "__global__ void scale(const float* in, float* out, int n) {\n"
    "  volatile int x = 0;\n"
    "  while (x >= 0) x = (x + 1) & 1023;\n"
    "  out[0] = in[0];\n"
    "}\n"
    "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(32)}; }\n";

class SandboxedRunTest : public ::testing::Test {
 protected:
  SandboxedRunTest() {
    const Result<compile::Compiler> compiler = compile::Compiler::load();
    EXPECT_TRUE(compiler.ok());
    Result<lab::Runner> runner = lab::Runner::create();
    EXPECT_TRUE(runner.ok());
    runner_ = std::make_unique<lab::Runner>(std::move(*runner));
    walls_.rules.readable = {data_dir() / "assets" / "prelude", compiler.value().include_path(),
                             fs::path(compiler.value().library_path()).parent_path()};
    walls_.promised = sandbox_support();
    walls_.promised.limits = true;
    folder_.hand_in("ada", "fixture-scale.cu", "text");
    student_ = Descriptor(::open((folder_.submissions() / "ada").c_str(), O_PATH | O_CLOEXEC));
    walls_.rules.folder = student_.get();
  }

  SandboxedRun start(const std::string& source) {
    lab::RunRequest request;
    request.lab = &folder_.labs().front();
    request.step = request.lab->find_step("scale");
    request.source = source;
    request.file_name = "scale.cu";
    request.gpu = folder_.options().gpu;
    request.threads = 1;
    request.instruction_budget = uint64_t{1} << 60;
    walls_.rules.cpu_seconds = static_cast<uint64_t>(walls_.cpu_limit_s);
    Result<SandboxedRun> run =
        SandboxedRun::start(*runner_, request, walls_, student_.get(), false);
    EXPECT_TRUE(run.ok());
    return std::move(*run);
  }

  Grade wait(SandboxedRun& run) {
    for (;;) {
      pollfd file = {run.descriptor(), POLLIN, 0};
      ::poll(&file, 1, 20);
      if (run.read() || run.seconds() > walls_.wall_limit_s) return run.take(walls_).grade;
    }
  }

  // The only child of this process; proc_pid_children(5).
  static pid_t child() {
    for (int tries = 0; tries < 1000; ++tries) {
      std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
      pid_t pid = 0;
      if (children >> pid) return pid;
      ::usleep(1000);
    }
    ADD_FAILURE() << "no child";
    return 0;
  }

  ClassFolder folder_;
  std::unique_ptr<lab::Runner> runner_;
  Descriptor student_;
  Walls walls_;
};

TEST_F(SandboxedRunTest, AResultIsTakenAndSaysWhatHeldIt) {
  SandboxedRun run = start(folder_.solution("scale"));
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kPassed) << grade.reason;
  EXPECT_THAT(grade.sandbox, HasSubstr("seccomp"));
}

TEST_F(SandboxedRunTest, ProcessorTimeIsTheLimit) {
  walls_.cpu_limit_s = 1;
  SandboxedRun run = start(kEndless);
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kLimit);
  EXPECT_THAT(grade.reason, HasSubstr("longer than 1 s of processor time"));
}

TEST_F(SandboxedRunTest, WhoeverKillsItFromOutsideTakesNobodysGrade) {
  for (const int signal : {SIGKILL, SIGTERM, SIGBUS}) {
    SandboxedRun run = start(kEndless);
    ::usleep(200'000);
    ::kill(child(), signal);
    const Grade grade = wait(run);
    EXPECT_EQ(grade.verdict, Verdict::kNoVerdict) << signal;
    EXPECT_THAT(grade.reason, HasSubstr("signal " + std::to_string(signal)));
  }
}

TEST_F(SandboxedRunTest, ACompilerThatCrashesIsTheSubmissionsDoing) {
  SandboxedRun run = start(kEndless);
  ::usleep(200'000);
  ::kill(child(), SIGSEGV);
  EXPECT_EQ(wait(run).verdict, Verdict::kLimit);
}

TEST_F(SandboxedRunTest, AMachineThatGivesItNoTimeIsNotItsFault) {
  walls_.wall_limit_s = 1;
  SandboxedRun run = start(kEndless);
  ::kill(child(), SIGSTOP);
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kNoVerdict);
  EXPECT_THAT(grade.reason, HasSubstr("fewer --jobs"));
}

TEST_F(SandboxedRunTest, WaitingForAFileThatNeverComesIs) {
  ASSERT_EQ(::mkfifo((folder_.submissions() / "ada/pipe.h").c_str(), 0644), 0);
  walls_.wall_limit_s = 2;
  SandboxedRun run = start("#include \"pipe.h\"\n" + folder_.solution("scale"));
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kLimit);
  EXPECT_THAT(grade.reason, HasSubstr("it waited for something"));
}

// A weaker sandbox than proved: the child ends before it reads anything.
TEST_F(SandboxedRunTest, WithoutAWallThatWasPromisedNothingIsRead) {
  walls_.promised.landlock_abi = 1000;
  SandboxedRun run = start(folder_.solution("scale"));
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kNoVerdict);
  EXPECT_THAT(grade.reason, HasSubstr("nothing was read"));
  EXPECT_TRUE(grade.checks.empty());
}

TEST_F(SandboxedRunTest, WithoutItsFolderNothingIsRead) {
  walls_.rules.folder = 999;
  SandboxedRun run = start(folder_.solution("scale"));
  EXPECT_EQ(wait(run).verdict, Verdict::kNoVerdict);
}

// An unreadable file and a missing one look the same.
TEST_F(SandboxedRunTest, NobodyLearnsWhatFilesThereAre) {
  if (sandbox_support().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
  std::string said[3];
  const char* const kNames[3] = {"/etc/passwd", "/etc/passw0", "/etc/ssl"};
  for (size_t i = 0; i < 3; ++i) {
    SandboxedRun run =
        start("#include \"" + std::string(kNames[i]) + "\"\n" + folder_.solution("scale"));
    const Grade grade = wait(run);
    EXPECT_EQ(grade.verdict, Verdict::kBroken);
    said[i] = grade.reason;
    for (const std::string& message : grade.messages) said[i] += "\n" + message;
    for (size_t at = said[i].find(kNames[i]); at != std::string::npos; at = said[i].find(kNames[i]))
      said[i].replace(at, std::string_view(kNames[i]).size(), "FILE");
  }
  EXPECT_EQ(said[0], said[1]);
  EXPECT_THAT(said[2], HasSubstr("cannot open source file \"FILE\"\n"));
}

}  // namespace
}  // namespace warpshop::grade
