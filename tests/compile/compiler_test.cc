// The compiler with this machine's NVRTC: what it accepts, returns and says.
#include "compile/compiler.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/files.h"
#include "hints.h"
#include "nvrtc_library.h"
#include "student_file.h"

namespace warpshop::compile {
namespace {

using testing::HasSubstr;

// Readers do not care where this machine keeps the toolkit.
TEST(Compiler, FilesAreNamedFromTheFolderThatIsSearched) {
  const Result<CompileOutput> output =
      compiler().compile(student_file("#include <cuda_fp16.h>\n__global__ void k(__half* p) { *p = "
                                      "__hadd(*p, \"x\", 3); assert(*p, 1); }\n"));
  ASSERT_FALSE(output.ok());
  std::string said = render(output.errors());
  EXPECT_THAT(said, HasSubstr("\ncuda_fp16.h"));
  EXPECT_EQ(said.find(compiler().include_path()), std::string::npos) << said;
  EXPECT_EQ(said.find(data_dir().string()), std::string::npos) << said;

  const Result<CompileOutput> good = compiler().compile(student_file(
      "#include <cuda_fp16.h>\n__global__ void k(__half* p) { *p = __hadd(*p, *p); }\n"));
  ASSERT_TRUE(good.ok());
  EXPECT_THAT(good->ptx, HasSubstr("\"student.cu\""));
  EXPECT_EQ(good->ptx.find(compiler().include_path()), std::string::npos);
}

struct AcceptedCase {
  const char* name;
  const char* source;
  const char* in_ptx;  // must be present
  const char* not_in_ptx = nullptr;
};

class Accepted : public testing::TestWithParam<AcceptedCase> {};

TEST_P(Accepted, Compiles) {
  const auto output = compiler().compile(student_file(GetParam().source));
  ASSERT_TRUE(output.ok()) << render(output.errors(), GetParam().source);
  EXPECT_TRUE(output->warnings.empty()) << render(output->warnings, GetParam().source);
  EXPECT_THAT(output->ptx, HasSubstr(GetParam().in_ptx));
  if (GetParam().not_in_ptx != nullptr) {
    EXPECT_THAT(output->ptx, testing::Not(HasSubstr(GetParam().not_in_ptx)));
  }
  EXPECT_FALSE(output->cubin.empty());
}

const AcceptedCase kAcceptedCases[] = {
    {.name = "c_headers",
     .source = "#include <cuda_runtime.h>\n#include <cstdio>\n#include <cassert>\n"
               "#include <cstdint>\n#include <cmath>\n#include <cfloat>\n#include <climits>\n"
               "#include <cstddef>\n#include <cstdlib>\n#include <cstring>\n#include <stdio.h>\n"
               "#include <assert.h>\n#include <stdint.h>\n#include <math.h>\n"
               "#include <device_launch_parameters.h>\n"
               "__global__ void k(float* p, uint8_t* q) {\n"
               "  p[0] = (float)M_PI + FLT_MAX + std::sqrt(p[1]) + INT_MAX;\n"
               "  q[0] = UINT8_MAX; std::uint64_t z = UINT64_MAX; q[1] = (z >> 60) + (NULL == p);\n"
               "}\n",
     .in_ptx = "sqrt.rn.f32"},
    {.name = "c_headers_beside_those_of_libcu",
     .source = "#include <cstdint>\n#include <climits>\n#include <cuda/std/cstdint>\n"
               "#include <cuda/std/limits>\n#include <cstdint>\n"
               "__global__ void k(int64_t* p) { p[0] = INT64_MIN + INT_MAX; }\n",
     .in_ptx = ".entry"},
    {.name = "fp16",
     .source = "#include <cuda_fp16.h>\n"
               "__global__ void k(__half2* p) { p[0] = __hadd2(p[1], p[2]); }\n",
     .in_ptx = "add.f16x2"},
    {.name = "cooperative_groups",
     .source = "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
               "namespace cg = cooperative_groups;\n"
               "__global__ void k(int* p) {\n"
               "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
               "  p[0] = cg::reduce(tile, p[tile.thread_rank()], cg::plus<int>());\n"
               "  cg::this_thread_block().sync();\n}\n",
     .in_ptx = "redux.sync.add.s32"},
    {.name = "printf_and_assert_without_include",
     .source = "__global__ void k(int n) { assert(n > 3); printf(\"%d\\n\", n); }\n",
     .in_ptx = "__assertfail"},
    {.name = "printf_alone",
     .source = "__global__ void k(int n) { printf(\"%d\\n\", n); }\n",
     .in_ptx = "vprintf"},
    {.name = "ndebug_removes_assert",
     .source = "#define NDEBUG\n#include <cassert>\n"
               "__global__ void k(int n) { assert(n > 3); }\n",
     .in_ptx = ".entry",
     .not_in_ptx = "__assertfail"},
    {.name = "assert_from_the_header",
     .source = "#include <cassert>\n__global__ void k(int n) { assert(n > 3); }\n",
     .in_ptx = "__assertfail"},
    {.name = "fixed_width_integers_without_include",
     .source = "__global__ void k(uint32_t* p, int64_t* q) { p[0] = (uint8_t)q[0]; }\n",
     .in_ptx = ".entry"},
    {.name = "launch_with_plain_numbers",
     .source = "__host__ __device__ Launch launch(int n) { return {(n + 255) / 256, 256}; }\n"
               "__global__ void k(int* p, int n) {\n"
               "  Launch l = launch(n); p[0] = l.grid.x; p[1] = l.block.x + l.grid.z;\n}\n",
     .in_ptx = "st.global"},
    {.name = "launch_as_the_lecture_writes_it",
     .source = "__host__ __device__ Launch launch(int n) {\n"
               "  return {dim3(n / 256), dim3(256), 0};\n}\n"
               "__global__ void k(int* p, int n) { p[0] = launch(n).grid.x; }\n",
     .in_ptx = "st.global"},
    {.name = "launch_with_nested_braces_and_bytes",
     .source = "__host__ __device__ Launch launch(int n) {\n"
               "  return {{n / 16, n / 16}, {16, 16}, n * sizeof(float)};\n}\n"
               "__global__ void k(int* p, int n) { p[0] = launch(n).shared_bytes; }\n",
     .in_ptx = "st.global"},
    {.name = "launch_by_members",
     .source = "__host__ __device__ Launch launch(int n) {\n"
               "  Launch l; l.grid = n / 64; l.block = dim3(8, 8); l.shared_bytes = 4 * n;\n"
               "  return l;\n}\n"
               "__global__ void k(int* p, int n) { p[0] = launch(n).grid.y; }\n",
     .in_ptx = "st.global"},
};

INSTANTIATE_TEST_SUITE_P(Table, Accepted, testing::ValuesIn(kAcceptedCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Compile, WhatFollowsFromAMissingBraceIsNotTold) {
  const auto output = compiler().compile(
      student_file("__device__ float one() { return won; }\n__global__ void k(float* p) {\n  p[0] "
                   "= one();\n\n__global__ void l(float* p) {\n}\n"));
  ASSERT_FALSE(output.ok());
  ASSERT_EQ(output.errors().size(), 2U) << render(output.errors());
  EXPECT_EQ(output.errors()[0].message, "the '{' on line 2 is never closed");
  EXPECT_THAT(output.errors()[1].message, HasSubstr("won"));
}

// The statement that uses the variables was not understood.
TEST(Compile, VariablesThatOnlyAWrongStatementUsesAreNotCalledUnused) {
  const auto output = compiler().compile(
      student_file("__global__ void k(int* p) {\n  int i = 1, j;\n  j = 2\n  p[i] = j;\n}\n"));
  ASSERT_FALSE(output.ok());
  for (const Diagnostic& diagnostic : output.errors())
    EXPECT_EQ(diagnostic.severity, Severity::kError) << render(output.errors());
}

TEST(Compile, AConstantDivisorOfZeroIsAWarningWithItsLine) {
  for (const char* division : {"p[0] / 0", "p[0] % 0"}) {
    const auto output = compiler().compile(
        student_file("__global__ void k(int* p) {\n  p[1] = " + std::string(division) + ";\n}\n"));
    ASSERT_TRUE(output.ok());
    ASSERT_EQ(output->warnings.size(), 1U);
    EXPECT_EQ(output->warnings[0].place.line, 2);
    EXPECT_EQ(output->warnings[0].message, "integer division by zero");
    EXPECT_TRUE(warns_of_division_by_zero(output->warnings[0]));
  }
}

TEST(Compile, OneMistakeOfALineIsToldOnce) {
  const auto output =
      compiler().compile(student_file("__global__ void k(float* p) {\n  int größenmaßstäbe = 1;\n  "
                                      "p[0] = größenmaßstäbe;\n  p[1] = q + q + q;\n}\n"));
  ASSERT_FALSE(output.ok());
  std::map<int, int> errors;
  for (const Diagnostic& d : output.errors()) ++errors[d.place.line];
  EXPECT_EQ(errors[2], 1) << render(output.errors());
  EXPECT_EQ(errors[3], 1) << render(output.errors());
  EXPECT_EQ(errors[4], 1) << render(output.errors());
}

// The compiler would take everything after the first // for a comment.
TEST(Compile, LinesThatEndInCarriageReturnsAloneAreToldAsSuch) {
  const auto output =
      compiler().compile(student_file("// A kernel.\r__global__ void k(int* p) {\r  *p = 1;\r}\r"));
  ASSERT_FALSE(output.ok());
  EXPECT_THAT(output.errors().front().message.english(), HasSubstr("carriage returns alone"));
  EXPECT_TRUE(compiler().compile(student_file("// A kernel.\r\n__global__ void k() {}\r\n")).ok());
}

TEST(Compile, AByteOrderMarkIsNoName) {
  EXPECT_TRUE(compiler().compile(student_file("\xef\xbb\xbf__global__ void k() {}\n")).ok());
  const Result<CompileOutput> wrong =
      compiler().compile(student_file("\xef\xbb\xbf__global__ void k() { x; }\n"));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.errors().front().place.line, 1);
}

TEST(Compile, TheTrailerHasItsOwnName) {
  CompileInput input = student_file("__device__ int f(int n) { return 2 * n; }\n");
  input.trailer = "extern \"C\" __global__ void launch_of(int* p, int n) {\n  *p = f(n);\n}\n";
  const auto output = compiler().compile(input);
  ASSERT_TRUE(output.ok()) << render(output.errors());
  EXPECT_TRUE(output->kernels.contains("launch_of"));
  EXPECT_THAT(output->ptx, HasSubstr("\"<launch>\""));
  EXPECT_THAT(output->ptx, HasSubstr("\"student.cu\""));

  input.trailer = "\nwrong\n";
  const auto refused = compiler().compile(input);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().place.file, "<launch>");
  EXPECT_EQ(refused.errors().front().place.line, 2);
}

TEST(Compile, OptionsAndFoldersReachTheCompiler) {
  CompileInput input = student_file("__global__ void k(int* p) { p[0] = TILE; }\n");
  input.options = {"-DTILE=1234"};
  const auto output = compiler().compile(input);
  ASSERT_TRUE(output.ok()) << render(output.errors());
  EXPECT_THAT(output->ptx, HasSubstr("1234"));

  input.options = {"--no-such-option"};
  const auto refused = compiler().compile(input);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.errors().front().message, HasSubstr("--no-such-option"));

