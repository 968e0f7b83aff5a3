// The memory path of one SM, in cycles worked out by hand.
#include "one_sm/memory_path.h"

#include <gtest/gtest.h>

#include "round_chip.h"

namespace warpshop::timing {
namespace {

TEST(MemoryPath, ALineComesFromL2OnceAndThenFromL1) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(4096), {});
  MemoryPath path(chip, sharing, 128 << 10, 10);
  const LineAccess whole{.line = kLine, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  // L2 answers after 200 cycles, then 128 bytes pass a port of 64 bytes per cycle.
  EXPECT_DOUBLE_EQ(path.load(0, {&whole, 1}, 1), 202);
  // Still in flight, so the second access waits for the same answer.
  EXPECT_DOUBLE_EQ(path.load(10, {&whole, 1}, 1), 202);
  EXPECT_DOUBLE_EQ(path.load(1000, {&whole, 1}, 1), 1031);
  EXPECT_DOUBLE_EQ(path.flow().l1_hits(), 8);
}

// cp.async.cg: each copy of the same line comes from L2.
TEST(MemoryPath, WhatBypassesL1ComesFromL2EachTime) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, {}, {});
  MemoryPath path(chip, sharing, 128 << 10, 10);
  const LineAccess line{.line = kLine, .sectors = 15, .whole = 15};
  for (int n = 0; n < 3; ++n) path.load(1000 * n, {&line, 1}, 1, 0, MemoryUse::kGlobalLoad, true);
  EXPECT_DOUBLE_EQ(path.flow().read_bytes, 3 * 128);
  path.load(3000, {&line, 1}, 1);
  path.load(4000, {&line, 1}, 1);
  EXPECT_DOUBLE_EQ(path.flow().read_bytes, 4 * 128);
}

TEST(MemoryPath, TheShareOfL2IsASlowerOne) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(1 << 20), {});
  MemoryPath all(chip, sharing, 0, 10);
  double last = 0;
  for (uint64_t n = 0; n < 100; ++n) {
    const LineAccess line{.line = kLine + n, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
    last = all.load(0, {&line, 1}, 1);
  }
  // Each load takes (0.2 + 3 × 0.1) × 10 SMs = 5 cycles; the last one starts at 495.
  EXPECT_NEAR(last, 495 + 200 + 2, 1e-9);
  Sharing again;
  again.settle(chip, one_buffer(1 << 20), {});
  MemoryPath alone(chip, again, 0, 1);
  for (uint64_t n = 0; n < 100; ++n) {
    const LineAccess line{.line = kLine + n, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
    last = alone.load(0, {&line, 1}, 1);
  }
  // With a single active SM, the port is the limit: 2 cycles per line.
  EXPECT_NEAR(last, 200 + 100 * 2, 1e-9);
}

TEST(MemoryPath, ABlocksStoresAreTakenAtTheRateOfL2) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(1 << 20), {});
  MemoryPath path(chip, sharing, 0, 10);
  MemoryPath::Stored stored;
  for (uint64_t n = 0; n < 100; ++n) {
    const LineAccess part{.line = kLine + n, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}};
    stored = path.store(0, {&part, 1});
  }
  // Each store takes 0.6 × 10 = 6 cycles; the last one starts at 1 + 99 × 6.
  EXPECT_NEAR(stored.taken, 595, 1e-9);
  EXPECT_LE(stored.left, stored.taken);
}

// A store to part of a sector costs 0.6 × 10 = 6 cycles of L2, one of a whole
// sector 4; each further sector costs 3 or 2.
TEST(MemoryPath, StoresToTheSameSectorsGoToL2AsOne) {
  struct Step {
    double at;
    LineAccess access;
  };
  struct GatherCase {
    const char* what;
    std::vector<Step> steps;
    double l2_cycles;
    double l2_bytes;
  };
  const LineAccess word{.line = kLine, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}};
  const LineAccess half{.line = kLine, .sectors = 1, .whole = 0, .bytes = {16, 0, 0, 0}};
  const LineAccess next{.line = kLine, .sectors = 2, .whole = 0, .bytes = {0, 4, 0, 0}};
  const LineAccess elsewhere{.line = kLine + 1, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}};
  std::vector<Step> crowd{{0, word}};
  for (uint64_t n = 1; n <= 16; ++n)
    crowd.push_back({0, {.line = kLine + n, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}}});
  crowd.push_back({20, word});
  const GatherCase cases[] = {
      {"one word", {{0, word}}, 6, 32},
      {"two words of a sector", {{0, word}, {10, word}}, 6, 32},
      {"two halves: the sector was paid for", {{0, half}, {10, half}}, 6, 32},
      {"another sector of the line", {{0, word}, {10, next}}, 6 + 3, 64},
      {"another line", {{0, word}, {10, elsewhere}}, 6 + 6, 64},
      {"too late", {{0, word}, {200, word}}, 6 + 6, 64},
      {"sixteen lines came in between", crowd, 18 * 6, 18 * 32},
  };
  for (const GatherCase& c : cases) {
    const OneSmFigures chip = round_chip();
    Sharing sharing;
    sharing.settle(chip, one_buffer(1 << 20), {});
    MemoryPath path(chip, sharing, 128 << 10, 10);
    for (const Step& step : c.steps) path.store(step.at, {&step.access, 1});
    EXPECT_NEAR(path.totals().l2_cycles, c.l2_cycles, 1e-9) << c.what;
    EXPECT_DOUBLE_EQ(path.flow().l2_bytes(), c.l2_bytes) << c.what;
  }
}

