// A lab made from a user's own file: the proposed arguments, the files
// written, and that it runs like any exercise.
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

// The form proposed for a program with a kernel on line 1, followed by the host code `host`.
KernelLabForm form_of(const std::string& host,
                      const std::string& parameters = "const float* x, float* y, int n, float a") {
  KernelFile file{"p.cu", "__global__ void k(" + parameters + ") {}\n" + host, {}};
  file.kernels = compile::kernels_of(file.text, "p.cu");
  return proposed_form(file, file.kernels.front());
}

std::vector<std::string> origins(const KernelLabForm& form) {
  std::vector<std::string> out;
  for (const KernelLabForm::Origin& origin : form.origins)
    out.push_back(origin.field.english() + ":" + std::to_string(origin.line));
  return out;
}

TEST(KernelLabForm, BytesThatAreReadAreRandom) {
  const KernelLabForm form = form_of("", "const unsigned char* image, unsigned int* bins, int n");
  EXPECT_EQ(form.args[0].fill, "bits");
  EXPECT_EQ(form.args[1].fill, "zero");
}

TEST(KernelLabForm, TakesTheNumbersThatTheProgramStates) {
  const KernelLabForm form = form_of(R"(#define THREADS 128
int main() {
  const int n = 1 << 14;
  int blocks = (n + THREADS - 1) / THREADS;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc((void**)&y, 2 * n * sizeof(float));
  k<<<blocks, THREADS>>>(x, y, n, 0.25f);
})");
  EXPECT_EQ(form.n, "16384");
  EXPECT_EQ(form.grid, "((n + 128 - 1) / 128)");
  EXPECT_EQ(form.block, "128");
  ASSERT_EQ(form.args.size(), 4u);
  EXPECT_EQ(form.args[0].amount, "n");
  EXPECT_EQ(form.args[1].amount, "2 * n");
  EXPECT_EQ(form.args[2].amount, "n");
  EXPECT_EQ(form.args[3].amount, "0.25");
  EXPECT_EQ(form.program_n, 0);
  EXPECT_THAT(origins(form),
              testing::UnorderedElementsAre("n:4", "Blocks:9", "Threads of a block:9", "x:7", "y:8",
                                            "n:9", "a:9"));
}

TEST(KernelLabForm, TakesAMatrixWithItsDim3) {
  const KernelLabForm form = form_of(R"(constexpr int N = 256, T = 32;
int main() {
  float* x; float* y;
  size_t bytes = sizeof(float) * N * N;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  dim3 threads(T, T), unused(1);
  dim3 blocks((N + T - 1) / T, N / T);
  k<<<blocks, threads, T * T * sizeof(float)>>>(x, y, N, 1);
})");
  EXPECT_EQ(form.n, "256");
  EXPECT_EQ(form.grid, "(n + 32 - 1) / 32, n / 32");
  EXPECT_EQ(form.block, "32, 32");
  EXPECT_EQ(form.dynamic_shared_bytes, "32 * 32 * sizeof(float)");
  EXPECT_EQ(form.args[0].amount, "n * n");
  EXPECT_EQ(form.args[1].amount, "n * n");
}

// An image of 1,024 × 768: with n = 512 columns, buffers have 512 · 768 elements.
TEST(KernelLabForm, BuffersFollowTheSizeThatIsReduced) {
  const std::string parameters = "const float* x, double* y, int width, int height, int pairs";
  const KernelLabForm image = form_of(R"(constexpr int TX = 32, TY = 8;
int main() {
  int width = 1024, height = 768;
  size_t bytes = size_t(width) * height * sizeof(float);
  float* x; double* y;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, (width + 2) * ((height + TY - 1) / TY) * sizeof(double));
  dim3 grid((width + TX - 1) / TX, (height + TY - 1) / TY);
  k<<<grid, dim3(TX, TY)>>>(x, y, width, height, (width - 1) / 2);
})",
                                      parameters);
  EXPECT_EQ(image.n, "512");
  EXPECT_EQ(image.grid, "(n + 32 - 1) / 32, (768 + 8 - 1) / 8");
  EXPECT_EQ(image.args[0].amount, "768 * n");
  EXPECT_EQ(image.args[1].amount, "96 * (n + 2)");
  EXPECT_EQ(image.args[2].amount, "n");
  EXPECT_EQ(image.args[3].amount, "768");
  EXPECT_EQ(image.args[4].amount, "floor((n - 1) / 2)");
  // Width and height of a square are one size.
  const KernelLabForm square = form_of(R"(int main() {
  int width = 1024, height = 1024;
  float* x; double* y;
  cudaMalloc(&x, width * height * sizeof(float));
  cudaMalloc(&y, (width << 3) + 8);
  k<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(x, y, width, height, 7);
})",
                                       parameters);
  EXPECT_EQ(square.grid, "n / 16, n / 16");
  EXPECT_EQ(square.args[0].amount, "n * n");
  EXPECT_EQ(square.args[1].amount, "floor((8 * n + 8) / 8)");
  EXPECT_EQ(square.args[3].amount, "n");
  EXPECT_EQ(square.args[4].amount, "7");
  // A block as large as the size is no size.
  EXPECT_EQ(form_of("int main() { const int n = 256, threads = 256;"
                    " k<<<(n + threads - 1) / threads, threads>>>(0, 0, n, 1); }")
                .grid,
            "(n + 256 - 1) / 256");
}

