#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const char* const kSaxpy =
    "__global__ void saxpy(float a, const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

const char* const kGood =
    "run k.cu --kernel saxpy --grid 16 --block 256 --arg f32=2 --arg f32[4096]=iota --arg "
    "f32[4096]=zero --arg i32=4096";

TEST(Run, AKernelIsRunAndItsAccessesAreCounted) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  const Outcome outcome = program.run(kGood);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("global_load_requests +256"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("global_store_sectors +512"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("line 3 +load +256 requests +1,024 sectors"));
  EXPECT_THAT(outcome.out, HasSubstr("|01234567| |89abcdef| |ghijklmn| |opqrstuv|"));
  EXPECT_THAT(outcome.out, HasSubstr("0, 2, 4, 6, 8, 10, 12, 14, …"));  // 2 · i + 0
}

TEST(Run, JsonAndDump) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  const Outcome outcome = program.run(std::string(kGood) + " --json --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["run"]["counters"]["global_load_requests"], 256);
  EXPECT_EQ(result["run"]["grid"], json::array({16, 1, 1}));
  EXPECT_EQ(result["buffers"].size(), 2U);
  const std::string dumped = program.folder().read("d/k.1.bin");
  ASSERT_EQ(dumped.size(), 4096U * 4);
  float value = 0;
  std::memcpy(&value, dumped.data() + 4 * 100, 4);
  EXPECT_EQ(value, 200.0F);
}

TEST(Run, FindingsPointAtTheLine) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  const Outcome outcome = program.run(with(kGood, "f32[4096]=zero", "f32[4000]=zero"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:3:"));
  EXPECT_THAT(outcome.out, HasSubstr("out-of-bounds"));
  EXPECT_THAT(outcome.out, HasSubstr("(96 times)"));  // threads 4,000 to 4,095
  EXPECT_THAT(outcome.out, HasSubstr("^"));
}

// Emulation threads meet by chance.
TEST(Run, AKernelWhoseBlocksRaceIsWrongInTheSameWayEveryTime) {
  const Program program;
  program.folder().write("k.cu",
                         "__global__ void k(unsigned* out) {\n"
                         "  for (int n = 0; n < 8; ++n)\n"
                         "    out[threadIdx.x] = out[threadIdx.x] * 5 + blockIdx.x;\n"
                         "}\n");
  json first;
  for (int run = 0; run < 6; ++run) {
    const Outcome outcome =
        program.run("run k.cu --kernel k --grid 600 --block 64 --arg u32[64]=zero --json");
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    json result = json::parse(outcome.out);
    ASSERT_FALSE(result["run"]["findings"].empty());
    EXPECT_EQ(result["run"]["findings"][0]["kind"], "race");
    const json compared = {result["run"]["findings"], result["buffers"], result["run"]["counters"]};
    if (run == 0) first = compared;
    EXPECT_EQ(compared, first) << "run " << run;
  }
}

TEST(Run, WhatTheCompilerRemovesIsAnnounced) {
  const Program program;
  program.folder().write("k.cu",
                         "__global__ void k(const int* in, int* out) {\n"
                         "  int never_used = 1;\n"
                         "  out[threadIdx.x] = in[0] / 0;\n"
                         "  out[32] = 1 / 0.0f > 3;\n"  // infinity
                         "}\n");
  const std::string command =
      "run k.cu --kernel k --block 32 --arg i32[32]=iota --arg i32[33]=zero";
  const Outcome outcome = program.run(command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("k.cu:3:"));
  EXPECT_THAT(outcome.err, HasSubstr("division by zero"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("never_used")));
  const json warnings = json::parse(program.run(command + " --json").out)["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0]["line"], 3);
}
TEST(Run, CompilerOptionsAndPrintReachTheKernel) {
  const Program program;
  program.folder().write("k.cu", "__global__ void k() { printf(\"tile %d\\n\", TILE); }");
  const Outcome outcome = program.run("run k.cu --kernel k --option -DTILE=16");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("tile 16"));
}

TEST(Run, NothingThatOthersWroteIsObeyedByTheTerminal) {
  const Program program;
  program.folder().write(
      "k.cu", "__global__ void k() { printf(\"\\033]52;c;QQ==\\007 one\\rtwo \\x9b\\n\"); }");
  const Outcome printed = program.run("run k.cu --kernel k");
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("\\x1B]52;c;QQ==\\x07 one\\x0Dtwo \\x9B\n"));
  program.folder().write("bad.cu", "#error \033]0;a title\a\n");
  const Outcome refused = program.run("run bad.cu --kernel k");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("\\x1B]0;a title\\x07"));
  for (const std::string& text : {printed.out, printed.err, refused.out, refused.err}) {
    EXPECT_EQ(text.find_first_of("\033\a\r"), std::string::npos);
  }
  const Outcome written = program.run("run k.cu --kernel k --json");
  EXPECT_EQ(json::parse(written.out)["run"]["printed"], "\033]52;c;QQ==\a one\rtwo \uFFFD\n")
      << "JSON has its own way to write them";
}