TEST(MemoryPath, WhatWasStoredIsReadFromL1) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(4096), {});
  MemoryPath path(chip, sharing, 128 << 10, 10);
  const LineAccess whole{.line = kLine, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  const auto half = [](uint64_t line, uint8_t words) {
    return LineAccess{
        .line = line, .sectors = 1, .whole = 0, .bytes = {16, 0, 0, 0}, .words = {words, 0, 0, 0}};
  };
  const auto read = [](uint64_t line) {
    return LineAccess{
        .line = line, .sectors = 1, .whole = 1, .bytes = {32, 0, 0, 0}, .words = {0xff, 0, 0, 0}};
  };
  double now = 0;
  const auto store = [&](const LineAccess& line) { path.store(now += 1000, {&line, 1}); };
  const auto hits = [&](const LineAccess& line) {
    const double before = path.flow().l1_hits();
    path.load(now += 1000, {&line, 1}, 1);
    return path.flow().l1_hits() - before;
  };
  store(whole);
  EXPECT_DOUBLE_EQ(hits(whole), 4);
  store(half(kLine + 1, 0x0f));
  EXPECT_DOUBLE_EQ(hits(half(kLine + 1, 0x03)), 1) << "these words are there";
  EXPECT_DOUBLE_EQ(hits(read(kLine + 1)), 0) << "half of the sector is not there";
  EXPECT_DOUBLE_EQ(hits(read(kLine + 1)), 1) << "now it is, from L2";
  store(half(kLine + 2, 0x0f));
  store(half(kLine + 2, 0x0f));
  EXPECT_DOUBLE_EQ(hits(read(kLine + 2)), 0) << "the same half twice";
  store(half(kLine + 3, 0x0f));
  store(half(kLine + 3, 0xf0));
  EXPECT_DOUBLE_EQ(hits(read(kLine + 3)), 1);
}

// With a single active SM, L2 takes more than the SM can send: a cycle for each sector of a line,
// and one more if not all are whole.
TEST(MemoryPath, AnSmSendsASectorInACycle) {
  OneSmFigures chip = round_chip();
  chip.l2_write = chip.l2_write_sector = chip.l2_partial = chip.l2_partial_sector = 0.01;
  struct Case {
    const char* what;
    uint8_t sectors;
    uint8_t whole;
    double cycles;
  };
  for (const Case& c : {Case{"a word", 1, 0, 2}, Case{"a sector", 1, 1, 1},
                        Case{"a line", 15, 15, 4}, Case{"parts of four", 15, 0, 5}}) {
    Sharing sharing;
    sharing.settle(chip, one_buffer(1 << 20), {});
    MemoryPath path(chip, sharing, 0, 1);
    MemoryPath::Stored stored;
    for (uint64_t n = 0; n < 1000; ++n) {
      LineAccess line{.line = kLine + n, .sectors = c.sectors, .whole = c.whole};
      line.bytes.fill(c.whole != 0 ? 32 : 4);
      line.words.fill(c.whole != 0 ? 0xff : 1);
      stored = path.store(0, {&line, 1});
    }
    EXPECT_NEAR(stored.taken, 1000 * c.cycles, 10) << c.what;
  }
}

TEST(MemoryPath, ALaunchsFirstAccessWaits) {
  OneSmFigures chip = round_chip();
  chip.first_access = 70;
  chip.first_access_per_sm = 3;
  Sharing sharing;
  sharing.settle(chip, one_buffer(1 << 20), {});
  MemoryPath path(chip, sharing, 128 << 10, 11);
  const auto latency = [&](uint64_t line, double now) {
    const LineAccess one{.line = line, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}};
    return path.load(now, {&one, 1}, 1) - now;
  };
  const double first = latency(kLine, 0);
  EXPECT_DOUBLE_EQ(first - latency(kLine + 1, 10000), 70 + 3 * 10);
}