TEST(KernelLabForm, AnInstanceOfATemplateHasItsOwnTypes) {
  KernelFile file{"p.cu",
                  R"(template <typename T, int N, class Count = int>
__global__ void k(const T* __restrict__ in, T* out, Count n, Tone tone) {}
int main() {
  const int n = 4096;
  double* x;
  cudaMalloc(&x, n * sizeof(double));
  k<double, 16, unsigned int><<<n / 256, 256>>>(x, x, n, Tone());
})",
                  {}};
  file.kernels = compile::kernels_of(file.text, "p.cu");
  const KernelLabForm form = proposed_form(file, file.kernels.front());
  EXPECT_EQ(form.kernel, "k<double, 16, unsigned int>");
  EXPECT_EQ(form.args[0].type, "const double* __restrict__");
  EXPECT_EQ(form.args[0].element, ElementType::kF64);
  EXPECT_EQ(form.args[0].amount, "n");
  EXPECT_EQ(form.args[0].fill, "random");
  EXPECT_EQ(form.args[1].element, ElementType::kF64);
  EXPECT_EQ(form.args[1].amount, "n");
  EXPECT_EQ(form.args[2].element, ElementType::kU32);
  EXPECT_EQ(form.args[3].type, "Tone") << "not a template's parameter, although it begins like one";
  EXPECT_THAT(proposed_command(file.text, file.kernels.front()),
              HasSubstr("--arg 'double[4096]=random' --arg 'double[4096]=random'"));
}

struct VariableCase {
  const char* name;
  const char* device;  // before the kernel
  const char* host;    // in main, before the launch
  const char* declaration;
  std::string value;
  int line = 0;
};

