// The worker with the tests' driver, whose chip is the emulator: see fake/fake_cuda.cc.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>

#include "device/worker_client.h"

namespace warpshop::device {
namespace {

WorkerClient client(const char* trouble = "") {
  WorkerOptions options;
  options.command = {"env", std::string("FAKE_CUDA=") + trouble, "WARPSHOP_LIBNVML=none.so",
                     WARPSHOP_FAKE_WORKER};
  return WorkerClient(options);
}

JobArg buffer(const char* name, uint64_t floats, FillKind fill, bool output) {
  JobArg arg;
  arg.is_buffer = true;
  arg.name = name;
  arg.size_bytes = floats * 4;
  arg.type = ElementType::kF32;
  arg.fill.kind = fill;
  arg.fill.type = ElementType::kF32;
  arg.output = output;
  return arg;
}

constexpr const char* kDouble = R"(
__global__ void twice(const float* in, float* out) {
  int i = threadIdx.x;
  BODY
})";

KernelSource kernel(std::string body) {
  KernelSource source;
  source.source = kDouble;
  source.source.replace(source.source.find("BODY"), 4, body);
  source.file_name = "twice.cu";
  source.entry = "twice";
  source.block = {64, 1, 1};
  return source;
}

Job job(const std::string& body) {
  Job out;
  out.student = kernel(body);
  out.reference = kernel("out[i] = 2 * in[i];");
  out.args = {buffer("in", 64, FillKind::kRandom, false), buffer("out", 64, FillKind::kNone, true)};
  out.launches = 3;
  return out;
}

struct Verdict {
  const char* name;
  const char* body;
  uint64_t wrong;
  uint64_t first = 0;
  bool first_written = true;
};

TEST(Worker, ComparesOnTheDeviceByTheLabsRule) {
  WorkerClient worker = client();
  const Verdict kCases[] = {
      {"right", "out[i] = in[i] + in[i];", 0},
      {"one wrong", "out[i] = i == 5 ? 9.0f : 2 * in[i];", 1, 5},
      {"not written", "if (i != 63) out[i] = 2 * in[i];", 1, 63, false},
      {"nothing written", "", 64, 0, false},
      {"the poison itself", "out[i] = i < 2 ? __int_as_float(0xA5A5A5A5) : 2 * in[i];", 2, 0},
  };
  for (const Verdict& c : kCases) {
    SCOPED_TRACE(c.name);
    const Result<JobResult> result = worker.run(job(c.body));
    ASSERT_TRUE(result.ok()) << render(result.errors());
    ASSERT_EQ(result.value().outputs.size(), 1U);
    const OutputComparison& out = result.value().outputs.front();
    EXPECT_EQ(out.count, 64U);
    EXPECT_EQ(out.wrong, c.wrong);
    EXPECT_EQ(result.value().correct(), c.wrong == 0);
    if (c.wrong == 0) continue;
    EXPECT_EQ(out.first_index, c.first);
    EXPECT_EQ(out.first_written, c.first_written);
    ASSERT_EQ(out.wrong_bits.size(), 8U);
    EXPECT_EQ(out.wrong_bits[c.first / 8] >> (c.first % 8) & 1, 1);
  }
}

TEST(Worker, ReportsRegistersOccupancyAndTimes) {
  WorkerClient worker = client();
  Job timed = job("out[i] = 2 * in[i];");
  timed.time = true;
  const Result<JobResult> result = worker.run(timed);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  EXPECT_EQ(result.value().student.registers, 42);      // the tests' driver says so
  EXPECT_EQ(result.value().student.blocks_per_sm, 32);  // 2048 threads by 64
  ASSERT_TRUE(result.value().timing.has_value());
  const Timing& timing = *result.value().timing;
  EXPECT_NEAR(timing.student.median_us, 10, 0.1);  // its clock: 10 µs a launch
  EXPECT_EQ(timing.student.launches, 3);
  EXPECT_TRUE(timing.inputs_changed);
  EXPECT_EQ(timing.wrong_when_timed, 0U);
  EXPECT_TRUE(result.value().correct());
}

TEST(WorkerClient, KnowsThatAnIdleWorkerHasEnded) {
  WorkerClient worker = client();
  EXPECT_FALSE(worker.ended().has_value());  // none was started
  ASSERT_TRUE(worker.hello().ok());
  EXPECT_FALSE(worker.ended().has_value());

  WorkerOptions options;
  options.command = {"sh", "-c", std::string("echo quit | ") + WARPSHOP_FAKE_WORKER + " | head -n 1; echo gone >&2; exit 3"};
  WorkerClient short_lived(options);
  ASSERT_TRUE(short_lived.hello().ok());
  std::optional<Diagnostic> ended;
  for (int i = 0; i < 1000 && !ended; ++i) {
    ended = short_lived.ended();
    ::usleep(10'000);
  }
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->kind, "gpu-lost");
  EXPECT_NE(ended->message.find("ended with status 3"), std::string::npos) << ended->message;
  EXPECT_NE(ended->message.find("gone"), std::string::npos);
  EXPECT_TRUE(short_lived.hello().ok());  // another one
}

TEST(Worker, CatchesKernelsThatCheatOnlyWhenTimed) {
  WorkerClient worker = client();
  // They remember in the guard zone before `in`, which begins as 0xC3 in every byte.
  const std::string memory =
      "float* kept = const_cast<float*>(in) - 256; int* count = (int*)(kept + 128); "
      "const int launches = *count - (int)0xC3C3C3C3; ";
  const std::string remember = " __syncthreads(); if (i == 0) ++*count;";
  const std::pair<const char*, std::string> kCheats[] = {
      {"works twice, then rests", memory + "if (launches < 2) out[i] = 2 * in[i];" + remember},
      {"gives the kept result again",
       memory + "if (launches < 2) kept[i] = 2 * in[i]; out[i] = kept[i];" + remember},
  };
  for (const auto& [name, body] : kCheats) {
    SCOPED_TRACE(name);
    Job timed = job(body);
    timed.time = true;
    const Result<JobResult> result = worker.run(timed);
    ASSERT_TRUE(result.ok()) << render(result.errors());
    EXPECT_EQ(result.value().outputs.front().wrong, 0U);  // the checked launches are right
    EXPECT_GT(result.value().timing->wrong_when_timed, 0U);
    EXPECT_FALSE(result.value().correct());
    // And the zone that it remembered in tells of it, too.
    ASSERT_FALSE(result.value().guards.empty());
    EXPECT_EQ(result.value().guards.front().buffer, "in");
    EXPECT_LT(result.value().guards.front().offset_bytes, 0);
  }
}

TEST(Worker, FindsStoresBesideTheBuffers) {
  WorkerClient worker = client();
  const Result<JobResult> result = worker.run(job("out[i] = 2 * in[i]; if (i == 0) out[70] = 1;"));
  ASSERT_TRUE(result.ok()) << render(result.errors());
  ASSERT_EQ(result.value().guards.size(), 1U);
  EXPECT_EQ(result.value().guards.front().buffer, "out");
  EXPECT_EQ(result.value().guards.front().offset_bytes, 70 * 4);
  EXPECT_EQ(result.value().guards.front().bytes, 4U);
  EXPECT_FALSE(result.value().correct());
}

TEST(Worker, AFaultOrAHangEndsOnlyTheWorker) {
  WorkerClient worker = client();
  Result<JobResult> result = worker.run(job("out[(1ll << 40) + i] = 1;"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().kind, "gpu-fault");
  EXPECT_NE(result.errors().front().message.find("address"), std::string::npos);

  Job hangs = job("while (*(volatile const float*)in != 7) {}");
  hangs.time_limit_s = 1;
  result = worker.run(hangs);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().kind, "gpu-timeout");

  result = worker.run(job("out[i] = 2 * in[i];"));
  ASSERT_TRUE(result.ok()) << render(result.errors());
  EXPECT_TRUE(result.value().correct());
}

TEST(Worker, CompilerErrorsHaveTheirPlace) {
  WorkerClient worker = client();
  const Result<JobResult> result = worker.run(job("out[i] = nowhere;"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().place.file, "twice.cu");
  EXPECT_EQ(result.errors().front().place.line, 4);
}

struct Trouble {
  const char* what;
  const char* kind;
};

TEST(Worker, SaysWhyThereIsNoGpuToUse) {
  const Trouble kCases[] = {
      {"no-driver", "gpu-none"},     {"no-gpu", "gpu-none"}, {"old-driver", "gpu-driver"},
      {"older-driver", "gpu-driver"}, {"old-gpu", "gpu-old"}, {"busy", "gpu-busy"},
      {"small", "gpu-memory"},
  };
  for (const Trouble& c : kCases) {
    SCOPED_TRACE(c.what);
    WorkerClient worker = client(c.what);
    Job large = job("out[i] = 2 * in[i];");
    large.args.push_back(buffer("large", 32 << 20, FillKind::kNone, false));
    const Result<JobResult> result = worker.run(large);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors().front().kind, c.kind) << render(result.errors());
    EXPECT_FALSE(result.errors().front().help.empty());
  }
}

TEST(WorkerClient, SaysWhatIsNoWorker) {
  const std::pair<std::vector<std::string>, const char*> kCases[] = {
      {{"/no/such/program"}, "process"},
      {{"echo", "Welcome to node7!"}, "gpu-protocol"},
      {{"sh", "-c", "echo 'Permission denied (publickey).' >&2; exit 255"}, "gpu-lost"},
      {{"echo", R"({"type":"hello","protocol":99,"version":"7.0"})"}, "gpu-protocol"},
  };
  for (const auto& [command, kind] : kCases) {
    WorkerOptions options;
    options.command = command;
    WorkerClient worker(options);
    const Result<Hello> hello = worker.hello();
    ASSERT_FALSE(hello.ok()) << command.front();
    EXPECT_EQ(hello.errors().front().kind, kind);
    EXPECT_FALSE(hello.errors().front().help.empty()) << command.front();
  }
}

}  // namespace
}  // namespace warpshop::device