// Each level of the name repeats the previous one twice: demangled, it would fill memory.
TEST(Run, ANameThatMeansGigabytesIsNotSpelledOut) {
  std::string name = "_Z1f1pIiiE";
  for (const char level : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    name += std::string("S_IS") + level + "_S" + level + "_E";
  }
  const Program program;
  program.folder().write("k.cu", "extern \"C\" __global__ void " + name + "() {}");
  const Outcome outcome = program.run("run k.cu --kernel nothing", "ulimit -v 4000000; timeout 60");
  EXPECT_EQ(outcome.status, 2) << outcome.out.substr(0, 2000);
  EXPECT_THAT(outcome.err, HasSubstr("the file's kernels are: _Z1f1pIiiES_"))
      << outcome.err.substr(0, 2000);
}

// Without a kernel's name, the example has the numbers of the program's own launch, and runs.
TEST(Run, TheExampleCommandHasTheProgramsNumbers) {
  const Program program;
  program.folder().write(
      "p.cu",
      "__global__ void add(const float* x, float* y, int n, float a) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a + x[i];\n}\n"
      "int main() {\n  const int n = 1000;\n  float *x, *y;\n  cudaMalloc(&x, n * sizeof(float));\n"
      "  add<<<(n + 127) / 128, 128>>>(x, y, n, 1.5f);\n}\n");
  const Outcome asked = program.run("run p.cu");
  EXPECT_EQ(asked.status, 2);
  const std::string command =
      "run p.cu --kernel add --grid 8 --block 128 --arg 'float[1000]=random' --arg "
      "'float[1024]=random' --arg 'int=1000' --arg 'float=1.5'";
  EXPECT_THAT(asked.err, HasSubstr("warpshop " + command));
  EXPECT_EQ(program.run(command).status, 0);
}

// Constants inside main(), which the compiler for the GPU does not see.
TEST(Run, TheExampleCommandHasTheValuesOfTemplateArguments) {
  const Program program;
  program.folder().write(
      "p.cu",
      "template <int TILE, bool BOTH, class T> __global__ void k(T* x) { x[threadIdx.x] = TILE + "
      "BOTH; }\n"
      "int main() {\n  const int tile = 16;\n  const bool both = true;\n  float* x;\n"
      "  cudaMalloc(&x, tile * sizeof(float));\n  k<tile * 2, both, float><<<1, tile>>>(x);\n}\n");
  const Outcome asked = program.run("run p.cu");
  const std::string command =
      "run p.cu --kernel 'k<32, true, float>' --grid 1 --block 16 --arg 'float[16]=random'";
  EXPECT_THAT(asked.err, HasSubstr("warpshop " + command));
  const Outcome run = program.run(command);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("33, 33, 33, 33"));
  const Outcome by_name = program.run("run p.cu --kernel 'k<tile, both, float>'");
  EXPECT_EQ(by_name.status, 2);
  EXPECT_THAT(by_name.err, HasSubstr("no constant that is defined inside a function"));
}