// Four tags per cycle: 32 consecutive lines take 8 cycles, or as many as
// the data stage needs if that is longer.
TEST(MemoryPath, FourLinesOfALoadAreLookedUpInACycle) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(1 << 20), {});
  MemoryPath path(chip, sharing, 128 << 10, 10);
  std::vector<LineAccess> lines;
  for (uint64_t n = 0; n < 32; ++n)
    lines.push_back({.line = kLine + n, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}});
  path.load(0, {lines.data(), 32}, 1);
  EXPECT_DOUBLE_EQ(path.totals().l1_tags, 8);
  EXPECT_DOUBLE_EQ(path.load(10000, {lines.data(), 32}, 1), 10000 + 8 + 30) << "all of it is in L1";
  path.load(20000, {lines.data(), 32}, 20);
  EXPECT_DOUBLE_EQ(path.totals().l1_tags, 8 + 8 + 20);
}

// One line of each of four sets per cycle: every seventh of 256 lines takes an H200's warp 9 to 15
// cycles more than a single line, 11 in the mean (tests/microbench, "local").
TEST(MemoryPath, LinesInNoOrderMeetInASet) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  sharing.settle(chip, one_buffer(1 << 20), {});
  MemoryPath path(chip, sharing, 128 << 10, 10);
  for (uint64_t first = 0; first < 256; ++first) {
    std::vector<LineAccess> lines;
    for (uint64_t n = 0; n < 32; ++n) {
      const uint64_t line = kLine + (first + 7 * n) % 256;
      lines.push_back({.line = line, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}});
    }
    path.load(static_cast<double>(first) * 1000, {lines.data(), 32}, 1);
  }
  EXPECT_NEAR(path.totals().l1_tags / 256, 1 + 11, 1.5);
}

