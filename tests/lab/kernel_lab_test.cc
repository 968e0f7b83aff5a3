// A lab made from a user's own file: the files written, and that it runs like any exercise.
#include "lab/kernel_lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "core/files.h"
#include "lab/kernel_choice.h"
#include "lab/runner.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
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
  out[(blockIdx.x * TILE + threadIdx.y) * width + blockIdx.y * TILE + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
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
    EXPECT_TRUE(write_file_atomically(folder_.path() / "mine" / "helpers.h",
                                      "__device__ inline float twice(float x) { return 2 * x; }\n")
                    .ok());
  }
  fs::path data() const { return folder_.path() / "data"; }
  fs::path own() const { return folder_.path() / "labs"; }
  LabPlaces places() const { return {data(), {own()}}; }
  KernelFile file() const {
    Result<KernelFile> read = read_kernel_file(folder_.path() / "mine" / "My kernels.cu");
    EXPECT_TRUE(read.ok()) << render(read.errors());
    return *read;
  }
  // Runs the start of the lab's step, or `source`.
  RunResult run(const std::string& id, const std::string& source = {}, const char* gpu = "h200") {
    const Result<Lab> lab = load_lab(places(), id);
    EXPECT_TRUE(lab.ok()) << render(lab.errors());
    if (!lab.ok()) return {};
    Result<Runner> runner = Runner::create();
    EXPECT_TRUE(runner.ok()) << render(runner.errors());
    RunRequest request;
    request.lab = &*lab;
    request.step = &lab->steps.front();
    request.source = source.empty() ? lab->steps.front().exercise->skeleton : source;
    request.file_name = lab->steps.front().exercise->solution_file.filename().string();
    request.gpu = models::find_gpu_profile(data(), gpu).value();
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
  EXPECT_EQ(scale.args[2].amount, "2");
  EXPECT_EQ(scale.args[3].amount, "n");
  EXPECT_EQ(scale.n, "1024");
  const KernelLabForm turn = proposed_form(program, program.kernels[1]);
  EXPECT_EQ(turn.kernel, "turn<16>");
  EXPECT_EQ(turn.block, "16, 16");
  EXPECT_EQ(turn.args[0].amount, "n * n");
  const KernelLabForm rows = proposed_form(program, program.kernels[2]);
  EXPECT_FALSE(rows.args[0].unfit.empty());
  EXPECT_FALSE(rows.args[1].unfit.empty());
}

// As everybody counts y = a x + y: x is read, y read and written.
TEST_F(KernelLab, ABufferThatIsReadAndWrittenCountsTwice) {
  const fs::path path = folder_.path() / "mine" / "updates.cu";
  ASSERT_TRUE(write_file_atomically(path, R"(
__global__ void saxpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void add(const float2* x, float2* y, float* last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i].x += x[i].x;
  if (i < n && last[i] == 0) last[i] = x[i].y;
}
__global__ void copy(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
)")
                  .ok());
  const Result<KernelFile> program = read_kernel_file(path);
  ASSERT_TRUE(program.ok());
  const std::string expected[] = {"4 * (n) + 8 * (n)", "4 * (2 * n) + 8 * (2 * n) + 8 * (n)",
                                  "4 * (n) + 4 * (n)"};
  for (const size_t which : {0u, 1u, 2u}) {
    const Result<std::string> id = create_kernel_lab(
        places(), own(), *program, proposed_form(*program, program->kernels[which]));
    ASSERT_TRUE(id.ok()) << render(id.errors());
    const Result<std::string> toml = read_file(own() / *id / "lab.toml");
    ASSERT_TRUE(toml.ok());
    EXPECT_THAT(*toml, HasSubstr("useful_bytes = \"" + expected[which] + "\""));
  }
}

// The file may contain host code and a host function named launch, and include a header beside it;
// changes are compared with the original.
TEST_F(KernelLab, AKernelOfAProgramRunsAsAnExercise) {
  const KernelFile program = file();
  for (const size_t which : {0u, 1u}) {
    const Result<std::string> id =
        create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[which]));
    ASSERT_TRUE(id.ok()) << render(id.errors());
    EXPECT_EQ(*id, which == 0 ? "my-kernels-scale" : "my-kernels-turn");
    const RunResult result = run(*id);
    EXPECT_TRUE(result.passed) << render(result.diagnostics);
    ASSERT_NE(result.student(), nullptr);
    EXPECT_EQ(result.student()->grid.count(), which == 0 ? 4u : 16u);
    EXPECT_EQ(result.student()->findings.size(), 0u);
    EXPECT_EQ(result.checks.size(), 2u) << "no solution's cost bounds it";
    // 1,024 and 64 × 64 floats are read, 8 per sector of 32 bytes.
    EXPECT_EQ(result.student()->counters.global_load_sectors, which == 0 ? 128u : 512u);
  }
}

