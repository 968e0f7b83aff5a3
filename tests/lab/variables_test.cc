// The source's variables at the steps of a film: their names and values, lane by lane.
#include "lab/variables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <set>

#include "core/files.h"
#include "film/film_alignment.h"
#include "lab/film.h"
#include "lab/runner.h"
#include "run/debug_build.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using emulator::ReplayState;
using Kind = DebugPosition::Kind;

constexpr std::string_view kVariablesLaunch =
    "\n__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }\n";

class VariablesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<Runner> runner = Runner::create();
    ASSERT_TRUE(runner.ok()) << render(runner.errors());
    runner_ = new Runner(std::move(*runner));
  }
  static void TearDownTestSuite() {
    delete runner_;
    runner_ = nullptr;
  }

  // The film of block 0, warp 0 of a kernel `scale(const float* in, float*
  // out, int n)`, with 256 threads per block.
  Film film_of(const std::string& kernel) {
    const Lab lab = *load_lab(fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture");
    RunRequest request;
    request.lab = &lab;
    request.step = lab.find_step("scale");
    request.source = kernel + std::string(kVariablesLaunch);
    request.file_name = "scale.cu";
    request.gpu = *models::find_gpu_profile(data_dir(), "h200");
    RunResult result = runner_->run(request);
    EXPECT_TRUE(result.student()) << render(result.diagnostics);
    Result<Film> film = result.student()->films->open(0, 0, nullptr);
    EXPECT_TRUE(film.ok()) << render(film.errors());
    return std::move(*film);
  }

  // The steps of the film whose instruction is on that line and starts with `opcode`.
  static std::vector<size_t> steps_of(const Film& film, int line, std::string_view opcode) {
    std::vector<size_t> out;
    const FilmScript& script = *film.script();
    for (size_t n = 0; n < script.steps.size(); ++n) {
      if (script.at(n).line == line && script.at(n).text.starts_with(opcode)) out.push_back(n);
    }
    return out;
  }

  static const NamedValue& value(const VariableState& state, std::string_view name) {
    for (const NamedValue& v : state.values) {
      if (v.name == name) return v;
    }
    ADD_FAILURE() << "no variable " << name;
    static const NamedValue none;
    return none;
  }

  static bool has(const VariableState& state, std::string_view name) {
    return std::any_of(state.values.begin(), state.values.end(),
                       [&](const NamedValue& v) { return v.name == name; });
  }

  static inline Runner* runner_ = nullptr;
};

// In block 0 both variables have the same values. Until the compiled kernel has computed the second
// one, the register of the first must not be named as its location.
TEST_F(VariablesTest, ARegisterOfAnotherVariableIsNotNamed) {
  Film film = film_of(
      "__global__ void scale(const float* in, volatile float* out, int n) {\n"  // 1
      "  int tx = threadIdx.x;\n"                                               // 2
      "  int col = blockIdx.x * blockDim.x + tx;\n"                             // 3
      "  out[tx] = 1;\n"                                                        // 4
      "  if (n > 7) out[col] = 2.0f * in[col];\n"                               // 5
      "}\n");
  const std::vector<size_t> early = steps_of(film, 4, "st"), late = steps_of(film, 5, "st");
  ASSERT_EQ(early.size(), 1u);
  ASSERT_EQ(late.size(), 1u);
  const VariableState before = film.variables_at(film.at(early.front()));
  EXPECT_EQ(value(before, "col").bits, value(before, "tx").bits);
  EXPECT_NE(value(before, "tx").held_in, "");
  EXPECT_EQ(value(before, "col").held_in, "");
  const VariableState after = film.variables_at(film.at(late.front()));
  EXPECT_NE(value(after, "col").held_in, "");
  EXPECT_NE(value(after, "col").held_in, value(after, "tx").held_in);
}

