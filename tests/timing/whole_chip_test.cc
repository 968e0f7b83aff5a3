// A whole chip running hand-written code and traces, whose cycles can be counted by hand.
#include "whole_chip/whole_chip.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpshop::timing {
namespace {

// One SM of 1.x. An instruction occupies the only scheduler for 4 cycles; its result takes 24.
WholeChipFigures round_machine() {
  WholeChipFigures m;
  m.capability = {1, 3};
  m.issue_cycles = 4;
  m.alu_latency = 24;
  m.special_latency = 28;
  m.shared_latency = 38;
  m.shared_pass = 2;
  m.shared_operand = 6;
  m.barrier = 20;
  m.memory_latency = 400;
  m.memory_pipe = 2;
  m.byte_cycles = 0.5;
  m.partitions = {.count = 2, .bytes = 256};
  m.queue_requests = 16;
  m.unit_cycles[static_cast<size_t>(Unit::kFp32)] = 4;
  m.unit_cycles[static_cast<size_t>(Unit::kSpecial)] = 16;
  return m;
}

PtxOp fma(int from, int to) {
  PtxOp op;
  op.unit = Unit::kFp32;
  op.reads = {from};
  op.writes = {to};
  return op;
}
PtxOp of_kind(PtxOp::Kind kind) {
  PtxOp op;
  op.kind = kind;
  op.unit = kind == PtxOp::Kind::kBarrier ? Unit::kNone : Unit::kMemory;
  if (kind != PtxOp::Kind::kBarrier) op.site = 0;
  return op;
}

struct Play {
  WholeChipFigures chip = round_machine();
  std::vector<PtxOp> ops;
  size_t blocks = 1;
  size_t recorded = 0;  // blocks of the trace, which repeats; 0: all
  size_t warps = 1;
  int sms = 1;
  int resident = 1;
  uint16_t passes = 2;        // per shared-memory access
  std::vector<Piece> pieces;  // per global-memory access
  uint16_t idle = 0;          // port slots without a piece, per global-memory access
  uint32_t timeline_warps = 0;

  WholeChipResult run() {
    chip.sm_count = sms;
    PtxCode code;
    code.ops = ops;
    code.blocks = {{0, static_cast<int>(ops.size())}};
    code.registers = 8;
    ChipTrace trace;
    trace.pieces = pieces;
    ChipWarp warp;
    warp.path = {{0, 1}};
    warp.accesses = {std::vector<ChipAccess>(
        ops.size(),
        {.pieces = static_cast<uint16_t>(pieces.size()), .passes = passes, .idle = idle})};
    for (size_t b = 0; b < (recorded > 0 ? recorded : blocks); ++b) {
      trace.blocks.push_back({.block = b, .warps = std::vector<ChipWarp>(warps, warp)});
    }
    ChipMemory memory(chip);
    WholeChipInput input{.chip = &chip,
                         .code = &code,
                         .trace = &trace,
                         .sms = sms,
                         .resident_blocks = resident,
                         .blocks = blocks,
                         .timeline_warps = timeline_warps};
    return simulate_chip(input, memory);
  }
};

TEST(WholeChip, AChainWaitsForEachResult) {
  Play p;
  p.ops.assign(100, fma(1, 1));
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 99 * 24 + 4);
}

// With 4 cycles of issue each, six warps hide a latency of
// 24 cycles: the published rule for this generation.
TEST(WholeChip, SixWarpsHideTheLatency) {
  Play p;
  p.ops.assign(100, fma(1, 1));
  p.warps = 6;
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 100 * 24);
  p.warps = 12;
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 100 * 12 * 4);
}

// A timeline row is a warp of the same SM: a block that comes after another starts after it.
TEST(WholeChip, TimelinesShowOneSm) {
  Play p;
  p.ops.assign(10, fma(1, 1));
  p.sms = 4;
  p.resident = 1;
  p.blocks = 8;  // two for each SM
  p.recorded = 1;
  p.warps = 8;
  p.timeline_warps = 32;
  const std::vector<WarpTimeline> rows = p.run().timelines;
  ASSERT_EQ(rows.size(), 2 * p.warps);
  double end = 0;
  for (size_t n = 0; n < rows.size(); ++n) {
    ASSERT_FALSE(rows[n].intervals.empty());
    EXPECT_EQ(rows[n].warp, n % p.warps);
    const WarpInterval& last = rows[n].intervals.back();
    if (n < p.warps) {
      EXPECT_EQ(rows[n].block, 0U);
      end = std::max(end, last.start_cycle + last.cycles);
    } else {
      EXPECT_GE(rows[n].block, 4U) << "blocks 1 to 3 run on the other SMs";
      EXPECT_GE(rows[n].intervals.front().start_cycle + 10, end) << "the SM holds one block";
    }
  }
}

TEST(WholeChip, TwoInstructionsAtOnceIfTheSecondNeedsNothingOfTheFirst) {
  Play p;
  p.chip.issue_cycles = 1;
  p.chip.alu_latency = 9;
  p.chip.unit_cycles[static_cast<size_t>(Unit::kFp32)] = 0.25;
  p.chip.issue_width = 2;
  for (int n = 0; n < 50; ++n) {
    p.ops.push_back(fma(1, 1));
    p.ops.push_back(fma(2, 2));
  }
  EXPECT_NEAR(p.run().marks.back().cycle, 49 * 9 + 1, 1);
  p.chip.issue_width = 1;
  // the second instruction of each pair issues one cycle later
  EXPECT_NEAR(p.run().marks.back().cycle, 49 * 9 + 2, 1);
}

