// How accesses of several SMs share L2 and DRAM, worked out by hand.
#include "one_sm/sharing.h"

#include <gtest/gtest.h>

#include "round_chip.h"

namespace warpshop::timing {
namespace {

// An SM's neighbours are those of the next blocks.
TEST(Sharing, ReadsOfNeighboursAtOneMomentReachL2AsOne) {
  OneSmFigures chip = round_chip();
  chip.merging_sms = 4;
  Sharing sharing;
  using Who = Sharing::Who;
  const auto kind = emulator::AccessKind::kLoad;
  constexpr uint32_t kMoment = 7;
  const auto note = [&](Who who, int sm, uint64_t address, uint32_t moment) {
    sharing.note(who, sm, kind, lanes(address, 4).data(), 0xffff, 4, moment);
  };
  note(Who::kOwn, 0, kBase, kMoment);
  note(Who::kOwn, 0, kBase + 64, kMoment);
  note(Who::kOther, 1, kBase, kMoment);
  note(Who::kOther, 2, kBase, kMoment);
  note(Who::kOther, 1, kBase + 64, kMoment + 1);  // at another moment
  note(Who::kOther, 4, kBase, kMoment);           // a fifth
  note(Who::kOther, 32, kBase, kMoment);          // far away
  sharing.settle(chip, one_buffer(4096),
                 {.own_blocks = 1, .grid_blocks = 64, .seen_sms = 5, .active_sms = 64});
  constexpr Sharing::Parts kParts = {1, 0.5, 0.4, 0.3};
  EXPECT_DOUBLE_EQ(sharing.part_of_requests(kBase / 64, kParts), 0.4);
  EXPECT_DOUBLE_EQ(sharing.part_of_requests(kBase / 64 + 1, kParts), 1);
  EXPECT_DOUBLE_EQ(sharing.part_of_requests(kBase / 64 + 2, kParts), 1);

  // Older chips request it every time.
  chip.merging_sms = 1;
  EXPECT_DOUBLE_EQ(sharing.part_of_requests(kBase / 64, kParts), 1);
}

TEST(Sharing, BlocksOutOfStepShareLess) {
  OneSmFigures chip = round_chip();
  chip.merging_sms = 4;
  Sharing sharing;
  for (int sm = 0; sm < 2; ++sm) {
    sharing.note(sm == 0 ? Sharing::Who::kOwn : Sharing::Who::kOther, sm,
                 emulator::AccessKind::kLoad, lanes(kBase, 4).data(), ~0U, 4, 7);
  }
  sharing.settle(
      chip, one_buffer(4096),
      {.own_blocks = 1, .grid_blocks = 64, .seen_sms = 2, .active_sms = 64, .in_step = 0.5});
  EXPECT_DOUBLE_EQ(sharing.part_of_requests(kBase / 64, {1, 0.6, 0.4, 0.3}), 0.8);
}

// tests/microbench/results/h200_waves.jsonl: the sectors that groups of consecutive blocks request
// from L2, as a part of those that they read; "free", windows of 64 and 256 KiB, and "column".
TEST(Sharing, BlocksOfLaterWavesAndBesideOthersShareLess) {
  struct Case {
    int group;
    int resident;
    double waves;
    double small;
    double large;
  };
  constexpr double kParts[] = {0, 1, 0.51, 0.46, 0.41};  // of blocks in step
  for (const Case& c :
       {Case{2, 1, 1, 0.57, 0.56}, Case{2, 1, 2, 0.65, 0.65}, Case{2, 1, 4, 0.70, 0.75},
        Case{2, 1, 16, 0.81, 0.83}, Case{4, 1, 1, 0.38, 0.38}, Case{4, 1, 2, 0.48, 0.54},
        Case{4, 1, 4, 0.57, 0.61}, Case{4, 1, 16, 0.64, 0.68}, Case{2, 4, 1, 0.76, 0.77},
        Case{2, 4, 2, 0.84, 0.86}, Case{2, 4, 4, 0.90, 0.91}, Case{2, 4, 16, 0.95, 0.96},
        Case{4, 4, 1, 0.64, 0.73}, Case{4, 4, 2, 0.74, 0.83}, Case{4, 4, 4, 0.83, 0.87},
        Case{4, 4, 16, 0.91, 0.93}, Case{4, 16, 1, 0.84, 0.86}, Case{4, 16, 16, 0.90, 0.95},
        Case{4, 16, 248, 0.92, 0.95}}) {
    const double part = 1 - in_step(c.waves * c.resident, c.resident) * (1 - kParts[c.group]);
    EXPECT_NEAR(part, (c.small + c.large) / 2, 0.09)
        << c.group << " share, " << c.resident << " resident, " << c.waves << " waves";
  }
  EXPECT_DOUBLE_EQ(in_step(0.5, 8), 1) << "fewer blocks than SMs";
}

TEST(Sharing, WhatTwoSmsReadIsHalfTheWorkOfEach) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  using Who = Sharing::Who;
  const auto kind = emulator::AccessKind::kLoad;
  sharing.note(Who::kOwn, 0, kind, lanes(kBase, 4).data(), ~0U, 4);
  sharing.note(Who::kOwn, 0, kind, lanes(kBase + 128, 4).data(), ~0U, 4);
  sharing.note(Who::kOther, 1, kind, lanes(kBase, 4).data(), ~0U, 4);
  // The grid reads 4 MiB, so nothing remains from the previous launch.
  sharing.settle(chip, one_buffer(4 << 20),
                 {.own_blocks = 1, .grid_blocks = 1e6, .seen_sms = 2, .active_sms = 2});
  EXPECT_DOUBLE_EQ(sharing.resident, 0);
  EXPECT_DOUBLE_EQ(sharing.load_of(kBase / 64).read_bytes, 32);
  EXPECT_DOUBLE_EQ(sharing.load_of(kBase / 64).read_bytes, 0) << "the second time it is in L2";
  EXPECT_DOUBLE_EQ(sharing.load_of(kBase / 64 + 2).read_bytes, 64);
}

TEST(Sharing, ASmallFootprintStaysInL2) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.note(Sharing::Who::kOwn, 0, emulator::AccessKind::kLoad, lanes(kBase, 4).data(), ~0U, 4);
  sharing.settle(chip, one_buffer(1 << 19), {.own_blocks = 1, .grid_blocks = 1e6});
  EXPECT_DOUBLE_EQ(sharing.resident, 1);
  EXPECT_DOUBLE_EQ(sharing.load_of(kBase / 64).cost, 0);
}

