// Launches that end where two blocks race.
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

KernelRun run_blocks(const std::string& body, int threads) {
  LaunchOptions options;
  options.threads = threads;
  options.ends_at_block_races = true;
  return run_ptx(kernel_text(body, 1), {64, 1, 1}, {32, 1, 1}, {Words(64 * 32)}, options);
}

// Word `index` of the buffer gets `value`.
std::string store(const std::string& index, const std::string& value) {
  return "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;"
         "mul.wide.u32 %l0, " +
         index + ", 4; add.s64 %l1, %p0, %l0; st.global.u32 [%l1], " + value + "; ret;";
}

TEST(RacedLaunch, EndsOnSeveralThreadsAndIsCompleteOnOne) {
  const KernelRun several = run_blocks(store("%r1", "%r2"), 4);
  ASSERT_EQ(errors_of(several), "");
  EXPECT_TRUE(several.result.blocks_raced);
  EXPECT_FALSE(several.result.completed);
  const KernelRun one = run_blocks(store("%r1", "%r2"), 1);
  EXPECT_FALSE(one.result.blocks_raced);
  EXPECT_TRUE(one.result.completed);
  EXPECT_NE(one.find(FindingKind::kRace), nullptr);
}

TEST(RacedLaunch, EqualValuesAndPlacesOfEachBlockEndNothing) {
  for (const auto& [index, value] : {std::pair{"%r1", "%r1"}, std::pair{"%r3", "%r2"}}) {
    const KernelRun run = run_blocks(store(index, value), 4);
    ASSERT_EQ(errors_of(run), "");
    EXPECT_FALSE(run.result.blocks_raced) << index << ", " << value;
    EXPECT_TRUE(run.result.completed);
    EXPECT_TRUE(run.result.findings.empty());
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
