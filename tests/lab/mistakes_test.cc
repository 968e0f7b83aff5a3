// What a student is told about a wrong kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/findings.h"
#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(RunnerTest, TheFirstMismatchIsNamed) {
  const RunResult result = run(
      *scale_, with(scale_->exercise->solution, "2.0f * in[i]", "(i == 17 ? 9.0f : 2.0f * in[i])"));
  EXPECT_FALSE(result.passed);
  const BufferComparison& out = result.sizes[0].outputs.at(0);
  EXPECT_EQ(out.wrong, 1U);
  ASSERT_TRUE(out.first);
  EXPECT_EQ(out.first->index, 17U);
  EXPECT_EQ(out.first->got_text, "9");
  EXPECT_THAT(find_check(result, "correct")->message, HasSubstr("out[17] is 9, expected"));
}

TEST_F(RunnerTest, AWrongResultSaysWhatIsCommonToItAndAsksTheLabsQuestion) {
  const RunResult shifted = run(*scale_, with(scale_->exercise->solution, "2.0f * in[i]",
                                              "i + 1 < n ? 2.0f * in[i + 1] : 0.0f"));
  EXPECT_THAT(
      find_check(shifted, "correct")->message,
      AllOf(HasSubstr("Each holds the value that belongs 1 place "), HasSubstr(". Which element")));
  const RunResult one_size =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n && n == 4096)"));
  EXPECT_THAT(find_check(one_size, "correct")->message,
              AllOf(HasSubstr("They were never written."),
                    HasSubstr(" everything is correct. What is special")));
}

TEST_F(RunnerTest, ElementsThatAreNeverWrittenAreWrong) {
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i < n - 1)"));
  EXPECT_EQ(result.sizes[0].outputs.at(0).first->got_text, "never written");
  EXPECT_EQ(result.sizes[0].outputs.at(0).first->index, 4095U);
}

struct BadKernel {
  const char* name;
  const char* from;
  const char* to;
  const char* kind;     // kind of the diagnostic or finding
  const char* message;  // part of the message
  const char* at;       // text on the line of the error; nullptr: any line
};