TEST(Sharing, ASectorWrittenInPartIsReadFirst) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  using Who = Sharing::Who;
  const auto kind = emulator::AccessKind::kStore;
  sharing.note(Who::kOwn, 0, kind, lanes(kBase, 4).data(), ~0U, 4);          // four full sectors
  sharing.note(Who::kOwn, 0, kind, lanes(kBase + 4096, 32).data(), ~0U, 4);  // one word of each
  sharing.settle(chip, one_buffer(8 << 20), {.own_blocks = 1, .grid_blocks = 1e6});
  const DramUse whole = sharing.store_of(kBase / 32), part = sharing.store_of((kBase + 4096) / 32);
  EXPECT_DOUBLE_EQ(whole.read_bytes, 0);
  EXPECT_DOUBLE_EQ(whole.write_bytes, 32);
  EXPECT_DOUBLE_EQ(part.read_bytes, 32);
  EXPECT_DOUBLE_EQ(part.write_bytes, 32);
}

// Blocks of a grid access a buffer at random. L2 evicts what was used least recently: data last
// touched before the most recent `keeps` bytes came in is gone. By hand, with t accesses to a unit
// per block: w blocks bring in size × (1 − e^(−t w)), and an access misses with probability
// e^(−t w). For a buffer four times as large as what L2 keeps, e^(−t w) = 3/4.
TEST(Sharing, WhatBlocksTouchInNoOrderIsThereIfL2HasNotTurnedOver) {
  struct ChanceCase {
    const char* what;
    emulator::AccessKind kind;
    double far_touches;  // by 32 far blocks, to the units of the own block
    double grid_blocks;
    double missing;  // fraction of the SM's accesses that miss
  };
  // One block accesses 32 of the 4 MiB's units, or sectors. 32 far
  // blocks would access each of them t × 32 times.
  const double units = 4.0 * (1 << 20) / 64;
  const double sectors = 2 * units;
  const ChanceCase cases[] = {
      {"nobody comes again", emulator::AccessKind::kLoad, 0, 2000, 1},
      {"loads in no order", emulator::AccessKind::kLoad, 32 * 32 * 32 / units, 1e6, 0.75},
      {"atomics in no order", emulator::AccessKind::kReduction, 32 * 32 * 32 / sectors, 1e6, 0.75},
  };
  for (const ChanceCase& c : cases) {
    OneSmFigures chip = round_chip();
    chip.l2_keeps_bytes = 1 << 20;
    chip.l2_forgets_bytes = 2 << 20;
    Sharing sharing;
    using Who = Sharing::Who;
    const uint32_t step = 4096;  // a separate region for each lane
    sharing.note(Who::kOwn, 0, c.kind, lanes(kBase, step).data(), ~0U, 4);
    // Each unit is accessed once in full; count as many far blocks
    // as it takes for one of them to do so.
    const double far_blocks = c.far_touches > 0 ? 32 * 32 / c.far_touches : 32;
    for (int far = 0; c.far_touches > 0 && far < 32; ++far) {
      sharing.note(Who::kFar, far, c.kind,
                   lanes(kBase + static_cast<uint64_t>(far) * step, 0).data(), 1, 4);
    }
    sharing.settle(chip, one_buffer(4 << 20),
                   {.own_blocks = 1,
                    .grid_blocks = c.grid_blocks,
                    .far_blocks = far_blocks,
                    .seen_sms = 2,
                    .active_sms = 2});
    EXPECT_DOUBLE_EQ(sharing.resident, 0) << c.what;
    if (c.kind == emulator::AccessKind::kLoad) {
      EXPECT_NEAR(sharing.load_of(kBase / 64).read_bytes / 64, c.missing, 0.005) << c.what;
    } else {
      EXPECT_NEAR(sharing.store_of(kBase / 32).write_bytes / 32, c.missing, 0.005) << c.what;
    }
  }
}