// Macros that check something are often written like statements, but without a semicolon.
TEST(Run, TheExampleCommandHasConstantsThatFollowAMacro) {
  const Program program;
  program.folder().write(
      "p.cu",
      "#define CHECK(a, b) if ((a) != (b)) throw 1;\n"
      "template <int A, int B> __global__ void k(int* x) { x[threadIdx.x] = A + B; }\n"
      "void launch(int* x, int n, int m) {\n  CHECK(n, 3)\n  CHECK(n, m)\n"
      "  constexpr int a = 16;\n  alignas(8) const int b = 2;\n  k<a, b><<<1, a>>>(x);\n}\n");
  const Outcome asked = program.run("run p.cu");
  EXPECT_THAT(asked.err, HasSubstr("--kernel 'k<16, 2>' --grid 1 --block 16"));
}

struct RunMistake {
  const char* name;
  const char* from;  // in kGood
  const char* to;
  int status;
  const char* message;
};

TEST(Run, BadInputIsExplained) {
  const RunMistake kCases[] = {
      {"missing_file", "k.cu", "none.cu", 2, "none.cu"},
      {"other_extension", "k.cu", "k.txt", 2, "neither a .cu nor a .ptx"},
      {"missing_kernel", "--kernel saxpy", "--kernel nothing", 2, "the file's kernels are: saxpy"},
      {"no_kernel", "--kernel saxpy", "", 2, "--kernel NAME"},
      {"grid_of_zero", "--grid 16", "--grid 0", 2, "grid"},
      {"grid_of_words", "--grid 16", "--grid many", 2, "--grid X,Y,Z"},
      {"four_dimensions", "--grid 16", "--grid 1,2,3,4", 2, "one to three"},
      {"block_too_large", "--block 256", "--block 2048", 2, "1024"},
      {"too_much_shared_memory", "--block 256", "--block 256 --shared 400000", 2, "shared"},
      {"too_few_arguments", "--arg i32=4096", "", 2,
       "the kernel \"saxpy\" takes 4 arguments, 3 were given"},
      {"wrong_size_of_argument", "--arg i32=4096", "--arg i64=4096", 2, "bytes"},
      {"unknown_type", "f32=2", "f12=2", 2, "there is no type 'f12'"},
      {"unknown_struct", "f32[4096]=iota", "Body[64]=zero", 2, "give the array's bytes: u8[BYTES]"},
      {"bad_value", "i32=4096", "i32=4k", 2, "'4k' is not a value of i32"},
      {"bad_fill", "=iota", "=noise", 2, "there is no fill \"noise\""},
      {"empty_buffer", "f32[4096]=iota", "f32[0]=iota", 2, "number of elements"},
      {"open_struct", "i32=4096", "\"{i32=1\"", 2, "a struct ends with }"},
      {"too_large", "i32=4096", "u8=256", 2,
       "'256' is not a value of u8: expected a whole number from 0 to 255"},
      {"vector_of_two", "i32=4096", "float4=1,2", 2, "expected 4 values, got 2"},
      {"open_bracket", "f32[4096]=iota", "f32[4096=iota", 2, "number of elements"},
      {"cuda", "--grid 16", "--grid 16 --device cuda:x", 2, "cuda:N"},
      {"unknown_gpu", "--grid 16", "--grid 16 --gpu riva", 2, "h200"},
  };
  for (const RunMistake& c : kCases) {
    const Program program;
    program.folder().write("k.cu", kSaxpy);
    program.folder().write("k.txt", kSaxpy);
    const Outcome outcome = program.run(with(kGood, c.from, c.to));
    EXPECT_EQ(outcome.status, c.status) << c.name << "\n" << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(c.message)) << c.name;
  }
}

