// One SM running hand-written machine code, whose cycles can be counted by hand.
#include "one_sm/simulate.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

OneSmFigures plain_chip() {
  OneSmFigures chip;
  chip.sm_count = 1;
  chip.cycles_per_us = 1000;
  chip.barrier = 10;
  chip.barrier_per_warp = 2;
  chip.block_refill = 100;
  chip.shared_latency = 30;
  chip.l1_latency = 30;
  chip.l2_latency = 200;
  chip.l2_slices = 1;
  return chip;
}

MachineOp arithmetic(int stall) {
  MachineOp op;
  op.pipe = MachinePipe::kFma;
  op.stall_cycles = static_cast<uint8_t>(stall);
  op.ptx_line = 5;
  return op;
}

MachineOp barrier() {
  MachineOp op;
  op.kind = MachineKind::kBarrier;
  op.ptx_line = 6;
  return op;
}

MachineOp texture_fetch() {
  MachineOp op;
  op.kind = MachineKind::kTexture;
  op.pipe = MachinePipe::kTexture;
  op.ptx_line = 8;
  return op;
}

MachineOp constant_load() {
  MachineOp op;
  op.kind = MachineKind::kConstantLoad;
  op.ptx_line = 7;
  return op;
}

// Runs `blocks` blocks of `warps` warps, each of which executes the code once. Each shared load
// takes `wavefronts` wavefronts.
SimulationResult run(const std::vector<MachineOp>& ops, size_t blocks, size_t warps, int resident,
                     uint32_t timelines = 0, uint16_t wavefronts = 1, size_t played = 0) {
  const OneSmFigures chip = plain_chip();
  CodeMap code;
  code.ops = ops;
  code.site_of_op.assign(ops.size(), -1);
  std::vector<std::vector<MemoryOp>> accesses;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind != MachineKind::kSharedLoad) continue;
    code.site_of_op[i] = static_cast<int>(accesses.size());
    accesses.push_back({{.wavefronts = wavefronts}});
  }
  code.pieces = {{{.ranges = {{0, static_cast<int>(ops.size())}}}}};
  Trace trace;
  for (size_t b = 0; b < blocks; ++b) {
    BlockTrace block{.block = b, .warps = {}};
    for (size_t w = 0; w < warps; ++w) block.warps.push_back({.path = {{0, 1}}, .ops = accesses});
    trace.blocks.push_back(block);
  }
  Sharing sharing;
  sharing.settle(chip, {}, {});
  MemoryPath memory(chip, sharing, 1 << 16, 1);
  SimulationInput input{.chip = &chip, .code = &code, .trace = &trace, .resident_blocks = resident};
  input.timeline_warps = timelines;
  input.blocks = played;
  return simulate(input, memory);
}

TEST(Simulate, OneWarpWaitsOutItsFixedDelays) {
  const SimulationResult r = run(std::vector<MachineOp>(100, arithmetic(4)), 1, 1, 1);
  EXPECT_DOUBLE_EQ(r.marks.back().cycle, 99 * 4);
  EXPECT_EQ(r.marks.back().instructions, 100U);
}

// 32 warps, eight per scheduler: each scheduler issues one instruction per cycle.
TEST(Simulate, ManyWarpsIssueInEveryCycle) {
  const SimulationResult r = run(std::vector<MachineOp>(100, arithmetic(4)), 1, 32, 1);
  EXPECT_NEAR(r.marks.back().cycle, 8 * 100 - 1, 4);
}

// An instruction that reads two registers of one bank occupies the bank's port for two cycles.
TEST(Simulate, RegisterPortsHalveTheRate) {
  MachineOp op = arithmetic(4);
  op.bank_reads = {2, 1};
  const SimulationResult r = run(std::vector<MachineOp>(100, op), 1, 32, 1);
  EXPECT_NEAR(r.marks.back().cycle, 8 * 100 * 2 - 2, 8);
}