// Blocks that meet in a DRAM row by chance do not make the row
// dense; blocks that access it by design do.
TEST(Sharing, AccessesInNoOrderFindTheirRowsClosed) {
  struct RowCase {
    const char* what;
    bool far_too;   // far blocks access the units as often as resident blocks do
    double factor;  // cost of a row in which the own block and seven others access one unit each
  };
  const RowCase cases[] = {
      {"neighbours share the row: 8 of its 32 units", false, 3},
      {"all blocks come everywhere: 1 of 32", true, 6},
  };
  for (const RowCase& c : cases) {
    OneSmFigures chip = round_chip();
    chip.sparse_read = {1, 2, 3, 4, 5, 6};  // if one unit in 1, 2, 4, 8, 16, 32 is accessed
    Sharing sharing;
    using Who = Sharing::Who;
    const auto kind = emulator::AccessKind::kLoad;
    sharing.note(Who::kOwn, 0, kind, lanes(kBase, 0).data(), 1, 4);
    for (int sm = 1; sm < 8; ++sm) {
      sharing.note(Who::kOther, sm, kind, lanes(kBase + static_cast<uint64_t>(sm) * 64, 0).data(),
                   1, 4);
    }
    // 3 of 100,000 far blocks access the own unit. So 8,000 blocks at a time access
    // 32 × (1 − e^(−0.24)) = 6.8 units of a row by chance.
    for (int far = 0; c.far_too && far < 3; ++far) {
      sharing.note(Who::kFar, far, kind, lanes(kBase, 0).data(), 1, 4);
    }
    sharing.settle(chip, one_buffer(uint64_t{1} << 30),
                   {.own_blocks = 1,
                    .grid_blocks = 1e7,
                    .far_blocks = 1e5,
                    .seen_sms = 8,
                    .active_sms = 8,
                    .blocks_at_once = 8000});
    const DramUse use = sharing.load_of(kBase / 64);
    EXPECT_NEAR(use.cost / (use.read_bytes / 64), c.factor, 1e-9) << c.what;
  }
}

// All SMs add to two adjacent lines: one slice does all the work. A line
// that nobody writes is in none of the slices.
TEST(Sharing, LinesThatAllAskForLieOnFewSlices) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  const auto kind = emulator::AccessKind::kReduction;
  for (int sm = 0; sm < 10; ++sm) {
    sharing.note(sm == 0 ? Sharing::Who::kOwn : Sharing::Who::kOther, sm, kind,
                 lanes(kBase, 8).data(), ~0U, 4);
  }
  sharing.note_visits(kLine, 4);
  sharing.note_visits(kLine + 1, 4);
  sharing.settle(chip, one_buffer(4096),
                 {.own_blocks = 1, .grid_blocks = 10, .seen_sms = 10, .active_sms = 10});
  EXPECT_DOUBLE_EQ(sharing.busiest_slice(kLine), 1);
  EXPECT_DOUBLE_EQ(sharing.busiest_slice(kLine + 1), 1);
  EXPECT_DOUBLE_EQ(sharing.busiest_slice(kLine + 2), 0);
}

// What an H200's counters of slices say of reductions to the first words of 4 KiB.
TEST(Sharing, AKibibyteLiesOnTwoSlices) {
  OneSmFigures chip = round_chip();
  chip.l2_slices = 94;
  struct Case {
    uint64_t lines;
    uint64_t start;  // of the buffer within 4 KiB
    double busiest;
  };
  for (const Case& c : {Case{1, 0, 1}, Case{2, 0, 1}, Case{4, 0, 1 / 2.0}, Case{8, 0, 1 / 2.0},
                        Case{16, 0, 1 / 4.0}, Case{32, 0, 1 / 8.0}, Case{128, 0, 1 / 32.0},
                        Case{8, 512, 1 / 4.0}}) {
    Sharing sharing;
    for (uint64_t line = 0; line < c.lines; ++line) {
      for (int sm = 0; sm < 10; ++sm) {
        sharing.note(sm == 0 ? Sharing::Who::kOwn : Sharing::Who::kOther, sm,
                     emulator::AccessKind::kReduction, lanes(kBase + line * 128, 4).data(), ~0U, 4);
      }
      sharing.note_visits(kLine + line, 4);
    }
    sharing.settle(chip, one_buffer(64 << 10),
                   {.own_blocks = 1,
                    .grid_blocks = 10,
                    .seen_sms = 10,
                    .active_sms = 10,
                    .buffers_start = c.start});
    EXPECT_NEAR(sharing.busiest_slice(kLine), c.busiest, 1e-9) << c.lines << " from " << c.start;
  }
}

}  // namespace
}  // namespace warpshop::timing