  input.options = {};
  input.architecture = "sm_1";
  const auto unknown = compiler().compile(input);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.errors().front().message, HasSubstr("gpu-architecture"));
}

TEST(Compile, AnIncompleteInstallationIsNamed) {
  setenv("WARPSHOP_DATA", "/nowhere", 1);
  const auto output = compiler().compile(student_file("__global__ void k() {}\n"));
  unsetenv("WARPSHOP_DATA");
  ASSERT_FALSE(output.ok());
  EXPECT_EQ(output.errors().front().place.file, "/nowhere/assets/prelude/warpshop.h");
  EXPECT_THAT(output.errors().front().help, HasSubstr("WARPSHOP_DATA"));
}

// The compiler would overflow the stack of the thread that calls it.
TEST(Compile, BracketsThatNestWithoutEndAreToldAtOnce) {
  const auto nested = [](int levels, const std::string& open, const std::string& close) {
    std::string text;
    for (int n = 0; n < levels; ++n) text += open;
    for (int n = 0; n < levels; ++n) text += close;
    return text;
  };
  for (const auto& [text, line] :
       {std::pair{"\n" + nested(200'000, "namespace a{", "}"), 2},
        std::pair{"__device__ int a = " + nested(200'000, "(", ")") + ";\n", 1}}) {
    const Result<CompileOutput> output = compiler().compile(student_file(text));
    ASSERT_FALSE(output.ok());
    ASSERT_EQ(output.errors().size(), 1U);
    EXPECT_EQ(output.errors().front().message.english(), "brackets are nested more than 1000 deep");
    EXPECT_EQ(output.errors().front().place.line, line);
  }
  EXPECT_TRUE(compiler().compile(student_file(nested(250, "namespace a{", "}"))).ok());
  EXPECT_TRUE(compiler()
                  .compile(student_file("__device__ int a = " + nested(200, "(", "") + "1" +
                                        nested(200, "", ")") + ";\n"))
                  .ok());
  EXPECT_FALSE(compiler().compile(student_file(nested(900, "namespace a{", "}") + "!")).ok())
      << "by the compiler itself";
}

// Loops that are unrolled thousands of times take the compiler minutes or hours: it is ended. That
// it took long is simulated: every compilation takes longer than no time at all.
TEST(Compile, WhatTakesTooLongIsEndedAndThePragmaNamed) {
  CompileInput input = student_file(
      "// #pragma unroll for (i < 9999)\n"
      "__global__ void k(float* p, const int* q) {\n  float a[4096];\n  #pragma unroll 4\n"
      "  for (int i = 0; i < 64; ++i) p[i] = 0;\n  #pragma  unroll\n"
      "  for (int i = 0; i < 4096; ++i) a[i] = q[i];\n  p[0] = a[q[0]];\n}\n");
  input.most_seconds = -1;
  const Result<CompileOutput> output = compiler().compile(input);
  ASSERT_FALSE(output.ok());
  ASSERT_EQ(output.errors().size(), 1U);
  EXPECT_THAT(output.errors().front().message.english(), HasSubstr("has not finished"));
  EXPECT_EQ(output.errors().front().place.file, "student.cu");
  EXPECT_EQ(output.errors().front().place.line, 6);

  input = student_file("__global__ void k(float* p) { *p = 1; }");
  input.most_seconds = -1;
  const Result<CompileOutput> plain = compiler().compile(input);
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.errors().front().place.line, 0);
  input.most_seconds = 1e9;
  EXPECT_TRUE(compiler().compile(input).ok());
}

// Depth without brackets ends the compiler, too, by stack or by memory.
TEST(Compile, StatementsThatNestWithoutEndAreToldAtOnce) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int n = 0; n < times; ++n) text += part;
    return text;
  };
  const auto compile = [](const std::string& body) {
    return compiler().compile(
        student_file("__global__ void k(int* out, int n) {\n" + body + "\n}\n"));
  };
  const std::string kNested = "more than 1000 conditions or loops are nested in one statement";
  const std::string kLong = "an expression has more than 10000 words and signs";
  struct Case {
    std::string body;
    std::string message;
  };
  const Case kCases[] = {
      {"out[0] = " + repeated("n ? 1 : ", 100'000) + "n;", kNested},
      {"if (n) out[0] = 1;" + repeated("\nelse if (n) out[0] = 1;", 60'000), kNested},
      {"if (n) {}" + repeated(" else if (n) { out[0] = 1, out[1] = 2; }", 60'000), kNested},
      {repeated("for (;;) ", 60'000) + "out[0] = 1;", kNested},
      {"out[0] = " + repeated("!", 200'000) + "n;", kLong},
      {"out[0] = " + repeated("n + ", 200'000) + "n;", kLong},
      {"out[0] = " + repeated("(int)", 200'000) + "n;", kLong},
      {"out[0] = (" + repeated("n, ", 200'000) + "n);", kLong},
      {"out[0] = n" + repeated(", n", 200'000) + ";", kLong},
      {"out[0] = " + repeated("int{} + ", 200'000) + "n;", kLong},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.body.substr(0, 40));
    const Result<CompileOutput> output = compile(c.body);
    ASSERT_FALSE(output.ok());
    ASSERT_EQ(output.errors().size(), 1U);
    EXPECT_EQ(output.errors().front().message.english(), c.message);
    EXPECT_GE(output.errors().front().place.line, 2);
  }
  EXPECT_EQ(compile(kCases[1].body).errors().front().place.line, 2 + 1000) << "at its place";
  // Long, but not deep.
  EXPECT_TRUE(compiler()
                  .compile(student_file("__device__ const int table[] = {" +
                                        repeated("-1 + 2, ", 20'000) + "0};\n"))
                  .ok());
  for (const std::string& body :
       {repeated("if (n) {} else {}\n", 1'100), repeated("n = n ? 1 : 2;\n", 1'100),
        repeated("if (n) ; else ;\n", 1'100), repeated("for (int i = 0; i < 0; ++i) {}\n", 1'100),
        "if (n == 7) out[0] = 1;" + repeated(" else if (n == 7) out[0] = 1;", 300),
        "out[0] = " + repeated("n + ", 2'000) + "n;"}) {
    const Result<CompileOutput> output = compile(body);
    EXPECT_TRUE(output.ok()) << body.substr(0, 40);
  }
}

TEST(Compile, AQuotationMarkInANameIsToldAsSuch) {
  CompileInput input = student_file("__global__ void k(int* p) { *p = 1; }\n");
  input.file_name = "my \"best\" one.cu";
  const Result<CompileOutput> output = compiler().compile(input);
  ASSERT_FALSE(output.ok());
  ASSERT_EQ(output.errors().size(), 1U);
  EXPECT_THAT(output.errors()[0].message.english(), HasSubstr("in the name my \"best\" one.cu"));
  EXPECT_THAT(output.errors()[0].help.english(), HasSubstr("rename"));
}

TEST(Compile, ANulByteIsNotText) {
  const auto output = compiler().compile(student_file(std::string("a\0b", 3)));
  ASSERT_FALSE(output.ok());
  EXPECT_THAT(output.errors().front().message, HasSubstr("NUL"));
}

// As PowerShell writes text: with a byte order mark, and without.
TEST(Compile, AFileInUtf16IsToldAsSuch) {
  for (const std::string& mark : {std::string(), std::string("\xFF\xFE")}) {
    std::string text = mark;
    for (const char c : std::string("__global__ void k(int* p) { *p = 1; }\r\n")) text += {c, '\0'};
    const auto output = compiler().compile(student_file(text));
    ASSERT_FALSE(output.ok());
    EXPECT_THAT(output.errors().front().message.english(), HasSubstr("UTF-16"));
    EXPECT_THAT(output.errors().front().help.english(), HasSubstr("save it as UTF-8"));
  }
}

TEST(Compile, WarningsComeWithTheResult) {
  const auto output =
      compiler().compile(student_file("__global__ void k(float* p) {\n  int unused;\n}\n"));
  ASSERT_TRUE(output.ok());
  ASSERT_EQ(output->warnings.size(), 1u);
  EXPECT_EQ(output->warnings[0].severity, Severity::kWarning);
  EXPECT_EQ(output->warnings[0].place, (SourcePlace{"student.cu", 2, 7, 6}));
}

TEST(Compile, AnErrorComesWithoutWarningsAboutTheLibrariesOwnConstants) {
  const auto output = compiler().compile(
      student_file("#include <cmath>\n#include <cuda/std/cmath>\n"
                   "__global__ void k(float* p) { p[0] = INFINITY + nothing; }\n"));
  ASSERT_FALSE(output.ok());
  ASSERT_EQ(output.errors().size(), 1u) << render(output.errors());
  EXPECT_THAT(output.errors().front().message.english(), HasSubstr("\"nothing\" is undefined"));
}

TEST(Compile, ReadsWhatTheBackEndGaveAKernel) {
  const auto output = compiler().compile(
      student_file("__constant__ float c[16];\n"
                   "extern \"C\" __global__ void __launch_bounds__(128) k(float* p, int n) {\n"
                   "  __shared__ double s[4]; extern __shared__ float dynamic[]; float l[32];\n"
                   "  for (int i = 0; i < n; i++) l[i & 31] = p[i];\n"
                   "  s[threadIdx.x & 3] = l[n & 31]; dynamic[n] = 1; __syncthreads();\n"
                   "  p[0] = s[n & 3] + c[n & 15] + dynamic[n + 1];\n}\n"));
  ASSERT_TRUE(output.ok()) << render(output.errors());
  ASSERT_TRUE(output->kernels.contains("k"));
  const KernelResources& kernel = output->kernels.at("k");
  EXPECT_EQ(kernel.static_shared_bytes, 32u);
  EXPECT_EQ(kernel.local_bytes, 128u);
  EXPECT_EQ(kernel.constant_bytes, 64u);
  EXPECT_EQ(kernel.max_threads_per_block, 128);
  EXPECT_GT(kernel.registers, 0);
}

TEST(Compile, NeitherStandardHeadersNorPreludeChangeAKernel) {
  const std::string source = "__global__ void k(float* p) { p[threadIdx.x] *= 2; }\n";
  CompileInput input = student_file(source);
  const auto with = compiler().compile(input);
  input.prelude = false;
  const auto without = compiler().compile(input);
  input.whole_program = true;
  const auto program = compiler().compile(input);
  ASSERT_TRUE(with.ok() && without.ok() && program.ok());
  EXPECT_EQ(with->ptx, without->ptx);
  EXPECT_EQ(program->ptx, without->ptx);
}

// The file format is not ours, so every truncation and every flipped byte must be handled.
TEST(Cubin, DamageIsReportedOrHarmless) {
  const auto output = compiler().compile(student_file(
      "__global__ void k(float* p) { __shared__ float s[9]; s[0] = *p; *p = s[1]; }\n"));
  ASSERT_TRUE(output.ok());
  const std::vector<uint8_t>& cubin = output->cubin;
  for (size_t size = 0; size < cubin.size(); size += 61) {
    (void)read_kernel_resources({cubin.begin(), cubin.begin() + static_cast<long>(size)});
  }
  EXPECT_FALSE(read_kernel_resources({cubin.begin(), cubin.begin() + 200}).ok());
  uint32_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> damaged = cubin;
    for (int flips = 0; flips < 4; ++flips) {
      state = state * 1664525u + 1013904223u;
      damaged[(state >> 8) % damaged.size()] = static_cast<uint8_t>(state >> 24);
      // Most of the structure is in headers at both ends of the file.
      state = state * 1664525u + 1013904223u;
      damaged[(state >> 8) % 64] = static_cast<uint8_t>(state >> 24);
    }
    damaged[0] = 0x7f, damaged[1] = 'E', damaged[2] = 'L', damaged[3] = 'F';
    (void)read_kernel_resources(damaged);
  }
  EXPECT_FALSE(read_kernel_resources({}).ok());
  EXPECT_FALSE(read_kernel_resources({'n', 'o'}).ok());
}

struct NameCase {
  const char* written;
  const char* meant;
};
const NameCase kNameCases[] = {
    {"threadidx", "threadIdx"},
    {"ThreadIdx", "threadIdx"},
    {"blockidx", "blockIdx"},
    {"blokDim", "blockDim"},
    {"__synchthreads", "__syncthreads"},
    {"__syncthread", "__syncthreads"},
    {"atomicadd", "atomicAdd"},
    {"x", ""},
    {"value", ""},
    {"tile", ""},
    {"flaot", "float"},
};

TEST(Hints, FindTheNameThatWasMeant) {
  for (const NameCase& one : kNameCases) {
    EXPECT_EQ(nearest_known_name(one.written), one.meant) << one.written;
  }
}

TEST(Load, SaysWhereNvrtcWasFound) {
  EXPECT_TRUE(std::filesystem::exists(compiler().library_path())) << compiler().library_path();
  EXPECT_THAT(compiler().version(), testing::MatchesRegex("[0-9]+\\.[0-9]+"));
  EXPECT_TRUE(std::filesystem::exists(compiler().include_path() + "/cuda_fp16.h"));
}

TEST(Load, NamesEveryPlaceTriedAndTheRemedy) {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "warpshop-nvrtc-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  const fs::path none = folder / "none";
  const fs::path broken = folder / "broken";
  const fs::path other = folder / "other";
  ASSERT_TRUE(write_file_atomically(broken / "lib64" / "libnvrtc.so.13", "not a library").ok());
  fs::create_directories(other / "lib");
  // An unrelated library of this program: it loads, but is not NVRTC.
  Dl_info info = {};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::strlen), &info), 0);
  fs::create_symlink(fs::canonical(info.dli_fname), other / "lib" / "libnvrtc.so");

  const auto library = load_nvrtc_from({none, broken, other}, {"libwarpshop-no-such.so"});
  fs::remove_all(folder);
  ASSERT_FALSE(library.ok());
  const Diagnostic& error = library.errors().front();
  EXPECT_THAT(error.message, HasSubstr(none.string()));
  EXPECT_THAT(error.message, HasSubstr((broken / "lib64" / "libnvrtc.so.13").string()));
  EXPECT_THAT(error.message, HasSubstr("it has no nvrtcVersion"));
  EXPECT_THAT(error.message, HasSubstr("libwarpshop-no-such.so"));
  EXPECT_THAT(error.help, HasSubstr("./start"));
  EXPECT_THAT(error.help, HasSubstr("nvidia-cuda-nvrtc"));
}

}  // namespace
}  // namespace warpshop::compile