// Both warps arrive in cycle 0. The barrier takes 2 cycles per warp, and 10 after the last one.
TEST(Simulate, ABarrierHoldsUntilTheLastHasCome) {
  const SimulationResult r = run({barrier(), arithmetic(1)}, 1, 2, 1);
  EXPECT_DOUBLE_EQ(r.marks.back().cycle, 14);
  EXPECT_NEAR(r.marks.back().state_cycles[static_cast<size_t>(WarpState::kBarrier)], 2 * 13, 1e-9);
}

// Four schedulers could issue four per cycle, but they share a unit that takes two cycles for each.
TEST(Simulate, ConstantLoadsOfAllWarpsWaitForOneUnit) {
  const SimulationResult r = run(std::vector<MachineOp>(100, constant_load()), 1, 8, 1);
  EXPECT_NEAR(r.marks.back().cycle, 8 * 100 * 2, 30);
  EXPECT_DOUBLE_EQ(r.marks.back().adu_cycles, 8 * 100 * 2);
}

TEST(Simulate, ABlockTakesThePlaceOfOneThatEnded) {
  // Three blocks of 99 × 4 cycles, one after another, with 100 cycles between them.
  const SimulationResult r = run(std::vector<MachineOp>(100, arithmetic(4)), 3, 1, 1);
  EXPECT_DOUBLE_EQ(r.marks.back().cycle, 3 * 99 * 4 + 2 * 100);
  ASSERT_EQ(r.marks.size(), 4U);
  EXPECT_EQ(r.marks[1].blocks, 2U);
}

// Eight warps load with 32 wavefronts each, 24 of which may be queued: load n is issued in cycle
// 32 n - 24. No warp waits for the load/store pipe, which each load then occupies for two cycles.
TEST(Simulate, AFullQueueOfSharedMemoryIsMioThrottleHoweverManyWait) {
  MachineOp load;
  load.kind = MachineKind::kSharedLoad;
  load.pipe = MachinePipe::kLsu;
  load.issue_cycles = 2;
  const SimulationResult r = run({load}, 1, 8, 1, 0, 32);
  const auto share = [&](WarpState state) {
    return r.marks.back().state_cycles[static_cast<size_t>(state)];
  };
  EXPECT_EQ(share(WarpState::kMathPipeThrottle), 0);
  EXPECT_NEAR(share(WarpState::kMioThrottle), 32 * (1 + 2 + 3 + 4 + 5 + 6 + 7) - 7 * 24, 8);
}

// A conflict-free load returns after 30 cycles. Each further wavefront costs the waiting warp two
// cycles but the banks only one: four loads with 32 wavefronts each keep the banks busy for 128.
TEST(Simulate, FurtherWavefrontsOfALoadComeEveryOtherCycle) {
  MachineOp load;
  load.kind = MachineKind::kSharedLoad;
  load.pipe = MachinePipe::kLsu;
  load.stall_cycles = 1;
  load.write_barrier = 0;
  MachineOp use = arithmetic(1);
  use.wait_mask = 1;
  EXPECT_DOUBLE_EQ(run({load, use}, 1, 1, 1, 0, 1).marks.back().cycle, 30);
  EXPECT_DOUBLE_EQ(run({load, use}, 1, 1, 1, 0, 2).marks.back().cycle, 30 + 2);
  EXPECT_DOUBLE_EQ(run({load, use}, 1, 1, 1, 0, 32).marks.back().cycle, 30 + 2 * 31);
  EXPECT_DOUBLE_EQ(run({load, use}, 1, 4, 1, 0, 32).marks.back().shared_cycles, 4 * 32);
}

// Two warps of one scheduler use a pipe that each instruction occupies for 16 cycles; each warp
// waits only while the other one's instruction is in it.
TEST(Simulate, AMathPipeKeepsAWarpOnlyWhileItIsBusy) {
  MachineOp op = arithmetic(1);
  op.issue_cycles = 16;
  const SimulationResult r = run({op, op}, 1, 5, 1);  // warps 0 and 4 share a scheduler
  const auto share = [&](WarpState state) {
    return r.marks.back().state_cycles[static_cast<size_t>(state)];
  };
  // Alone, a warp issues at 0 and 16. Together, one warp issues
  // twice, then the other: 0, 16, 32, 48.
  EXPECT_NEAR(share(WarpState::kMathPipeThrottle), 3 * 15 + 15 + (31 + 15), 6);
}