// A typical course program: host code, a launched template, a misspelled name.
TEST(Run, AWholeProgramRunsAndItsKernelsAreListed) {
  const Program program;
  program.folder().write(
      "p.cu",
      "#include <iostream>\n#include <vector>\n#include \"nowhere.h\"\n"
      "struct Pair { int a; float b; };\n"
      "template <int N> __global__ void add(Pair p, short s, int* out) { out[threadIdx.x] = N + "
      "p.a + s; }\n"
      "int main() {\n  std::vector<int> v(32);\n  add<7><<<1, 32>>>(Pair{1, 2}, 3, nullptr);\n}\n");
  const Outcome listed = program.run("run p.cu");
  EXPECT_EQ(listed.status, 2);
  EXPECT_THAT(listed.err, HasSubstr("add(Pair p, short s, int* out)  (line 5, a template: add<7>; "
                                    "launched in line 8 with <<<1, 32>>>)"));
  const std::string arguments =
      " --block 32 --arg \"{i32=10; f32=0.5}\" --arg short=-3 --arg i32[32]=none";
  const Outcome run = program.run("run p.cu --kernel \"add<5>\"" + arguments);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("12, 12, 12, 12"));  // 5 + 10 - 3
  EXPECT_THAT(run.err, HasSubstr("main (lines 6 to 9)"));
  EXPECT_THAT(run.err, HasSubstr("<nowhere.h> (line 3, not found)"));
  const Outcome misspelled = program.run("run p.cu --kernel \"ad<5>\"" + arguments);
  EXPECT_EQ(misspelled.status, 2);
  EXPECT_THAT(misspelled.err, HasSubstr("the file's kernels are: add<7>"));
}

TEST(Run, KernelsAreListedForPrograms) {
  const Program program;
  program.folder().write("k.cu", std::string(kSaxpy) +
                                     "namespace lab {\ntemplate <typename T>\n"
                                     "__global__ void fill(T* out, T value) {}\n}\n");
  const Outcome outcome = program.run("run k.cu --list --json --kernel 'lab::fill<double>'");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json kernels = json::parse(outcome.out).at("kernels");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0]["name"], "saxpy");
  EXPECT_EQ(kernels[0]["parameters"][1], json({{"type", "const float*"}, {"name", "x"}}));
  EXPECT_EQ(kernels[0]["template_parameters"], json::array());
  EXPECT_EQ(kernels[1]["name"], "lab::fill");
  EXPECT_EQ(kernels[1]["line"], 7);
  EXPECT_EQ(kernels[1]["template_parameters"], json::array({"T"}));
  EXPECT_EQ(kernels[1]["parameters"][0]["type"], "double*") << "of the instance that was named";
  EXPECT_THAT(program.run("run k.cu --list").out, HasSubstr("saxpy(float a, const float* x"));
  EXPECT_EQ(program.run("run missing.cu --list").status, 2);
}