// The compiler's names of parameters, "_Z5scalePKfPfi_param_2", say nothing to a reader.
TEST_F(VariablesTest, ParametersAreCalledAsInTheSource) {
  const Film film = film_of(
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = 2.0f * in[i];\n"
      "}\n");
  std::set<std::string> read;
  const FilmScript& script = *film.script();
  for (size_t n = 0; n < script.steps.size(); ++n) {
    const std::string& text = script.at(n).text;
    if (text.starts_with("ld.param")) read.insert(text.substr(text.find('[')));
  }
  EXPECT_EQ(read, (std::set<std::string>{"[in]", "[n]", "[out]"}));
}

// What tells iterations of an unrolled loop from two calls on one line: the place of an instruction
// repeats.
TEST_F(VariablesTest, CallsOfOneFunctionAreNoIterations) {
  const std::string function =
      "__device__ float f(const float* p, int i) { return p[i] * 0.25f; }\n";  // 1
  const auto places_of_loads = [&](const std::string& body) {
    const Film film = film_of(function +
                              "__global__ void scale(const float* in, float* out, int n) {\n"
                              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                              "  if (i >= n) return;\n" +
                              body + "}\n");
    std::vector<std::string> out;
    for (const size_t step : steps_of(film, 1, "ld.global"))
      out.push_back(film.script()->at(step).place);
    return out;
  };
  const std::vector<std::string> calls =
      places_of_loads("  float x = f(in, i) + f(in, n - 1 - i);\n  out[i] = x;\n");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_NE(calls[0], calls[1]);
  const std::vector<std::string> loop = places_of_loads(
      "  float x = 0;\n#pragma unroll\n"
      "  for (int k = 0; k < 2; ++k) x += f(in, k == 0 ? i : n - 1 - i);\n  out[i] = x;\n");
  ASSERT_EQ(loop.size(), 2u);
  EXPECT_EQ(loop[0], loop[1]);
  const std::vector<std::string> both = places_of_loads(
      "  float x = 0;\n#pragma unroll\n"
      "  for (int k = 0; k < 2; ++k) x += f(in, i / (k + 1)) + f(in, i / (k + 3));\n"
      "  out[i] = x;\n");
  ASSERT_EQ(both.size(), 4u);
  EXPECT_NE(both[0], both[1]);
  EXPECT_EQ(both[0], both[2]);
  EXPECT_EQ(both[1], both[3]);
}

// The stores of the unrolled loop: each belongs to one iteration.
TEST_F(VariablesTest, EachIterationHasItsOwnValues) {
  Film film = film_of(
      "__global__ void scale(const float* in, volatile float* out, int n) {\n"  // 1
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"                      // 2
      "  int sum = 0;\n"                                                        // 3
      "  for (int k = 0; k < 3; ++k) {\n"                                       // 4
      "    int v = i * 10 + k;\n"                                               // 5
      "    sum += v;\n"                                                         // 6
      "    out[i] = sum;\n"                                                     // 7
      "  }\n"
      "  out[i] = 2.0f * in[i];\n"  // 9
      "}\n");
  const std::vector<size_t> stores = steps_of(film, 7, "st");
  ASSERT_EQ(stores.size(), 3u);
  for (uint64_t k = 0; k < 3; ++k) {
    const ReplayState state = film.at(stores[k]);
    const VariableState now = film.variables_at(state);
    ASSERT_EQ(now.problem, "");
    EXPECT_EQ(now.step, stores[k]);
    EXPECT_EQ(now.position, (DebugPosition{Kind::kAfter, 7}));
    EXPECT_EQ(now.function, "scale");
    for (uint64_t lane : {0u, 5u, 31u}) {
      EXPECT_EQ(value(now, "i").bits[lane], lane);
      EXPECT_EQ(value(now, "k").bits[lane], k);
      EXPECT_EQ(value(now, "v").bits[lane], lane * 10 + k);
      EXPECT_EQ(value(now, "sum").bits[lane], lane * 10 * (k + 1) + k * (k + 1) / 2);
      EXPECT_EQ(value(now, "n").bits[lane], 4096u);
    }
    EXPECT_EQ(value(now, "sum").type, "int");
    EXPECT_EQ(value(now, "in").type, "const float*");
    EXPECT_TRUE(value(now, "in").is_pointer);
    EXPECT_TRUE(value(now, "n").is_parameter);
    EXPECT_EQ(value(now, "sum").line, 3);
    // A register named for a value contains it in every lane.
    for (const NamedValue& v : now.values) {
      if (v.held_in.empty()) continue;
      const auto reg =
          std::find_if(state.registers.begin(), state.registers.end(),
                       [&](const emulator::ReplayRegister& r) { return r.name == v.held_in; });
      ASSERT_NE(reg, state.registers.end());
      EXPECT_EQ(reg->bits, v.bits) << v.name;
    }
    EXPECT_NE(value(now, "i").held_in, "");
  }
  // After the loop, its variables are out of scope.
  const VariableState last = film.variables_at(film.at(steps_of(film, 9, "st").front()));
  EXPECT_FALSE(has(last, "v"));
  EXPECT_FALSE(has(last, "k"));
  EXPECT_EQ(value(last, "sum").bits[5], 50u * 3 + 3);
}

