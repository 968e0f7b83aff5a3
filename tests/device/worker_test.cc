// The worker with the fake driver, whose chip is the emulator: see fake/fake_cuda.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>

#include "device/worker_client.h"

namespace warpshop::device {
namespace {

WorkerClient client(const char* trouble = "", const char* cupti = "") {
  WorkerOptions options;
  options.command = {"env", std::string("FAKE_CUDA=") + trouble, std::string("FAKE_CUPTI=") + cupti,
                     "WARPSHOP_LIBNVML=none.so", WARPSHOP_FAKE_WORKER};
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

KernelSource kernel(const std::string& body) {
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
  EXPECT_EQ(result.value().student.registers, 42);      // as the fake driver reports
  EXPECT_EQ(result.value().student.blocks_per_sm, 32);  // 2048 threads / 64
  ASSERT_TRUE(result.value().timing.has_value());
  const Timing& timing = *result.value().timing;
  EXPECT_NEAR(timing.student.median_us, 10, 0.1);  // the fake clock: 10 µs per launch
  EXPECT_EQ(timing.student.launches, 3);
  EXPECT_TRUE(timing.inputs_changed);
  EXPECT_EQ(timing.wrong_when_timed, 0U);
  EXPECT_TRUE(result.value().correct());
}

TEST(WorkerClient, KnowsThatAnIdleWorkerHasEnded) {
  WorkerClient worker = client();
  EXPECT_FALSE(worker.ended().has_value());  // not started yet
  ASSERT_TRUE(worker.hello().ok());
  EXPECT_FALSE(worker.ended().has_value());

  WorkerOptions options;
  options.command = {
      "sh", "-c",
      std::string("echo quit | ") + WARPSHOP_FAKE_WORKER + " | head -n 1; echo gone >&2; exit 3"};
  WorkerClient short_lived(options);
  ASSERT_TRUE(short_lived.hello().ok());
  std::optional<Diagnostic> ended;
  for (int i = 0; i < 1000 && !ended; ++i) {
    ended = short_lived.ended();
    ::usleep(10'000);
  }
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->kind.name(), "gpu-lost");
  EXPECT_NE(ended->message.english().find("ended with status 3"), std::string::npos)
      << ended->message;
  EXPECT_NE(ended->message.english().find("gone"), std::string::npos);
  EXPECT_TRUE(short_lived.hello().ok());  // a new one
}

TEST(Worker, CatchesKernelsThatCheatOnlyWhenTimed) {
  WorkerClient worker = client();
  // These kernels keep state in the guard zone before `in`, whose bytes all start as 0xC3.
  const std::string memory =
      "float* kept = const_cast<float*>(in) - 256; int* count = (int*)(kept + 128); const int "
      "launches = *count - (int)0xC3C3C3C3; ";
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
    // the launches that are checked are correct
    EXPECT_EQ(result.value().outputs.front().wrong, 0U);
    EXPECT_GT(result.value().timing->wrong_when_timed, 0U);
    EXPECT_FALSE(result.value().correct());
    // The guard zone it used reveals it as well.
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
  EXPECT_EQ(result.errors().front().kind.name(), "gpu-fault");
  EXPECT_NE(result.errors().front().message.english().find("address"), std::string::npos);

  Job hangs = job("while (*(volatile const float*)in != 7) {}");
  hangs.time_limit_s = 1;
  result = worker.run(hangs);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().kind.name(), "gpu-timeout");

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

// 64 threads doubling floats: two warps, each with a load and a store of four sectors.
TEST(Worker, ReadsTheGpusCounters) {
  WorkerClient worker = client();
  Job counted = job("out[i] = 2 * in[i];");
  counted.counters = true;
  for (int again = 0; again < 2; ++again) {
    const Result<JobResult> result = worker.run(counted);
    ASSERT_TRUE(result.ok()) << render(result.errors());
    EXPECT_TRUE(result.value().correct());
    ASSERT_TRUE(result.value().counters.has_value());
    const CounterReading& counters = *result.value().counters;
    EXPECT_TRUE(counters.problems.empty()) << render(counters.problems);
    const std::pair<const char*, double> kValues[] = {
        {"global_load_requests", 2}, {"global_load_sectors", 8},    {"global_store_requests", 2},
        {"global_store_sectors", 8}, {"shared_load_wavefronts", 0}, {"dram_read_bytes", 1000},
    };
    for (const auto& [name, value] : kValues) {
      const CounterValue* found = counters.find(name);
      ASSERT_NE(found, nullptr) << name;
      EXPECT_EQ(found->value, value) << name;
    }
    EXPECT_EQ(counters.find("global_load_sectors")->metric,
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    EXPECT_EQ(counters.find("global_load_sectors")->unit, "sector");
  }
}

struct NoCounters {
  const char* what;  // behaviour of the fake CUPTI
  const char* message;
  const char* help;
};

TEST(Worker, WithoutCountersEverythingElseGoesOn) {
  const NoCounters kCases[] = {
      {"none", "CUPTI was not found", "WARPSHOP_LIBCUPTI"},
      {"no-permission", "only administrators", "ERR_NVGPUCTRPERM"},
      {"busy", "another profiler", "stop ncu"},
      {"unknown-chip", "older than this GPU", "12.6 or newer"},
      {"endless", "more than 100 launches", ""},
  };
  for (const NoCounters& c : kCases) {
    SCOPED_TRACE(c.what);
    WorkerClient worker = client("", c.what);
    Job counted = job("out[i] = 2 * in[i];");
    counted.counters = true;
    counted.time = true;
    for (int again = 0; again < 2; ++again) {
      const Result<JobResult> result = worker.run(counted);
      ASSERT_TRUE(result.ok()) << render(result.errors());
      EXPECT_TRUE(result.value().correct());
      EXPECT_TRUE(result.value().timing.has_value());
      ASSERT_TRUE(result.value().counters.has_value());
      EXPECT_TRUE(result.value().counters->values.empty());
      ASSERT_EQ(result.value().counters->problems.size(), 1U);
      const Diagnostic& problem = result.value().counters->problems.front();
      EXPECT_EQ(problem.kind.name(), "gpu-counters");
      EXPECT_EQ(problem.severity, Severity::kNote);
      EXPECT_NE(problem.message.english().find(c.message), std::string::npos) << problem.message;
      EXPECT_NE(problem.help.english().find(c.help), std::string::npos) << problem.help;
    }
  }
}

TEST(Worker, ChipsThatNameACounterOtherwiseAreReadToo) {
  WorkerClient worker = client("", "blackwell");
  Job counted = job("out[i] = 2 * in[i];");
  counted.counters = true;
  const Result<JobResult> result = worker.run(counted);
  ASSERT_TRUE(result.ok()) << render(result.errors());
  const CounterValue* bytes = result.value().counters->find("dram_read_bytes");
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(bytes->metric, "dram__bytes_op_read.sum");
}

TEST(Worker, AFaultWhileCountingIsTheKernels) {
  WorkerClient worker = client();
  // Counts its launches in the guard zone before `in`, and faults on the second.
  Job counted =
      job("int* count = (int*)(const_cast<float*>(in) - 64); if (i == 0) { if (*count != "
          "(int)0xC3C3C3C3) out[1ll << 40] = 1; *count = 1; }");
  counted.reference.reset();
  counted.counters = true;
  const Result<JobResult> result = worker.run(counted);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().kind.name(), "gpu-fault");
}

JobArg image(ElementType type, FillKind fill, JobTexture texture) {
  JobArg arg;
  arg.is_buffer = true;
  arg.name = texture.surface ? "surface" : "image";
  arg.type = type;
  arg.fill.kind = fill;
  arg.fill.type = type;
  arg.size_bytes = texture.size_bytes(type);
  arg.output = texture.surface;
  arg.texture = texture;
  return arg;
}

// Reading through an object must give the same numbers as reading a buffer with the same fill, at
// the requested places and by the object's rules.
struct TextureCase {
  const char* name;
  const char* parameter;  // of the kernel, in addition to `const T* same, float* out`
  const char* element;
  ElementType type;
  JobTexture texture;
  const char* through;  // the student's expression for (x, y)
  const char* plainly;  // the reference's expression
};

TEST(Worker, TexturesAreReadByTheirRules) {
  const TextureCase kCases[] = {
      {"an array of bytes",
       "cudaTextureObject_t image",
       "unsigned char",
       ElementType::kU8,
       {.width = 8, .height = 8},
       "tex2D<unsigned char>(image, x, y)",
       "same[y * 8 + x]"},
      {"clamped outside",
       "cudaTextureObject_t image",
       "float",
       ElementType::kF32,
       {.width = 8, .height = 8},
       "tex2D<float>(image, x - 5, y + 6)",
       "same[min(y + 6, 7) * 8 + max(x - 5, 0)]"},
      {"a border outside",
       "cudaTextureObject_t image",
       "float",
       ElementType::kF32,
       {.width = 8,
        .height = 8,
        .address = {TextureAddress::kBorder, TextureAddress::kBorder},
        .border = {7, 0, 0, 0}},
       "tex2D<float>(image, x + 4, y)",
       "x < 4 ? same[y * 8 + x + 4] : 7"},
      {"wrapped, by parts of the whole",
       "cudaTextureObject_t image",
       "float",
       ElementType::kF32,
       {.width = 8,
        .height = 8,
        .address = {TextureAddress::kWrap, TextureAddress::kWrap},
        .normalized_coordinates = true},
       "tex2D<float>(image, (x + 3.5f) / 8, (y + 0.5f) / 8)",
       "same[y * 8 + (x + 3) % 8]"},
      {"halfway between two",
       "cudaTextureObject_t image",
       "float",
       ElementType::kF32,
       {.width = 8, .height = 8, .linear_filter = true},
       "tex2D<float>(image, x + 1.0f, y + 0.5f)",
       "0.5f * same[y * 8 + x] + 0.5f * same[y * 8 + min(x + 1, 7)]"},
      {"bytes as parts of one",
       "cudaTextureObject_t image",
       "unsigned char",
       ElementType::kU8,
       {.width = 8, .height = 8, .normalized_read = true},
       "tex2D<float>(image, x, y)",
       "same[y * 8 + x] / 255.0f"},
      {"two channels",
       "cudaTextureObject_t image",
       "int",
       ElementType::kI32,
       {.channels = 2, .width = 4, .height = 8},
       "(x & 1 ? tex2D<int2>(image, x / 2, y).y : tex2D<int2>(image, x / 2, y).x)",
       "same[y * 8 + x]"},
      {"over a plain buffer",
       "cudaTextureObject_t image",
       "float",
       ElementType::kF32,
       {.plain = true, .width = 64},
       "tex1Dfetch<float>(image, y * 8 + x)",
       "same[y * 8 + x]"},
      {"a surface",
       "cudaSurfaceObject_t image",
       "unsigned",
       ElementType::kU32,
       {.surface = true, .width = 8, .height = 8},
       "surf2Dread<unsigned>(image, 4 * x, y)",
       "same[y * 8 + x]"},
  };
  WorkerClient worker = client();
  for (const TextureCase& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto source = [&](const std::string& value) {
      return "extern \"C\" __global__ void k(" + std::string(c.parameter) + ", const " + c.element +
             "* same, float* out) {\n  int x = threadIdx.x % 8, y = threadIdx.x / 8;\n  "
             "out[threadIdx.x] = " +
             value + ";\n}";
    };
    Job job;
    job.student.source = source(c.through);
    job.student.file_name = "k.cu";
    job.student.entry = "k";
    job.student.block = {64, 1, 1};
    job.reference = job.student;
    job.reference->source = source(c.plainly);
    job.args = {image(c.type, FillKind::kRandom, c.texture),
                buffer("same", 64, FillKind::kRandom, false),
                buffer("out", 64, FillKind::kNone, true)};
    job.args[0].output = false;
    job.args[1].type = job.args[1].fill.type = c.type;
    job.args[1].size_bytes = job.args[0].size_bytes;
    job.tolerance = c.texture.normalized_read || c.texture.linear_filter ? 1e-6 : 0;
    job.time = true;  // the fills of timed launches must reach the arrays as well
    job.launches = 3;
    const Result<JobResult> result = worker.run(job);
    ASSERT_TRUE(result.ok()) << render(result.errors());
    EXPECT_EQ(result.value().outputs.front().wrong, 0U);
    EXPECT_EQ(result.value().timing->wrong_when_timed, 0U);
    // The same kernel with one number changed must fail, to show that the comparison works.
    job.student.source =
        source("threadIdx.x == 9 ? -5.5f : (float)(" + std::string(c.through) + ")");
    const Result<JobResult> wrong = worker.run(job);
    ASSERT_TRUE(wrong.ok()) << render(wrong.errors());
    EXPECT_EQ(wrong.value().outputs.front().wrong, 1U);
    EXPECT_EQ(wrong.value().outputs.front().first_index, 9U);
  }
}

// A copy through the map must give the words of a buffer with the same fill, at the places that
// extents, strides, box and swizzle say.
TEST(Worker, TensorMapsAreEncodedByTheDriver) {
  Job job;
  job.student.file_name = "k.cu";
  job.student.entry = "k";
  job.student.block = {32, 1, 1};
  job.student.source = R"(
#include <cuda/ptx>
extern "C" __global__ void k(const __grid_constant__ CUtensorMap in, const unsigned* same,
                             unsigned* out) {
  __shared__ alignas(128) unsigned tile[4][8];
  __shared__ uint64_t full;
  using namespace cuda::ptx;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_proxy_async(space_shared);
    int corner[2] = {8, 3};
    mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &full, sizeof tile);
    cp_async_bulk_tensor(space_cluster, space_global, tile, &in, corner, &full);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&full, 0)) {}
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  // 32-byte swizzle: address bit 4 is exchanged with bit 7.
  out[threadIdx.x] = tile[y][x ^ (y / 4 % 2 * 4)];
})";
  job.reference = job.student;
  // Rows 3 to 6 of six, from word 8 on; 24 words from row to row.
  job.reference->source = R"(
