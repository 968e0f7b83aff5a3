// Typical mistakes, as the compiler explains them: the place, the message, what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "student_file.h"

namespace warpshop::compile {
namespace {

using testing::HasSubstr;

struct RefusedCase {
  const char* name;
  const char* source;
  SourcePlace place;
  const char* message;
  const char* help;
};

class Refused : public testing::TestWithParam<RefusedCase> {};

TEST_P(Refused, NamesThePlaceAndTheRemedy) {
  const auto output = compiler().compile(student_file(GetParam().source));
  ASSERT_FALSE(output.ok());
  const Diagnostic& first = output.errors().front();
  EXPECT_EQ(first.severity, Severity::kError);
  EXPECT_EQ(first.place, GetParam().place) << render(first);
  EXPECT_THAT(first.message, HasSubstr(GetParam().message));
  EXPECT_THAT(first.help, HasSubstr(GetParam().help));
}

// One missing ';' is one message, not also the names of the statement that the compiler skipped.
TEST(Compiler, AMissingSemicolonIsOneMessage) {
  const auto errors = [](const char* source) {
    std::string all;
    const auto output = compiler().compile(student_file(source));
    for (const Diagnostic& d : output.errors())
      all += std::to_string(d.place.line) + ": " + d.message.english() + "\n";
    return all;
  };
  EXPECT_EQ(errors("__global__ void k(const float* in, float* out, int n) {\n"
                   "  int first = blockIdx.x * 256\n"
                   "  int end = min(first + 256, n);\n"
                   "  for (int i = first; i < end; ++i) out[i] = in[i];\n"
                   "}\n"),
            "2: expected a \";\"\n");
  EXPECT_EQ(errors("__global__ void k(const float* in, float* out) {\n"
                   "  int i = threadldx.x;\n"
                   "  if (i < 4 out[i] = in[i];\n"
                   "}\n"),
            "2: identifier \"threadldx\" is undefined\n3: expected a \")\"\n");
  // Other mistakes stay, though the line of the first has their names, too.
  EXPECT_EQ(errors("__global__ void k(const float* in, float* out) {\n"
                   "  float sum = in[0]\n"
                   "  out[0] = sun;\n"
                   "  out[1] = sun;\n"
                   "}\n"),
            "2: expected a \";\"\n4: identifier \"sun\" is undefined\n");
}

// A file that ends in half a declaration is one message at its end: none at the launch that the lab
// appends, and none about what the declaration lacks.
TEST(Compiler, HalfADeclarationAtTheEndIsOneMessageThere) {
  const std::string kernel = "__global__ void k(float* p) {\n  p[0] = 1;\n}\n";
  const struct {
    const char* end;
    const char* message;
    int column;
    const char* help;
  } kCases[] = {
      {"int x\n", "expected a \";\"", 5, "put a ';' at the end of line 4"},
      {"__device__ int x = 3  // three\n\n", "expected a \";\"", 20,
       "put a ';' at the end of line 4"},
      {"float", "expected a \";\"", 5, "put a ';' at the end of line 4"},
      {"struct Pair { int a, b; }\n#define X\n", "expected a \";\"", 25,
       "put a ';' at the end of line 4"},
      {"__global__ void other(float* p\n", "expected a \")\"", 30, ""},
      {"__device__ void f()\n", "expected a \"{\"", 19, ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.end);
    CompileInput input = student_file(kernel + c.end);
    input.trailer = "extern \"C\" __global__ void appended(int* to) { *to = launch(1); }\n";
    const auto output = compiler().compile(input);
    ASSERT_EQ(output.errors().size(), 1U) << render(output.errors());
    EXPECT_EQ(output.errors()[0].place, (SourcePlace{"student.cu", 4, c.column, 1}));
    EXPECT_EQ(output.errors()[0].message, c.message);
    EXPECT_EQ(output.errors()[0].help, c.help);
  }
}

// Atomics take an address. Each call with a value says what to write; calls wrong for other reasons
// keep the compiler's message.
TEST(Compiler, AtomicsThatGetAValueSayWhichAddressTheyNeed) {
  const struct {
    const char* call;
    const char* help;
  } kCases[] = {
      {"atomicAdd(count[b], 1u)", "write &count[b]"},
      {"atomicMax( count[b + f(1, 2)] , 1u)", "write &count[b + f(1, 2)]"},
      {"atomicCAS(count[b], 0u, 1u)", "write &count[b]"},
      {"atomicInc(*count, 0u)", "write count"},
      {"atomicExch(total, 1.0f)", "write &total"},
      {"atomicInc(&count[b], &total)", ""},
      {"atomicAdd(&count[b], \"1\")", ""},
      {"atomicAdd(count[b] + 1, 1u)", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.call);
    const auto output =
        compiler().compile(student_file("__device__ int f(int, int);\n__device__ float total;\n"
                                        "__global__ void k(unsigned* count, int b) {\n  " +
                                        std::string(c.call) + ";\n}\n"));
    ASSERT_FALSE(output.ok());
    const Diagnostic& first = output.errors().front();
    EXPECT_EQ(first.place.line, 4);
    EXPECT_EQ(first.help, c.help) << render(output.errors());
    if (*c.help == '\0') continue;
    EXPECT_EQ(output.errors().size(), 1U) << render(output.errors());
    EXPECT_THAT(first.message.english(), HasSubstr("needs the address of the word"));
  }
}

const RefusedCase kRefusedCases[] = {
    {.name = "missing_semicolon",
     .source = "__global__ void k(float* p) {\n  int i = threadIdx.x\n\n  p[i] = 1;\n}\n",
     .place = {"student.cu", 2, 21, 1},
     .message = "expected a \";\"",
     .help = "put a ';' at the end of line 2"},
    {.name = "misspelt_builtin",
     .source = "__global__ void k(float* p) {\n  p[threadidx.x] = 1;\n}\n",
     .place = {"student.cu", 2, 5, 9},
     .message = "identifier \"threadidx\" is undefined",
     .help = "did you mean 'threadIdx'?"},
    {.name = "barrier_without_underscores",
     .source = "__global__ void k(float* p) {\n  syncthreads();\n}\n",
     .place = {"student.cu", 2, 3, 11},
     .message = "is undefined",
     .help = "'__syncthreads'"},
    {.name = "kernel_without_global",
     .source = "void k(float* p) {\n  p[0] = 1;\n}\n",
     .place = {"student.cu", 1, 6, 1},
     .message = "no __global__ or __device__",
     .help = "write __global__ before a kernel"},
    {.name = "launch_without_host_and_device",
     .source = "Launch launch(int n) { return {n / 256, 256}; }\n",
     .place = {"student.cu", 1, 8, 6},
     .message = "no __global__ or __device__",
     .help = "write __host__ __device__ before it"},
    {.name = "a_whole_program",
     .source = "__global__ void k() {}\nint main() { return 0; }\n",
     .place = {"student.cu", 2, 5, 4},
     .message = "no __global__ or __device__",
     .help = "remove main()"},
    {.name = "host_header",
     .source = "#include <iostream>\n",
     .place = {"student.cu", 1, 20, 1},
     .message = "iostream",
     .help = "printf"},
    {.name = "no_body",
     .source = "extern __device__ float foo(float);\n"
               "__global__ void k(float* p) { p[0] = foo(p[1]); }\n",
     .place = {"student.cu", 1, 25, 3},
     .message = "'foo' is called but never defined",
     .help = "__device__"},
    {.name = "too_much_shared",
     .source = "\n__global__ void k(float* p) {\n  __shared__ float s[20000];\n"
               "  s[threadIdx.x] = p[0]; __syncthreads(); p[0] = s[19999 - threadIdx.x];\n}\n",
     .place = {"student.cu", 3, 3, 26},
     .message = "need 78.1 KiB; fixed-size arrays can have at most 48 KiB per block",
     .help = "extern __shared__"},
    {.name = "more_shared_than_any_gpu_has",
     .source = "__global__ void k(float* p) {\n  __shared__ float s[1000][1024];  // 4 MB\n"
               "  s[threadIdx.x][0] = p[0]; __syncthreads(); p[0] = s[999 - threadIdx.x][1];\n}\n",
     .place = {"student.cu", 2, 3, 31},
     .message = "need 4,000 KiB",
     .help = "no GPU has more than 227 KiB"},
    {.name = "missing_semicolon_before_a_comment",
     .source =
         "__global__ void k(float* p) {\n  int i = threadIdx.x  // my element\n  p[i] = 1;\n}\n",
     .place = {"student.cu", 2, 21, 1},
     .message = "expected a \";\"",
     .help = "put a ';' at the end of line 2"},
    {.name = "a_name_that_is_not_ascii",
     .source = "__global__ void k(float* p) {\n  int größe = threadIdx.x;\n  p[größe] = 1;\n}\n",
     .place = {"student.cu", 2, 7, 7},
     .message = "'größe' contains characters that a name cannot have",
     .help = "ASCII"},
    {.name = "missing_brace",
     .source = "__global__ void k(float* p) {\n  p[0] = 1;\n\n",
     .place = {"student.cu", 1, 29, 1},
     .message = "the '{' on line 1 is never closed",
     .help = "add the matching '}'"},
    {.name = "missing_brace_before_the_next_function",
     .source =
         "__global__ void k(float* p) {\n  if (p) {\n    p[0] = 1;\n  }\n\n"
         "__host__ __device__ Launch launch(int n) {\n  return {dim3(n / 256), dim3(256)};\n}\n",
     .place = {"student.cu", 1, 29, 1},
     .message = "the '{' on line 1 is never closed",
     .help = "add the matching '}'"},
    {.name = "missing_brace_of_an_inner_block",
     .source = "__global__ void k(float* p,\n                  int n) {\n  for (int i = 0; i < n; "
               "++i)\n  {\n    if (p[i] > 0) {  // }\n"
               "      p[i] = 1;\n  }\n}\n\n__host__ __device__ Launch launch(int n) {\n  return "
               "{dim3(n / 256), dim3(256)};\n}\n",
     .place = {"student.cu", 5, 19, 1},
     .message = "the '{' on line 5 is never closed",
     .help = "add the matching '}'"},
    {.name = "missing_brace_of_launch",
     .source = "__global__ void k(float* p) {\n  p[0] = 1;\n}\n\n"
               "__host__ __device__ Launch launch(int n) {\n  return {dim3(n / 256), dim3(256)};\n",
     .place = {"student.cu", 5, 42, 1},
     .message = "the '{' on line 5 is never closed",
     .help = "add the matching '}'"},
    {.name = "a_brace_too_many",
     .source = "__global__ void k(float* p) {\n  p[0] = 1;\n}\n}\n",
     .place = {"student.cu", 4, 1, 1},
     .message = "this '}' closes nothing",
     .help = "remove this one"},
    {.name = "a_brace_too_many_ends_the_kernel",
     .source =
         "__global__ void k(float* p) {\n  int i = threadIdx.x;\n  if (i > 0) {\n    i = 0; }\n"
         "  }\n  p[i] = 1;\n}\n",
     .place = {"student.cu", 6, 3, 1},
     .message = "this line is outside of every function: the '}' on line 5 has ended 'k'",
     .help = "one too many"},
    {.name = "a_loop_outside",
     .source =
         "__global__ void k(float* p) {\n  p[0] = 1;\n}\nfor (int i = 0; i < 4; ++i) {\n  p[i] = "
         "2;\n}\n",
     .place = {"student.cu", 4, 1, 1},
     .message = "the '}' on line 3 has ended 'k'",
     .help = "move the line"},
    {.name = "a_declaration_outside_of_the_function_that_it_needs",
     .source = "__global__ void k(float* p) {\n  int i = threadIdx.x;\n}\nfloat x = p[i];\n",
     .place = {"student.cu", 4, 1, 1},
     .message = "the '}' on line 3 has ended 'k'",
     .help = "move the line"},
    {.name = "a_barrier_outside",
     .source = "__global__ void k(float* p) {\n  p[0] = 1;\n}\n__syncthreads();\n",
     .place = {"student.cu", 4, 1, 1},
     .message = "the '}' on line 3 has ended 'k'",
     .help = "move the line"},
    {.name = "a_variable_of_the_host_below_a_kernel",
     .source = "__global__ void k(float* p) {\n  p[0] = 1;\n}\nint table[4];\n",
     .place = {"student.cu", 4, 5, 5},
     .message = "would live on the host",
     .help = "__constant__"},
    {.name = "a_round_bracket_too_many",
     .source = "__global__ void k(float* p, int n) {\n  for (int i = 0; i < n; ++i) ) {\n    p[i] "
               "= 1;\n  }\n}\n",
     .place = {"student.cu", 2, 31, 1},
     .message = "the ')' on line 2 closes nothing",
     .help = "add the matching '('"},
    {.name = "a_round_bracket_too_few",
     .source =
         "__global__ void k(float* p, int n) {\n  int i = 2 * (n + threadIdx.x;\n  p[i] = 1;\n}\n",
     .place = {"student.cu", 2, 15, 1},
     .message = "the '(' on line 2 is never closed",
     .help = "add the matching ')'"},
    {.name = "a_mistake_above_the_missing_brace",
     .source =
         "__device__ float one() { return won; }\n__global__ void k(float* p) {\n  p[0] = one();\n",
     .place = {"student.cu", 2, 29, 1},
     .message = "the '{' on line 2 is never closed",
     .help = "add the matching '}'"},
    {.name = "asm_that_no_gpu_knows",
     .source =
         "__global__ void k(float* p) {\n  asm(\"foo.f32 %0, %1;\" : \"=f\"(p[0]) : \"f\"(p[1]));\n"
         "}\n",
     .place = {"student.cu", 2, 3, 0},
     .message = "foo",
     .help = "asm"},
    {.name = "host_variable",
     .source = "int table[4];\n__global__ void k(float* p) {}\n",
     .place = {"student.cu", 1, 5, 5},
     .message = "would live on the host",
     .help = "__constant__"},
    {.name = "empty_file",
     .source = "x",
     .place = {"student.cu", 1, 1, 1},
     .message = "",
     .help = ""},
};

INSTANTIATE_TEST_SUITE_P(Table, Refused, testing::ValuesIn(kRefusedCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace warpshop::compile