// __constant__ memory that the host code sets: its values where they are certain, else made up.
TEST(KernelLabForm, VariablesThatTheHostCodeSetsGetInitialisers) {
  const VariableCase cases[] = {
      {"an array", "constexpr int R = 2; __constant__ float w[R + 1];",
       "float h[3] = {0.5f, 1.0f / 4, -2};\n  CHECK(cudaMemcpyToSymbol(w, h, sizeof(h)));",
       "__constant__ float w[R + 1]", "{0.5, 0.25, -2}", 5},
      {"rows, and elements that are only read", "static __constant__ int w[2][2];",
       "const int a = 7; int h[2][2] = {{1, 2}, {3, a}}; printf(\"%d\", h[0][1]);\n"
       "  cudaMemcpyToSymbol(w, h, 4 * sizeof(int));",
       "static __constant__ int w[2][2]", "{{1, 2}, {3, 7}}", 5},
      {"one number", "__device__ double w;",
       "double h = 1.5;\n\n  cudaMemcpyToSymbol(w, &h, sizeof(double));", "__device__ double w",
       "1.5", 6},
      {"elements that change", "__constant__ unsigned w[3];",
       "unsigned h[3] = {7, 8, 9}; h[1] = 5; cudaMemcpyToSymbol(w, h, sizeof(h));",
       "__constant__ unsigned w[3]", "{0, 1, 2}"},
      {"a function fills it", "__constant__ unsigned w[3];",
       "unsigned h[3] = {7, 8, 9}; fill(h, 3); cudaMemcpyToSymbol(w, h, sizeof(h));",
       "__constant__ unsigned w[3]", "{0, 1, 2}"},
      {"from another element on", "__constant__ int w[3];",
       "int h[1] = {7}; cudaMemcpyToSymbol(w, h, sizeof(h), 4);", "__constant__ int w[3]",
       "{0, 1, 2}"},
      {"another type", "__constant__ int w[2];",
       "float h[2] = {7, 8}; cudaMemcpyToSymbol(w, h, sizeof(h));", "__constant__ int w[2]",
       "{0, 1}"},
      {"a size", "__constant__ int w;", "int h = read(); cudaMemcpyToSymbol(w, &h, sizeof(h));",
       "__constant__ int w", "4096"},
      {"a struct", "struct P { int a; }; __constant__ P w;",
       "P h = {1}; cudaMemcpyToSymbol(w, &h, sizeof(h));", "__constant__ P w", "{1}", 4},
      {"a struct with a struct",
       "struct V { float x, y; }; struct P { int a[2]; V v; };\n"
       "__constant__ struct P w;",
       "const P h = {{3, 4}, {0.5f, 2}};\n  cudaMemcpyToSymbol(w, &h, sizeof(P));",
       "__constant__ struct P w", "{{3, 4}, {0.5, 2}}", 6},
      {"a struct that is filled member by member",
       "struct P { int a; int b[3]; }; __constant__ P w;",
       "P h = {}; h.a = 7; cudaMemcpyToSymbol(w, &h, sizeof(h));", "__constant__ P w",
       "{4096, {0, 1, 2}}"},
      {"an array of structs", "struct P { unsigned a[2]; }; __constant__ P w[2];",
       "P h[2]; read(h); cudaMemcpyToSymbol(w, h, sizeof(h));", "__constant__ P w[2]",
       "{{{0, 1}}, {{0, 1}}}"},
      {"a struct with a function", "struct P { int a; P(); }; __constant__ P w;",
       "P h; cudaMemcpyToSymbol(w, &h, sizeof(h));", "__constant__ P w", ""},
  };
  for (const VariableCase& c : cases) {
    KernelFile file{"p.cu",
                    std::string(c.device) + "\n__global__ void k(float* x, int n) {}\n" +
                        "int main() {\n  " + c.host + "\n  k<<<16, 256>>>(0, 4096);\n}\n",
                    {}};
    file.kernels = compile::kernels_of(file.text, "p.cu");
    const KernelLabForm form = proposed_form(file, file.kernels.front());
    ASSERT_EQ(form.variables.size(), 1u) << c.name;
    EXPECT_EQ(form.variables[0].declaration, c.declaration) << c.name;
    EXPECT_EQ(form.variables[0].name, "w") << c.name;
    EXPECT_EQ(form.variables[0].value, c.value) << c.name;
    EXPECT_EQ(form.variables[0].line, c.line) << c.name;
    EXPECT_EQ(testing::Matches(Contains("w:" + std::to_string(c.line)))(origins(form)), c.line > 0)
        << c.name;
  }
  // What has a value, is a function, or is never copied to stays as it is.
  KernelFile file{"p.cu",
                  "__constant__ float a[2] = {1, 2}; __device__ int counter;\n"
                  "__device__ float twice(float x) { float w[5]; return 2 * x; }\n"
                  "__global__ void k(float* x, int n) {}\n",
                  {}};
  file.kernels = compile::kernels_of(file.text, "p.cu");
  EXPECT_TRUE(proposed_form(file, file.kernels.front()).variables.empty());
}

TEST(KernelLabForm, MadeUpNumbersDiffer) {
  KernelFile file{
      "p.cu", "__constant__ float w[2], v[2];\n__global__ void k(float* x, int n) {}\n", {}};
  file.kernels = compile::kernels_of(file.text, "p.cu");
  const KernelLabForm form = proposed_form(file, file.kernels.front());
  ASSERT_EQ(form.variables.size(), 2u);
  std::vector<float> numbers(4);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(std::sscanf(form.variables[i].value.c_str(), "{%f, %f}", &numbers[2 * i],
                          &numbers[2 * i + 1]),
              2)
        << form.variables[i].value;
  }
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
}

TEST(KernelLabForm, ALargeSizeIsReducedAndSaysSo) {
  const KernelLabForm form =
      form_of("int main() { int n = 1 << 26; k<<<(n + 255) / 256, 256>>>(0, 0, n, 1.5); }");
  EXPECT_EQ(form.program_n, 1 << 26);
  EXPECT_EQ(form.n, "1048576");
  EXPECT_EQ(form.args[2].amount, "n");
  // A grid that does not depend on n is kept as the program has it, and so is n.
  EXPECT_EQ(form_of("int main() { int n = 1 << 26; k<<<640, 256>>>(0, 0, n, 1.5); }").n,
            "67108864");
}

