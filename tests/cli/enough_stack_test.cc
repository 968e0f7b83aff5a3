// The shell's `ulimit -s` changes nothing.
#include "cli/enough_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "core/process_limits.h"
#include "program.h"

namespace warpshop::cli {
namespace {

using testing::HasSubstr;

// Enough blocks for every emulation thread.
constexpr const char* kKernel =
    "__global__ void k(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 7; }\n";

class Stack : public ::testing::TestWithParam<const char*> {
 protected:
  Outcome run(const std::string& arguments) {
    return program_.run(arguments, "&& ulimit " + std::string(GetParam()) + " && exec env " +
                                       "WARPSHOP_DATA='" + program_.path() + "/data' " +
                                       "WARPSHOP_HOME='" + program_.path() + "/home'");
  }
  Program program_;
};

TEST_P(Stack, EveryCommandWorks) {
  program_.folder().write("k.cu", kKernel);
  EXPECT_EQ(run("labs").status, 0);
  EXPECT_EQ(run("labs --prove fixture").status, 0);
  const Outcome kernel = run("run k.cu --kernel k --grid 64 --block 64 --arg i32[4096]=zero");
  EXPECT_EQ(kernel.status, 0) << kernel.err;
  EXPECT_THAT(kernel.out, HasSubstr("7"));
  const Outcome check = run("check fixture/scale --solution");
  EXPECT_EQ(check.status, 0) << check.out << check.err;
}

TEST_P(Stack, EverySubmissionIsGraded) {
  program_.folder().write("class/ada/fixture/scale.cu",
                          program_.folder().read("data/solutions/fixture/scale.cu"));
  const Outcome grade = run("grade class --out grades --jobs 2");
  EXPECT_EQ(grade.status, 0) << grade.out << grade.err;
  EXPECT_THAT(program_.folder().read("grades/grades.csv"), HasSubstr("passed"));
}

INSTANTIATE_TEST_SUITE_P(Limits, Stack, testing::Values("-s 64", "-S -s 64"));

// In a child that may use this much more memory.
int status_with_memory(size_t bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    limit_process(RLIMIT_STACK, 64 << 10, 64 << 10);
    limit_process(RLIMIT_AS, address_space_bytes() + bytes, RLIM_INFINITY);
    ::_exit(with_enough_stack([](int argc, char**) { return argc; }, 42, nullptr));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(StackLimit, WithoutMemoryForAStackTheMessageNamesTheLimit) {
  EXPECT_EQ(status_with_memory(2 * kStackBytes), 42);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(status_with_memory(kStackBytes / 2), 3);
  const std::string message = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(message, HasSubstr("the stack limit is 64 KiB"));
  EXPECT_THAT(message, HasSubstr("ulimit -s 8192"));
}

}  // namespace
}  // namespace warpshop::cli