extern "C" __global__ void k(const __grid_constant__ CUtensorMap in, const unsigned* same,
                             unsigned* out) {
  int x = threadIdx.x % 8, y = threadIdx.x / 8 + 3;
  out[threadIdx.x] = y < 6 ? same[y * 24 + x + 8] : 0;
})";
  job.args = {buffer("in", 5 * 24 + 16, FillKind::kRandom, false),
              buffer("same", 5 * 24 + 16, FillKind::kRandom, false),
              buffer("out", 32, FillKind::kNone, true)};
  for (JobArg& arg : job.args) arg.type = arg.fill.type = ElementType::kU32;
  job.args[0].tensor = JobTensor{.type = TensorType::kU32,
                                 .extents = {16, 6},
                                 .strides = {96},
                                 .box = {8, 4},
                                 .element_strides = {1, 1},
                                 .swizzle_bytes = 32};
  WorkerClient worker = client();
  const Result<JobResult> right = worker.run(job);
  ASSERT_TRUE(right.ok()) << render(right.errors());
  EXPECT_EQ(right->outputs.front().wrong, 0U);
  // One row less is one row of zeros more.
  job.args[0].tensor->extents[1] = 5;
  const Result<JobResult> other = worker.run(job);
  ASSERT_TRUE(other.ok()) << render(other.errors());
  EXPECT_EQ(other->outputs.front().wrong, 8U);
  job.args[0].tensor->box[0] = 3;
  const Result<JobResult> refused = worker.run(job);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().kind.name(), "gpu-launch");
}

