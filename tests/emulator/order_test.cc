// The order of blocks and warps: ascending, or shuffled by a seed.
#include "run/order.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

TEST(Order, IsAPermutationOfAnyCount) {
  for (const uint64_t count : {1u, 2u, 3u, 4u, 5u, 7u, 31u, 32u, 33u, 100u, 1000u, 4097u}) {
    for (const uint64_t seed : {uint64_t{1}, uint64_t{2}, ~uint64_t{0}}) {
      const Order order(count, seed);
      std::vector<bool> seen(count);
      for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = order.at(i);
        ASSERT_LT(at, count);
        ASSERT_FALSE(seen[at]) << "count " << count << ", seed " << seed << ", position " << i;
        seen[at] = true;
      }
    }
  }
}

TEST(Order, ReachesTheLargestGridWithoutLeavingIt) {
  const uint64_t count = uint64_t{2147483647} * 65535 * 65535;
  const Order order(count, 12345);
  std::set<uint64_t> seen;
  for (uint64_t i = 0; i < 1000; ++i) {
    EXPECT_LT(order.at(i), count);
    seen.insert(order.at(i));
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(Order, SeedZeroIsAscending) {
  const Order order(1000, 0);
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(order.at(i), i);
}

// Every warp of every block takes a ticket. Buffer 0 holds the
// counter, buffer 1 each warp's ticket.
Words tickets(uint64_t seed, Dim3 grid, Dim3 block) {
  const std::string body =
      "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; setp.ne.u32 %q0, %r2, 0; @%q0 bra END;"
      "atom.global.add.u32 %r3, [%p0], 1; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; shr.u32 "
      "%r5, %r5, 5;"
      "shr.u32 %r1, %r1, 5; mad.lo.u32 %r4, %r4, %r5, %r1; mul.wide.u32 %l1, %r4, 4; add.u64 %l1, "
      "%p1, %l1;"
      "st.global.u32 [%l1], %r3; END: ret;";
  LaunchOptions options;
  options.threads = 1;
  options.order_seed = seed;
  const KernelRun run =
      run_ptx(kernel_text(body, 2), grid, block, {Words(1), Words(grid.x * block.x / 32)}, options);
  EXPECT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  return run.buffers[1];
}

TEST(OrderSeed, ShufflesBlocksAndTheWarpsOfABlock) {
  for (const auto& [grid, block] :
       {std::pair{Dim3{64, 1, 1}, Dim3{32, 1, 1}}, {Dim3{1, 1, 1}, Dim3{1024, 1, 1}}}) {
    const Words ascending = tickets(0, grid, block);
    EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
    const Words one = tickets(1, grid, block);
    EXPECT_FALSE(std::is_sorted(one.begin(), one.end()));
    EXPECT_EQ(one, tickets(1, grid, block)) << "one seed, one order";
    EXPECT_NE(one, tickets(2, grid, block));
    Words sorted = one;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, ascending) << "every warp of every block came once";
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
