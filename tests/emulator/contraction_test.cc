// Products and sums that the back end fuses, compared with ptxas's output for the same PTX.
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

Words words_of(std::istringstream& line) {
  Words words;
  for (std::string word; line >> word;)
    words.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  return words;
}

// 160 random programs of products, sums and differences.
TEST(Contraction, RandomSumsOfProductsAreFusedAsByPtxas) {
  const std::string folder = std::string(WARPSHOP_TESTS_DIR) + "/emulator/contraction/";
  std::ifstream source(folder + "random.ptx");
  ptx::ParseOutput parsed =
      ptx::parse(std::string(std::istreambuf_iterator<char>(source), {}), "random.ptx");
  ASSERT_FALSE(has_errors(parsed.diagnostics)) << render(parsed.diagnostics);
  const auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  std::ifstream truth(folder + "truth.txt");
  Words in;
  int kernels = 0;
  for (std::string text; std::getline(truth, text);) {
    std::istringstream line(text);
    std::string name;
    line >> name;
    const Words expected = words_of(line);
    if (name == "in") {
      in = expected;
      continue;
    }
    SCOPED_TRACE(name);
    const Result<Program> program = Program::decode(module, name);
    ASSERT_TRUE(program.ok()) << render(program.errors());
    DeviceMemory memory;
    const DevicePointer from = *memory.allocate(in.size() * 4, "in");
    const DevicePointer to = *memory.allocate(expected.size() * 4, "out");
    std::memcpy(memory.bytes(from).data(), in.data(), in.size() * 4);
    memory.mark_written(from);
    const LaunchConfig config{.grid = {1, 1, 1},
                              .block = {1, 1, 1},
                              .dynamic_shared_bytes = 0,
                              .args = {Argument::pointer(from), Argument::pointer(to)}};
    ASSERT_TRUE(launch(*program, memory, config, {}).ok());
    Words out(expected.size());
    std::memcpy(out.data(), memory.bytes(to).data(), out.size() * 4);
    EXPECT_EQ(out, expected);
    ++kernels;
  }
  EXPECT_EQ(kernels, 160);
}

// Rounding a·a loses its low part, which a fused operation keeps.
constexpr float kA = 1.0F + 0x1p-13F;
constexpr float kB = 1.0F - 0x1p-14F;
constexpr float kC = 3.0F;

float product(float a, float b) {
  volatile float rounded = a * b;
  return rounded;
}

struct FusedCase {
  const char* name;
  const char* body;  // a and b in %f1 and %f2, c in %f3; the result in %f0; %q1 is true, %q2 false
  float expected;
};