TEST(Worker, MakesContentsThatAreDescribedElementByElement) {
  Job job;
  job.student.file_name = "k.cu";
  job.student.entry = "k";
  job.student.block = {64, 1, 1};
  job.student.source =
      "extern \"C\" __global__ void k(const int* in, int* out) {\n"
      "  out[threadIdx.x] = in[threadIdx.x];\n}";
  job.reference = job.student;
  job.reference->source =
      "extern \"C\" __global__ void k(const int* in, int* out) {\n"
      "  out[threadIdx.x] = threadIdx.x * 5 - 40 * (threadIdx.x > 7);\n}";
  job.args = {buffer("in", 256, FillKind::kFile, false), buffer("out", 256, FillKind::kNone, true)};
  job.args[0].type = job.args[1].type = ElementType::kI32;
  job.args[0].each = EachElement{.expression = "i * step - 40 * (i > 7)",
                                 .variables = {{"step", 5}},
                                 .type = ElementType::kI32};
  job.time = true;
  job.launches = 3;
  WorkerClient worker = client();
  const Result<JobResult> right = worker.run(job);
  ASSERT_TRUE(right.ok()) << render(right.errors());
  EXPECT_EQ(right->outputs.front().wrong, 0U);
  EXPECT_EQ(right->timing->wrong_when_timed, 0U);
  job.args[0].each->variables["step"] = 6;
  const Result<JobResult> other = worker.run(job);
  ASSERT_TRUE(other.ok()) << render(other.errors());
  EXPECT_EQ(other->outputs.front().wrong, 63U);
  job.args[0].each->expression = "i / 0";
  const Result<JobResult> refused = worker.run(job);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.errors().front().message.english(), testing::HasSubstr("division by zero"));
}

