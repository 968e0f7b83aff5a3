// Cooperative launches: a grid barrier built from %envreg1 and %envreg2, as in cooperative groups.
#include <string>

#include "emulator/replay.h"
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// Like this_grid().sync(). Thread 0 of each block adds to the word at byte 4 of the address in
// %envreg1 (high) and %envreg2 (low); block 0 adds enough for the sum of all to flip the highest
// bit. Each block waits for the flip.
std::string grid_sync(const std::string& n) {
  return "mov.u32 %r10, %envreg2; mov.u32 %r11, %envreg1; mov.b64 %l0, {%r10, %r11}; setp.ne.u64 "
         "%q0, %l0, 0; @%q0 bra GO" +
         n + "; trap; GO" + n +
         ": bar.sync 0; mov.u32 %r12, %tid.x; setp.ne.u32 %q1, %r12, 0; @%q1 bra MET" + n +
         "; mov.u32 %r13, %ctaid.x; mov.u32 %r14, %nctaid.x; sub.u32 %r15, 0x80000001, %r14; "
         "setp.eq.u32 %q2, %r13, 0;"
         "selp.u32 %r16, %r15, 1, %q2; atom.add.release.gpu.u32 %r17, [%l0+4], %r16; WAIT" +
         n +
         ": ld.acquire.gpu.u32 %r18, [%l0+4]; xor.b32 %r18, %r18, %r17; setp.ge.s32 %q3, %r18, 0; "
         "@%q3 bra WAIT" +
         n + "; MET" + n + ": bar.sync 0;";
}

// Each block writes its number, then adds up those of the others. Buffer 0: one word per block,
// followed by one sum per block.
std::string sum_of_blocks(const std::string& start = {}) {
  return kernel_text(
      start +
          "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mul.wide.u32 %l1, %r1, 4; add.s64 %l1, "
          "%p0, %l1; add.u32 %r3, %r1, 1;"
          "st.global.u32 [%l1], %r3;" +
          grid_sync("A") +
          "mov.u32 %r4, 0; mov.u32 %r5, 0; mov.b64 %l2, %p0; SUM: ld.global.u32 %r6, [%l2]; "
          "add.u32 %r4, %r4, %r6;"
          "add.s64 %l2, %l2, 4; add.u32 %r5, %r5, 1; setp.lt.u32 %q4, %r5, %r2; @%q4 bra SUM;" +
          grid_sync("B") +
          "mul.wide.u32 %l3, %r2, 4; add.s64 %l3, %l1, %l3; st.global.u32 [%l3], %r4; "
          "st.global.u32 [%l1], 0; ret;",
      1);
}

KernelRun run_together(const std::string& text, uint32_t blocks,
                       const LaunchOptions& options = {}) {
  return run_ptx(text, {blocks, 1, 1}, {96, 1, 1}, {Words(2 * blocks, 0)}, options, 0, true);
}

TEST(Cooperative, TheGridMeets) {
  for (const uint32_t blocks : {1u, 2u, 100u, 1000u}) {
    for (const uint64_t seed : {0, 7}) {
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_together(sum_of_blocks(), blocks, options);
      ASSERT_EQ(errors_of(run), "");
      for (const Finding& f : run.result.findings)
        ADD_FAILURE() << name_of(f.kind) << ": " << f.message;
      for (uint32_t b = 0; b < blocks; ++b) {
        EXPECT_EQ(run.buffers[0][b], 0u);
        EXPECT_EQ(run.buffers[0][blocks + b], blocks * (blocks + 1) / 2);
      }
    }
  }
}

// Waiting costs a few polls rather than whole slices of them, and the same number in every run.
TEST(Cooperative, WaitingIsCheapAndRepeats) {
  LaunchOptions many;
  many.threads = 4;
  const KernelRun first = run_together(sum_of_blocks(), 64);
  const KernelRun second = run_together(sum_of_blocks(), 64, many);
  EXPECT_EQ(first.result.warp_instructions, second.result.warp_instructions);
  EXPECT_LT(first.result.warp_instructions, 64u * 3 * (64 * 6 + 100));
}

TEST(Cooperative, AllBlocksHaveToFit) {
  LaunchOptions options;
  options.limits.multiprocessors = 3;
  options.limits.resident_blocks = 6;
  EXPECT_EQ(errors_of(run_together(sum_of_blocks(), 6, options)), "");
  const std::string refused = errors_of(run_together(sum_of_blocks(), 7, options));
  EXPECT_NE(
      refused.find("needs all its 7 blocks on the GPU at the same time; 6 fit: 2 per SM on 3 SMs"),
      std::string::npos)
      << refused;
  options.blocks = {0, 2};
  EXPECT_NE(errors_of(run_together(sum_of_blocks(), 6, options)), "");
}

TEST(Cooperative, WithoutItTheTrapSaysWhatIsMissing) {
  const KernelRun run = run_ptx(sum_of_blocks(), {4, 1, 1}, {96, 1, 1}, {Words(8, 0)});
  const Finding* trap = run.find(FindingKind::kTrap);
  ASSERT_NE(trap, nullptr);
  EXPECT_NE(trap->message.english().find("not cooperative"), std::string::npos);
  EXPECT_NE(trap->cause.english().find("--cooperative"), std::string::npos);
  // A kernel that does not use the grid traps for another reason.
  const KernelRun plain = run_ptx(kernel_text("trap;", 0), {1, 1, 1}, {32, 1, 1}, {});
  ASSERT_NE(plain.find(FindingKind::kTrap), nullptr);
  EXPECT_EQ(plain.find(FindingKind::kTrap)->message.english().find("cooperative"),
            std::string::npos);
}

TEST(Cooperative, ABlockThatDoesNotComeIsFound) {
  const KernelRun run =
      run_together(sum_of_blocks("mov.u32 %r1, %ctaid.x; setp.eq.u32 %q5, %r1, 2; @%q5 exit;"), 40);
  const Finding* deadlock = run.find(FindingKind::kDeadlock);
  ASSERT_NE(deadlock, nullptr);
  EXPECT_NE(deadlock->message.english().find("1 of the 40 blocks have ended without reaching it"),
            std::string::npos)
      << deadlock->message;
  EXPECT_FALSE(run.result.completed);
}

TEST(Cooperative, OneBlockAloneIsNotPlayedBack) {
  ptx::ParseOutput parsed = ptx::parse(sum_of_blocks(), "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(program.ok());
  DeviceMemory memory;
  LaunchConfig config{.grid = {2, 1, 1},
                      .block = {96, 1, 1},
                      .cooperative = true,
                      .args = {Argument::pointer(*memory.allocate(16, "b"))}};
  EXPECT_FALSE(Replay::open(*program, std::move(memory), std::move(config), {}).ok());
}

}  // namespace
}  // namespace warpshop::emulator::testing