TEST_F(VariablesTest, BeforeItsLineAVariableHasNoValue) {
  Film film = film_of(
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"  // 2
      "  float x = in[i];\n"                                // 3
      "  float y = x + x;\n"                                // 4
      "  out[i] = y * y;\n"                                 // 5
      "}\n");
  const VariableState begin = film.variables_at(film.at(steps_of(film, 2, "mov").front()));
  EXPECT_EQ(begin.position, (DebugPosition{Kind::kBefore, 2}));
  for (const char* name : {"i", "x", "y"}) {
    EXPECT_EQ(value(begin, name).lanes, 0u) << name;
    EXPECT_EQ(value(begin, name).absent, NamedValue::Absent::kNotAssigned) << name;
  }
  EXPECT_EQ(value(begin, "n").bits[7], 4096u);
  const std::vector<size_t> sums = steps_of(film, 4, "add");
  ASSERT_FALSE(sums.empty());
  const VariableState sum = film.variables_at(film.at(sums.front()));
  EXPECT_EQ(sum.position, (DebugPosition{Kind::kBefore, 4}));
  EXPECT_EQ(value(sum, "x").lanes, 0xffffffffu);
  EXPECT_EQ(value(sum, "y").lanes, 0u);
  const VariableState end = film.variables_at(film.at(steps_of(film, 5, "st").front()));
  const auto x = std::bit_cast<float>(static_cast<uint32_t>(value(end, "x").bits[3]));
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(value(end, "y").bits[3])), x + x);
}

// Lanes 0 to 7 and the others run different lines; each group shows the values at its own place.
TEST_F(VariablesTest, DivergedLanesHaveTheValuesOfTheirOwnPlaces) {
  Film film = film_of(
      "__global__ void scale(const float* in, volatile float* out, int n) {\n"
      "  int t = threadIdx.x;\n"  // 2
      "  if (t < 8) {\n"          // 3
      "    int low = 100 + t;\n"  // 4
      "    out[t] = low;\n"       // 5
      "  } else {\n"
      "    int high = 200 + t;\n"                             // 7
      "    for (int k = 0; k < t; ++k) out[t] = high + k;\n"  // 8
      "  }\n"
      "  out[t] = 2.0f * in[t];\n"  // 10
      "}\n");
  const VariableState low = film.variables_at(film.at(steps_of(film, 5, "st").front()));
  EXPECT_EQ(value(low, "low").lanes, 0xffu);
  EXPECT_EQ(value(low, "low").bits[3], 103u);
  // Lane 20's ninth iteration. However the loop was unrolled, the
  // lanes on the other path have not got there.
  int iterations = 0;
  for (const size_t n : steps_of(film, 8, "st")) {
    if (!(film.script()->steps[n].mask >> 20 & 1) || ++iterations < 9) continue;
    const VariableState high = film.variables_at(film.at(n));
    EXPECT_EQ(value(high, "high").bits[20], 220u);
    EXPECT_EQ(value(high, "k").bits[20], 8u);
    EXPECT_EQ(value(high, "k").lanes & 0xffu, 0u);
    EXPECT_EQ(value(high, "high").lanes & 0xffu, 0u);
    EXPECT_EQ(value(high, "t").bits[3], 3u);
    EXPECT_TRUE(high.lanes_differ);
    break;
  }
  EXPECT_EQ(iterations, 9);
}

