// NVRTC runs in a child of the program: what a source does to it, and how the child ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "program.h"

namespace warpshop::cli {
namespace {

using testing::HasSubstr;

// NVRTC 13.0 crashes on a constant address here.
constexpr const char* kCrashing =
    "__global__ void k(int* p) {\n  asm volatile(\"prefetch.global.L2 [%0];\" :: "
    "\"l\"(0ull));\n}\n";

class CompilerChild : public ::testing::Test {
 protected:
  Program program_;
};

TEST_F(CompilerChild, ACrashOfTheCompilerIsAMessageWithItsLine) {
  program_.folder().write("k.cu", kCrashing);
  const Outcome run = program_.run("run k.cu --kernel k --arg i32[32]=zero");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("k.cu:2:3: error: the compiler crashed on this source"));
  program_.folder().write(
      "scale.cu",
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(0ull));\n}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(32)}; }\n");
  const Outcome check = program_.run("check fixture/scale --file scale.cu --json");
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("the compiler crashed on this source"));
}

// The child is started from the running program, not from where its name leads.
TEST_F(CompilerChild, AnUnusualPathOfTheProgramDoesNotMatter) {
  program_.folder().write("k.cu", kCrashing);
  program_.folder().write(
      "odd.sh",
      "folder=\"a 'b\\\" \\$c\nd\" && mkdir \"$folder\" && cp \"$1\" \"$folder/-p %\" &&\n"
      "\"$folder/-p %\" run k.cu --kernel k --arg i32[32]=zero\n");
  program_.folder().write("gone.sh",
                          "cp \"$1\" p && exec 4<p && rm p &&\n"
                          "/proc/self/fd/4 run k.cu --kernel k --arg i32[32]=zero\n");
  for (const char* script : {"odd.sh", "gone.sh"}) {
    SCOPED_TRACE(script);
    const Outcome run =
        program_.run("--version && sh " + std::string(script) + " " WARPSHOP_PROGRAM);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr("the compiler crashed on this source"));
  }
}

TEST_F(CompilerChild, ItEndsWithItsParentEvenWhileItCompiles) {
  program_.folder().write(
      "k.cu",
      "__global__ void k(float* p, const int* q) {\n  float a[8192];\n  #pragma unroll\n"
      "  for (int i = 0; i < 8192; ++i) a[i] = q[i] * p[i];\n  #pragma unroll\n"
      "  for (int i = 0; i < 8192; ++i) p[q[i]] = a[q[i + 1] & 8191];\n}\n");
  program_.folder().write("kill.sh",
                          "\"$1\" run k.cu --kernel k --arg f32[32]=zero --arg i32[32]=zero &\n"
                          "parent=$!\n"
                          "until child=$(cat /proc/$parent/task/*/children) && [ -n \"$child\" ]; "
                          "do sleep 0.01; done\nchild=${child%% *}\n"
                          // Until its copy works.
                          "until copy=$(cat /proc/$child/task/*/children) && [ -n \"$copy\" ] && "
                          "[ $(cut -d ' ' -f 14 /proc/${copy%% *}/stat) -gt 10 ]; "
                          "do sleep 0.05; done\nchild=${copy%% *}\n"
                          "kill -9 $parent\n"
                          "for n in $(seq 100); do\n"
                          "  state=$(cut -d ' ' -f 3 /proc/$child/stat 2>&1) || state=gone\n"
                          "  case $state in gone | Z | X) echo ended; exit 0 ;; esac\n"
                          "  sleep 0.05\ndone\necho \"child $child goes on: $state\"\n");
  EXPECT_EQ(program_.run("--version >/dev/null; sh kill.sh " WARPSHOP_PROGRAM).out, "ended\n");
}

}  // namespace
}  // namespace warpshop::cli
