// The arguments and sizes proposed for a lab that is made from a user's own file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/kernel_choice.h"
#include "lab/kernel_lab.h"

namespace warpshop::lab {
namespace {

using testing::Contains;
using testing::HasSubstr;

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

// 3 floats, and after them a float4 at byte 16; a vector of two doubles is 16 bytes wide.
TEST(KernelLabForm, TheSizeOfAStructIsKnown) {
  const KernelLabForm form = form_of(R"(struct Colour { float4 rgba; };
struct Particle { float x, y, z; Colour colour; };
struct Pair { double v[2]; char tag; };
struct Odd { int n; Odd(); };
int main() {
  int width = 1024, height = 768;
  Particle* x; Pair* y; Odd* z;
  cudaMalloc(&x, width * height * sizeof(Particle));
  cudaMalloc(&y, width * sizeof(struct Pair));
  cudaMalloc(&z, width * sizeof(Odd));
  k<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(x, y, z, width, height);
})",
                                     "Particle* x, Pair* y, Odd* z, int width, int height");
  EXPECT_EQ(form.n, "512");
  EXPECT_EQ(form.args[0].amount, "24576 * n");  // 768 rows of n times 32 bytes
  EXPECT_EQ(form.args[1].amount, "24 * n");
  EXPECT_EQ(form.args[2].amount, "64 * n");  // its size is unknown: as without a program
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
      "#ifdef B\n#define n 7\n#else\n#define n 9\n#endif\nint main() { k<<<1, n>>>(0, 0, n, n); }",
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

}  // namespace
}  // namespace warpshop::lab
