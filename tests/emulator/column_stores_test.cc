// Stores down columns are deferred until their block's turn ends, which must not be observable.
#include "access/column_stores.h"

#include <gtest/gtest.h>

#include <random>

#include "kernel_fixture.h"
#include "state/launch_state.h"
#include "texture/sampler.h"

namespace warpshop::emulator::testing {
namespace {

constexpr uint32_t kStoringBlocks = 3;
constexpr uint32_t kAreaWords =
    128 * 1024;  // per block: over 1 MiB in all, so warps are not watched

// `wait`: whether stores may be deferred, which needs race detection.
KernelRun run_stores(const std::string& body, bool wait, int threads) {
  const std::string start =
      "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; and.b32 %r3, %r1, 31;"
      "mad.lo.u32 %r4, %r0, " +
      std::to_string(4 * kAreaWords) + ", " + std::to_string(2 * kAreaWords) +
      ";"
      "cvt.u64.u32 %l0, %r4; add.s64 %l1, %p0, %l0; setp.lt.u32 %q0, %r3, 13;\n";
  LaunchOptions options;
  options.threads = threads;
  options.watch_global_races = wait;
  return run_ptx(kernel_text(start + body + "ret;", 1), {kStoringBlocks, 1, 1}, {32, 2, 1},
                 {Words(kStoringBlocks * kAreaWords, 7)}, options);
}

std::string store(const std::string& guard, int64_t stride, const std::string& column, int number) {
  return "mul.wide.s32 %l2, %r3, " + std::to_string(stride) +
         "; add.s64 %l3, %l1, %l2; mul.wide.s32 %l4, " + column +
         ", 4; add.s64 %l3, %l3, %l4; mad.lo.u32 %r5, %r2, 1000, %r3; add.u32 %r5, %r5, " +
         std::to_string(number << 16) + ";" + guard + "st.global.u32 [%l3], %r5;\n";
}

// Stores down columns and elsewhere in random order, some of them to the same words.
TEST(ColumnStoresTest, TheLastStoreToAWordStays) {
  constexpr int64_t kStrides[] = {2048, 4096, -2048, -4096, 6144, 2048, 4096, 4, 128, 2052, 0};
  std::mt19937 random(7);
  int64_t stride = 2048;
  for (int seed = 0; seed < 60; ++seed) {
    std::string body;
    for (int n = 0; n < 30; ++n) {
      // Usually keep the stride of the previous store, and store to a neighbouring column.
      if (random() % 4 == 0) stride = kStrides[random() % std::size(kStrides)];
      const std::string column = random() % 3 == 0 ? "%r2" : std::to_string(random() % 70);
      body += store(random() % 8 == 0 ? "@%q0 " : "", stride, column, n);
    }
    const KernelRun plain = run_stores(body, false, 1);
    ASSERT_EQ(errors_of(plain), "");
    for (const int threads : {1, 2}) {
      const KernelRun waiting = run_stores(body, true, threads);
      ASSERT_EQ(errors_of(waiting), "");
      ASSERT_TRUE(waiting.buffers == plain.buffers) << seed << "\n" << body;
    }
  }
}

TEST(ColumnStoresTest, ALoopDownManyColumns) {
  const std::string body = "mov.u32 %r6, 0;\nLOOP:\n" + store("", 8192, "%r6", 1) +
                           "add.u32 %r6, %r6, 1; setp.lt.u32 %q1, %r6, 300; @%q1 bra LOOP;\n";
  const KernelRun run = run_stores(body, true, 2);
  ASSERT_EQ(errors_of(run), "");
  for (size_t block = 0; block < kStoringBlocks; ++block) {
    for (size_t row = 0; row < 32; ++row) {
      const size_t first = block * kAreaWords + kAreaWords / 2 + row * 2048;
      EXPECT_EQ(run.buffers[0][first], (1u << 16) + 1000 + row);
      EXPECT_EQ(run.buffers[0][first + 299], (1u << 16) + 1000 + row);
      EXPECT_EQ(run.buffers[0][first + 300], 7u);
    }
  }
}

// A block of 64 threads on one buffer, without a kernel.
struct Bench {
  static constexpr uint64_t kBase = uint64_t{0x7000} << 32;
  static constexpr uint64_t kStride = 4096;
  DecodedProgram program;
  LaunchConfig config;
  Launch launch;
  EmulationThread worker;
  Warp warp;
  DecodedFunction function;
  MicroOp op;
  std::vector<uint8_t> data = std::vector<uint8_t>(33 * kStride);
  GlobalShadow shadow{33 * kStride, 4, false};
  Region region{.base = kBase,
                .size_bytes = 33 * kStride,
                .data = data.data(),
                .name = "out",
                .shadow = &shadow,
                .stores_may_wait = true};
  AddressPattern pattern;
  uint32_t words[32];