// Each message says where, what was expected and what to do, and the runner stays usable.
TEST_F(RunnerTest, BadKernelsAreExplained) {
  const BadKernel kCases[] = {
      {"does_not_compile", "2.0f * in[i]", "2.0f * inn[i]", "compile", "inn", "inn[i]"},
      {"missing_semicolon", "out[i] = 2.0f * in[i];", "out[i] = 2.0f * in[i]", "compile",
       "expected", "out[i] = 2.0f"},
      {"never_ends", "if (i < n) out[i]", "while (n > 0) out[i]", "timeout", "", nullptr},
      {"reads_past_the_buffer", "2.0f * in[i]", "2.0f * in[i + 1]", "out-of-bounds", "in",
       "in[i + 1]"},
      {"writes_far_away", "out[i] =", "out[i + 100000000] =", "out-of-bounds", "",
       "out[i + 100000000]"},
      {"too_much_shared_memory", "dim3(256)}", "dim3(256), 400000}", "launch", "shared",
       "return {"},
      {"grid_of_zero", "dim3((n + 255) / 256)", "dim3(n / 4097)", "launch",
       "gives the grid (0, 1, 1) for n = 4096: no blocks", "return {"},
      {"block_of_zero", "dim3(256)}", "dim3(32, n / 4097)}", "launch",
       "gives the block (32, 0, 1) for n = 4096: no threads", "return {"},
      {"launch_divides_by_zero", "dim3((n + 255) / 256)", "dim3(n / (n - 4096))", "launch",
       "divides by zero for n = 4096", "return {"},
      {"one_of_two_launches_is_empty", "  return {dim3((n + 255) / 256)",
       "  if (n > 5000) return {1, 1};\n  return {dim3(n / 4097)", "launch",
       "(0, 1, 1) for n = 4096", "Launch launch"},
      {"block_too_large", "dim3(256)}", "dim3(2048)}", "launch", "1024", "return {"},
      {"kernel_has_another_name", "void scale(", "void scal(", "kernel", "no kernel 'scale'",
       "void scal("},
      {"no_launch_function", "Launch launch(int n)", "Launch lunch(int n)", "launch",
       "no launch function 'launch'", "Launch lunch"},
      {"launch_with_two_parameters", "launch(int n)", "launch(int n, int m)", "launch",
       "does not fit this launch function", "Launch launch"},
      {"launch_divides_by_nothing", "dim3((n + 255) / 256)", "dim3(*(unsigned*)0)", "launch",
       "the launch function fails", nullptr},
      {"launch_never_ends", "  return {dim3(",
       "  for (volatile int i = 0; n > 0; i = i + 1) {}\n  return {dim3(", "launch", "does not end",
       "Launch launch"},
      {"another_parameter", "float* out, int n)", "float* out, int n, int m)", "launch",
       "has 4 parameters", nullptr},
      {"parameter_of_another_size", "float* out, int n)", "float* out, long long n)", "launch",
       "'n' is of type long long, but the lab passes a value of type int", "void scale("},
      {"pointer_to_wider_elements", "const float* in", "const double* in", "launch",
       "'in' is of type const double*, but the lab passes a buffer of float", "void scale("},
      {"pointer_to_integers", "float* out", "int* out", "launch",
       "'out' is of type int*, but the lab passes a buffer of float", "void scale("},
      {"swapped_parameters", "const float* in, float* out", "float* out, const float* in", "launch",
       "in a different order from the lab's call: scale(float* in, float* out, int n)",
       "void scale("},
      {"far_too_much_shared_memory", "  if (i < n)",
       "  __shared__ float s[1000][1000];\n  s[i][0] = 1; __syncthreads(); out[i] = s[0][i];\n  if "
       "(i < n)",
       "compile", "need 3,906.2 KiB", "__shared__ float s"},
  };
  for (const BadKernel& c : kCases) {
    SCOPED_TRACE(c.name);
    RunRequest bad = request(*scale_, with(scale_->exercise->solution, c.from, c.to));
    bad.instruction_budget = 20'000'000;
    const RunResult result = runner_->run(bad);
    EXPECT_FALSE(result.passed);
    EXPECT_FALSE(result.checks.empty());
    bool found = false;
    const auto look = [&](std::string_view kind, const SourcePlace& place,
                          const std::string& message) {
      const bool at_line = c.at == nullptr || place.line == line_of(bad.source, c.at);
      found |= kind == c.kind && at_line && message.find(c.message) != std::string::npos &&
               place.file == "scale.cu";
    };
    std::string seen = render(result.diagnostics);
    for (const Diagnostic& d : result.diagnostics) look(d.kind.name(), d.place, d.message);
    for (const SizeResult& size : result.sizes) {
      for (const emulator::Finding& finding : size.student.findings) {
        look(emulator::name_of(finding.kind), finding.place, finding.message);
        seen += "\n" + std::string(emulator::name_of(finding.kind)) + " " + finding.place.file +
                ":" + std::to_string(finding.place.line) + " " + finding.message;
      }
    }
    EXPECT_TRUE(found) << seen;
  }
  EXPECT_TRUE(run(*scale_, scale_->exercise->solution).passed) << "the runner works on";
}

TEST_F(RunnerTest, AMisspelledNameIsGuessed) {
  const std::string& source = scale_->exercise->solution;
  const struct {
    const char* from;
    const char* to;
    const char* help;
  } kNames[] = {
      {"void scale(", "void sclae(", "did you mean 'scale'? Line 2 calls it 'sclae'"},
      {"void scale(", "void mine(",
       "the lab runs the kernel 'scale': give 'mine' in line 2 that name"},
      {"Launch launch(int n)", "Launch lunch(int n)",
       "did you mean 'launch'? Line 7 calls it 'lunch'"},
  };
  for (const auto& c : kNames) {
    const RunResult result = run(*scale_, with(source, c.from, c.to));
    ASSERT_EQ(result.diagnostics.size(), 1U) << c.to << render(result.diagnostics);
    EXPECT_EQ(result.diagnostics.front().help, c.help);
  }
}

TEST_F(RunnerTest, AnEmptyTextIsToldInOneSentence) {
  const char* empty = "the file is empty: there is no kernel";
  const std::pair<const char*, const char*> kCases[] = {
      {"", empty},
      {" \n\t\n", empty},
      {"// a note\n/* and\nanother */\n", "there is no kernel: the file has only comments"},
  };
  for (const auto& [source, message] : kCases) {
    const RunResult result = run(*scale_, source);
    ASSERT_EQ(result.diagnostics.size(), 1U) << render(result.diagnostics);
    EXPECT_EQ(result.diagnostics.front().message, message);
    EXPECT_EQ(result.stage(Stage::kCompile).state, StageState::kFailed);
    EXPECT_FALSE(result.passed);
  }
}