// Macros are not expanded, so their kernels are not listed, which is said; they run.
TEST(Run, MacrosThatDefineKernelsAreNamed) {
  const Program program;
  program.folder().write(
      "op.h",
      "#define OP(name, op) __global__ void __launch_bounds__(64) k_##name(int* p) "
      "{ *p = *p op 2; }\n");
  program.folder().write("k.cu",
                         "#include \"op.h\"\n"
                         "#define KERNEL(name) __global__ void name\n"
                         "#define BOUNDED __global__ void __launch_bounds__(32)\n"
                         "#define SIZED(n) __global__ void __launch_bounds__(n)\n"
                         "#define HELPER(name) __device__ int name(int x)\n"
                         "#define RETURNING(type) __global__ type\n"
                         "#define WHOLE __global__ void whole(int* p) { *p = 5; }\n"
                         "HELPER(twice) { return 2 * x; }\n"
                         "BOUNDED plain(int* p) { *p = twice(2); }\n"
                         "SIZED(32) sized(int* p) { *p = 3; }\n"
                         "RETURNING(void) returning(int* p) { *p = 4; }\n"
                         "KERNEL(made)(int* p) { *p = 7; }\n"
                         "OP(add, +)\nWHOLE\n");
  const Outcome listed = program.run("run k.cu --list");
  EXPECT_THAT(listed.out, HasSubstr("plain(int* p)"));
  EXPECT_THAT(listed.out, HasSubstr("sized(int* p)"));
  EXPECT_THAT(listed.out, HasSubstr("returning(int* p)"));
  EXPECT_EQ(
      listed.err,
      "not listed: kernels that a macro defines, KERNEL (line 2), WHOLE (line 7), OP (line 1 of "
      "op.h); --kernel NAME runs them, too\n");
  const json macros = json::parse(program.run("run k.cu --list --json").out).at("macros");
  ASSERT_EQ(macros.size(), 3U);
  EXPECT_EQ(macros[0], json({{"name", "KERNEL"}, {"file", "k.cu"}, {"line", 2}}));
  EXPECT_THAT(program.run("run k.cu").err, HasSubstr("not listed: kernels that a macro defines"));
  for (const char* kernel : {"k_add", "made", "whole", "plain", "sized", "returning"})
    EXPECT_EQ(program.run(std::string("run k.cu --block 1 --arg i32[1] --kernel ") + kernel).status,
              0)
        << kernel;
}

TEST(Run, AFileThatIsNoSourceTextIsNotListedAsEmpty) {
  const Program program;
  const std::string source = "// one\n__global__ void k(int* p) { *p = 1; }\n";
  std::string wide = "\xff\xfe", old = source;
  for (const char c : source) wide += {c, '\0'};
  std::replace(old.begin(), old.end(), '\n', '\r');
  const std::pair<std::string, const char*> texts[] = {
      {wide, "k.cu: error: the source is in UTF-16\n  help: save it as UTF-8"},
      {old, "k.cu: error: the lines end with carriage returns alone"},
      {source + '\0', "k.cu: error: the source contains a NUL byte"},
      {"// \xFF\n" + source, "k.cu:1:4: error: the source is not in UTF-8"},
      {source + "// \xFF", "k.cu:3:4: error: the source is not in UTF-8"}};
  for (const auto& [text, said] : texts) {
    program.folder().write("k.cu", text);
    for (const char* arguments : {"run k.cu --list", "run k.cu --list --json", "run k.cu",
                                  "run k.cu --kernel k --block 1 --arg i32[1]=none"}) {
      const Outcome outcome = program.run(arguments);
      EXPECT_EQ(outcome.status, 2) << arguments;
      EXPECT_EQ(outcome.out, "") << arguments;
      EXPECT_THAT(outcome.err, HasSubstr(said)) << arguments;
    }
  }
}

// A declaration in a header, as programs of several files have it.
TEST(Run, AKernelOfAnotherFileIsNotOffered) {
  const Program program;
  program.folder().write("kernels.h", "__global__ void far(int* out);\n");
  program.folder().write("k.cu",
                         "#include \"kernels.h\"\n__global__ void near(int* out) { *out = 1; }\n");
  const Outcome listed = program.run("run k.cu --list");
  EXPECT_THAT(listed.out, HasSubstr("near("));
  EXPECT_THAT(listed.out, testing::Not(HasSubstr("far(")));
  const Outcome far = program.run("run k.cu --kernel far --arg i32[1]=none");
  EXPECT_EQ(far.status, 2);
  EXPECT_THAT(far.err, HasSubstr("kernels.h:1:17: error: the kernel 'far' is only declared here"));
  program.folder().write(
      "if.cu", "__global__ void near() {}\n#ifdef MODERN\n__global__ void far() {}\n#endif\n");
  const Outcome conditional = program.run("run if.cu --kernel far");
  EXPECT_EQ(conditional.status, 2);
  EXPECT_THAT(conditional.err, HasSubstr("if.cu:3:17: error: the kernel 'far' is not compiled"));
  EXPECT_EQ(program.run("run if.cu --kernel far --option -DMODERN").status, 0);
  const Outcome other = program.run("run k.cu --kernel other --arg i32[1]=none");
  EXPECT_THAT(other.err, HasSubstr("the file's kernels are: near(int* out)"));
}