TEST_F(VariablesTest, StructsAndArraysAreShownByTheirParts) {
  Film film = film_of(
      "struct Point { int x; float y; };\n"                         // 1
      "__device__ int twice(int a) { int b = a + a; return b; }\n"  // 2
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = threadIdx.x;\n"                                      // 4
      "  Point p = {i, 1.5f};\n"                                      // 5
      "  int w[2][2];\n"                                              // 6
      "  w[0][1] = twice(i);\n"                                       // 7
      "  bool odd = i % 2;\n"                                         // 8
      "  w[i & 1][i & 1] = 7;\n"                                      // 9
      "  out[i] = 2.0f * in[i] + w[0][1] * 0 + odd * 0 + p.x * 0;\n"  // 10
      "}\n");
  const VariableState now = film.variables_at(film.at(steps_of(film, 10, "st").front()));
  EXPECT_EQ(value(now, "p.x").bits[9], 9u);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(value(now, "p.y").bits[9])), 1.5f);
  EXPECT_EQ(value(now, "w[0][1]").bits[9], 18u);
  EXPECT_EQ(value(now, "w[1][0]").lanes, 0u);
  EXPECT_EQ(value(now, "w[1][0]").absent, NamedValue::Absent::kNotAssigned);
  EXPECT_EQ(value(now, "w[0][0]").lanes, 0x55555555u);  // the even lanes have written it
  EXPECT_EQ(value(now, "w[1][1]").lanes, 0xaaaaaaaau);
  EXPECT_TRUE(value(now, "odd").is_bool);
  EXPECT_EQ(value(now, "odd").bits[3], 1u);
  EXPECT_EQ(value(now, "odd").bits[4], 0u);
  EXPECT_EQ(value(now, "threadIdx.x").bits[17], 17u);
  EXPECT_EQ(value(now, "gridDim.x").bits[0], 16u);
}

TEST_F(VariablesTest, SharedArraysHaveTheShapesOfTheirDeclarations) {
  Film film = film_of(
      "constexpr int kTile = 16;\n"
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  __shared__ float tile[kTile][kTile + 1], column[kTile];\n"
      "  __shared__ short flags[3][5][7];\n"
      "  int i = threadIdx.x;\n"
      "  tile[i / 16][i % 16] = in[i];\n"
      "  if (i < 16) column[i] = 0;\n"
      "  flags[i % 3][0][0] = 1;\n"
      "  __syncthreads();\n"
      "  out[i] = 2.0f * tile[i / 16][i % 16] + column[i % 16] * flags[0][0][0];\n"
      "}\n");
  const VariableState now = film.variables_at(film.at(0));
  struct Case {
    std::string name, element;
    std::vector<uint64_t> counts;
    uint64_t bytes;
  };
  for (const Case& c : {Case{"tile", "float", {16, 17}, 4}, Case{"column", "float", {16}, 4},
                        Case{"flags", "short", {3, 5, 7}, 2}}) {
    const auto shape = std::find_if(now.shared.begin(), now.shared.end(),
                                    [&](const SharedShape& s) { return s.name == c.name; });
    ASSERT_NE(shape, now.shared.end()) << c.name;
    EXPECT_EQ(shape->element, c.element);
    EXPECT_EQ(shape->counts, c.counts) << c.name;
    EXPECT_EQ(shape->element_bytes, c.bytes);
  }
  std::vector<std::string> names;
  for (const auto& array : film.script()->shared_arrays) names.push_back(array.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"column", "flags", "tile"}));
  // The helpers that the program adds to declarations are not variables of the student's.
  for (const NamedValue& v : now.values) EXPECT_FALSE(v.name.starts_with("warpshop")) << v.name;
}

