// The worst kernels that a beginner might write: each ends promptly with a clear message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace warpshop::cli {
namespace {

using testing::HasSubstr;

struct Worst {
  const char* name;
  const char* source;
  const char* launch;
  int status;
  const char* says;
  const char* place;
};

const Worst kWorst[] = {
    {.name = "EndlessLoop",
     .source = "__global__ void k(volatile int* p) {\n  while (p[0] == 0) {}\n}\n",
     .launch = "--grid 4 --block 256 --budget 20000000",
     .status = 1,
     .says = "stopped after 20,000,000 thread instructions",
     .place = "k.cu:2"},
    {.name = "LoopWhoseCounterIsReset",
     .source = "__global__ void k(int* p) {\n  for (int i = 0; i < 10; ++i) {\n    p[threadIdx.x] "
               "= i;\n    i = 0;\n  }\n}\n",
     .launch = "--block 256 --budget 20000000",
     .status = 1,
     .says = "the kernel did not end",
     .place = "k.cu:"},
    {.name = "AThousandMillionThreads",
     .source = "__global__ void k(int* p) {\n  int s = 0;\n  for (int i = 0; i < 1000; ++i) s += "
               "p[i & 7];\n  if (s == 1) p[8] = 2;\n}\n",
     .launch = "--grid 976563 --block 1024 --budget 50000000",
     .status = 1,
     .says = "a problem that is too large",
     .place = "k.cu:"},
    {.name = "FourGigabytesOfSharedMemory",
     .source =
         "__global__ void k(int* p) {\n  __shared__ char big[4294967296];\n  big[threadIdx.x] = "
         "1;\n  __syncthreads();\n  p[threadIdx.x] = big[31 - threadIdx.x];\n}\n",
     .launch = "--block 32",
     .status = 2,
     .says = "4294967296 bytes",
     .place = "big"},
    {.name = "FourGigabytesOfDynamicSharedMemory",
     .source = "__global__ void k(int* p) {\n  p[threadIdx.x] = 1;\n}\n",
     .launch = "--block 32 --shared 4294967295",
     .status = 2,
     .says = "the block needs 4294967295 bytes of shared memory; at most 232448 are possible",
     .place = "command line"},
    {.name = "LocalArrayOfAGigabyte",
     .source = "__global__ void k(int* p) {\n  int a[250000000];\n  for (int i = 0; i < 250000000; "
               "++i) a[i] = p[i & 7];\n  p[0] = a[p[1] & 0xffffff];\n}\n",
     .launch = "--block 32",
     .status = 2,
     .says = "1000000000 bytes",
     .place = "help: make it smaller"},
    {.name = "PrintfFromEveryThread",
     .source = "__global__ void k(int* p) {\n  printf(\"thread %d of block %d\\n\", threadIdx.x, "
               "blockIdx.x);\n  p[0] = 0;\n}\n",
     .launch = "--grid 2048 --block 256",
     .status = 0,
     .says = "calls were dropped, the buffer of 1 MiB is full",
     .place = "thread 0 of block 0"},
    {.name = "RecursionWithoutEnd",
     // The compiler turns a recursion that keeps nothing on its stack into a loop.
     .source = "__device__ __noinline__ int down(int n, int* p) {\n  volatile int a[16];\n"
               "  a[n & 15] = n;\n  return n == -1 ? 0 : down(n + 1, p) + a[(n + 1) & 15];\n}\n"
               "__global__ void k(int* p) { p[threadIdx.x] = down(threadIdx.x, p); }\n",
     .launch = "--block 32",
     .status = 1,
     .says = "the call stack is full",
     .place = "k.cu:"},
    {.name = "NullPointer",
     .source = "__global__ void k(int* p, int* q) {\n  q[threadIdx.x] = p[0];\n}\n",
     .launch = "--arg ptr=0 --block 32",
     .status = 1,
     .says = "out-of-bounds",
     .place = "k.cu:2"},
    {.name = "ABarrierThatHalfTheBlockReaches",
     .source = "__global__ void k(int* p) {\n  if (threadIdx.x < 128) __syncthreads();\n  "
               "p[threadIdx.x & 7] = 0;\n  while (p[9] == 0) {}\n}\n",
     .launch = "--block 256 --budget 20000000",
     .status = 1,
     .says = "k.cu:",
     .place = "error"},
};

class WorstKernel : public testing::TestWithParam<Worst> {};

TEST_P(WorstKernel, EndsInAClearMessage) {
  const Worst& worst = GetParam();
  const Program program;
  program.folder().write("k.cu", worst.source);
  const Outcome outcome =
      program.run(std::string("run k.cu --kernel k --arg i32[32]=zero ") + worst.launch);
  EXPECT_EQ(outcome.status, worst.status) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr(worst.says));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr(worst.place));
}
INSTANTIATE_TEST_SUITE_P(All, WorstKernel, testing::ValuesIn(kWorst),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpshop::cli