// Dynamic parallelism: the file's other kernels can be run.
TEST(Run, AKernelThatLaunchesKernelsIsLeftOut) {
  const Program program;
  program.folder().write("k.cu",
                         "__global__ void leaf(int* o) { *o = 3; }\n"
                         "__global__ void tree(int* o) {\n  leaf<<<1, 1>>>(o);\n}\n");
  const Outcome leaf = program.run("run k.cu --kernel leaf --arg i32[1]=none");
  EXPECT_EQ(leaf.status, 0) << leaf.err;
  const Outcome tree = program.run("run k.cu --kernel tree --arg i32[1]=none");
  EXPECT_EQ(tree.status, 2);
  EXPECT_THAT(tree.err, HasSubstr("k.cu:2:1: error: 'tree' is left out: it launches a kernel"));
}

TEST(Run, SixteenBitFloatsHaveEveryFill) {
  const Program program;
  program.folder().write("k.cu",
                         "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                         "template <class T> __global__ void k(const T* x, float* y) { "
                         "y[threadIdx.x] = float(x[threadIdx.x]); }\n");
  for (const std::string type : {"__half", "__nv_bfloat16"}) {
    const auto filled = [&](const std::string& fill) {
      return program.run("run k.cu --kernel 'k<" + type + ">' --block 8 --arg '" + type +
                         "[8]=" + fill + "' --arg f32[8]=none");
    };
    const Outcome iota = filled("iota");
    EXPECT_EQ(iota.status, 0) << iota.err;
    EXPECT_THAT(iota.out, HasSubstr("0, 1, 2, 3, 4, 5, 6, 7"));
    const Outcome random = filled("random");
    EXPECT_EQ(random.status, 0) << random.err;
  }
}

TEST(Run, CompilerErrorsCarryTheLine) {
  const Program program;
  program.folder().write("k.cu", with(kSaxpy, "a * x[i]", "a * xx[i]"));
  const Outcome outcome = program.run(kGood);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("k.cu:3:"));
  EXPECT_THAT(outcome.err, HasSubstr("xx"));
}

TEST(Run, AnEndlessKernelEndsWithTheBudget) {
  const Program program;
  program.folder().write("k.cu", "__global__ void k(volatile int* p) { while (*p == 0) {} }");
  const Outcome outcome = program.run("run k.cu --kernel k --arg i32[1]=zero --budget 1000000");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("timeout"));
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:1"));
}

const char* const kSpec = R"([
  {"name": "good-a", "source": "k.cu", "kernel": "saxpy", "grid": [1, 1, 1], "block": [32, 1, 1],
   "args": [{"f32": 2}, {"buffer": 128, "fill": "f32"}, {"buffer": 128, "fill": "zero"},
            {"i32": 32}]},
  {"name": "good-b", "source": "k.cu", "kernel": "saxpy", "grid": [1, 1, 1], "block": [32, 1, 1],
   "args": [{"f32": 2}, {"buffer": 128, "fill": "f32"}, {"buffer": 128, "fill": "zero"},
            {"i32": 16}]},
  {"name": "past", "source": "k.cu", "kernel": "saxpy", "grid": [1, 1, 1], "block": [64, 1, 1],
   "args": [{"f32": 2}, {"buffer": 128, "fill": "f32"}, {"buffer": 128, "fill": "zero"},
            {"i32": 64}]}
]
)";

