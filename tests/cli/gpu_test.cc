// check and run with --device cuda, through a worker whose GPU is the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kWorker = std::string(" --worker ") + WARPSHOP_FAKE_WORKER + " ";

const char* const kGpuSaxpy =
    "__global__ void saxpy(float a, const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

std::string scale_with(const std::string& body) {
  return "__global__ void scale(const float* in, float* out, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
         body +
         "\n}\n"
         "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; "
         "}\n";
}

TEST(CheckOnGpu, TimesBandwidthAndVerdictStandBesideTheSimulated) {
  const Program program;
  const Outcome text = program.run("check fixture/scale --solution" + kWorker);
  EXPECT_EQ(text.status, 0) << text.out << text.err;
  for (const char* part : {"Measured on Fake GPU", "yours, cold", "10.00 µs",
                           "42 registers (simulated", "✓ Result correct on the GPU"}) {
    EXPECT_THAT(text.out, HasSubstr(part));
  }

  const Outcome outcome = program.run("check fixture/scale --solution --json" + kWorker);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json run = json::parse(outcome.out)["runs"][0];
  EXPECT_EQ(run["measured_on"]["gpu"], "Fake GPU");
  EXPECT_EQ(run["stages"]["measure"]["state"], "passed");
  ASSERT_EQ(run["sizes"].size(), 2U);
  for (const json& size : run["sizes"]) {
    const json& measured = size["measured"];
    EXPECT_TRUE(measured["correct"].get<bool>());
    EXPECT_EQ(measured["student"]["registers"], 42);  // as reported by the tests' driver
    EXPECT_NEAR(measured["timing"]["student"]["cold_us"].get<double>(), 10, 0.1);
    // 2 · 4 · n bytes in 10 µs.
    const double bytes = 8.0 * size["variables"]["n"].get<double>();
    EXPECT_NEAR(measured["student_gb_s"].get<double>(), bytes / 10e-6 / 1e9, 0.01 * bytes / 1e4);
  }
}

TEST(CheckOnGpu, TheGpusCountersStandBesideTheSimulated) {
  const Program program;
  const Outcome outcome = program.run("check fixture/scale --solution --json" + kWorker);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json sizes = json::parse(outcome.out)["runs"][0]["sizes"];
  const json& measured = sizes[0]["measured"]["counters"];
  for (const char* name : {"global_load_requests", "global_load_sectors", "global_store_requests",
                           "global_store_sectors"}) {
    EXPECT_GT(measured[name]["value"].get<double>(), 0) << name;
    EXPECT_EQ(measured[name]["value"], sizes[0]["student"]["counters"][name]) << name;
  }
  EXPECT_EQ(measured["global_load_sectors"]["metric"],
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_FALSE(sizes[0]["measured"].contains("counter_problems"));
  EXPECT_FALSE(sizes[1]["measured"].contains("counters"));  // only for the first size

  const Outcome text = program.run("check fixture/scale --solution" + kWorker);
  EXPECT_THAT(text.out, HasSubstr("match the simulated ones"));
  EXPECT_THAT(text.out, HasSubstr("dram_read_bytes: 1000 bytes"));

  const Outcome none =
      program.run("check fixture/scale --solution" + kWorker, "FAKE_CUPTI=no-permission");
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(none.out, HasSubstr("10.00 µs"));
  const Outcome none_json =
      program.run("check fixture/scale --solution --json" + kWorker, "FAKE_CUPTI=no-permission");
  const json problems =
      json::parse(none_json.out)["runs"][0]["sizes"][0]["measured"]["counter_problems"];
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0]["severity"], "note");
}

struct Verdict {
  const char* name;
  const char* body;
  const char* arguments;
  const char* kind;     // of the problem; nullptr: none
  const char* message;  // in the report
};