// A file with a mistake would otherwise stay broken for ever.
TEST_F(KernelLab, TheFirstVersionThatCompilesIsTheReference) {
  const fs::path path = folder_.path() / "mine" / "broken.cu";
  ASSERT_TRUE(
      write_file_atomically(path, "__global__ void one(float* out) { out[threadIdx.x] = 1.0f }\n")
          .ok());
  const Result<KernelFile> broken = read_kernel_file(path);
  ASSERT_TRUE(broken.ok());
  const Result<std::string> id =
      create_kernel_lab(places(), own(), *broken, proposed_form(*broken, broken->kernels[0]));
  ASSERT_TRUE(id.ok()) << render(id.errors());
  RunResult result = run(*id);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics.front().kind.name(), "compile") << render(result.diagnostics);
  EXPECT_FALSE(result.first_to_compile);
  std::string text = read_file(own() / *id / "kernels" / "broken.cu").value();
  text.replace(text.find("1.0f"), 4, "1.0f;");
  result = run(*id, text);
  EXPECT_TRUE(result.first_to_compile);
  EXPECT_TRUE(result.passed) << render(result.diagnostics);
}

// 48 sums that are alive at once: an 8800 GT has 8,192 registers, 32 for each of 256 threads.
TEST_F(KernelLab, RegistersOfANewerCompilerDoNotKeepAKernelFromAnOldGpu) {
  const fs::path path = folder_.path() / "mine" / "many.cu";
  ASSERT_TRUE(write_file_atomically(
                  path,
                  "__global__ void many(const float* in, float* out, int n) {\n"
                  "  float v[48];\n"
                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "  if (i >= n) return;\n"
                  "  for (int k = 0; k < 48; ++k) v[k] = k * in[i];\n"
                  "  for (int pass = 0; pass < 3; ++pass) {\n"
                  "#pragma unroll\n"
                  "    for (int k = 0; k < 48; ++k) v[k] += v[(k + 7) % 48] * v[(k + 11) % 48];\n"
                  "  }\n"
                  "  float sum = 0;\n"
                  "#pragma unroll\n"
                  "  for (int k = 0; k < 48; ++k) sum = sum * 0.5f + v[k];\n"
                  "  out[i] = sum;\n}\n")
                  .ok());
  const Result<KernelFile> program = read_kernel_file(path);
  ASSERT_TRUE(program.ok());
  KernelLabForm form = proposed_form(*program, program->kernels[0]);
  form.n = "1024";
  const Result<std::string> id = create_kernel_lab(places(), own(), *program, form);
  ASSERT_TRUE(id.ok()) << render(id.errors());
  ASSERT_GT(run(*id).student()->registers, 32);
  const RunResult result = run(*id, {}, "8800-gt");
  ASSERT_NE(result.student(), nullptr) << render(result.diagnostics);
  EXPECT_LE(result.student()->registers, 32);
  EXPECT_GE(result.student()->occupancy.blocks_per_sm, 1);
  EXPECT_THAT(result.student()->occupancy.reason.english(), HasSubstr("are an estimate"));
}

// The compiler proves that the pointer is null, and puts a trap there.
TEST_F(KernelLab, ATrapOfTheCompilerIsNotTheStudents) {
  const KernelFile program = file();
  const Result<std::string> id =
      create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[0]));
  ASSERT_TRUE(id.ok()) << render(id.errors());
  std::string text = read_file(own() / *id / "kernels" / "My kernels.cu").value();
  text.replace(text.find("#include \"helpers.h\""), 20, "#define twice(x) (2 * (x))");
  const std::string body = "if (i < n) out[i] = twice(factor * in[i]);";
  text.replace(text.find(body), body.size(), "const float* p = nullptr;\n  out[i] = p[i];");
  const RunResult result = run(*id, text);
  ASSERT_NE(result.student(), nullptr) << render(result.diagnostics);
  ASSERT_FALSE(result.student()->findings.empty());
  const emulator::Finding& found = result.student()->findings.front();
  EXPECT_THAT(found.message.english(), HasSubstr("the compiler has put here"))
      << found.cause.english();
  EXPECT_GT(found.place.line, 0);
}