TEST(Spec, WithoutADriverTheGpuIsRefusedAndTheEmulatorOffered) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  program.folder().write("cases.json", kSpec);
  const Outcome outcome = program.run("run --spec cases.json --device cuda --out results.json",
                                      "WARPSHOP_LIBCUDA=/no/libcuda.so");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("there is no NVIDIA driver"));
  EXPECT_THAT(outcome.err, HasSubstr("--device emulator"));
  EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "results.json"));
}

TEST(Worker, GreetsAndQuits) {
  const Program program;
  program.folder().write("input", "{\"type\":\"quit\"}\n");
  const Outcome outcome = program.run("worker <input", "WARPSHOP_LIBCUDA=/no/libcuda.so");
  EXPECT_EQ(outcome.status, 0);
  const json hello = json::parse(outcome.out);
  EXPECT_EQ(hello["type"], "hello");
  EXPECT_EQ(hello["protocol"], 4);
  EXPECT_EQ(hello["problems"][0]["kind"], "gpu-none");
}

TEST(Spec, ResultsAreWrittenAsTheContractHasThem) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  program.folder().write("cases.json", kSpec);
  const Outcome outcome = program.run("run --spec cases.json --out results.json --dump d");
  EXPECT_EQ(outcome.status, 1) << "one case reads past its buffer";
  const json results = json::parse(program.folder().read("results.json"));
  ASSERT_EQ(results.size(), 3U);
  for (const char* key :
       {"name", "error", "buffers", "registers", "static_shared", "blocks_per_sm", "counters",
        "findings", "predicted_us", "thread_instructions", "seconds"}) {
    EXPECT_TRUE(results[0].contains(key)) << key;
  }
  EXPECT_EQ(results[0]["name"], "good-a");
  EXPECT_TRUE(results[0]["error"].is_null());
  EXPECT_EQ(results[0]["buffers"].size(), 2U);
  EXPECT_EQ(results[0]["counters"]["global_load_requests"], 2);
  EXPECT_TRUE(results[0]["predicted_us"].is_null());
  EXPECT_EQ(results[2]["findings"][0]["kind"], "out-of-bounds");
  EXPECT_EQ(results[2]["findings"][0]["space"], "global");
  EXPECT_EQ(results[2]["findings"][0]["line"], 3);
  EXPECT_EQ(program.folder().read("d/good-a.1.bin").size(), 128U);
}

TEST(Run, AKernelIsRunAndPredicted) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  const std::string arguments =
      "run k.cu --kernel saxpy --grid 16 --block 256 --arg f32=2 --arg f32[4096]=iota --arg "
      "f32[4096]=random --arg i32=4096 --predict --gpu h200";
  const Outcome text = program.run(arguments);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out,
              testing::ContainsRegex("NVIDIA H200: [0-9]+% mean error on [0-9]+ kernels"));
  const json result = json::parse(program.run(arguments + " --json").out);
  EXPECT_EQ(result["run"]["counters"]["global_load_requests"], 256);
  const json& p = result["run"]["prediction"];
  EXPECT_GT(p["time_us"].get<double>(), p["launch_us"].get<double>());
}

TEST(Spec, OnlySomeCases) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  program.folder().write("cases.json", kSpec);
  const Outcome outcome = program.run("run --spec cases.json --only '^good' --jobs 1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).size(), 2U)
      << "without --out the results go to standard output";
}