TEST(CheckOnGpu, FaultsAndHangsAreSaidWithTheEmulatorsFinding) {
  const Verdict kCases[] = {
      {"fault", "if (i < n) out[(1ll << 40) + i] = in[i];", "", "gpu-fault",
       "the emulator finds: out-of-bounds"},
      {"hang", "if (out[i] != 5) while (*(volatile const float*)in != 7) {}",
       "--budget 1000000 --time-limit 1", "gpu-timeout", "the emulator finds: timeout"},
  };
  const Program program;
  for (const Verdict& c : kCases) {
    SCOPED_TRACE(c.name);
    program.folder().write("k.cu", scale_with(c.body));
    const std::string arguments = "check fixture/scale --file k.cu " + std::string(c.arguments);
    const Outcome text = program.run(arguments + kWorker);
    EXPECT_EQ(text.status, 1);
    EXPECT_THAT(text.out, HasSubstr(c.message));
    EXPECT_THAT(text.out, HasSubstr("✗ Result correct on the GPU"));
    const json run = json::parse(program.run(arguments + " --json" + kWorker).out)["runs"][0];
    ASSERT_EQ(run["measure_problems"].size(), 1U);  // the other sizes are skipped
    EXPECT_EQ(run["measure_problems"][0]["kind"], c.kind);
    EXPECT_EQ(run["measure_problems"][0]["line"], 3);
    EXPECT_EQ(run["checks"].back()["id"], "gpu-correct");
    EXPECT_FALSE(run["checks"].back()["passed"].get<bool>());
  }
}

TEST(CheckOnGpu, AKernelThatRestsWhenItIsTimedIsCaught) {
  const Program program;
  // Counts its launches in the guard zone before `in`, whose bytes are 0xC3.
  program.folder().write(
      "k.cu", scale_with("int* count = (int*)(const_cast<float*>(in) - 64);\n"
                         "  const int launches = *count - (int)0xC3C3C3C3;\n"
                         "  if (i < n && launches < 2 * (int)gridDim.x) out[i] = 2 * in[i];\n"
                         "  __syncthreads(); if (threadIdx.x == 0) atomicAdd(count, 1);"));
  const Outcome outcome =
      program.run("check fixture/scale --file k.cu --json --budget 100000000" + kWorker);
  EXPECT_EQ(outcome.status, 1);
  const json check = json::parse(outcome.out)["runs"][0]["checks"].back();
  EXPECT_EQ(check["id"], "gpu-correct");
  EXPECT_THAT(check["got"].get<std::string>(), HasSubstr("timed launches"));
}

TEST(CheckOnGpu, WhatKernelsPrintIsShown) {
  const Program program;
  program.folder().write(
      "k.cu",
      scale_with(
          "if (i == 5 && n == 4096) printf(\"five %d\\n\", n); if (i < n) out[i] = 2 * in[i];"));
  const Outcome outcome = program.run("check fixture/scale --file k.cu --json" + kWorker);
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  const json size = json::parse(outcome.out)["runs"][0]["sizes"][0];
  EXPECT_EQ(size["student"]["printed"], "five 4096\n");
  EXPECT_EQ(size["measured"]["printed"], "five 4096\nfive 4096\n");  // launched twice, two poisons
}

struct Trouble {
  const char* what;  // behaviour of the fake driver
  const char* kind;
  const char* help;
};

TEST(CheckOnGpu, WithoutAGpuThatCanBeUsedTheEmulatorsResultStays) {
  const Trouble kCases[] = {
      {"no-driver", "gpu-none", "--device emulator"},
      {"no-gpu", "gpu-none", "--device emulator"},
      {"older-driver", "gpu-driver", "newer NVIDIA driver"},
      {"old-driver", "gpu-driver", "newer NVIDIA driver"},
      {"old-gpu", "gpu-old", "emulator"},
      {"busy", "gpu-busy", "choose another GPU"},
  };
  const Program program;
  for (const Trouble& c : kCases) {
    SCOPED_TRACE(c.what);
    const Outcome outcome = program.run("check fixture/scale --solution --json" + kWorker,
                                        std::string("FAKE_CUDA=") + c.what);
    EXPECT_EQ(outcome.status, 3);
    const json run = json::parse(outcome.out)["runs"][0];
    EXPECT_TRUE(run["passed"].get<bool>());  // on the emulator
    EXPECT_EQ(run["stages"]["measure"]["state"], "failed");
    ASSERT_FALSE(run["measure_problems"].empty());
    EXPECT_EQ(run["measure_problems"][0]["kind"], c.kind);
    EXPECT_THAT(run["measure_problems"][0]["help"].get<std::string>(), HasSubstr(c.help));
  }
}

