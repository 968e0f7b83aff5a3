// Which parts of a program's file reach the device compiler. Compares line by line, because lines
// must not move.
#include "compile/device_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "compile/compiler.h"
#include "compile/cuda_tokens.h"
#include "compile/kernel_name.h"

namespace warpshop::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

struct CutCase {
  const char* name;
  std::vector<std::string> source;  // lines
  std::vector<bool> kept;           // per line: kept as it is, or blanked
};

TEST(DeviceSource, HostCodeIsBlankAndDeviceCodeStaysInItsLine) {
  const CutCase kCases[] = {
      {"main",
       {"__global__ void k(int* o) { *o = 1; }", "int main() {", "  k<<<1, 1>>>(0);", "}"},
       {true, false, false, false}},
      {"braces_in_texts",
       {"void f() { puts(\"}\"); char c = '}'; /* } */ }", "__device__ int g() { return 1; }"},
       {false, true}},
      {"raw_text",
       {"const char* t() { return R\"x(} __global__ \" )x\"; }", "__device__ int g();"},
       {false, true}},
      {"host_device",
       {"__host__ __device__ int f() { return 1; }", "__host__ int g() { return 1; }"},
       {true, false}},
      {"macro_marks",
       {"#define HD __host__ __device__", "HD int f() { return 1; }", "int g() { return 1; }"},
       {true, true, false}},
      {"extern_c",
       {"extern \"C\" {", "__global__ void k();", "void host(int);", "}"},
       {true, true, false, true}},
      {"namespace",
       {"namespace a::b {", "int host() { return 0; }", "__device__ int f();", "}"},
       {true, false, true, true}},
      {"constants",
       {"const int kN = 4;", "constexpr int kM = 5;", "int n = 6;", "__constant__ int c[4];"},
       {true, true, false, true}},
      {"members",
       {"struct S {", "  float x;", "  __device__ float get() { return x; }",
        "  void print() { puts(\"\"); }", "};"},
       {true, true, true, false, true}},
      {"templates",
       {"template <class T, int N = (1 > 0)> T host(T t) { return t; }",
        "template <class T> __device__ T dev(T t) { return t; }"},
       {false, true}},
      {"forward_template",
       {"template <class T> struct S;", "template <> struct S<int> { int x; };"},
       {true, true}},
      {"launch_bounds", {"__global__ void __launch_bounds__(256) k(int* o) { *o = 1; }"}, {true}},
      {"conditional_heads",
       {"#ifdef A", "int main(int c, char** v) {", "#else", "int main() {", "#endif", "}",
        "__device__ int f();"},
       {true, false, true, false, true, false, true}},
      {"never_compiled",
       {"#if 0", "void f() {", "#endif", "__device__ int g();"},
       {true, true, true, true}},
      {"macro_call", {"REGISTER(k)", "__global__ void k();"}, {false, true}},
      {"host_headers",
       {"#include <iostream>", "#include <sys/time.h>", "#include \"helper_cuda.h\"",
        "#include <bits/stdc++.h>", "__device__ int f();"},
       {false, false, false, false, true}},
      {"a_sign_is_no_directive",
       {"void f() { } #define A", "int n;", "int m;"},
       {true, true, false}},
      {"constructor",
       {"struct P { float x; P() : x{0} {} };", "P::P(int a) : x(a) { host(); }",
        "__device__ int f();"},
       {false, false, true}},
  };
  for (const CutCase& c : kCases) {
    SCOPED_TRACE(c.name);
    std::string source;
    for (const std::string& line : c.source) source += line + "\n";
    const DeviceSource cut = device_source(source, "p.cu", {});
    const std::vector<std::string> lines = lines_of(cut.text);
    ASSERT_EQ(lines.size(), c.source.size()) << cut.text;
    for (size_t n = 0; n < lines.size(); ++n) {
      if (std::string_view(c.name) == "constructor" && n == 0) {
        EXPECT_THAT(lines[0],
                    testing::AllOf(HasSubstr("float x;"), testing::Not(HasSubstr("P()"))));
      } else {
        EXPECT_EQ(lines[n], c.kept[n] ? c.source[n] : "") << "line " << n + 1;
      }
    }
  }
}

TEST(DeviceSource, WhatIsLeftOutIsNamedWithItsLines) {
  const DeviceSource cut = device_source(
      "#include <nowhere.h>\n#include <vector>\n\nint main() {\n}\nint n;\n", "p.cu", {});
  ASSERT_EQ(cut.left_out.size(), 4U);
  std::vector<std::string> found;
  for (const LeftOut& part : cut.left_out)
    found.push_back(part.name + " " + std::to_string(part.place.line) + "-" +
                    std::to_string(part.last_line));
  EXPECT_THAT(found,
              testing::UnorderedElementsAre("nowhere.h 1-1", "vector 2-2", "main 4-5", "n 6-6"));
}