TEST_F(RunnerTest, TypesOfTheSameElementsAreTaken) {
  const std::string& source = scale_->exercise->solution;
  for (const char* in : {"const float* __restrict__ in", "float in[]", "float const *in",
                         "const float4* in4, float* out, int n) {\n"
                         "  const float* in = (const float*)in4;\n  //"}) {
    const RunResult result = run(*scale_, with(source, "const float* in", in));
    EXPECT_TRUE(result.passed) << in << "\n" << render(result.diagnostics);
  }
}

TEST_F(RunnerTest, WhatDidNotRunHasNoFindingsThatHold) {
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "dim3(256)", "dim3(2048)"));
  const CheckResult* check = find_check(result, "no-findings");
  EXPECT_FALSE(check->passed);
  EXPECT_FALSE(check->evaluated);
  EXPECT_EQ(check->got, "not run");
  EXPECT_EQ(problems_of(result).size(), 1U) << render(result.diagnostics);
  EXPECT_EQ(count_findings(result).errors, 1U);
}

// Lane 0 reads what another lane of its warp has stored, without a __syncwarp() in between: a race
// by the rules, yet correct on every GPU built so far.
TEST_F(RunnerTest, AWarningIsCountedAndFailsOnlyWhereTheLabSaysSo) {
  const std::string source =
      with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
           "__shared__ float near[256];\n  near[threadIdx.x] = i < n ? in[i] : 0.0f;\n"
           "  if (i < n) out[i] = 2.0f * in[i] + 0.0f * near[threadIdx.x ^ 1];");
  const RunResult result = run(*scale_, source);
  const CheckResult* check = find_check(result, "no-findings");
  EXPECT_TRUE(check->passed) << check->message;
  EXPECT_EQ(check->title, "No errors found");
  EXPECT_EQ(check->got, "1 warning");
  EXPECT_THAT(check->message,
              testing::AllOf(testing::StartsWith("line "), HasSubstr("__syncwarp")));
  EXPECT_EQ(result.stage(Stage::kCheck).state, StageState::kPassed);
  EXPECT_EQ(count_findings(result).warnings, 1U);

  Step strict = *scale_;
  strict.exercise->warnings_fail = true;
  const RunResult failed = run(strict, source);
  EXPECT_FALSE(find_check(failed, "no-findings")->passed);
  EXPECT_EQ(find_check(failed, "no-findings")->title, "No findings");
  EXPECT_EQ(failed.stage(Stage::kCheck).state, StageState::kFailed);
  EXPECT_FALSE(failed.passed);
  // An error fails in every lab.
  EXPECT_FALSE(
      find_check(run(*scale_, with(source, "if (i < n) out", "if (i <= n) out")), "no-findings")
          ->passed);
}

TEST_F(RunnerTest, HeaderCheckAndListCountTheSameFindings) {
  // The read and the write are on different lines, and both are out of bounds.
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i <= n)"));
  const FindingCounts counts = count_findings(result);
  EXPECT_EQ(counts.errors, 2U);
  EXPECT_EQ(result.stage(Stage::kCheck).summary, "2 errors");
  EXPECT_EQ(find_check(result, "no-findings")->got, "2 errors");
}

TEST_F(RunnerTest, AWrongIndexIsToldAsTheIndex) {
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "if (i < n)", "if (i <= n)"));
  // 4,096 elements fill 16 blocks exactly; with 1,000, the fourth block has threads to spare.
  std::vector<std::string> messages;
  for (const FoundAt& found : findings_of(result.sizes)) messages.push_back(found.finding->message);
  EXPECT_THAT(
      messages,
      testing::Contains(testing::StartsWith(
          "in[1000] of 1,000, thread (232, 0, 0) of block (3, 0, 0): read of 4 bytes at 0x")));
  EXPECT_THAT(messages, testing::Contains(testing::StartsWith(
                            "out[1000] of 1,000, thread (232, 0, 0) of block (3, 0, 0): write")));
}