// Four texels per cycle for the whole SM: a warp's fetch takes
// 8 cycles, whichever scheduler issues it.
TEST(Simulate, TheTextureUnitsServeFourLanesACycle) {
  const SimulationResult r = run(std::vector<MachineOp>(50, texture_fetch()), 1, 8, 1);
  EXPECT_DOUBLE_EQ(r.marks.back().texture_cycles, 8 * 50 * 8);
  EXPECT_NEAR(r.marks.back().cycle, 8 * 50 * 8, 80);
}

// Two warps of one scheduler are always ready: one of them runs to its end first.
TEST(Simulate, ASchedulerStaysWithItsWarp) {
  const SimulationResult r = run(std::vector<MachineOp>(10, arithmetic(1)), 1, 5, 1, 5);
  EXPECT_EQ(r.timelines[0].intervals.front().state, WarpState::kSelected);
  EXPECT_DOUBLE_EQ(r.timelines[0].intervals.front().cycles, 10);
  EXPECT_DOUBLE_EQ(r.timelines[4].intervals.back().start_cycle, 10);
}

// One block was recorded and is replayed as four blocks, two at a time.
// --- Asynchronous copies ---

MachineOp of_kind(MachineKind kind, int groups_left = 0) {
  MachineOp op;
  op.kind = kind;
  op.groups_left = static_cast<uint8_t>(groups_left);
  return op;
}

// One warp: a copy of a line from L2 (230 cycles and 4 through the port to the SM), then what
// `rest` says.
SimulationResult copy_and(std::vector<MachineOp> rest) {
  const OneSmFigures chip = plain_chip();
  CodeMap code;
  code.ops = {of_kind(MachineKind::kAsyncCopy), of_kind(MachineKind::kCommitCopies)};
  code.ops.insert(code.ops.end(), rest.begin(), rest.end());
  code.site_of_op.assign(code.ops.size(), -1);
  code.target_of_op = code.site_of_op;
  code.site_of_op[0] = 0;
  code.target_of_op[0] = 1;
  code.pieces = {{{.ranges = {{0, static_cast<int>(code.ops.size())}}}}};
  Trace trace;
  trace.lines = {{.line = 8, .sectors = 15, .whole = 15}};
  const MemoryOp from{.line_count = 1};
  const MemoryOp to{.use = MemoryUse::kSharedStore};
  trace.blocks.push_back({.block = 0, .warps = {{.path = {{0, 1}}, .ops = {{from}, {to}}}}});
  Sharing sharing;
  sharing.settle(chip, {}, {});
  MemoryPath memory(chip, sharing, 1 << 16, 1);
  return simulate({.chip = &chip, .code = &code, .trace = &trace}, memory);
}

TEST(Simulate, AWaitForCopiesLastsUntilAllButTheNewestGroupsHaveArrived) {
  const SimulationResult all = copy_and({of_kind(MachineKind::kWaitForCopies), arithmetic(1)});
  const double arrives =
      200 + 2 + 1;  // latency of L2, 128 bytes at 64 per cycle, the wavefront of the store
  EXPECT_DOUBLE_EQ(all.marks.back().cycle, arrives + 1);
  const auto waited = static_cast<size_t>(WarpState::kLongScoreboard);
  EXPECT_NEAR(all.marks.back().state_cycles[waited], arrives - 2, 1e-9);
  const SimulationResult none = copy_and({of_kind(MachineKind::kWaitForCopies, 1), arithmetic(1)});
  EXPECT_DOUBLE_EQ(none.marks.back().state_cycles[waited], 0);
}

// Its shared memory is being written until then.
TEST(Simulate, ABlockStaysUntilItsCopiesHaveArrived) {
  const SimulationResult r = copy_and({arithmetic(1)});
  EXPECT_GE(r.drained, 203);
}

// --- mbarrier objects ---