TEST(DeviceSource, KernelsHaveParametersInstancesAndLaunches) {
  const std::vector<SourceKernel> kernels = kernels_of(
      "namespace a { template <int N, class T> __global__ void k(const T *in, float2 v[], int n = "
      "3); }\n"
      "template __global__ void a::k<4, float>(const float*, float2*, int);\n"
      "void f() { a::k<8, int><<<dim3(1, 2), (3 > 2) ? 32 : 64, 0, s>>>(p, q); }\n",
      "p.cu");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].scope + kernels[0].name, "a::k");
  ASSERT_EQ(kernels[0].parameters.size(), 3U);
  EXPECT_EQ(kernels[0].parameters[1].type, "float2*");
  EXPECT_EQ(kernels[0].parameters[2].name, "n");
  EXPECT_THAT(kernels[0].instances, ElementsAre("k<4, float>", "k<8, int>"));
  ASSERT_EQ(kernels[0].launches.size(), 1U);
  EXPECT_EQ(kernels[0].launches[0].configuration, "dim3(1, 2), (3 > 2) ? 32 : 64, 0, s");
  EXPECT_EQ(kernels[0].launches[0].place.line, 3);
}

const Compiler& loaded() {
  static const Result<Compiler> compiler = Compiler::load();
  if (!compiler.ok()) ADD_FAILURE() << render(compiler.errors());
  return *compiler;
}

CompileInput program_of(const std::string& source) {
  CompileInput input;
  input.source = source;
  input.file_name = "p.cu";
  input.whole_program = true;
  return input;
}

TEST(DeviceSource, ADeclarationThatOnlyTheHostCanCompileIsLeftOut) {
  const auto output = loaded().compile(
      program_of("#include <vector>\nusing Rows = std::vector<int>;\nstruct Timer { Rows rows; };\n"
                 "__global__ void k(int* o) { *o = 1; }\n"));
  ASSERT_TRUE(output.ok()) << render(output.errors());
  std::vector<std::string> names;
  for (const LeftOut& part : output->left_out) names.push_back(part.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"vector", "Rows", "Timer"}));
}

// The compiler reads one of them at a time.
TEST(DeviceSource, ManyCallsOfOneHostMacroAreLeftOut) {
  std::string source =
      "#include <torch/extension.h>\n#define BIND(name, type) void bind_##name(torch::Tensor x) { "
      "x.go(type); }\n";
  for (int n = 0; n < 20; ++n) source += "BIND(f" + std::to_string(n) + ", torch::kFloat32)\n";
  const auto output =
      loaded().compile(program_of(source + "__global__ void k(int* o) { *o = 1; }\n"));
  ASSERT_TRUE(output.ok()) << render(output.errors());
  EXPECT_EQ(output->left_out.size(), 21U);
}

TEST(DeviceSource, EveryMissingHeaderIsToldAndWhatKernelsMissIsExplained) {
  const auto output =
      loaded().compile(program_of("#include \"one.h\"\n#include \"two.h\"\nint scale = "
                                  "3;\n__global__ void k(int* o) { *o = scale; }\n"));
  ASSERT_FALSE(output.ok());
  ASSERT_EQ(output.errors().size(), 3U) << render(output.errors());
  EXPECT_THAT(output.errors()[0].message.english(), HasSubstr("one.h"));
  EXPECT_THAT(output.errors()[1].message.english(), HasSubstr("two.h"));
  EXPECT_EQ(output.errors()[2].place.line, 4);
  EXPECT_THAT(output.errors()[2].help.english(), HasSubstr("line 3 of p.cu was left out"));
}

TEST(DeviceSource, ATextureReferenceIsToldFromAHostVariable) {
  const auto output =
      loaded().compile(program_of("texture<float, 1, cudaReadModeElementType> values;\n"
                                  "__global__ void k(float* o) { *o = tex1Dfetch(values, 3); }\n"));
  ASSERT_FALSE(output.ok());
  EXPECT_THAT(output.errors()[0].help.english(),
              HasSubstr("the texture reference 'values' is left out"));
}

TEST(DeviceSource, WhatOlderCudaHadIsToldWithItsSuccessor) {
  for (const std::string old :
       {"__shfl_down(*o, 1)", "__shfl(*o, 1)", "__ballot(*o)", "__any(*o)"}) {
    const auto output =
        loaded().compile(program_of("__global__ void k(int* o) { *o = " + old + "; }\n"));
    ASSERT_FALSE(output.ok()) << old;
    EXPECT_THAT(output.errors()[0].help.english(),
                HasSubstr(old.substr(0, old.find('(')) + "_sync"));
  }
}