// When a block is replayed as another one, data that all blocks read is there already; data private
// to the block is requested again.
TEST(MemoryPath, ACopyOfABlockSharesWhatBlocksShare) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  using Who = Sharing::Who;
  const auto kind = emulator::AccessKind::kLoad;
  sharing.note(Who::kOwn, 0, kind, lanes(kBase, 4).data(), ~0U, 4);
  sharing.note(Who::kOwn, 0, kind, lanes(kBase + 4096, 4).data(), ~0U, 4);
  sharing.note(Who::kOther, 1, kind, lanes(kBase, 4).data(), ~0U, 4);
  sharing.settle(chip, one_buffer(8 << 20),
                 {.own_blocks = 1, .grid_blocks = 1e6, .seen_sms = 2, .active_sms = 2});
  MemoryPath path(chip, sharing, 128 << 10, 2);
  const LineAccess common{.line = kLine, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  const LineAccess own{.line = kLine + 32, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  for (const LineAccess& line : {common, own}) path.load(0, {&line, 1}, 1);
  EXPECT_DOUBLE_EQ(path.flow().dram_bytes(), 64 + 128) << "half of what both SMs read";
  for (const LineAccess& line : {common, own}) path.load(5000, {&line, 1}, 1, 1);
  EXPECT_DOUBLE_EQ(path.flow().l1_hits(), 4);
  EXPECT_DOUBLE_EQ(path.flow().dram_bytes(), 64 + 2 * 128);
}

// 64 bytes take 0.5 × 10 = 5 cycles of DRAM.
TEST(MemoryPath, ReadsAndWritesInEqualPartsTakeLonger) {
  constexpr uint64_t kPairs = 4000;
  struct MixCase {
    const char* what;
    bool writes;
    double cycles;  // per pair of 64 bytes
  };
  const MixCase cases[] = {{"reads alone", false, 10}, {"a read and a write: 20 % more", true, 12}};
  for (const MixCase& c : cases) {
    OneSmFigures chip = round_chip();
    chip.dram_mixed = 0.2;
    chip.l2_read = chip.l2_write = 0.02;  // low, so that L2 does not limit DRAM
    chip.l2_read_sector = chip.l2_write_sector = 0.01;
    Sharing sharing;
    const auto place = [](uint64_t n) { return kBase + n * 128; };
    for (uint64_t n = 0; n < 2 * kPairs; ++n) {
      const auto kind =
          c.writes && n % 2 == 1 ? emulator::AccessKind::kStore : emulator::AccessKind::kLoad;
      sharing.note(Sharing::Who::kOwn, 0, kind, lanes(place(n), 4).data(), 0xffff, 4);
    }
    sharing.settle(chip, one_buffer(8 << 20), {.own_blocks = 1, .grid_blocks = 1e6});
    MemoryPath path(chip, sharing, 0, 10);
    for (uint64_t n = 0; n < 2 * kPairs; ++n) {
      const LineAccess half{
          .line = place(n) / 128, .sectors = 3, .whole = 3, .bytes = {32, 32, 0, 0}};
      if (c.writes && n % 2 == 1) {
        path.store(0, {&half, 1});
      } else {
        path.load(0, {&half, 1}, 1);
      }
    }
    EXPECT_NEAR(path.totals().dram_cycles / kPairs, c.cycles, 0.2) << c.what;
  }
}

// Loads of whole lines that nobody else reads, of a grid that leaves nothing in L2. A line takes
// DRAM 10 cycles of the SM's share.
class Stream {
 public:
  explicit Stream(double row) : chip_(round_chip()) {
    chip_.dram_row = row;
    chip_.l2_read = 0.02;  // low, so that L2 does not limit DRAM
    chip_.l2_read_sector = 0.01;
    for (uint64_t n = 0; n < kLines; ++n) {
      sharing_.note(Sharing::Who::kOwn, 0, emulator::AccessKind::kLoad,
                    lanes(kBase + n * 128, 4).data(), ~0U, 4);
    }
    sharing_.settle(chip_, one_buffer(8 << 20), {.own_blocks = 1, .grid_blocks = 1e6});
  }
  // Loads the next lines at once; returns after how many cycles the last one is there.
  double load(double now, int lines) {
    double done = now;
    for (int n = 0; n < lines; ++n) {
      const LineAccess line{.line = kLine + next_++, .sectors = 15, .whole = 15};
      done = std::max(done, path_.load(now, {&line, 1}, 1));
    }
    return done - now;
  }

 private:
  static constexpr uint64_t kLines = 8192;
  OneSmFigures chip_;
  Sharing sharing_;
  MemoryPath path_{chip_, sharing_, 0, 10};
  uint64_t next_ = 0;
};

// The mean wait of M/D/1 at a load r, with a service of 40 cycles: 40 r / (2 (1 - r)).
TEST(MemoryPath, RequestsQueueAtDramBeforeItIsFull) {
  struct QueueCase {
    double apart;  // cycles from one line to the next
    double wait;
  };
  const QueueCase cases[] = {{100, 20 * 0.1 / 0.9}, {20, 20 * 0.5 / 0.5}, {12.5, 20 * 0.8 / 0.2}};
  for (const QueueCase& c : cases) {
    Stream queued(40);
    Stream idle(0);
    double with = 0;
    double without = 0;
    for (int n = 0; n < 4000; ++n) {
      with = queued.load(n * c.apart, 1);
      without = idle.load(n * c.apart, 1);
    }
    EXPECT_NEAR(with - without, c.wait, 0.03 * c.wait) << c.apart;
    EXPECT_NEAR(without, 702, 1) << c.apart << ": DRAM's latency, and 128 bytes at 64 per cycle";
  }
}

// Sixteen lines take 160 cycles of the share.
TEST(MemoryPath, WhatAnSmLeftOfItsShareOfDramItMayUseLater) {
  Stream half(0);
  const double first = half.load(0, 16);
  EXPECT_NEAR(first, 700 + 160, 15) << "all SMs begin at once";
  for (int n = 1; n < 20; ++n) {
    EXPECT_NEAR(half.load(320.0 * n, 16), 700 + 2 * 16, 5) << n << ": others are idle meanwhile";
  }
  Stream twice(0);
  double last = 0;
  for (int n = 0; n < 100; ++n) last = 80.0 * n + twice.load(80.0 * n, 16);
  EXPECT_NEAR(last, 700 + 100 * 160, 200) << "nothing is left";
}

// tests/microbench/results/h200_paths.jsonl, "same_counted": load sectors of L2 if each window is
// read by 1, 2 and 4 neighbours. L2's time falls with them.
TEST(MemoryPath, WhatNeighboursReadTogetherTakesLessOfL2) {
  struct Case {
    const char* what;
    bool bulk;
    int sms;
    double sectors;
  };
  constexpr double kAlone = 6291456;
  OneSmFigures chip = round_chip();
  chip.merging_sms = 4;
  using Who = Sharing::Who;
  for (const Case& c :
       {Case{"a load alone", false, 1, 6291456}, Case{"loads of two", false, 2, 3220692},
        Case{"loads of four", false, 4, 2549084}, Case{"loads of eight", false, 8, 2559032},
        Case{"a copy alone", true, 1, 6291456}, Case{"copies of two", true, 2, 3145728},
        Case{"copies of four", true, 4, 1656688}}) {
    Sharing sharing;
    for (int sm = 0; sm < c.sms; ++sm) {
      sharing.note(sm == 0 ? Who::kOwn : Who::kOther, sm, emulator::AccessKind::kLoad,
                   lanes(kBase, 4).data(), ~0U, 4, 7);
    }
    sharing.settle(chip, one_buffer(4096),
                   {.own_blocks = 1,
                    .grid_blocks = 64,
                    .seen_sms = static_cast<double>(c.sms),
                    .active_sms = 64});
    MemoryPath path(chip, sharing, 0, 64);
    const LineAccess whole{.line = kLine, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
    if (c.bulk) {
      path.bulk(0, {&whole, 1});
    } else {
      path.load(0, {&whole, 1}, 1);
    }
    const double part = c.sectors / kAlone;
    EXPECT_NEAR(path.flow().l2_read_sectors, 4 * part, 4 * 0.01) << c.what;
    // Four sectors take L2 0.5 cycles of the chip's time.
    EXPECT_NEAR(path.totals().l2_cycles, 64 * 0.5 * part, 64 * 0.5 * 0.01) << c.what;
  }
}

// Ten SMs visit a sector of one line: one of four slices does all the
// work, and each SM gets a tenth of its time.
TEST(MemoryPath, AtomicsOnOneLineKeepOneSliceBusy) {
  struct AtomicCase {
    const char* what;
    uint8_t visits;
    uint8_t whole_visits;
    bool all_sms;
    bool returned;  // the old value is used
    double cycles;  // per access
  };
  const AtomicCase cases[] = {
      {"a word that all SMs add to: 0.5 × 4 slices × 10 SMs", 1, 0, true, true, 20},
      {"32 lanes on that word", 32, 0, true, false, 640},
      {"a whole sector: 0.4 × 4 × 10", 0, 1, true, false, 16},
      {"a word of this SM alone: any slice, and the line is not at hand, 0.6 × 10", 1, 0, false,
       false, 6},
      {"its old value is wanted: 0.7 × 10", 1, 0, false, true, 7},
      {"three lanes on it: (0.6 + 2 × 0.5) × 10", 3, 0, false, false, 16},
      {"whole sectors cost the same wherever they lie: 0.4 × 10", 0, 1, false, true, 4},
  };
  for (const AtomicCase& c : cases) {
    const OneSmFigures chip = round_chip();
    Sharing sharing;
    for (int sm = 0; sm < (c.all_sms ? 10 : 1); ++sm) {
      sharing.note(sm == 0 ? Sharing::Who::kOwn : Sharing::Who::kOther, sm,
                   emulator::AccessKind::kAtomic, lanes(kBase, 0).data(), 1, 4);
    }
    sharing.note_visits(kLine, 1);
    Sharing::Extent extent;
    extent.active_sms = extent.seen_sms = 10;
    sharing.settle(chip, one_buffer(4096), extent);
    MemoryPath path(chip, sharing, 128 << 10, 10);
    const LineAccess access{
        .line = kLine, .sectors = 1, .visits = c.visits, .whole_visits = c.whole_visits};
    for (int n = 0; n < 1000; ++n) path.atomic(0, {&access, 1}, 0, c.returned);
    EXPECT_NEAR(path.drained(), 1000 * c.cycles, 2 * c.cycles + 201) << c.what;
  }
}

// Loads of other lines are not slowed down by the line that atomics compete for.
TEST(MemoryPath, LoadsPassABusySlice) {
  const OneSmFigures chip = round_chip();
  Sharing sharing;
  for (int sm = 0; sm < 10; ++sm) {
    sharing.note(sm == 0 ? Sharing::Who::kOwn : Sharing::Who::kOther, sm,
                 emulator::AccessKind::kAtomic, lanes(kBase, 0).data(), 1, 4);
  }
  sharing.note_visits(kLine, 1);
  Sharing::Extent extent;
  extent.active_sms = extent.seen_sms = 10;
  sharing.settle(chip, one_buffer(4096), extent);
  MemoryPath path(chip, sharing, 128 << 10, 10);
  const LineAccess access{.line = kLine, .sectors = 1, .visits = 10};
  path.atomic(0, {&access, 1});  // from cycle 1 on: 200 cycles of its slice, 50 of L2
  const LineAccess whole{.line = kLine + 8, .sectors = 15, .whole = 15};
  EXPECT_DOUBLE_EQ(path.load(2, {&whole, 1}, 1), 1 + 50 + 200 + 2);
}

}  // namespace
}  // namespace warpshop::timing
