#include "core/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "../lab/temporary_folder.h"

namespace warpshop {
namespace {

using ::testing::HasSubstr;

// The exit status of a child that runs `act`, or 128 + the signal that ended it.
int status_of_child(const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Sandbox : public ::testing::Test {
 protected:
  Sandbox() {
    folder_.write("allowed/file", "text");
    folder_.write("forbidden", "text");
    rules_.readable = {folder_.path() / "allowed"};
    rules_.memory_bytes = uint64_t{1} << 30;
    forbidden_ = folder_.path() / "forbidden";
  }

  // Runs `before` and then prove_sandbox in a child; returns its
  // errors, empty if the sandbox holds.
  std::string proof_after(const std::function<void()>& before) {
    const std::string said = (folder_.path() / "said").string();
    EXPECT_EQ(status_of_child([&] {
                before();
                const Result<SandboxReport> report = prove_sandbox(rules_, forbidden_);
                std::ofstream(said) << (report.ok() ? "" : render(report.errors()));
                return 0;
              }),
              0);
    return folder_.read("said");
  }

  TemporaryFolder folder_;
  SandboxRules rules_;
  std::filesystem::path forbidden_;
};

TEST_F(Sandbox, ItsWallsAreTriedAndHold) {
  const Result<SandboxReport> report = prove_sandbox(rules_, forbidden_);
  ASSERT_TRUE(report.ok()) << render(report.errors());
  EXPECT_TRUE(report->holds(sandbox_support()));
  EXPECT_TRUE(report->limits);
  EXPECT_EQ(report->problem, "");
}

// The proof must be able to fail: it must notice a missing restriction.
TEST_F(Sandbox, AWallWithAHoleIsFound) {
  if (sandbox_support().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
  rules_.readable.push_back(forbidden_);
  const Result<SandboxReport> report = prove_sandbox(rules_, forbidden_);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.errors().front().message.english(), HasSubstr("can be read"));
  EXPECT_EQ(report.errors().front().kind.name(), "tool");
}

// landlock(7) allows at most sixteen layers. If none can be added, no submission may be read.
TEST_F(Sandbox, SixteenOtherSandboxesLeaveNoneAndAreNamed) {
  if (sandbox_support().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string said = proof_after([] {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (int layer = 0; layer < 16; ++layer) {
      const uint64_t attributes[3] = {1 << 11, 0, 0};  // create block devices: never needed
      const auto set = static_cast<int>(::syscall(444, attributes, 8, 0));
      if (set < 0 || ::syscall(446, set, 0) != 0) ::_exit(9);
      ::close(set);
    }
  });
  EXPECT_THAT(said, HasSubstr("Landlock"));
  EXPECT_THAT(said, HasSubstr("no submission was read"));
}

// Limits are independent: the one that the shell forbids is named, and the others still hold.
TEST_F(Sandbox, ALimitOfTheShellIsNamedAndTheOthersHold) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer reserves terabytes of address space";
#endif
  EXPECT_THAT(proof_after([] {
                const rlimit cpu{5, 5};
                ::setrlimit(RLIMIT_CPU, &cpu);
              }),
              HasSubstr("5 s of processor time"));
  EXPECT_THAT(proof_after([] {
                const rlimit memory{rlim_t{900} << 20, rlim_t{900} << 20};
                ::setrlimit(RLIMIT_AS, &memory);
              }),
              HasSubstr("ulimit -v"));
  EXPECT_EQ(status_of_child([&] {
              const rlimit memory{rlim_t{900} << 20, rlim_t{900} << 20};
              ::setrlimit(RLIMIT_AS, &memory);
              // opened now: the sandbox forbids it
              const int limits = ::open("/proc/self/limits", O_RDONLY);
              const SandboxReport report = enter_sandbox(rules_);
              char buffer[4096];
              const ssize_t got = ::read(limits, buffer, sizeof buffer);
              const std::string text(buffer, got < 0 ? 0 : static_cast<size_t>(got));
              const auto is = [&text](const std::string& name,
                                      const std::string& soft) {  // proc_pid_limits(5)
                const size_t at = text.find(name);
                const size_t number =
                    at == std::string::npos ? at : text.find_first_not_of(' ', at + name.size());
                return number != std::string::npos &&
                       text.substr(number, soft.size() + 1) == soft + " ";
              };
              return (report.limits ? 1 : 0) + (is("Max cpu time", "60") ? 0 : 2) +
                     (is("Max open files", "64") ? 0 : 4) + (is("Max file size", "0") ? 0 : 8) +
                     (is("Max address space", std::to_string(900 << 20)) ? 0 : 16);
            }),
            0);
}

TEST_F(Sandbox, OnlyOneselfCanBeSignalled) {
  if (!sandbox_support().seccomp) GTEST_SKIP() << "this kernel has no seccomp";
  const pid_t parent = ::getpid();
  EXPECT_EQ(status_of_child([&] {
              enter_sandbox(rules_);
              const bool refused = ::syscall(SYS_tgkill, parent, parent, 0) != 0 &&
                                   ::kill(parent, 0) != 0 && ::fcntl(0, F_SETOWN, parent) != 0 &&
                                   ::fcntl(0, F_SETFL, O_ASYNC) != 0;
              const bool allowed =
                  ::syscall(SYS_tgkill, ::getpid(), ::gettid(), 0) == 0 && ::fcntl(0, F_GETFD) >= 0;
              return (refused ? 0 : 1) + (allowed ? 0 : 2);
            }),
            0);
  EXPECT_EQ(status_of_child([&] {
              enter_sandbox(rules_);
              ::signal(SIGABRT, SIG_DFL);
              std::abort();
              return 0;
            }),
            128 + SIGABRT);
}

// The folder is passed as an open descriptor, so that it cannot be replaced.
TEST_F(Sandbox, AnOpenFolderCanBeRead) {
  if (sandbox_support().landlock_abi == 0) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(status_of_child([&] {
              SandboxRules rules;
              rules.folder = ::open((folder_.path() / "allowed").c_str(), O_PATH | O_CLOEXEC);
              if (!enter_sandbox(rules).holds(sandbox_support())) return 1;
              const bool inside = ::open((folder_.path() / "allowed/file").c_str(), O_RDONLY) >= 0;
              const bool outside = ::open(forbidden_.c_str(), O_RDONLY) >= 0;
              return (inside ? 0 : 2) + (outside ? 4 : 0);
            }),
            0);
}

TEST_F(Sandbox, AReportIsALineAndComesBack) {
  SandboxReport report{.landlock_abi = 7, .seccomp = true, .limits = false, .problem = "one\ntwo"};
  const std::string line = report.line();
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const std::optional<SandboxReport> back =
      SandboxReport::of_line(std::string_view(line).substr(0, line.size() - 1));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->landlock_abi, 7);
  EXPECT_TRUE(back->seccomp);
  EXPECT_FALSE(back->limits);
  EXPECT_EQ(back->problem, "one two");
  EXPECT_FALSE(back->holds({.landlock_abi = 7, .seccomp = true, .limits = true, .problem = ""}));
  EXPECT_TRUE(back->holds({.landlock_abi = 6, .seccomp = true, .limits = false, .problem = ""}));
  for (const char* bad : {"", "x", "7", "7 1", "{\"a\":1}"})
    EXPECT_FALSE(SandboxReport::of_line(bad).has_value()) << bad;
}

}  // namespace
}  // namespace warpshop