TEST(DeviceSource, TheTypesOfCufftAreKnown) {
  const auto output = loaded().compile(
      program_of("#include <cufft.h>\n#include <cufftXt.h>\n__global__ void k(cufftComplex* x, "
                 "cufftDoubleComplex* y, cufftReal s) { x->x *= s; y->y = cuCreal(*y); }\n"
                 "int main() { cufftHandle plan; }\n"));
  EXPECT_TRUE(output.ok()) << render(output.errors());
}

TEST(DeviceSource, TheStandInsOfTheStandardLibraryCompile) {
  const auto output = loaded().compile(
      program_of("#include <limits>\n#include <stdbool.h>\n#include <inttypes.h>\n#include "
                 "<time.h>\n#include <cuda.h>\n#include <utility>\n"
                 "__global__ void k(int* o) { std::swap(o[0], o[1]); o[2] = "
                 "std::numeric_limits<int>::max(); }\n"));
  EXPECT_TRUE(output.ok()) << render(output.errors());
}

// The constants of the C library's <math.h>.
TEST(DeviceSource, EveryConstantOfMathematicsIsThere) {
  const auto output = loaded().compile(program_of(
      "#include <math.h>\n__global__ void k() {\n"
      "  static_assert(M_2_SQRTPI * M_2_SQRTPI * M_PI > 3.999999 && M_1_PI * 2 == M_2_PI, \"\");\n"
      "  static_assert(M_PI_2 * 2 == M_PI && M_PI_4 * 4 == M_PI, \"\");\n"
      "  static_assert(M_SQRT1_2 * 2 == M_SQRT2 && M_SQRT2 * M_SQRT2 < 2.000001, \"\");\n"
      "  static_assert(M_LN2 * M_LOG2E > 0.999999 && M_LN10 * M_LOG10E > 0.999999 && M_E > 2.7, "
      "\"\");\n}\n"));
  EXPECT_TRUE(output.ok()) << render(output.errors());
}

// GCC's <cmath>, which nvcc includes, brings std::min and more.
TEST(DeviceSource, NamesThatNvccBringsAlongNeedNoInclude) {
  const std::string source =
      "#include <iostream>\nconstexpr int kM = std::min(3, 4);\n"
      "template <class T> struct Of { using Type = std::conditional_t<std::is_same_v<T, int>, "
      "float, "
      "T>; };\n"
      "__global__ void k(Of<int>::Type* o) {\n"
      "  o[kM] = std::isnan(o[0]) ? std::numeric_limits<float>::max() : std::atan2(o[1], o[2]);\n";
  const auto output = loaded().compile(program_of(source + "}\n"));
  EXPECT_TRUE(output.ok()) << render(output.errors());
  // What was added moves no line.
  const auto wrong = loaded().compile(program_of(source + "  o[1] = nowhere;\n}\n"));
  ASSERT_FALSE(wrong.ok());
  ASSERT_EQ(wrong.errors().size(), 1U) << render(wrong.errors());
  EXPECT_EQ(wrong.errors()[0].place.file, "p.cu");
  EXPECT_EQ(wrong.errors()[0].place.line, 6);
}

// libcu++ has an exp of its own beside CUDA's; in the host's library they are one.
TEST(DeviceSource, MathematicsIsNotAmbiguousUnderUsingNamespaceStd) {
  const auto output = loaded().compile(
      program_of("#include <complex>\nusing namespace std;\nusing Value = std::complex<float>;\n"
                 "__global__ void k(float* o) { *o = exp(o[1]) + sqrt(o[2]) + Value(1, 2).real(); "
                 "}\n"));
  ASSERT_TRUE(output.ok()) << render(output.errors());
  std::vector<std::string> names;
  for (const LeftOut& part : output->left_out) names.push_back(part.name);
  EXPECT_THAT(names, ElementsAre("std"));
}

TEST(DeviceSource, TheKeywordRegisterIsNoMistakeInAProgram) {
  const std::string source = "__global__ void k(int* o) { register int a = 3; *o = a; }\n";
  const auto output = loaded().compile(program_of(source));
  EXPECT_TRUE(output.ok()) << render(output.errors());
  CompileInput text = program_of(source);
  text.whole_program = false;
  const auto refused = loaded().compile(text);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.errors()[0].help.english(), HasSubstr("remove it"));
}

TEST(DeviceSource, AKernelWithoutABodyIsMarked) {
  const std::vector<SourceKernel> kernels = kernels_of(
      "__global__ void elsewhere(int* o);\n__global__ void here(int* o);\n"
      "__global__ void here(int* o) { *o = 1; }\n",
      "p.cu");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_FALSE(kernels[0].is_defined);
  EXPECT_TRUE(kernels[1].is_defined);
  EXPECT_EQ(kernels[1].place.line, 3);
}

