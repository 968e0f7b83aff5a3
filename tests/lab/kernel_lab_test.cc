// A lab from a user's own file: the guessed arguments, the files written, and that it runs like any
// exercise.
#include "lab/kernel_lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "core/files.h"
#include "lab/runner.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

constexpr std::string_view kProgram = R"(#include <cstdio>
#include "helpers.h"

__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(factor * in[i]);
}

template <int TILE>
__global__ void turn(const float* __restrict__ in, float* out, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[(blockIdx.x * TILE + threadIdx.y) * width + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void rows(float** table, float4 offset) { table[0][threadIdx.x] += offset.x; }

void launch(float* in, float* out) {
  scale<<<4, 256>>>(in, out, 2.0f, 1024);
  turn<16><<<dim3(4, 4), dim3(16, 16)>>>(in, out, 64);
}

int main() {
  float* in;
  cudaMalloc(&in, 4096);
  launch(in, in);
  std::printf("%d\n", cudaDeviceSynchronize());
}
)";

class KernelLab : public testing::Test {
 protected:
  KernelLab() {
    const fs::path tests(WARPSHOP_TESTS_DIR);
    fs::copy(tests / "lab" / "data", data(), fs::copy_options::recursive);
    fs::create_directory_symlink(tests.parent_path() / "assets", data() / "assets");
    EXPECT_TRUE(write_file_atomically(folder_.path() / "mine" / "My kernels.cu", kProgram).ok());
    EXPECT_TRUE(write_file_atomically(folder_.path() / "mine" / "helpers.h", "__device__ inline float twice(float x) { return 2 * x; }\n").ok());
  }
  fs::path data() const { return folder_.path() / "data"; }
  fs::path own() const { return folder_.path() / "labs"; }
  LabPlaces places() const { return {data(), {own()}}; }
  KernelFile file() const {
    Result<KernelFile> read = read_kernel_file(folder_.path() / "mine" / "My kernels.cu");
    EXPECT_TRUE(read.ok()) << render(read.errors());
    return *read;
  }
  RunResult run(const std::string& id) {
    const Result<Lab> lab = load_lab(places(), id);
    EXPECT_TRUE(lab.ok()) << render(lab.errors());
    if (!lab.ok()) return {};
    Result<Runner> runner = Runner::create();
    EXPECT_TRUE(runner.ok()) << render(runner.errors());
    RunRequest request;
    request.lab = &*lab;
    request.step = &lab->steps.front();
    request.source = lab->steps.front().exercise->skeleton;
    request.file_name = lab->steps.front().exercise->solution_file.filename().string();
    request.gpu = models::find_gpu_profile(data(), "h200").value();
    return runner->run(request);
  }
  TemporaryFolder folder_;
};

TEST_F(KernelLab, WhatCanBeGuessedIsProposed) {
  const KernelFile program = file();
  ASSERT_EQ(program.kernels.size(), 3u);
  const KernelLabForm scale = proposed_form(program, program.kernels[0]);
  EXPECT_EQ(scale.kernel, "scale");
  EXPECT_EQ(scale.grid, "(n + 255) / 256");
  EXPECT_EQ(scale.block, "256");
  ASSERT_EQ(scale.args.size(), 4u);
  EXPECT_EQ(scale.args[0].fill, "random");
  EXPECT_FALSE(scale.args[0].output);
  EXPECT_EQ(scale.args[1].fill, "random");
  EXPECT_TRUE(scale.args[1].output);
  EXPECT_EQ(scale.args[2].amount, "1");
  EXPECT_EQ(scale.args[3].amount, "n");
  const KernelLabForm turn = proposed_form(program, program.kernels[1]);
  EXPECT_EQ(turn.kernel, "turn<16>");
  EXPECT_EQ(turn.block, "16, 16");
  EXPECT_EQ(turn.args[0].amount, "n * n");
  const KernelLabForm rows = proposed_form(program, program.kernels[2]);
  EXPECT_FALSE(rows.args[0].unfit.empty());
  EXPECT_FALSE(rows.args[1].unfit.empty());
}

// Host code, a host function named launch, and a header beside the file are no problem; changes are
// compared with the original.
TEST_F(KernelLab, AKernelOfAProgramRunsAsAnExercise) {
  const KernelFile program = file();
  for (const size_t which : {0u, 1u}) {
    const Result<std::string> id = create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[which]));
    ASSERT_TRUE(id.ok()) << render(id.errors());
    EXPECT_EQ(*id, which == 0 ? "my-kernels-scale" : "my-kernels-turn");
    const RunResult result = run(*id);
    EXPECT_TRUE(result.passed) << render(result.diagnostics);
    ASSERT_NE(result.student(), nullptr);
    EXPECT_EQ(result.student()->grid.count(), which == 0 ? 256u : 1024u);
    EXPECT_EQ(result.student()->findings.size(), 0u);
    EXPECT_EQ(result.checks.size(), 2u) << "no solution's cost bounds it";
    // 65,536 and 512 × 512 floats read, 8 to a sector of 32 bytes.
    EXPECT_EQ(result.student()->counters.global_load_sectors, which == 0 ? 8192u : 32768u);
  }
}

TEST_F(KernelLab, TheSecondOfANameGetsANumber) {
  const KernelFile program = file();
  const KernelLabForm form = proposed_form(program, program.kernels[0]);
  EXPECT_EQ(create_kernel_lab(places(), own(), program, form).value(), "my-kernels-scale");
  EXPECT_EQ(create_kernel_lab(places(), own(), program, form).value(), "my-kernels-scale-2");
}

TEST_F(KernelLab, EveryMistakeNamesItsFieldAndLeavesNothing) {
  const KernelFile program = file();
  KernelLabForm form = proposed_form(program, program.kernels[0]);
  form.n = "many";
  form.grid = " ";
  form.block = "256; }";
  form.args[0].amount = "m + 1";
  form.args[3].amount = "1.5";
  const Result<std::string> id = create_kernel_lab(places(), own(), program, form);
  ASSERT_FALSE(id.ok());
  std::vector<std::string> messages;
  for (const Diagnostic& error : id.errors()) messages.push_back(error.message);
  for (const char* begin : {"n: ", "Blocks: ", "Threads of a block: ", "in: ", "n: "}) {
    EXPECT_THAT(messages, Contains(testing::StartsWith(begin)));
  }
  EXPECT_EQ(messages.size(), 5u);
  EXPECT_FALSE(fs::exists(own() / "my-kernels-scale"));
  form = proposed_form(program, program.kernels[0]);
  form.args[1].output = false;
  EXPECT_THAT(create_kernel_lab(places(), own(), program, form).errors().front().message.english(), HasSubstr("no buffer is compared"));
  EXPECT_FALSE(create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[2])).ok());
}

TEST_F(KernelLab, AFileWithoutAKernelSaysSo) {
  EXPECT_TRUE(write_file_atomically(folder_.path() / "host.cu", "int main() {}\n").ok());
  EXPECT_THAT(read_kernel_file(folder_.path() / "host.cu").errors().front().message.english(), HasSubstr("no kernel"));
  EXPECT_FALSE(read_kernel_file(folder_.path() / "not-there.cu").ok());
}

}  // namespace
}  // namespace warpshop::lab
