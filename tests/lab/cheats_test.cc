// The cheats used by the proof do cheat: without the bounds on the whole kernel, they pass.
#include "proof/cheats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proof/kernel_text.h"
#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

using testing::Contains;
using testing::HasSubstr;

class CheatsTest : public RunnerTest {
 protected:
  Cheats cheats(const Step& step) const {
    const RunResult solution = run(step, step.exercise->solution);
    EXPECT_TRUE(solution.passed);
    return cheats_of(*step.exercise, solution.sizes.front());
  }
  static const Cheat* find_cheat(const Cheats& cheats, std::string_view name, std::string_view of) {
    for (const Cheat& cheat : cheats.tried) {
      if (cheat.name == name && cheat.of == of) return &cheat;
    }
    return nullptr;
  }
};

TEST_F(CheatsTest, EachMeetsTheChecksAndFailsAsAWhole) {
  Step scale = *scale_;  // only the check of a ratio
  std::erase_if(scale.exercise->checks,
                [](const CheckRule& rule) { return rule.id != "coalesced-loads"; });
  const struct {
    const Step* step;
    const char* name;
    const char* of;
  } kCases[] = {
      {&scale, "lanes one after the other", "start"},
      {&scale, "lanes one after the other", "solution"},
      {&scale, "diluting loads", "start"},
      {&scale, "one block for all", "solution"},
      {transpose_, "lanes one after the other", "start"},
  };
  for (const auto& c : kCases) {
    const Cheats all = cheats(*c.step);
    const Cheat* cheat = find_cheat(all, c.name, c.of);
    ASSERT_NE(cheat, nullptr) << c.name << " " << c.of;
    const RunResult result = run(*c.step, cheat->source);
    EXPECT_FALSE(result.passed);
    for (const CheckResult& check : result.checks) {
      EXPECT_EQ(check.passed, check.id != "whole-kernel")
          << c.name << " " << c.of << ", " << check.id << ": " << check.got << "\n"
          << cheat->source;
    }
  }
}

TEST_F(CheatsTest, InputsMadeAnewAreRightAndOfOtherInputsWrong) {
  const Cheats all = cheats(*scale_);
  const Cheat* anew = find_cheat(all, "inputs made anew", "solution");
  ASSERT_NE(anew, nullptr);
  EXPECT_TRUE(anew->other_inputs);
  EXPECT_TRUE(find_check(run(*scale_, anew->source), "correct")->passed) << anew->source;
  const Lab other = with_inputs(lab_, 1);
  EXPECT_FALSE(find_check(run(*other.find_step("scale"), anew->source), "correct")->passed);
  EXPECT_TRUE(run(*other.find_step("scale"), scale_->exercise->solution).passed);
}

TEST_F(CheatsTest, AtomicsReadTheInputs) {
  const Cheats all = cheats(*scale_);
  const Cheat* atomics = find_cheat(all, "atomics as loads", "solution");
  ASSERT_NE(atomics, nullptr);
  const RunResult result = run(*scale_, atomics->source);
  EXPECT_TRUE(find_check(result, "correct")->passed);
  EXPECT_EQ(result.sizes.front().student.counters.global_load_requests, 0U);
  EXPECT_GT(result.sizes.front().student.counters.global_atomic_requests, 0U);
  EXPECT_FALSE(result.passed);
}

// A warp waits for its one load; with the copy, there are two requests for one wait of a load, as
// the check asks, but each has been waited for.
TEST_F(CheatsTest, CopiesReadTheInputsAndTheirWaitsCount) {
  Step step = *scale_;
  CheckRule rule = step.exercise->checks.front();
  rule.id = "loads-in-flight";
  rule.metric = "global_load_requests / load_waits";
  rule.at_most = std::nullopt;
  rule.at_least = "2";
  step.exercise->checks = {rule};
  step.exercise->whole_kernel.instructions = 100;
  step.exercise->whole_kernel.memory_sectors = 100;
  step.exercise->whole_kernel.ratios = 100;
  const Cheats all = cheats_of(*step.exercise, run(step, scale_->exercise->solution).sizes.front());
  const Cheat* copies = find_cheat(all, "copies as loads", "solution");
  ASSERT_NE(copies, nullptr);
  const RunResult result = run(step, copies->source);
  EXPECT_TRUE(find_check(result, "correct")->passed) << copies->source;
  const timing::InstructionCounts& counts = result.sizes.front().student.instructions;
  EXPECT_EQ(counts.copy_waits, result.sizes.front().reference.counters.global_load_requests);
  EXPECT_TRUE(find_check(result, "loads-in-flight")->passed);
  EXPECT_FALSE(find_check(result, "whole-kernel")->passed);
  EXPECT_THAT(find_check(result, "whole-kernel")->message.english(),
              HasSubstr("copy_waits count as load_waits"));
}