// No guard i < n would help: 256 threads write to 64 elements.
TEST_F(KernelLab, AnIndexPastAnArrayOfFixedSizeAsksForNoGuard) {
  const KernelFile program = file();
  const Result<std::string> id =
      create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[0]));
  ASSERT_TRUE(id.ok()) << render(id.errors());
  std::string text = read_file(own() / *id / "kernels" / "My kernels.cu").value();
  const std::string body = "if (i < n) out[i] = twice(factor * in[i]);";
  text.replace(text.find(body), body.size(),
               "__shared__ float part[64];\n  part[threadIdx.x] = in[i];\n  __syncthreads();\n"
               "  out[i] = part[threadIdx.x ^ 1];");
  const RunResult result = run(*id, text);
  ASSERT_NE(result.student(), nullptr) << render(result.diagnostics);
  ASSERT_FALSE(result.student()->findings.empty());
  EXPECT_THAT(result.student()->findings.front().cause.english(), HasSubstr("fixed size"));
}

TEST_F(KernelLab, ASingleElementIsNotAllElements) {
  const fs::path path = folder_.path() / "mine" / "one.cu";
  ASSERT_TRUE(write_file_atomically(path, "__global__ void one(float* out) { *out = 1; }\n").ok());
  const Result<KernelFile> program = read_kernel_file(path);
  ASSERT_TRUE(program.ok());
  KernelLabForm form = proposed_form(*program, program->kernels[0]);
  form.n = form.grid = form.block = "1";
  const Result<std::string> id = create_kernel_lab(places(), own(), *program, form);
  ASSERT_TRUE(id.ok()) << render(id.errors());
  std::string text = read_file(own() / *id / "kernels" / "one.cu").value();
  text.replace(text.find("= 1"), 3, "= 2");
  const RunResult result = run(*id, text);
  ASSERT_FALSE(result.checks.empty()) << render(result.diagnostics);
  EXPECT_EQ(result.checks.front().got.english(), "the only element is wrong");
}

// Each output is its input times w[0] = 3, which the host code would have copied.
TEST_F(KernelLab, ConstantMemoryHoldsWhatTheProgramCopiesToIt) {
  const fs::path path = folder_.path() / "mine" / "weights.cu";
  EXPECT_TRUE(write_file_atomically(path, R"(__constant__ float w[2];
__global__ void weigh(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = w[0] * in[i];
}
int main() {
  float h[2] = {3, 4};
  cudaMemcpyToSymbol(w, h, sizeof(h));
  weigh<<<4, 256>>>(nullptr, nullptr, 1024);
}
)")
                  .ok());
  const KernelFile program = read_kernel_file(path).value();
  KernelLabForm form = proposed_form(program, program.kernels[0]);
  const std::string id = create_kernel_lab(places(), own(), program, form).value();
  Lab lab = load_lab(places(), id).value();
  EXPECT_THAT(lab.steps[0].exercise->skeleton,
              testing::StartsWith("__constant__ float w[2] = {3, 4} /* as line 8 sets it */;\n"));
  EXPECT_THAT(lab.steps[0].text, HasSubstr("`w` holds what line 8 copies to it"));
  std::string edited = lab.steps[0].exercise->skeleton;
  RunResult result = run(id, edited);
  EXPECT_TRUE(result.passed) << render(result.diagnostics);
  EXPECT_TRUE(result.sizes.front().unproven.empty());
  edited.replace(edited.find("w[0] * in[i]"), 12, "w[1] * in[i]");
  EXPECT_FALSE(run(id, edited).passed);
  // With zeroes in w, the same edit cannot be told from the original, and the result says so.
  form.variables[0].value.clear();
  const std::string zeroes = create_kernel_lab(places(), own(), program, form).value();
  lab = load_lab(places(), zeroes).value();
  EXPECT_THAT(lab.steps[0].text, HasSubstr("`w` stays zero"));
  edited = lab.steps[0].exercise->skeleton;
  edited.replace(edited.find("w[0] * in[i]"), 12, "w[1] * in[i]");
  result = run(zeroes, edited);
  EXPECT_TRUE(result.passed);
  const std::string why = "every element of out that the kernel changes is 0";
  EXPECT_EQ(result.checks.front().got.english(), "equal, but " + why);
  const auto warning =
      std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                   [&](const Diagnostic& d) { return d.message.english().starts_with(why); });
  ASSERT_NE(warning, result.diagnostics.end());
  EXPECT_EQ(warning->severity, Severity::kWarning);
  EXPECT_EQ(warning->place.line, 2);
}