TEST(CheckOnGpu, AWorkerOfAnotherVersionIsRefused) {
  const Program program;
  program.folder().write(
      "other",
      "#!/bin/sh\necho '{\"type\":\"hello\",\"protocol\":99,\"version\":\"7.0\"}'\n"
      "cat >/dev/null\n");
  const Outcome outcome = program.run("check fixture/scale --solution --worker 'sh other'");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("speaks version 99"));
  EXPECT_THAT(outcome.out, HasSubstr("the same version of Warpshop at both ends"));
}

// Nothing has run there, so nothing is said about the kernel.
TEST(CheckOnGpu, AWorkerThatCannotBeStartedIsNotTheKernelsFault) {
  const Program program;
  for (const char* verb :
       {"check fixture/scale --solution",
        "run data/kernels/fixture/scale.cu --kernel scale --grid 4 --block 64 --arg "
        "f32[256]=random --arg f32[256] --arg i32=256"}) {
    SCOPED_TRACE(verb);
    const Outcome outcome = program.run(verb + std::string(" --worker no-such-program"));
    EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("'no-such-program' cannot be started"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("not passed")));
  }
}

TEST(CheckOnGpu, AutoIsSilentWhereThereIsNoDriver) {
  const Program program;
  const Outcome outcome = program.run("check fixture/scale --solution --device auto",
                                      "WARPSHOP_LIBCUDA=/no/libcuda.so");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("NVIDIA driver")));
}

TEST(RunOnGpu, BuffersAreComparedWithTheEmulators) {
  const Program program;
  program.folder().write("k.cu",
                         "__global__ void k(int* p) { p[threadIdx.x] = 3 * threadIdx.x; }\n"
                         "__global__ void past(int* p) { p[threadIdx.x + (1 << 20)] = 1; }\n");
  const Outcome good = program.run("run k.cu --kernel k --block 32 --arg i32[32]" + kWorker);
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("every buffer equals the emulator's, bit for bit"));
  EXPECT_THAT(good.out, HasSubstr("10.00 µs cold"));
  const Outcome json_run =
      program.run("run k.cu --kernel k --block 32 --arg i32[32] --json" + kWorker);
  const json result = json::parse(json_run.out);
  EXPECT_EQ(result["measured"]["buffers"], result["buffers"]);
  EXPECT_NEAR(result["measured"]["timing"]["student"]["warm_us"].get<double>(), 10, 0.1);
  const Outcome past = program.run("run k.cu --kernel past --block 32 --arg i32[32]" + kWorker);
  EXPECT_EQ(past.status, 1);
  EXPECT_THAT(past.out, HasSubstr("the emulator finds: out-of-bounds"));
}

// The tests' GPU has an unknown architecture: the newest one stands in for it.
TEST(RunOnGpu, TheGpusCountersStandBesideTheEmulators) {
  const Program program;
  program.folder().write("k.cu", kGpuSaxpy);
  const std::string command =
      "run k.cu --kernel saxpy --grid 2 --block 64 --arg f32=2 --arg f32[128]=iota --arg "
      "f32[128]=zero --arg i32=128" +
      kWorker;
  const Outcome text = program.run(command);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("match the simulated ones"));
  const Outcome outcome = program.run(command + " --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  // Two loads by four warps, 128 dense bytes each: four sectors per request.
  const json measured = json::parse(outcome.out)["measured"];
  EXPECT_EQ(measured["counters"]["global_load_requests"]["value"], 8);
  EXPECT_EQ(measured["counters"]["global_load_sectors"]["value"], 32);
  EXPECT_FALSE(measured.contains("counter_problems"));
}

TEST(SpecOnGpu, CountersAreTheGpusWhereTheyAreAskedFor) {
  const Program program;
  program.folder().write("k.cu", kGpuSaxpy);
  program.folder().write("cases.json", R"([{"name": "a", "source": "k.cu", "kernel": "saxpy",
      "grid": [2, 1, 1], "block": [64, 1, 1], "args": [{"f32": 2},
      {"buffer": 512, "fill": "iota"}, {"buffer": 512, "fill": "zero"}, {"i32": 128}]}])");
  const std::string command = "run --spec cases.json --out r.json" + kWorker;
  ASSERT_EQ(program.run(command + " --counters").status, 0);
  const json with = json::parse(program.folder().read("r.json"))[0];
  EXPECT_EQ(with["counters"]["global_load_requests"], 8);
  EXPECT_EQ(with["counters"]["global_store_sectors"], 16);
  ASSERT_EQ(program.run(command).status, 0);
  EXPECT_TRUE(json::parse(program.folder().read("r.json"))[0]["counters"].empty());
  ASSERT_EQ(program.run(command + " --counters", "FAKE_CUPTI=no-permission").status, 0);
  const json none = json::parse(program.folder().read("r.json"))[0];
  EXPECT_TRUE(none["counters"].empty());
  EXPECT_THAT(none["counter_problems"].get<std::string>(),
              HasSubstr("only administrators read counters"));
}