// On 1.x, sixteen passes of 2 cycles occupy the scheduler for 32.
TEST(WholeChip, BankConflictsAreIssuedAgain) {
  Play p;
  for (int n = 0; n < 10; ++n) {
    PtxOp op = of_kind(PtxOp::Kind::kShared);
    op.writes = {n % 8};
    p.ops.push_back(op);
  }
  p.warps = 8;
  p.passes = 2;
  EXPECT_NEAR(p.run().marks.back().cycle, 10 * 8 * 4, 40);
  p.passes = 16;
  EXPECT_NEAR(p.run().marks.back().cycle, 10 * 8 * 32, 64);
}

// A multiply-add with an operand in shared memory takes 6 cycles: two thirds of the peak rate.
TEST(WholeChip, AnOperandInSharedMemoryCostsHalfAgain) {
  Play p;
  for (int n = 0; n < 100; ++n) {
    PtxOp op = fma(1, 1);
    op.operand_site = 0;
    p.ops.push_back(op);
  }
  p.warps = 16;
  EXPECT_NEAR(p.run().marks.back().cycle, 100 * 16 * 6, 40);
  p.passes = 8;  // 4-way conflicts in both half-warps: the instruction is issued four times
  EXPECT_NEAR(p.run().marks.back().cycle, 100 * 16 * 24, 80);
}

TEST(WholeChip, ABarrierWaitsForTheLast) {
  Play p;
  p.ops = {of_kind(PtxOp::Kind::kBarrier), fma(1, 1)};
  p.warps = 2;
  // The warps issue in cycles 0 and 4; 20 cycles later both continue, one after the other.
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 4 + 20 + 4 + 4);
}

// Three blocks, each with a warp that loads 64 bytes; two partitions with half a cycle per byte.
TEST(WholeChip, LoadsOfAllSmsMeetAtThePartitions) {
  Play p;
  PtxOp load = of_kind(PtxOp::Kind::kGlobalLoad);
  load.writes = {1};
  p.ops = {load, fma(1, 2)};
  p.pieces = {Piece::of(0, 64)};
  p.sms = 3;  // on 1.3: a cluster with one memory port
  p.blocks = 3;
  // All requests are made in cycle 0. The port passes one every 2 cycles, and the partition takes
  // 32 for each, so the last one has waited for 64.
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 64 + 400 + 4);
  // With 31 idle slots per access, one port for all three SMs passes one access every 64 cycles.
  p.chip.sms_per_port = 3;
  p.idle = 31;
  EXPECT_DOUBLE_EQ(p.run().marks.back().cycle, 128 + 400 + 4);
}

TEST(WholeChip, ABlockFollowsWhereOneHasEnded) {
  Play p;
  p.ops.assign(10, fma(1, 1));
  p.blocks = 3;
  const WholeChipResult r = p.run();
  ASSERT_EQ(r.marks.size(), 4U);
  EXPECT_EQ(r.marks[2].blocks, 3U);
  EXPECT_NEAR(r.marks.back().cycle, 3 * (9 * 24 + 4), 12);
}

TEST(WholeChip, AMomentOfALargeGridEndsByWork) {
  PtxCode code;
  code.ops.assign(100, fma(1, 1));
  code.blocks = {{0, 100}};
  code.registers = 8;
  ChipTrace trace;
  ChipWarp warp;
  warp.path = {{0, 50}};
  warp.accesses = {{}};
  trace.blocks.push_back({.block = 0, .warps = {warp}});
  WholeChipFigures m = round_machine();
  ChipMemory memory(m);
  WholeChipInput input{.chip = &m,
                       .code = &code,
                       .trace = &trace,
                       .sms = 1,
                       .resident_blocks = 8,
                       .blocks = 8,
                       .stationary = true,
                       .max_work = 20000};
  const WholeChipResult r = simulate_chip(input, memory);
  EXPECT_TRUE(r.cut);
  // Eight warps, 4 cycles per instruction.
  const double rate = static_cast<double>(r.marks.back().ops - r.settled.ops) /
                      (r.marks.back().cycle - r.settled.cycle);
  EXPECT_NEAR(rate, 0.25, 0.002);
}

TEST(WholeChip, ATimelineHasNoGaps) {
  Play p;
  p.ops = {fma(1, 1), of_kind(PtxOp::Kind::kBarrier), fma(1, 1), fma(1, 2)};
  p.warps = 3;
  p.chip.sm_count = 1;
  PtxCode code;
  const WholeChipResult r = [&] {
    code.ops = p.ops;
    code.blocks = {{0, static_cast<int>(p.ops.size())}};
    code.registers = 8;
    ChipTrace trace;
    ChipWarp warp;
    warp.path = {{0, 1}};
    warp.accesses = {{}};
    trace.blocks.push_back({.block = 0, .warps = std::vector<ChipWarp>(3, warp)});
    ChipMemory memory(p.chip);
    WholeChipInput input{.chip = &p.chip, .code = &code, .trace = &trace, .timeline_warps = 3};
    return simulate_chip(input, memory);
  }();
  ASSERT_EQ(r.timelines.size(), 3U);
  for (const WarpTimeline& line : r.timelines) {
    ASSERT_FALSE(line.intervals.empty());
    double at = line.intervals.front().start_cycle;
    for (const WarpInterval& interval : line.intervals) {
      EXPECT_DOUBLE_EQ(interval.start_cycle, at);
      at += interval.cycles;
    }
  }
}

}  // namespace
}  // namespace warpshop::timing