TEST_F(RunnerTest, ABlockThatNeedsTooManyRegistersIsRefusedAsOnTheGpu) {
  // 200 live values need more than 64 registers, which an SM with
  // 65,536 does not have for 1,024 threads.
  const std::string kernel =
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  float v[120];\n"
      "  for (int k = 0; k < 120; ++k) v[k] = in[(threadIdx.x + k) % n];\n"
      "  float s = 0;\n"
      "  for (int k = 0; k < 120; ++k) for (int j = k; j < 120; j += 7) s = s * v[j] + v[k];\n"
      "  out[threadIdx.x] = s;\n"
      "}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(1024)}; }\n";
  const RunResult result = run(*scale_, kernel);
  EXPECT_FALSE(result.passed);
  ASSERT_FALSE(result.diagnostics.empty());
  bool found = false;
  for (const Diagnostic& d : result.diagnostics)
    found |= d.message.english().find("registers") != std::string::npos;
  EXPECT_TRUE(found) << render(result.diagnostics);
}

TEST_F(RunnerTest, TheLabsQuestionNamesTheFirstWrongElement) {
  Step step = *scale_;
  step.exercise->wrong_result = "Who takes element {element}?";
  const RunResult result =
      run(step, with(scale_->exercise->solution, "if (i < n)", "if (i < n - 1)"));
  EXPECT_THAT(find_check(result, "correct")->message, HasSubstr("Who takes element 4,095?"));
}

// IEEE 754 defines it: infinity, or no number for 0 / 0.
TEST_F(RunnerTest, ADivisionOfFloatsByZeroIsNoFinding) {
  const RunResult result =
      run(*scale_, with(scale_->exercise->solution, "2.0f * in[i]", "in[i] / 0.0f"));
  EXPECT_FALSE(result.passed);
  EXPECT_FALSE(find_finding(result.sizes, emulator::FindingKind::kDivisionByZero));
}

struct RemovedCode {
  const char* name;
  const char* from;
  const char* to;
  emulator::FindingKind kind;
  Severity severity;
  const char* message;
  const char* at;  // text on the line of the finding
};

// In each case, the optimised kernel no longer contains the faulty instruction.
TEST_F(RunnerTest, WhatTheCompilerRemovedIsFound) {
  using Kind = emulator::FindingKind;
  const RemovedCode kCases[] = {
      {"a_variable_that_is_zero", "if (i < n) out[i] = 2.0f * in[i];",
       "int zero = 0;\n  if (i < n) out[i] = in[n / zero];", Kind::kDivisionByZero,
       Severity::kError, " / 0, thread (0, 0, 0) of block (0, 0, 0): integer division by zero",
       "in[n / zero]"},
      {"zero_after_a_loop", "if (i < n) out[i] = 2.0f * in[i];",
       "int d = 4;\n  for (int s = 4; s > 0; s /= 2) d -= s / 2;\n  if (i < n) out[i] = in[i % (d "
       "- 1)];",
       Kind::kDivisionByZero, Severity::kError, " % 0, thread", "in[i % (d - 1)]"},
      {"a_constant", "2.0f * in[i]", "in[i / 0]", Kind::kDivisionByZero, Severity::kError,
       "the divisor is always 0", "in[i / 0]"},
      {"a_remainder", "2.0f * in[i]", "in[i % 0]", Kind::kDivisionByZero, Severity::kError,
       "the divisor is always 0", "in[i % 0]"},
      {"no_value", "if (i < n) out[i] = 2.0f * in[i];", "float sum;\n  if (i < n) out[i] = sum;",
       Kind::kUninitialised, Severity::kError, "\"sum\" is used before its value is set",
       "out[i] = sum"},
      {"outside_of_an_array", "if (i < n) out[i] = 2.0f * in[i];",
       "float own[4];\n  own[0] = in[0];\n  int k = 7;\n  if (i < n) out[i] = own[k];",
       Kind::kRemovedCode, Severity::kError, "the compiled kernel stores nothing",
       "out[i] = own[k]"},
  };
  for (const RemovedCode& c : kCases) {
    const std::string source = with(scale_->exercise->solution, c.from, c.to);
    const RunResult result = run(*scale_, source);
    EXPECT_FALSE(result.passed) << c.name;
    const std::vector<FoundAt> found = findings_of(result.sizes);
    ASSERT_EQ(found.size(), 1U) << c.name;
    const emulator::Finding& finding = *found.front().finding;
    EXPECT_EQ(finding.kind, c.kind) << c.name << ": " << finding.message;
    EXPECT_EQ(finding.severity, c.severity) << c.name;
    EXPECT_THAT(finding.message, HasSubstr(c.message)) << c.name;
    EXPECT_EQ(finding.place.line, line_of(source, c.at)) << c.name;
    EXPECT_FALSE(finding.cause.empty()) << c.name;
    EXPECT_FALSE(find_check(result, "no-findings")->passed) << c.name;
    // Reported only once: as a finding, not as a compiler warning too.
    for (const Diagnostic& d : result.diagnostics)
      EXPECT_NE(d.place.line, finding.place.line) << c.name << ": " << render(d);
  }
}