TEST(ShapeProbes, FollowDeclarationsOfFunctionsInTheSameLine) {
  struct Case {
    std::string source, probed;
  };
  for (const Case& c :
       {Case{"void k() { __shared__ float t[8][9]; }",
             "void k() { __shared__ float t[8][9]; decltype(t)* warpshop_shape_t; }"},
        Case{"void k() { __shared__ int a[N < 3 ? 1 : 2], b; f(); }",
             "void k() { __shared__ int a[N < 3 ? 1 : 2], b; decltype(a)* warpshop_shape_a; "
             "decltype(b)* warpshop_shape_b; f(); }"},
        Case{"extern __shared__ float s[];\nvoid k() {}",
             "extern __shared__ float s[];\nvoid k() {}"},
        Case{"void k() { // __shared__ int a;\n \"__shared__ int b;\"; }",
             "void k() { // __shared__ int a;\n \"__shared__ int b;\"; }"},
        Case{"#define T __shared__ int a;\nvoid k() {}",
             "#define T __shared__ int a;\nvoid k() {}"},
        Case{"void k() { __shared__ Pair<int, 4> p[2]; }",
             "void k() { __shared__ Pair<int, 4> p[2]; decltype(p)* warpshop_shape_p; }"},
        Case{"void k() { __shared__ float broken[3", "void k() { __shared__ float broken[3"}}) {
    EXPECT_EQ(with_shape_probes(c.source), c.probed);
    EXPECT_EQ(std::count(c.probed.begin(), c.probed.end(), '\n'),
              std::count(c.source.begin(), c.source.end(), '\n'));
  }
}

// A film of one function, in which each step is a separate instruction.
struct HandMadeFilm {
  std::vector<emulator::ReplayStep> steps;
  std::vector<emulator::ReplayTrace> trace;
  std::vector<std::vector<int>> lines = {{}};
  std::vector<std::vector<uint32_t>> joint = {{}};

  HandMadeFilm& step(int line, uint32_t mask = ~0u) {
    emulator::ReplayStep s;
    s.instruction = static_cast<int32_t>(lines[0].size());
    s.mask = mask;
    steps.push_back(s);
    lines[0].push_back(line);
    joint[0].push_back(0);
    return *this;
  }
  HandMadeFilm& load(int line, uint32_t address, uint32_t mask = ~0u) {
    step(line, mask);
    emulator::ReplayTrace t;
    t.step = static_cast<uint32_t>(steps.size() - 1);
    t.mask = mask;
    t.address.fill(address);
    trace.push_back(t);
    return *this;
  }
  AlignedFilm aligned() const { return {&steps, &trace, lines, joint}; }
};

TEST(FilmAlignment, LinesAndAccessesSayHowFarTheSourceIs) {
  HandMadeFilm film, debug;
  // The load on line 7 was moved before line 5, and a product on line 9 before everything else.
  film.step(9).step(3).load(7, 100).step(5).load(6, 200).step(7).load(8, 300);
  debug.step(3).step(3).step(5).load(6, 200).step(7).load(7, 100).load(8, 300).step(9);
  const FilmAlignment alignment(film.aligned(), debug.aligned(), false);
  struct Case {
    uint64_t step;
    std::optional<uint64_t> debug;
    DebugPosition position;
  };
  for (const Case& c :
       {Case{0, std::nullopt, {Kind::kNotBegun, 0}}, Case{1, std::nullopt, {Kind::kBefore, 3}},
        Case{3, 1, {Kind::kBefore, 5}}, Case{4, 3, {Kind::kAfter, 6}},
        Case{5, 3, {Kind::kBefore, 7}}, Case{6, 6, {Kind::kAfter, 8}}}) {
    const auto places = alignment.at(c.step);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].step, c.debug) << c.step;
    EXPECT_EQ(places[0].position, c.position)
        << c.step << ": " << static_cast<int>(places[0].position.kind) << " "
        << places[0].position.line;
  }
}

// A loop on one line, sum += a[k] * b[k]: the optimised kernel loads b before a.
TEST(FilmAlignment, AccessesThatTheCompilerSwappedHaveTheirOwnIteration) {
  HandMadeFilm film, debug;
  for (uint32_t k = 0; k < 4; ++k) {
    film.load(5, 1000 + k).load(5, 100 + k).step(5);
    debug.step(5).load(5, 100 + k).load(5, 1000 + k).step(5);
  }
  const FilmAlignment alignment(film.aligned(), debug.aligned(), false);
  for (uint64_t k = 0; k + 1 < 4; ++k) {
    EXPECT_EQ(alignment.at(3 * k)[0].step, 4 * k + 2) << k;
    EXPECT_EQ(alignment.at(3 * k + 1)[0].step.value() / 4, k);
  }
}