TEST(KernelName, ManyWaysToSayOneName) {
  const KernelName three = kernel_name("_Z1kILi3EEvPi");
  EXPECT_EQ(three.name, "k<3>");
  for (const char* name : {"k", "k<3>", "k< 3 >", "k<3u>", "k<(int)3>", "void k<3>", "k<3>(int*)"})
    EXPECT_TRUE(is_called(three, name)) << name;
  for (const char* name : {"k<4>", "kk", "", "k<3>(float*)"})
    EXPECT_FALSE(is_called(three, name)) << name;
  const KernelName inner = kernel_name("_ZN1a12_GLOBAL__N_11nEPi");
  for (const char* name : {"n", "a::n"}) EXPECT_TRUE(is_called(inner, name)) << name;
  EXPECT_FALSE(is_called(inner, "a"));
  EXPECT_TRUE(is_called(kernel_name("plain"), "plain"));
}

// A comment may carry a directive on to the next lines.
TEST(DeviceSource, AnUnusedStandardHeaderKeepsItsLines) {
  const std::string text =
      "#include <utility> /* one\ntwo */\n__global__ void k(int* x) { *x = 1; }\n";
  const DeviceSource cut = device_source(text, "p.cu", {});
  EXPECT_EQ(cut.text, std::string(25, ' ') + "\n      \n__global__ void k(int* x) { *x = 1; }\n");
}

// What begins like a statement is no host code: leaving it out would hide a brace too many.
TEST(DeviceSource, StatementsOutsideAreLeftToTheCompiler) {
  const std::string kernel = "__global__ void k(float* p) {\n  p[0] = 1;\n}\n";
  for (const char* rest : {"}\n", "p[1] = 2;\n}\n", "for (int i = 0; i < 4; ++i) p[i] = 1;\n",
                           "__syncthreads();\n", "*p = 3;\n", "++p;\n"}) {
    DeviceSource cut = device_source(kernel + rest, "p.cu", {});
    EXPECT_EQ(cut.text, kernel + rest);
    EXPECT_TRUE(cut.left_out.empty()) << rest;
    EXPECT_FALSE(leave_out_refused(cut, {make_error_at({"p.cu", 4, 1, 1}, "compile", "no")}))
        << rest;
  }
  const std::string host = "int table[4];\nint main() { k<<<1, 1>>>(nullptr); }\nmain(void) {}\n";
  EXPECT_EQ(device_source(kernel + host, "p.cu", {}).left_out.size(), 3U);
  // A brace that a macro opens.
  const std::string macro = "#define BEGIN namespace {\nBEGIN\nint table[4];\n}\n";
  DeviceSource cut = device_source(kernel + macro, "p.cu", {});
  EXPECT_TRUE(leave_out_refused(cut, {make_error_at({"p.cu", 7, 1, 1}, "compile", "no")}));
}

// Scopes nested deeper than in any program are left to the compiler: here, each level would take
// one level of the stack.
TEST(DeviceSource, ScopesWithoutEndAreKept) {
  for (const std::string open : {"namespace a{", "struct a{"}) {
    std::string text = "__global__ void k(int* x) { *x = 1; }\n";
    for (int level = 0; level < 100'000; ++level) text += open;
    const DeviceSource cut = device_source(text, "deep.cu", {});
    EXPECT_EQ(cut.text, text);
    EXPECT_EQ(cut.kernels.size(), 1U);
  }
}

TEST(CudaTokens, CommentsAndWhiteSpaceAreNoCode) {
  EXPECT_TRUE(same_code("int  a;\n", "\n int a; // of mine"));
  EXPECT_TRUE(same_code("/* one\n two */", ""));
  EXPECT_FALSE(same_code("in t", "int"));
  EXPECT_FALSE(same_code("a", "a b"));
  EXPECT_FALSE(same_code("puts(\"a // b\");", "puts(\"a\");"));
}

TEST(CudaTokens, AnyBytesEnd) {
  for (const char* text : {"\"open", "'", "/* open", "R\"(open", "R\"12345678901234567890(",
                           "#define \\", "1e+", "\\", "<<<", "#"}) {
    size_t at = 0;
    for (const CudaToken& token : cuda_tokens(text)) {
      EXPECT_GE(token.at, at) << text;
      EXPECT_FALSE(token.text.empty()) << text;
      at = token.end();
    }
    EXPECT_LE(at, std::string_view(text).size());
    (void)device_source(text, "p.cu", {});
  }
}

}  // namespace
}  // namespace warpshop::compile
