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
#include <set>

#include "../compile/code_that_varies.h"
#include "class_folder.h"
#include "compile/locked_nvrtc.h"

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
    folder_.hand_in("ada", "fixture-scale.cu", "text");
    start_compiler({});
    student_ = Descriptor(::open((folder_.submissions() / "ada").c_str(), O_PATH | O_CLOEXEC));
    walls_.rules.folder = student_.get();
  }

  void start_compiler(const compile::LockedLimits& limits) {
    nvrtc_.reset();
    Result<compile::LockedNvrtc> nvrtc =
        compile::LockedNvrtc::start(limits, folder_.submissions() / "ada/fixture-scale.cu");
    EXPECT_TRUE(nvrtc.ok()) << render(nvrtc.errors());
    nvrtc_ = std::make_unique<compile::LockedNvrtc>(std::move(*nvrtc));
    others_ = children();
    runner_ = std::make_unique<lab::Runner>(nvrtc_->compiler());
    const int folder = walls_.rules.folder;
    walls_.rules = nvrtc_->rules();
    walls_.rules.folder = folder;
    walls_.promised = nvrtc_->report();
  }

  SandboxedRun start(const std::string& source) {
    Result<SandboxedRun> run = try_to_start(source);
    EXPECT_TRUE(run.ok());
    return std::move(*run);
  }
  Result<SandboxedRun> try_to_start(const std::string& source, bool with_ptx = false) {
    const lab::RunRequest request = request_for(source);
    walls_.rules.cpu_seconds = static_cast<uint64_t>(walls_.cpu_limit_s);
    return SandboxedRun::start(*runner_, *nvrtc_, request, walls_, student_.get(), with_ptx);
  }

  lab::RunRequest request_for(const std::string& source) {
    lab::RunRequest request;
    request.lab = &folder_.labs().front();
    request.step = request.lab->find_step("scale");
    request.source = source;
    request.file_name = "scale.cu";
    request.gpu = folder_.options().gpu;
    request.threads = 1;
    request.instruction_budget = uint64_t{1} << 60;
    return request;
  }

  Grade wait(SandboxedRun& run) { return wait_for_all(run).grade; }
  Judged wait_for_all(SandboxedRun& run) {
    for (;;) {
      pollfd file = {run.descriptor(), POLLIN, 0};
      ::poll(&file, 1, 20);
      if (run.read() || run.seconds() > walls_.wall_limit_s) return run.take(walls_);
    }
  }

  // proc_pid_children(5).
  static std::set<pid_t> children() {
    const std::string self = std::to_string(::getpid());
    std::ifstream list("/proc/" + self + "/task/" + self + "/children");
    std::set<pid_t> out;
    for (pid_t pid = 0; list >> pid;) out.insert(pid);
    return out;
  }
  // The submission's process: the only child beside the compiler's.
  pid_t child() const {
    for (int tries = 0; tries < 1000; ++tries) {
      for (const pid_t pid : children()) {
        if (!others_.contains(pid)) return pid;
      }
      ::usleep(1000);
    }
    ADD_FAILURE() << "no child";
    return 0;
  }

  ClassFolder folder_;
  std::unique_ptr<compile::LockedNvrtc> nvrtc_;
  std::unique_ptr<lab::Runner> runner_;
  std::set<pid_t> others_;
  Descriptor student_;
  Walls walls_;
};

TEST_F(SandboxedRunTest, AResultIsTakenAndSaysWhatHeldIt) {
  SandboxedRun run = start(folder_.solution("scale"));
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kPassed) << grade.reason;
  EXPECT_THAT(grade.sandbox, HasSubstr("seccomp"));
}

