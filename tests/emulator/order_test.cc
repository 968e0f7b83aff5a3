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

// One thread of each block or warp counts with a load and a store, so a lock has to keep the others
// out. Buffer 0 holds a lock and the number of tries, buffer 1 the count.
struct CountingCase {
  const char* name;
  std::string body;
  bool is_right;
};

const std::string kTry = "atom.global.cas.b32 %r5, [%p0], 0, 1;";
const std::string kUntilFree = "setp.ne.u32 %q1, %r5, 0; @%q1 bra T;";
const std::string kLetsTwoIn = "setp.gt.u32 %q1, %r5, 1; @%q1 bra T;";
const std::string kGiveBack = "atom.global.exch.b32 %r7, [%p0], 0;";
const std::string kAtomicLoad = "atom.global.add.u32 %r6, [%p1], 0; add.u32 %r6, %r6, 1;";
const std::string kAtomicStore = "atom.global.exch.b32 %r7, [%p1], %r6;";
const std::string kVolatileLoad = "ld.volatile.global.u32 %r6, [%p1]; add.u32 %r6, %r6, 1;";
const std::string kVolatileStore = "st.volatile.global.u32 [%p1], %r6;";
const std::string kCountTry = "red.global.add.u32 [%p0+4], 1;";

const CountingCase kCounting[] = {
    {"a_lock", "T:" + kTry + kUntilFree + kAtomicLoad + kAtomicStore + kGiveBack, true},
    {"a_lock_around_volatile_accesses",
     "T:" + kTry + kUntilFree + kVolatileLoad + kVolatileStore + kGiveBack, true},
    {"a_lock_by_exchange",
     "T: atom.global.exch.b32 %r5, [%p0], 1;" + kUntilFree + kAtomicLoad + kAtomicStore + kGiveBack,
     true},
    {"a_lock_that_counts_tries",
     "T:" + kCountTry + kTry + kUntilFree + kAtomicLoad + kAtomicStore + kGiveBack, true},
    {"lets_two_in", "T:" + kTry + kLetsTwoIn + kAtomicLoad + kAtomicStore + kGiveBack, false},
    {"lets_two_in_to_volatile_accesses",
     "T:" + kTry + kLetsTwoIn + kVolatileLoad + kVolatileStore + kGiveBack, false},
    {"lets_two_in_and_counts_tries",
     "T:" + kCountTry + kTry + kLetsTwoIn + kAtomicLoad + kAtomicStore + kGiveBack, false},
    {"given_back_before_the_store",
     "T:" + kTry + kUntilFree + kAtomicLoad + kGiveBack + kAtomicStore, false},
    {"given_back_before_the_volatile_store",
     "T:" + kTry + kUntilFree + kVolatileLoad + kGiveBack + kVolatileStore, false},
    {"no_lock", kAtomicLoad + kAtomicStore, false},
};

uint32_t count_with(const CountingCase& c, uint64_t seed, Dim3 grid, Dim3 block) {
  LaunchOptions options;
  options.order_seed = seed;
  options.instruction_budget = 1'000'000'000;
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31; setp.ne.u32 %q0, %r1, 0; @%q0 bra "
                  "END;" +
                      c.body + "END: ret;",
                  2),
      grid, block, {Words(2), Words(1)}, options);
  EXPECT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed) << c.name << ", seed " << seed;
  EXPECT_TRUE(run.result.findings.empty()) << c.name << ", seed " << seed;
  return run.buffers[1][0];
}

TEST(OrderSeed, StopsBlocksAndWarpsBetweenTheAccessesBehindALock) {
  constexpr uint32_t kCounters = 8;
  for (const auto& [grid, block] : {std::pair{Dim3{kCounters, 1, 1}, Dim3{32, 1, 1}},
                                    {Dim3{1, 1, 1}, Dim3{32 * kCounters, 1, 1}}}) {
    for (const CountingCase& c : kCounting) {
      EXPECT_EQ(count_with(c, 0, grid, block), kCounters) << c.name;
      int lost = 0;
      for (uint64_t seed = 1; seed <= 16; ++seed) {
        const uint32_t count = count_with(c, seed, grid, block);
        EXPECT_EQ(count_with(c, seed, grid, block), count) << "one seed, one order";
        if (count != kCounters) ++lost;
      }
      EXPECT_EQ(lost == 0, c.is_right) << c.name << ": " << lost << " of 16 seeds, grid " << grid.x;
    }
  }
}

TEST(OrderSeed, ManyBlocksAtALockComeToAnEnd) {
  // Without a bound, the blocks that the one with the lock lets in try until the budget is used up.
  constexpr uint32_t kBlocks = 1500;
  for (const CountingCase& c : kCounting) {
    if (c.is_right) {
      EXPECT_EQ(count_with(c, 3, {kBlocks, 1, 1}, {32, 1, 1}), kBlocks) << c.name;
    }
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