// SASS quoted below is the output of ptxas 13.0 -O3 for sm_90.
TEST(Contraction, WhatIsFusedAndWhatIsNot) {
  const float ab = product(kA, kB);
  const float fused_difference = std::fmaf(kA, kB, -kC);
  const float apart = ab - kC;
  ASSERT_NE(std::fmaf(kA, kB, -ab), 0.0F);
  const FusedCase cases[] = {
      {"a product less a number: FFMA R7, R0, R7, -R9",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5;", std::fmaf(kA, kB, -ab)},
      {"a number less a product: FFMA R7, -R0, R7, R9",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f5, %f4;", std::fmaf(-kA, kB, ab)},
      {"two products, the first is fused: FMUL; FFMA",
       "mul.f32 %f4, %f1, %f2; mul.f32 %f6, %f1, %f2; sub.f32 %f0, %f4, %f6;",
       std::fmaf(kA, kB, -ab)},
      {"add.rn is not: FMUL; FADD", "mul.f32 %f4, %f1, %f2; sub.rn.f32 %f0, %f4, %f5;", 0.0F},
      {"mul.rn is not: FMUL; FADD", "mul.rn.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5;", 0.0F},
      {"mul.sat is not: FMUL.SAT; FADD", "mul.sat.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5;",
       std::fmin(ab, 1.0F) - ab},
      {".ftz alone is not: FMUL.FTZ; FADD", "mul.ftz.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5;",
       0.0F},
      {".ftz both is: FFMA.FTZ", "mul.ftz.f32 %f4, %f1, %f2; sub.ftz.f32 %f0, %f4, %f5;",
       std::fmaf(kA, kB, -ab)},
      {"through mov and neg: FFMA R7, -R0, R7, R9",
       "mul.f32 %f4, %f1, %f2; mov.f32 %f6, %f4; neg.f32 %f7, %f6; add.f32 %f0, %f7, %f5;",
       std::fmaf(-kA, kB, ab)},
      // Measured on an H200: fusing these would change the last bit for 31,545 of 65,536 operands.
      {"across a division, a branch, is not: FMUL; CALL.REL; FADD",
       "mul.f32 %f4, %f1, %f2; div.rn.f32 %f6, %f1, %f3; sub.f32 %f0, %f4, %f5; st.global.f32 "
       "[%p1+128], %f6;",
       0.0F},
      {"across a square root is not: FMUL; CALL.REL; FADD",
       "mul.f32 %f4, %f1, %f2; sqrt.rn.f32 %f6, %f3; sub.f32 %f0, %f4, %f5; st.global.f32 "
       "[%p1+128], %f6;",
       0.0F},
      {"across a 64-bit remainder is not: FMUL; CALL.REL; FADD",
       "mul.f32 %f4, %f1, %f2; rem.u64 %l1, %p0, %p1; sub.f32 %f0, %f4, %f5; st.global.u64 "
       "[%p1+128], %l1;",
       0.0F},
      {"across an approximate division is: FMUL; MUFU; FFMA",
       "mul.f32 %f4, %f1, %f2; div.approx.f32 %f6, %f1, %f3; sub.f32 %f0, %f4, %f5; st.global.f32 "
       "[%p1+128], %f6;",
       std::fmaf(kA, kB, -ab)},
      {"across a division that nothing needs is: FFMA",
       "mul.f32 %f4, %f1, %f2; div.rn.f32 %f6, %f1, %f3; sub.f32 %f0, %f4, %f5;",
       std::fmaf(kA, kB, -ab)},
      {"a product that is stored, too, is not: FMUL; FADD",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5; st.global.f32 [%p1+128], %f4;", 0.0F},
      {"a product that is a factor, too, is not: FMUL; FADD; FMUL",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5; mul.f32 %f6, %f4, %f3; st.global.f32 "
       "[%p1+128], %f6;",
       0.0F},
      {"a use that nothing needs does not count: FFMA",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5; mul.f32 %f6, %f4, %f3;",
       std::fmaf(kA, kB, -ab)},
      {"in two sums at once: FFMA; FFMA",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5; add.f32 %f6, %f4, %f3; st.global.f32 "
       "[%p1+128], %f6;",
       std::fmaf(kA, kB, -ab)},
      {"a product plus itself is not: FMUL; FADD",
       "mul.f32 %f4, %f1, %f2; add.f32 %f6, %f4, %f4; sub.f32 %f0, %f6, %f5; sub.f32 %f0, %f0, "
       "%f5;",
       0.0F},
      {"under a guard: @P0 FFMA",
       "mul.f32 %f4, %f1, %f2; mov.f32 %f0, %f3; @%q1 sub.f32 %f0, %f4, %f5;",
       std::fmaf(kA, kB, -ab)},
      {"a guarded product is not: @P0 FMUL; FADD",
       "mov.f32 %f4, %f3; @%q1 mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5;", 0.0F},
      {"past a barrier: BAR.SYNC; FFMA",
       "mul.f32 %f4, %f1, %f2; bar.sync 0; sub.f32 %f0, %f4, %f5;", std::fmaf(kA, kB, -ab)},
      {"past a label that nobody jumps to: FFMA",
       "mul.f32 %f4, %f1, %f2; L0: sub.f32 %f0, %f4, %f5;", std::fmaf(kA, kB, -ab)},
      {"not into another block: FMUL; FADD",
       "mul.f32 %f4, %f1, %f2; @%q2 bra L1; st.global.f32 [%p1+128], %f3; L1: sub.f32 %f0, %f4, "
       "%f5;",
       0.0F},
      {"not where only one of its sums is in its block: FMUL; FADD; FADD",
       "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f5; @%q2 bra L2; add.f32 %f6, %f4, %f3; "
       "st.global.f32 [%p1+128], %f6; L2:",
       0.0F},
      {"a constant factor, in any block: FFMA R9, R0, 0.9999, R7",
       "mul.f32 %f4, %f1, 0f3F7FFC00; @%q2 bra L3; st.global.f32 [%p1+128], %f3; L3: sub.f32 %f0, "
       "%f4, %f5;",
       std::fmaf(kA, kB, -ab)},
      {"a constant that was moved, in any block: FFMA",
       "mov.f32 %f8, 0f3F7FFC00; mul.f32 %f4, %f1, %f8; @%q2 bra L4; st.global.f32 [%p1+128], %f3; "
       "L4: sub.f32 %f0, %f4, %f5;",
       std::fmaf(kA, kB, -ab)},
      {"nothing is lost here", "mul.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f3;", fused_difference},
      {"nor here", "mul.rn.f32 %f4, %f1, %f2; sub.f32 %f0, %f4, %f3;", apart},
  };
  for (const FusedCase& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string body =
        std::string(
            "ld.global.f32 %f1, [%p0]; ld.global.f32 %f2, [%p0+4]; ld.global.f32 %f3, [%p0+8];"
            "ld.global.f32 %f5, [%p0+12]; setp.gt.f32 %q1, %f3, 0f00000000; setp.lt.f32 %q2, %f3, "
            "0f00000000;\n") +
        c.body + "\nst.global.f32 [%p1], %f0; ret;";
    const KernelRun run = run_ptx(kernel_text(body, 2), {1, 1, 1}, {1, 1, 1},
                                  {{std::bit_cast<uint32_t>(kA), std::bit_cast<uint32_t>(kB),
                                    std::bit_cast<uint32_t>(kC), std::bit_cast<uint32_t>(ab)},
                                   Words(64, 0)});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(std::bit_cast<float>(run.buffers[1][0]), c.expected);
  }
}

// HFMA2, HFMA2.BF16_V2, DFMA.
TEST(Contraction, DoublesAndHalvesAreFusedToo) {
  // 1 + 2⁻⁶ squared minus 1 + 2⁻⁵: an f16 product with 11 bits loses 2⁻¹².
  const KernelRun half = run_warp(
      "mov.b16 %h1, 0x3c10; mul.f16 %h2, %h1, %h1; mov.b16 %h3, 0x3c20; sub.f16 %h4, %h2, %h3; "
      "cvt.u32.u16 %r0, %h4;" +
      kStoreR0);
  ASSERT_EQ(errors_of(half), "");
  EXPECT_EQ(half.buffers[0][0], 0x0c00U);  // 2⁻¹²
  // bf16 has 8 bits: 1 + 2⁻⁵ squared is 1 + 2⁻⁴ + 2⁻¹⁰.
  const KernelRun brain = run_warp(
      "mov.b16 %h1, 0x3f84; mul.bf16 %h2, %h1, %h1; mov.b16 %h3, 0x3f88; sub.bf16 %h4, %h2, %h3; "
      "cvt.u32.u16 %r0, %h4;" +
      kStoreR0);
  ASSERT_EQ(errors_of(brain), "");
  EXPECT_EQ(brain.buffers[0][0], 0x3a80U);  // 2⁻¹⁰
  // 1 + 2⁻³⁰ squared is 1 + 2⁻²⁹ + 2⁻⁶⁰.
  const KernelRun wide = run_warp(
      "mul.f64 %d2, %d1, %d1; sub.f64 %d3, %d2, 0d3FF0000000800000; cvt.rn.f32.f64 %f0, %d3; "
      "mov.b32 %r0, %f0;" +
          kStoreR0,
      "", ".reg .f64 %d<4>; mov.f64 %d1, 0d3FF0000000400000;");
  ASSERT_EQ(errors_of(wide), "");
  EXPECT_EQ(wide.buffers[0][0], 0x21800000U);  // 2⁻⁶⁰
}

}  // namespace
}  // namespace warpshop::emulator::testing