TEST_F(KernelLab, TheSecondOfANameGetsANumber) {
  const KernelFile program = file();
  const KernelLabForm form = proposed_form(program, program.kernels[0]);
  EXPECT_EQ(kernel_lab_of(load_labs(places()), program, "scale"), nullptr);
  EXPECT_EQ(create_kernel_lab(places(), own(), program, form).value(), "my-kernels-scale");
  LabLibrary labs = load_labs(places());
  const Lab* known = kernel_lab_of(labs, program, "scale");
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->id, "my-kernels-scale");
  EXPECT_EQ(known->title, "My kernels.cu");
  EXPECT_EQ(create_kernel_lab(places(), own(), program, form).value(), "my-kernels-scale-2");
  labs = load_labs(places());
  known = kernel_lab_of(labs, program, "scale");
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->id, "my-kernels-scale-2") << "the newest";
  EXPECT_EQ(known->title, "My kernels.cu (2)");
  EXPECT_EQ(kernel_lab_of(labs, program, "turn<16>"), nullptr);
  KernelFile other = program;
  other.path = other.path.parent_path() / "others.cu";
  EXPECT_EQ(kernel_lab_of(labs, other, "scale"), nullptr);
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
  EXPECT_THAT(create_kernel_lab(places(), own(), program, form).errors().front().message.english(),
              HasSubstr("no buffer is compared"));
  EXPECT_FALSE(
      create_kernel_lab(places(), own(), program, proposed_form(program, program.kernels[2])).ok());
}

// What the compiler would refuse, or no GPU could start, never becomes a lab.
TEST_F(KernelLab, ALaunchThatCannotBeIsRefused) {
  const KernelFile program = file();
  struct Case {
    const char *grid, *block, *said;
  };
  const Case cases[] = {
      {"(n + ", "256", "Blocks: expected a C++ expression"},
      {"n +", "256", "Blocks: expected a C++ expression"},
      {"1, 1, 1, 1", "256", "Blocks: expected a C++ expression"},
      {"n / 1000000", "256", "Blocks: 'n / 1000000' is 0 for this n"},
      {"1", "2000", "Threads of a block: '2000' is 2,000 for this n; at most 1,024"},
      {"1", "dim3(64, 32)", "Threads of a block: 'dim3(64, 32)' is 2,048 for this n"},
      {"1", "32,", "Threads of a block: expected a C++ expression"},
  };
  for (const Case& c : cases) {
    KernelLabForm form = proposed_form(program, program.kernels[0]);
    form.grid = c.grid;
    form.block = c.block;
    const Result<std::string> id = create_kernel_lab(places(), own(), program, form);
    ASSERT_FALSE(id.ok()) << c.grid << " | " << c.block;
    EXPECT_THAT(id.errors().front().message.english(), testing::StartsWith(c.said));
    EXPECT_EQ(id.errors().size(), 1u);
  }
  for (const auto& [grid, block] : {std::pair{"dim3(n / 16, 1)", "16, 16"}, {"TILES", "kBlock"}}) {
    KernelLabForm form = proposed_form(program, program.kernels[0]);
    form.grid = grid;
    form.block = block;
    EXPECT_TRUE(create_kernel_lab(places(), own(), program, form).ok()) << grid;
  }
}

TEST_F(KernelLab, AFileWithoutAKernelSaysSo) {
  EXPECT_TRUE(write_file_atomically(folder_.path() / "host.cu", "int main() {}\n").ok());
  EXPECT_THAT(read_kernel_file(folder_.path() / "host.cu").errors().front().message.english(),
              HasSubstr("no kernel"));
  EXPECT_FALSE(read_kernel_file(folder_.path() / "not-there.cu").ok());
}

}  // namespace
}  // namespace warpshop::lab