  Bench() {
    launch.program = &program;
    launch.config = &config;
    worker.launch = &launch;
    worker.tid.resize(384 * 2);
    warp.worker = &worker;
    warp.block = &worker.block;
    warp.function = &function;
    worker.block.linear = 5;
    config.grid = {8, 1, 1};
  }
  // The warp's store to word `column` of 32 rows; each lane stores `value` plus its number.
  bool take(uint64_t column, uint32_t value, uint32_t warp_index = 0) {
    warp.index = warp_index;
    for (uint64_t lane = 0; lane < 32; ++lane)
      worker.access.address[lane] = kBase + lane * kStride + 4 * column;
    for (uint32_t lane = 0; lane < 32; ++lane) words[lane] = value + lane;
    describe(pattern, worker.access.address.data(), 0xffffffffu, 4);
    return columns.take(warp, &op, region, pattern, words);
  }
  // Records a store that is not deferred.
  void watch(uint64_t block, uint64_t column) {
    std::vector<BlockHazard> hazards;
    uint64_t address[32];
    for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = kBase + lane * kStride + 4 * column;
    shadow.on_write({.block = block, .address = address, .base = kBase, .mask = 0xffffffffu},
                    hazards);
  }
  uint32_t word(uint64_t row, uint64_t column) const {
    uint32_t value = 0;
    std::memcpy(&value, data.data() + row * kStride + 4 * column, 4);
    return value;
  }
  bool covered(uint64_t row, uint64_t column) const {
    const uint64_t at = kBase + row * kStride + 4 * column;
    return shadow.covers({.address = &at, .base = kBase, .mask = 1});
  }
  ColumnStores columns;
};

TEST(ColumnStoresTest, WaitsWhereTheLinesAreTheBlocks) {
  Bench bench;
  EXPECT_FALSE(bench.take(0, 100)) << "nobody has claimed the lines";
  bench.watch(5, 0);
  EXPECT_TRUE(bench.take(1, 100));
  EXPECT_TRUE(bench.take(2, 200));
  EXPECT_EQ(bench.word(3, 1), 0u);
  EXPECT_FALSE(bench.covered(3, 1));
  EXPECT_FALSE(bench.take(32, 300)) << "another line";
  EXPECT_EQ(bench.word(3, 1), 103u) << "what waited was made first";
  EXPECT_EQ(bench.word(31, 2), 231u);
  EXPECT_TRUE(bench.covered(3, 1));
  EXPECT_TRUE(bench.covered(31, 2));
  EXPECT_FALSE(bench.covered(31, 3));
  EXPECT_TRUE(bench.worker.findings.empty());
}

TEST(ColumnStoresTest, AnotherBlockThatCameMeanwhileIsFound) {
  Bench bench;
  bench.watch(5, 0);
  ASSERT_TRUE(bench.take(1, 100, 1));
  ASSERT_TRUE(bench.take(2, 200, 1));
  bench.watch(6, 2);  // this also writes zeros
  bench.columns.flush(bench.worker);
  EXPECT_EQ(bench.word(3, 1), 103u);
  EXPECT_EQ(bench.word(3, 2), 203u);
  EXPECT_TRUE(bench.covered(3, 1));
  ASSERT_EQ(bench.worker.findings.size(), 1u);
  const EmulationThread::FoundOnce& found = bench.worker.findings.begin()->second;
  EXPECT_EQ(found.finding.kind, FindingKind::kRace);
  EXPECT_EQ(found.finding.address, Bench::kBase + 8);
  EXPECT_EQ(found.warp, 1u);
  EXPECT_EQ(found.block, 5u);
}

TEST(ColumnStoresTest, AnotherBlockOnOtherWordsOfTheLinesIsNone) {
  Bench bench;
  bench.watch(5, 0);
  ASSERT_TRUE(bench.take(1, 100));
  bench.watch(6, 2);
  bench.columns.flush(bench.worker);
  EXPECT_EQ(bench.word(3, 1), 103u);
  EXPECT_TRUE(bench.covered(3, 1));
  EXPECT_TRUE(bench.covered(3, 2));
  EXPECT_TRUE(bench.worker.findings.empty());
}

}  // namespace
}  // namespace warpshop::emulator::testing