// The loop hides what comes after it: the finding names the store that is gone.
TEST_F(RunnerTest, AnEndlessLoopNamesTheStoreThatItCost) {
  const std::string source = with(
      scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
      "float v = 0;\n  for (unsigned k = 3; k >= 0; --k) v += in[0];\n  if (i < n) out[i] = v;");
  const RunResult result = run(*scale_, source);
  const std::vector<FoundAt> found = findings_of(result.sizes);
  ASSERT_FALSE(found.empty());
  const emulator::Finding& finding = *found.front().finding;
  EXPECT_EQ(finding.kind, emulator::FindingKind::kTimeout);
  EXPECT_EQ(finding.place.line, line_of(source, "k >= 0"));
  EXPECT_THAT(finding.message,
              HasSubstr("the loop here never ends, so the compiler has removed the "
                        "store in line " +
                        std::to_string(line_of(source, "out[i] = v"))));
}

// Each block overwrites what the one before it has stored in its first element: right in ascending
// order alone. The accesses are volatile or relaxed, so the race checks have nothing to say.
TEST_F(RunnerTest, AResultThatDependsOnTheOrderOfTheBlocksIsFound) {
  const std::string store = "if (i < n) out[i] = 2.0f * in[i];";
  const char* const kToTheNext[] = {
      "volatile float* o = out;\n"
      "  if (threadIdx.x == 0 && i + 256 < n) o[i + 256] = 0.0f;\n"
      "  if (i < n) o[i] = 2.0f * in[i];",
      "auto put = [&](int k, float v) {\n"
      "    asm volatile(\"st.relaxed.gpu.global.f32 [%0], %1;\" :: \"l\"(out + k), \"f\"(v) : "
      "\"memory\");\n"
      "  };\n"
      "  if (threadIdx.x == 0 && i + 256 < n) put(i + 256, 0.0f);\n"
      "  if (i < n) put(i, 2.0f * in[i]);"};
  for (const char* body : kToTheNext) {
    SCOPED_TRACE(body);
    RunRequest racing = request(*scale_, with(scale_->exercise->solution, store, body));
    racing.threads = 1;  // ascending order
    const RunResult result = runner_->run(racing);
    EXPECT_TRUE(result.sizes.at(0).correct);
    EXPECT_FALSE(find_check(result, "no-findings")->passed);
    const std::vector<FoundAt> found = findings_of(result.sizes);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().finding->kind, emulator::FindingKind::kRace);
    EXPECT_THAT(found.front().finding->message, HasSubstr("in another order"));
  }
  const RunResult sound = run(*scale_, with(scale_->exercise->solution, store,
                                            "volatile float* o = out;\n"
                                            "  if (i < n) o[i] = 2.0f * in[i];\n"
                                            "  __threadfence();"));
  EXPECT_TRUE(find_check(sound, "no-findings")->passed);
}