TEST(Worker, SurfacesAreComparedTexelByTexel) {
  const auto source = [](const std::string& body) {
    return "extern \"C\" __global__ void k(cudaSurfaceObject_t to) {\n"
           "  int x = threadIdx.x % 8, y = threadIdx.x / 8;\n  " +
           body + "\n}";
  };
  Job job;
  job.student.file_name = "k.cu";
  job.student.entry = "k";
  job.student.block = {64, 1, 1};
  job.reference = job.student;
  job.reference->source = source("surf2Dwrite<unsigned>(x * y, to, 4 * x, y);");
  job.args = {
      image(ElementType::kU32, FillKind::kNone, {.surface = true, .width = 8, .height = 8})};
  job.time = true;
  job.launches = 3;
  const Verdict kCases[] = {
      {"right", "surf2Dwrite<unsigned>(y * x, to, 4 * x, y);", 0},
      {"one wrong", "surf2Dwrite<unsigned>(x * y + (threadIdx.x == 20), to, 4 * x, y);", 1, 20},
      {"not written", "if (threadIdx.x != 33) surf2Dwrite<unsigned>(x * y, to, 4 * x, y);", 1, 33,
       false},
  };
  WorkerClient worker = client();
  for (const Verdict& c : kCases) {
    SCOPED_TRACE(c.name);
    job.student.source = source(c.body);
    const Result<JobResult> result = worker.run(job);
    ASSERT_TRUE(result.ok()) << render(result.errors());
    const OutputComparison& out = result.value().outputs.front();
    EXPECT_EQ(out.wrong, c.wrong);
    EXPECT_EQ(result.value().timing->wrong_when_timed > 0, c.wrong > 0);
    if (c.wrong == 0) continue;
    EXPECT_EQ(out.first_index, c.first);
    EXPECT_EQ(out.first_written, c.first_written);
  }
}