TEST(GpusCommand, WritesAProfileThatCanBeUsed) {
  const Program program;
  const Outcome written = program.run("gpus --write my-gpu.toml" + kWorker);
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("Fake GPU is described in my-gpu.toml"));
  const std::string text = program.folder().read("my-gpu.toml");
  for (const char* part :
       {"id = \"my-gpu\"", "compute_capability = \"19.9\"",
        "max_blocks_per_sm = { value = 24, source = \"DRIVER\", confidence = \"read\" }",
        "registers_per_block = { value = 32000, source = \"DRIVER\"",
        "memory_bandwidth_gb_s = { value = 64, source = \"DRIVER\"",  // 2 · 1 GHz · 32 bytes
        "source = \"RUN\", confidence = \"measured\"", "assumed: as rtx-5090.toml"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  const Outcome compared = program.run("gpus my-gpu.toml h200 --json");
  ASSERT_EQ(compared.status, 0) << compared.err;
  const json numbers = json::parse(compared.out)["gpus"][0]["numbers"];
  EXPECT_EQ(numbers["max_warps_per_sm"]["value"], "48");  // 1536 threads
  EXPECT_EQ(numbers["shared_bytes_per_sm"]["value"], "92160");
  EXPECT_EQ(numbers["shared_reserved_bytes"]["value"], "512");
  EXPECT_TRUE(numbers["register_unit"]["assumed"].get<bool>());
  EXPECT_FALSE(numbers["sm_count"]["assumed"].get<bool>());
  // 24 blocks of 32 threads per SM are 24 of its 48 warps. No compiler supports 19.9.
  std::string known = text;
  known.replace(known.find("\"19.9\""), 6, "\"9.0\"");
  program.folder().write("my-gpu.toml", known);
  program.folder().write("k.cu", "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n");
  const Outcome run = program.run(
      "run k.cu --kernel k --block 32 --arg i32[32] --gpu my-gpu.toml --json --device emulator");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(json::parse(run.out)["run"]["occupancy"]["percent"], 50);
}

TEST(GpusCommand, SaysWhyNoProfileIsWritten) {
  struct Refused {
    const char* arguments;
    const char* environment;
    const char* message;
  };
  const Refused kCases[] = {
      {"gpus --write MyGpu.txt", "", "ID.toml"},
      {"gpus --write /dev/null/x.toml", "", "/dev/null"},
      {"gpus --write x.toml", "FAKE_CUDA=no-gpu", "finds no NVIDIA GPU"},
      {"gpus --write x.toml", "FAKE_CUDA=busy", "busy"},
  };
  const Program program;
  for (const Refused& c : kCases) {
    SCOPED_TRACE(c.arguments);
    const Outcome outcome = program.run(c.arguments + kWorker, c.environment);
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "x.toml"));
  }
}

TEST(GradeOnGpu, AClassIsMeasuredThroughTheNamedWorker) {
  const Program program;
  const std::string double_it = scale_with("if (i < n) out[i] = 2 * in[i];");
  program.folder().write("class/ada/fixture/scale.cu", double_it);
  program.folder().write("class/bob/fixture/scale.cu", scale_with("if (i < n) out[i] = in[i];"));
  const Outcome outcome = program.run("grade class --out grades --device cuda" + kWorker);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 passed, 1 failed"));
  const json grades = json::parse(program.folder().read("grades/grades.json"));
  for (const json& grade : grades["grades"]) {
    EXPECT_EQ(grade.contains("measured") && !grade["measured"].is_null(), grade["student"] == "ada")
        << grade;
  }
  // An unusable GPU is reported with a fix, and the emulator's verdicts stay.
  const Outcome none =
      program.run("grade class --out other --device cuda" + kWorker, "FAKE_CUDA=no-gpu");
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.out, HasSubstr("1 failed, 1 no-verdict"));
  EXPECT_THAT(none.err, HasSubstr("--device emulator"));
}

}  // namespace
}  // namespace warpshop::cli