// Warps hand values on through shared memory without a barrier: right in ascending order alone.
// Relaxed accesses and atomics do not race.
TEST_F(RunnerTest, SoIsOneThatDependsOnTheOrderOfWarps) {
  const std::string store = "if (i < n) out[i] = 2.0f * in[i];";
  const std::string through_shared =
      "  const int t = threadIdx.x;\n"
      "  if (t == 0) put(&s[0], 0);\n"
      "  int before = 0;\n"
      "  if (t >= 32 && t % 32 == 0) before = get(&s[t / 32]);\n"
      "  if (t % 32 == 0) put(&s[t / 32 + 1], 1);\n"
      "  before = __shfl_sync(0xffffffffu, before, 0);\n"
      "  if (i < n) out[i] = (t < 32 || before == 1 ? 2.0f : 0.0f) * in[i];";
  const char* const kAccesses[] = {
      "__shared__ int s[33];\n"
      "  auto at = [](int* p) { return (unsigned)__cvta_generic_to_shared(p); };\n"
      "  auto put = [&](int* p, int v) {\n"
      "    asm volatile(\"st.relaxed.cta.shared.u32 [%0], %1;\" :: \"r\"(at(p)), \"r\"(v) : "
      "\"memory\");\n"
      "  };\n"
      "  auto get = [&](int* p) {\n"
      "    int v;\n"
      "    asm volatile(\"ld.relaxed.cta.shared.u32 %0, [%1];\" : \"=r\"(v) : \"r\"(at(p)) : "
      "\"memory\");\n"
      "    return v;\n"
      "  };\n",
      "__shared__ int s[33];\n"
      "  auto put = [&](int* p, int v) { atomicExch(p, v); };\n"
      "  auto get = [&](int* p) { return atomicAdd(p, 0); };\n"};
  for (const char* accesses : kAccesses) {
    SCOPED_TRACE(accesses);
    RunRequest hasty =
        request(*scale_, with(scale_->exercise->solution, store, accesses + through_shared));
    hasty.threads = 1;
    const RunResult result = runner_->run(hasty);
    ASSERT_FALSE(result.sizes.empty());
    EXPECT_TRUE(result.sizes.at(0).correct);
    const std::vector<FoundAt> found = findings_of(result.sizes);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().finding->kind, emulator::FindingKind::kRace);
    EXPECT_THAT(found.front().finding->message, HasSubstr("in another order"));
    const std::string with_barriers = std::string(accesses) + through_shared;
    const RunResult patient =
        run(*scale_, with(with(scale_->exercise->solution, store, with_barriers),
                          "if (t >= 32 && t % 32 == 0) before = get(&s[t / 32]);\n"
                          "  if (t % 32 == 0) put(&s[t / 32 + 1], 1);",
                          "if (t % 32 == 0) put(&s[t / 32 + 1], 1);\n"
                          "  __syncthreads();\n"
                          "  if (t >= 32 && t % 32 == 0) before = get(&s[t / 32]);"));
    EXPECT_TRUE(find_check(patient, "no-findings")->passed);
  }
}

TEST_F(RunnerTest, ADivisionThatIsNeverReachedIsNoFinding) {
  const std::string divides =
      "if (i < n) out[i] = 2.0f * in[i];\n  int zero = 0;\n  if (n < 0) out[i] = in[n / zero];";
  EXPECT_TRUE(
      run(*scale_, with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];", divides))
          .passed);
  // Here the wrong result has a different cause.
  const RunResult wrong =
      run(*scale_, with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
                        "if (i < n) out[i] = 3.0f * in[i];\n  int zero = 0;\n  if (n < 0) out[i] = "
                        "in[n / zero];"));
  EXPECT_FALSE(wrong.passed);
  EXPECT_TRUE(findings_of(wrong.sizes).empty());
}

// if (t < 8): the sums of lanes 1 to 7 are undefined, but that of lane 0 is not.
TEST_F(RunnerTest, AnUndefinedValueThatNobodyUsesFailsNoStep) {
  const std::string sums =
      "const float x = i < n ? in[i] : 0.0f;\n  float v = x;\n  if (threadIdx.x < 8) {\n    for "
      "(int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);\n  }\n"
      "  if (i < n) out[i] = 2.0f * x;\n  if (i < n && KEPT) out[i] = 2.0f * x + 0.0f * v;";
  const auto kept = [&](const char* which) {
    return run(*scale_, with(scale_->exercise->solution, "if (i < n) out[i] = 2.0f * in[i];",
                             with(sums, "KEPT", which)));
  };
  const RunResult first = kept("threadIdx.x == 0");
  EXPECT_TRUE(first.passed) << render(first.diagnostics);
  const std::vector<FoundAt> notes = findings_of(first.sizes);
  ASSERT_FALSE(notes.empty());
  for (const FoundAt& at : notes)
    EXPECT_EQ(at.finding->severity, Severity::kNote) << at.finding->message;
  const RunResult all = kept("threadIdx.x < 8");
  EXPECT_TRUE(all.passed);  // the fixture does not make warnings fail
  ASSERT_FALSE(findings_of(all.sizes).empty());
  EXPECT_EQ(findings_of(all.sizes).front().finding->severity, Severity::kWarning);
}

}  // namespace
}  // namespace warpshop::lab