TEST(Judge, AMachineThatFailsGivesNoVerdict) {
  const auto verdict_of = [](DiagnosticKind kind) {
    lab::RunResult result;
    result.diagnostics = {make_error(kind, "what went wrong")};
    return judge(result).verdict;
  };
  for (const DiagnosticKind kind : {DiagnosticKind("nvrtc"), DiagnosticKind("process"),
                                    DiagnosticKind("tool"), DiagnosticKind("disk-full")}) {
    EXPECT_EQ(verdict_of(kind), Verdict::kNoVerdict) << kind.name();
  }
  EXPECT_EQ(verdict_of("compile"), Verdict::kBroken);
  EXPECT_EQ(verdict_of("launch"), Verdict::kBroken);
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
  // NVRTC 13.0 crashes on a constant address here.
  SandboxedRun run =
      start("__global__ void k() { asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(0ull)); }\n" +
            folder_.solution("scale"));
  const Grade grade = wait(run);
  EXPECT_EQ(grade.verdict, Verdict::kLimit);
  EXPECT_THAT(grade.reason, HasSubstr("the compiler crashed"));
  // An emulator that crashes, too: nobody can make it do so without having reached into it.
  SandboxedRun other = start(kEndless);
  ::usleep(200'000);
  ::kill(child(), SIGSEGV);
  EXPECT_EQ(wait(other).verdict, Verdict::kLimit);
}

// A compilation in a process of its own has the same limits as the process that asked for it.
TEST_F(SandboxedRunTest, ACompilationsLimitsAreTheSubmissions) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer reserves terabytes of address space";
#endif
  compile::LockedLimits little;
  little.memory_bytes = uint64_t{64} << 20;
  start_compiler(little);
  const std::string large =
      "__global__ void k(float* p, const int* q) {\n  float a[8192];\n  #pragma unroll\n"
      "  for (int i = 0; i < 8192; ++i) a[i] = q[i] * p[i];\n  #pragma unroll\n"
      "  for (int i = 0; i < 8192; ++i) p[q[i]] = a[q[i + 1] & 8191];\n}\n" +
      folder_.solution("scale");
  SandboxedRun memory = start(large);
  const Grade too_large = wait(memory);
  EXPECT_EQ(too_large.verdict, Verdict::kLimit) << too_large.reason;
  EXPECT_THAT(too_large.reason, HasSubstr("more than 64 MiB of memory"));

  compile::LockedLimits quick;
  quick.cpu_seconds = 1;
  start_compiler(quick);
  walls_.cpu_limit_s = 1;
  SandboxedRun time = start(large);
  const Grade too_slow = wait(time);
  EXPECT_EQ(too_slow.verdict, Verdict::kLimit) << too_slow.reason;
  EXPECT_THAT(too_slow.reason, HasSubstr("longer than 1 s of processor time"));
}

TEST_F(SandboxedRunTest, ACompilerThatIsKilledFromOutsideTakesNobodysGrade) {
  for (const bool whole : {false, true}) {
    ASSERT_EQ(::mkfifo((folder_.submissions() / "ada/pipe.h").c_str(), 0644), 0);
    SandboxedRun run = start("#include \"pipe.h\"\n" + folder_.solution("scale"));
    ::usleep(200'000);
    for (const pid_t compiler : others_) {
      const std::string number = std::to_string(compiler);
      std::ifstream list("/proc/" + number + "/task/" + number + "/children");
      pid_t holder = 0;
      ASSERT_TRUE(list >> holder);
      ::kill(whole ? compiler : holder, SIGKILL);
    }
    const Grade grade = wait(run);
    EXPECT_EQ(grade.verdict, Verdict::kNoVerdict) << grade.reason;
    std::filesystem::remove(folder_.submissions() / "ada/pipe.h");
  }
  SandboxedRun next = start(folder_.solution("scale"));
  EXPECT_EQ(wait(next).verdict, Verdict::kPassed) << "the compiler was not started again";
}

// What one submission's process leaves in its channel reaches no other one.
TEST_F(SandboxedRunTest, NothingIsLeftOfASubmissionThatWasTerminated) {
  ASSERT_EQ(::mkfifo((folder_.submissions() / "ada/pipe.h").c_str(), 0644), 0);
  walls_.wall_limit_s = 1;
  SandboxedRun run = start("#include \"pipe.h\"\n" + folder_.solution("scale"));
  EXPECT_EQ(wait(run).verdict, Verdict::kLimit);
  ASSERT_EQ(others_.size(), 1U);
  const std::string number = std::to_string(*others_.begin());
  for (int tries = 0;; ++tries) {
    std::ifstream list("/proc/" + number + "/task/" + number + "/children");
    pid_t left = 0;
    if (!(list >> left)) break;
    ASSERT_LT(tries, 10'000) << "its compiler still waits for the pipe";
    ::usleep(1000);
  }
}

// NVRTC 13.0 makes different code of this kernel, depending on where its own objects lie; here it
// must be what a window makes of it.
TEST_F(SandboxedRunTest, ATextBecomesTheSameCodeAsInAWindow) {
  if (!addresses_can_be_fixed()) GTEST_SKIP() << "memory is not where it was";
  const std::string text = std::string(kCodeThatVaries) + folder_.solution("scale");
  Result<lab::Runner> window = lab::Runner::create();
  ASSERT_TRUE(window.ok());
  const lab::RunResult shown = window->run(request_for(text));
  ASSERT_TRUE(shown.passed);
  Result<SandboxedRun> run = try_to_start(text, true);
  ASSERT_TRUE(run.ok());
  const Judged judged = wait_for_all(*run);
  ASSERT_TRUE(judged.launches) << judged.grade.reason;
  EXPECT_THAT(judged.launches->ptx, HasSubstr("digits"));
  EXPECT_EQ(judged.launches->ptx, shown.sizes.front().student.ptx);
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
  EXPECT_FALSE(try_to_start(folder_.solution("scale")).ok());
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