TEST_F(CheatsTest, SharedArraysMoveToDynamicMemoryAndGetPadding) {
  Step step = *transpose_;
  CheckRule& rule = step.exercise->checks.emplace_back();
  rule.id = "small";
  rule.metric = "static_shared";
  rule.at_most = "32 * 33 * 4";
  const Cheats all = cheats(step);
  const Cheat* dynamic = find_cheat(all, "dynamic for static shared memory", "start");
  ASSERT_NE(dynamic, nullptr);
  const KernelRun student = run(step, dynamic->source).sizes.front().student;
  EXPECT_EQ(student.static_shared_bytes, 0U);
  EXPECT_EQ(student.dynamic_shared_bytes, 32U * 33 * 4);
  EXPECT_TRUE(student.completed);
}

TEST_F(CheatsTest, WhatCannotBeMadeIsNamed) {
  EXPECT_THAT(cheats(*scale_).left_out, Contains("local for shared memory"));
  EXPECT_THAT(cheats(*scale_).left_out, Contains("dynamic for static shared memory"));
  EXPECT_THAT(cheats(*transpose_).left_out, testing::Not(Contains("local for shared memory")));
}

TEST(KernelText, PlacesAreFoundWithoutComments) {
  const std::string text =
      "// void k(int a) { wrong }\n"
      "template <int N> __device__ int helper(int a);\n"
      "__global__ void __launch_bounds__(256) k(const float* in, /* in */ float* out) {\n"
      "  __shared__ __align__(16) float as[16][16], bs[N * (4 + 1)];  // [\n"
      "  extern __shared__ float more[];\n"
      "  float x = in[0];\n"
      "  if (x == in[1]) as[0][1] = x;\n"
      "  else { as[0][2] += 2; x = 3; }\n"
      "  for (int i = 0; i < 3; ++i) out[i] = \"};\"[0];\n"
      "}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3(n, 1), dim3(4)}; }\n";
  const std::optional<KernelText> kernel = kernel_text(text, "k");
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(kernel->has_barrier());
  EXPECT_TRUE(kernel->indexes("in"));
  ASSERT_EQ(kernel->words("x").size(), 4U);
  EXPECT_EQ(text.substr(kernel->words("x").front(), 9), "x = in[0]");
  EXPECT_FALSE(kernel->indexes("x"));
  std::vector<std::string> assignments;
  for (const TextSpan& span : kernel->array_assignments())
    assignments.push_back(text.substr(span.begin, span.end - span.begin));
  EXPECT_THAT(assignments,
              testing::ElementsAre("as[0][1] = x;", "as[0][2] += 2;", "out[i] = \"};\"[0];"));
  ASSERT_EQ(kernel->shared_declarations().size(), 1U);
  const SharedDeclaration shared = kernel->shared_declarations().front();
  EXPECT_EQ(shared.type, "float");
  ASSERT_EQ(shared.arrays.size(), 2U);
  EXPECT_EQ(shared.arrays[0].extents, (std::vector<std::string>{"16", "16"}));
  EXPECT_EQ(shared.arrays[1].name, "bs");
  EXPECT_EQ(shared.arrays[1].extents, std::vector<std::string>{"N * (4 + 1)"});
  const TextSpan in = kernel->parameter("in").value();
  EXPECT_EQ(text.substr(in.begin, 4), "in, ");
  EXPECT_FALSE(kernel->parameter("x"));
  EXPECT_FALSE(kernel_text(text, "launch_"));
  EXPECT_THAT(with_dynamic_bytes(text, "77").value(), HasSubstr("{dim3(n, 1), dim3(4), 77}"));
  EXPECT_FALSE(with_dynamic_bytes("return {1, 2, 3};", "77"));
}

}  // namespace
}  // namespace warpshop::lab