TEST(KernelLabForm, WhatIsNotCertainIsGuessed) {
  const char* const hosts[] = {
      "int main(int argc, char** argv) { int n = atoi(argv[1]); k<<<1, n>>>(0, 0, n, n); }",
      "void run(int n) { k<<<1, n>>>(0, 0, n, n); }",
      "int n = 7; void run(int n) { k<<<1, n>>>(0, 0, n, n); }",
      "int main() { int n = 7; scanf(\"%d\", &n); k<<<1, n>>>(0, 0, n, n); }",
      "int main() { int n = 7; std::cin >> n; k<<<1, n>>>(0, 0, n, n); }",
      "int main() { int n = 7; n *= 2; k<<<1, n>>>(0, 0, n, n); }",
      "int main() { for (int n = 7; n > 1; --n) k<<<1, n>>>(0, 0, n, n); }",
      "int n = 7;\nvoid grow() { ++n; }\nint main() { k<<<1, n>>>(0, 0, n, n); }",
      "#ifdef BIG\n#define n 7\n#else\n#define n 9\n#endif\nint main() { k<<<1, n>>>(0, 0, n, n); "
      "}",
      "#define n(x) 7\nint main() { k<<<1, n>>>(0, 0, n, n); }",
      "int main() { int n = n + 1; k<<<1, n>>>(0, 0, n, n); }",
      "int main() { int n = 1 / 0; k<<<1, n>>>(0, 0, n, n); }",
      "int main() { { int n = 7; } k<<<1, n>>>(0, 0, n, n); }",
      "#define n n\nint main() { k<<<1, n>>>(0, 0, n, n); }",
      "int main() { k<<<1, n",
      "int main() { k<<<1, n>>>(",
      "int main() { std::vector<float> v(7); k<<<1, v.size()>>>(0, 0, v.size(), v[0]); }",
  };
  for (const char* host : hosts) {
    const KernelLabForm form = form_of(host);
    EXPECT_EQ(form.block, "256") << host;
    EXPECT_EQ(form.n, "65536") << host;
    EXPECT_EQ(form.args[2].amount, "n") << host;
    EXPECT_EQ(form.args[3].amount, "1") << host;
  }
}

// A value that the command line may change: without arguments, the program runs with the first one.
TEST(KernelLabForm, WhatTheCommandLineMayChangeIsTaken) {
  const KernelLabForm form = form_of(
      "int main(int argc, char** argv) {\n  int n = 4096;\n  if (argc > 1) n = atoi(argv[1]);\n"
      "  k<<<(n + 255) / 256, 256>>>(0, 0, n, 1);\n  n = 0;\n}");
  EXPECT_EQ(form.n, "4096");
}

TEST(KernelLabForm, CountsAsCppDoes) {
  struct Case {
    const char* expression;
    const char* block;
  };
  // C++17 [expr.mul], [expr.shift]: integer division rounds
  // towards zero, << binds less tightly than +.
  for (const Case& c : {Case{"7 / 2", "7 / 2"}, Case{"1 << 2 + 3", "1 << 2 + 3"},
                        Case{"(int)ceil(100 / 64.0)", "(int) ceil(100 / 64.0)"},
                        Case{"0x40u", "0x40u"}, Case{"1'024 % 1000", "1'024 % 1000"}}) {
    const KernelLabForm form = form_of(std::string("int main() { k<<<1, ") + c.expression +
                                       ">>>(0, 0, " + c.expression + ", 0); }");
    EXPECT_EQ(form.block, c.block);
  }
  const auto value = [](const std::string& expression) {
    return form_of("int main() { k<<<1, 1>>>(0, 0, 2, " + expression + "); }").args[3].amount;
  };
  EXPECT_EQ(value("7 / 2"), "3");
  EXPECT_EQ(value("7 / 2.0f"), "3.5");
  EXPECT_EQ(value("1 << 2 + 3"), "32");
  EXPECT_EQ(value("1024 >> 3"), "128");
  EXPECT_EQ(value("(int)ceil(100 / 64.0)"), "2");
  EXPECT_EQ(value("0x40u"), "64");
  EXPECT_EQ(value("1'024 % 1000"), "24");
  EXPECT_EQ(value("-1.5e3f"), "-1500");
  EXPECT_EQ(value("sizeof(double) * 2"), "16");
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

TEST_F(KernelLab, AFileWithoutAKernelSaysSo) {
  EXPECT_TRUE(write_file_atomically(folder_.path() / "host.cu", "int main() {}\n").ok());
  EXPECT_THAT(read_kernel_file(folder_.path() / "host.cu").errors().front().message.english(),
              HasSubstr("no kernel"));
  EXPECT_FALSE(read_kernel_file(folder_.path() / "not-there.cu").ok());
}

}  // namespace
}  // namespace warpshop::lab