TEST(Worker, AnImageThatTheGpuRefusesIsTheLaunchsFault) {
  WorkerClient worker = client();
  Job job;
  job.student.source = "extern \"C\" __global__ void k(cudaTextureObject_t) {}";
  job.student.file_name = "k.cu";
  job.student.entry = "k";
  job.student.block = {32, 1, 1};
  job.args = {image(ElementType::kU8, FillKind::kZero, {.width = 1 << 18, .height = 1})};
  const Result<JobResult> result = worker.run(job);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().front().kind.name(), "gpu-launch");
  EXPECT_NE(result.errors().front().message.english().find("262144 × 1 texels"), std::string::npos)
      << render(result.errors());
}

struct Trouble {
  const char* what;
  const char* kind;
};

TEST(Worker, SaysWhyThereIsNoGpuToUse) {
  const Trouble kCases[] = {
      {"no-driver", "gpu-none"},      {"no-gpu", "gpu-none"}, {"old-driver", "gpu-driver"},
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
    EXPECT_EQ(result.errors().front().kind.name(), c.kind) << render(result.errors());
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
    EXPECT_EQ(hello.errors().front().kind.name(), kind);
    EXPECT_FALSE(hello.errors().front().help.empty()) << command.front();
  }
}

}  // namespace
}  // namespace warpshop::device