// The copy moves 2 × 8 MiB, which fits into L2: its time is launch and L2 time.
TEST(Spec, TimesArePredicted) {
  const Program program;
  program.folder().write("k.cu",
                         "extern \"C\" __global__ void copy(const float* in, float* out) {\n"
                         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  out[i] = in[i];\n}\n");
  program.folder().write("cases.json", R"([{"name": "copy", "source": "k.cu", "kernel": "copy",
    "grid": [8192, 1, 1], "block": [256, 1, 1],
    "args": [{"buffer": 8388608, "fill": "f32"}, {"buffer": 8388608, "fill": "none"}]}])");
  const Outcome outcome = program.run("run --spec cases.json --predict --gpu h200 --out r.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(program.folder().read("r.json"))[0];
  const json& p = result["prediction"];
  EXPECT_GT(result["predicted_us"].get<double>(), p["launch_us"].get<double>());
  EXPECT_LT(result["predicted_us"].get<double>(), 50);
  EXPECT_EQ(p["dram_bytes"], 0.0);
  EXPECT_NEAR(p["l2_bytes"].get<double>(), 2 * 8388608.0, 1e3);
  EXPECT_EQ(result["blocks_per_sm"], 8);
  double states = 0;
  for (const auto& [name, share] : p["states_pct"].items()) states += share.get<double>();
  EXPECT_NEAR(states, 100, 1e-6);
  EXPECT_FALSE(p["reason"].get<std::string>().empty());
}

TEST(Spec, AGpuWithoutTimingNumbersSaysWhatItsProfileLacks) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  program.folder().write("cases.json", kSpec);
  std::string bare = program.folder().read("data/assets/gpus/h200.toml");
  bare.replace(bare.find("id = \"h200\""), 11, "id = \"bare\"");
  const size_t launch = bare.find("\nlaunch_us ");
  bare.erase(launch, bare.find('\n', launch + 1) - launch);
  program.folder().write("bare.toml", bare);
  const Outcome outcome =
      program.run("run --spec cases.json --only good-a --predict --gpu bare.toml --out r.json");
  EXPECT_EQ(outcome.status, 1);
  const json result = json::parse(program.folder().read("r.json"))[0];
  EXPECT_TRUE(result["predicted_us"].is_null());
  EXPECT_THAT(result["error"].get<std::string>(), HasSubstr("its profile lacks launch_us"));
}

struct SpecMistake {
  const char* name;
  const char* arguments;
  int status;
  const char* message;
};

TEST(Spec, BadInputIsExplained) {
  const Program program;
  program.folder().write("k.cu", kSaxpy);
  program.folder().write("cases.json", kSpec);
  const std::string cut = std::string(kSpec).substr(0, 400);
  const auto cut_line = 1 + std::count(cut.begin(), cut.end(), '\n');
  const std::string cut_at = "cut.json:" + std::to_string(cut_line) + ":";
  program.folder().write("cut.json", cut);
  program.folder().write("wrong.json", with(kSpec, "\"grid\": [1, 1, 1]", "\"grid\": 1"));
  const SpecMistake kCases[] = {
      {"missing", "run --spec none.json --out r.json", 2, "none.json"},
      {"truncated", "run --spec cut.json --out r.json", 2, cut_at.c_str()},
      {"wrong_type", "run --spec wrong.json --out r.json", 2,
       "wrong.json:2: error: \"grid\" must be a list"},
      {"no_regex", "run --spec cases.json --only '(' --out r.json", 2, "regular expression"},
      {"no_such_case", "run --spec cases.json --only zebra --out r.json", 2,
       "no case has such a name"},
      {"kernel_too", "run --spec cases.json --kernel k --out r.json", 2,
       "omit the file and --kernel"},
      {"predict", "run --spec cases.json --predict --device cuda --out r.json", 2,
       "leave one of them out"},
      {"counters_of_no_gpu", "run --spec cases.json --counters --out r.json", 2,
       "add --device cuda or --worker"},
      {"no_folder", "run --spec cases.json --out none/r.json", 3, "cannot write the results"},
      {"dump_is_a_file", "run --spec cases.json --out r.json --dump k.cu", 3, "dump"},
  };
  for (const SpecMistake& c : kCases) {
    const Outcome outcome = program.run(c.arguments);
    EXPECT_EQ(outcome.status, c.status) << c.name << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(c.message)) << c.name;
    EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "r.json")) << c.name;
  }
}

}  // namespace
}  // namespace warpshop::cli