// Both branches load from the same address, so the optimised
// kernel has a single load, without a line.
TEST(FilmAlignment, AccessesOfMergedLinesAreFoundByTheirAddresses) {
  HandMadeFilm film, debug;
  film.step(1).load(0, 64).load(0, 68).step(5);
  debug.step(1).step(2).load(3, 64).step(2).load(4, 68).step(5);
  const FilmAlignment alignment(film.aligned(), debug.aligned(), false);
  EXPECT_EQ(alignment.at(1)[0].step, 2u);
  EXPECT_EQ(alignment.at(1)[0].position, (DebugPosition{Kind::kAfter, 3}));
  EXPECT_EQ(alignment.at(2)[0].step, 4u);
  EXPECT_EQ(alignment.at(2)[0].position, (DebugPosition{Kind::kAfter, 4}));
}

TEST(FilmAlignment, PathsMayComeInAnotherOrder) {
  constexpr uint32_t kLow = 0xffff, kHigh = ~kLow;
  HandMadeFilm film, debug;
  film.step(1).load(2, 8, kLow).load(4, 16, kHigh).load(5, 24);
  debug.step(1).load(4, 16, kHigh).step(4, kHigh).load(2, 8, kLow).load(5, 24);
  const FilmAlignment alignment(film.aligned(), debug.aligned(), false);
  const auto places = alignment.at(1);
  ASSERT_EQ(places.size(), 2u);
  for (const FilmAlignment::Place& place : places) {
    if (place.lanes == kLow) {
      EXPECT_EQ(place.step, 3u);
      EXPECT_EQ(place.position, (DebugPosition{Kind::kAfter, 2}));
    } else {
      EXPECT_EQ(place.lanes, kHigh);
      EXPECT_EQ(place.step, std::nullopt);  // it has reached only line 1
    }
  }
}

// Reading damaged debug information ends and never gives a place outside the function.
TEST_F(VariablesTest, DamagedDebugInformationIsReadAsFarAsItMakesSense) {
  const Result<compile::Compiler> compiler = compile::Compiler::load();
  ASSERT_TRUE(compiler.ok());
  compile::CompileInput input;
  input.source =
      "struct P { P* next; int a; };\n__global__ void k(P* p, int n) { int s[4]; for (int i = 0; i "
      "< n; ++i) s[i & 3] = p->a; p->a = s[n & 3]; }";
  input.file_name = "k.cu";
  input.prelude = false;
  const Result<DebugBuild> build = build_debug(*compiler, input, "k");
  ASSERT_TRUE(build.ok()) << render(build.errors());
  const std::string& text = build->kernel.file->ptx;
  const ptx::Module& module = *build->kernel.file->module;
  const size_t sections = text.find(".section");
  ASSERT_NE(sections, std::string::npos);
  uint64_t random = 12345;
  for (int n = 0; n < 400; ++n) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    std::string damaged = text;
    const size_t at = sections + (random >> 33) % (text.size() - sections);
    if (n % 2 == 0) {
      damaged.resize(at);
    } else if (std::isdigit(static_cast<unsigned char>(damaged[at]))) {
      damaged[at] = static_cast<char>('0' + (random >> 20) % 10);
    }
    const ptx::DebugInfo info = ptx::read_debug_info(damaged, module);
    for (const ptx::DebugFunction& f : info.functions) {
      const auto& function = module.functions.at(static_cast<size_t>(f.function));
      for (const ptx::DebugVariable& v : f.variables) {
        EXPECT_LT(v.type, static_cast<int>(info.types.size()));
        for (const ptx::DebugPlace& place : v.places) {
          EXPECT_LT(place.register_index, static_cast<int>(function.registers.size()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpshop::lab