// Warp 0 works for 400 cycles and arrives; warp 1 tests the phase at once.
SimulationResult meeting(uint32_t arrivals) {
  const OneSmFigures chip = plain_chip();
  MachineOp test = of_kind(MachineKind::kMbarrier);
  test.write_barrier = 0;
  MachineOp after = arithmetic(1);
  after.wait_mask = 1;
  CodeMap code;
  code.ops = std::vector<MachineOp>(100, arithmetic(4));
  code.ops.push_back(of_kind(MachineKind::kMbarrier));
  code.ops.push_back(test);
  code.ops.push_back(after);
  code.site_of_op.assign(code.ops.size(), -1);
  code.target_of_op = code.site_of_op;
  code.site_of_op[100] = 0;
  code.site_of_op[101] = 1;
  code.pieces = {{{.ranges = {{0, 101}}}}, {{.ranges = {{101, 103}}}}};
  Trace trace;
  const MemoryOp arrival{.use = MemoryUse::kSharedAtomic, .phase = 1};
  const MemoryOp success{.use = MemoryUse::kSharedAtomic, .phase = 1, .tests = true};
  BlockTrace block{.block = 0, .warps = {}, .phases = {arrivals}};
  block.warps.push_back({.path = {{0, 1}}, .ops = {{arrival}, {}}});
  block.warps.push_back({.path = {{1, 1}}, .ops = {{}, {success}}});
  trace.blocks.push_back(block);
  Sharing sharing;
  sharing.settle(chip, {}, {});
  MemoryPath memory(chip, sharing, 1 << 16, 1);
  return simulate({.chip = &chip, .code = &code, .trace = &trace}, memory);
}

TEST(Simulate, ATestOfAPhaseSucceedsWhenAllHaveArrived) {
  const SimulationResult r = meeting(1);
  EXPECT_FALSE(r.stuck);
  EXPECT_GE(r.marks.back().cycle, 400);
  EXPECT_LE(r.marks.back().cycle, 500);
  EXPECT_GE(r.marks.back().state_cycles[static_cast<size_t>(WarpState::kLongScoreboard)], 390);
}

TEST(Simulate, AWaitThatNeverEndsIsReported) { EXPECT_TRUE(meeting(2).stuck); }

TEST(Simulate, ABlockThatWasRecordedPlaysOthers) {
  const SimulationResult r = run(std::vector<MachineOp>(100, arithmetic(4)), 1, 1, 2, 0, 1, 4);
  EXPECT_EQ(r.marks.back().blocks, 4U);
  EXPECT_EQ(r.marks.back().instructions, 400U);
  EXPECT_DOUBLE_EQ(r.marks.back().cycle, 2 * 99 * 4 + 100);
}

// Only so many intervals are kept. What comes later must not lengthen the last of them.
TEST(Simulate, ALongTimelineIsCutAndSaysSo) {
  std::vector<MachineOp> ops(4000, arithmetic(4));
  for (size_t i = 0; i < ops.size(); ++i) ops[i].ptx_line = 1 + static_cast<int>(i % 2);
  const SimulationResult r = run(ops, 1, 1, 1, 1);
  ASSERT_EQ(r.timelines.size(), 1U);
  EXPECT_TRUE(r.timelines[0].cut);
  for (const WarpInterval& interval : r.timelines[0].intervals) EXPECT_LE(interval.cycles, 4);
  EXPECT_FALSE(run({arithmetic(4)}, 1, 1, 1, 1).timelines[0].cut);
}

TEST(Simulate, ATimelineHasNoGaps) {
  const SimulationResult r =
      run({arithmetic(4), barrier(), arithmetic(2), arithmetic(1)}, 1, 2, 1, 2);
  ASSERT_EQ(r.timelines.size(), 2U);
  for (const WarpTimeline& line : r.timelines) {
    ASSERT_FALSE(line.intervals.empty());
    double at = line.intervals.front().start_cycle;
    for (const WarpInterval& interval : line.intervals) {
      EXPECT_DOUBLE_EQ(interval.start_cycle, at);
      EXPECT_GT(interval.cycles, 0);
      at += interval.cycles;
    }
  }
}

}  // namespace
}  // namespace warpshop::timing
