// Synthetic accesses under the rules of old chips, worked out by hand.
#include "timing/model_figures.h"

#include <gtest/gtest.h>

#include "timing/counters.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;
using emulator::WarpAccess;
using emulator::WarpIdentity;
using ptx::Space;

models::GpuProfile model_gpu(const char* id) {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
}

AccessSite model_site(Space space, AccessKind kind, uint8_t bytes = 4) {
  AccessSite s;
  s.space = space;
  s.kind = kind;
  s.element_bytes = bytes;
  return s;
}

WarpAccess model_access(uint32_t site_index, Space space, uint64_t first, int64_t stride,
                        bool same_pattern = false) {
  WarpAccess a{.site = site_index, .space = space, .active_mask = 0xFFFFFFFFU, .address = {}};
  a.same_pattern = same_pattern;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    a.address[lane] = first + lane * static_cast<uint64_t>(stride);
  }
  return a;
}

WarpIdentity model_warp(uint64_t block, uint32_t warp = 0) {
  WarpIdentity w;
  w.linear_block = block;
  w.warp = warp;
  return w;
}

// The same request on three chips: floats 13 to 44 (see "What
// the first chips demanded" in the labs).
TEST(ModelFigures, CountsByTheRuleOfTheGpu) {
  struct Case {
    const char* gpu;
    uint64_t transactions;
    uint64_t bytes;
  };
  for (const Case& c : {Case{"8800-gt", 32, 1024},  // no half-warp is in order: 16 × 32 bytes each
                        {"gtx-280", 3, 224},        // 128 bytes; 32 and 64 bytes
                        {"k40c", 5, 160},           // bypasses L1: 32-byte segments
                        {"h200", 5, 160}}) {
    ModelCounter counter(model_gpu(c.gpu), 1);
    const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad),
                                           model_site(Space::kGlobal, AccessKind::kStore)};
    emulator::AccessSink* sink = counter.make_sink(sites, 0);
    sink->on_access(model_warp(0), sites[0], model_access(0, Space::kGlobal, 52, 4));
    sink->on_access(model_warp(0), sites[1], model_access(1, Space::kGlobal, 4096, 4));
    const ModelFigures figures = counter.figures();
    EXPECT_EQ(figures.load_transactions, c.transactions) << c.gpu;
    EXPECT_EQ(figures.load_bytes, c.bytes) << c.gpu;
    EXPECT_EQ(figures.load_bursts, c.bytes / 32) << c.gpu;
    EXPECT_EQ(figures.store_bytes, 128U) << c.gpu;
    EXPECT_EQ(figures.store_bursts, 4U) << c.gpu;
  }
}

// A pattern that is repeated at another address gives the same transactions there.
TEST(ModelFigures, RepeatedPatternsMove) {
  for (const bool told : {false, true}) {
    ModelCounter counter(model_gpu("gtx-280"), 100);
    const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad)};
    emulator::AccessSink* sink = counter.make_sink(sites, 0);
    // 16 steps of one warp, each 128 bytes further on: half a
    // partition at a time, one partition after another.
    for (uint64_t i = 0; i < 16; ++i) {
      sink->on_access(model_warp(0), sites[0],
                      model_access(0, Space::kGlobal, i * 128, 4, told && i > 0));
    }
    const ModelFigures figures = counter.figures();
    EXPECT_EQ(figures.load_transactions, 32U) << told;  // two of 64 bytes in each step
    // Each step uses one of eight partitions.
    ASSERT_TRUE(figures.over_time.has_value());
    EXPECT_DOUBLE_EQ(figures.over_time->partition_slowdown, 8) << told;
    // 64 bursts: in each of 8 channels, they lie in a single row.
    EXPECT_DOUBLE_EQ(figures.over_time->row_hit_pct, 100.0 * 56 / 64) << told;
  }
}

// Blocks of one wave compete for the partitions; blocks of different waves do not.
TEST(ModelFigures, BlocksMarchInStepInsideAWave) {
  struct Case {
    uint64_t resident;
    uint64_t stride;
    double slowdown;
  };
  for (const Case& c : {Case{8, 256, 1},     // eight blocks, each in its own partition
                        {8, 2048, 8},        // all in one partition
                        {8, 2048 + 256, 1},  // a pitch that is longer by one partition
                        {8, 1024, 4},        // two of eight partitions
                        {4, 256, 2},         // half of the blocks at a time
                        {1, 256, 8}}) {
    ModelCounter counter(model_gpu("gtx-280"), c.resident);
    const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad, 8)};
    // Two emulation threads share the blocks.
    emulator::AccessSink* sinks[] = {counter.make_sink(sites, 0), counter.make_sink(sites, 1)};
    for (const uint64_t block : {5U, 0U, 7U, 1U, 2U, 6U, 4U, 3U}) {
      sinks[block % 2]->on_access(model_warp(block), sites[0],
                                  model_access(0, Space::kGlobal, block * c.stride, 8));
    }
    const ModelFigures figures = counter.figures();
    ASSERT_TRUE(figures.over_time.has_value());
    EXPECT_DOUBLE_EQ(figures.over_time->partition_slowdown, c.slowdown)
        << c.resident << " " << c.stride;
  }
}

TEST(ModelFigures, SharedPassesByTheBanksOfTheGpu) {
  struct Case {
    const char* gpu;
    int64_t stride;
    uint64_t passes;
    uint64_t parts;
  };
  for (const Case& c : {Case{"8800-gt", 4, 2, 2},  // two half-warps, one pass each
                        {"8800-gt", 64, 32, 2},    // 16 banks: a 16-way conflict, twice
                        {"8800-gt", 1, 8, 2},      // bytes: four lanes per word; on 1.x 4-way
                        {"h200", 64, 16, 1},       // 32 banks, every sixteenth word
                        {"h200", 1, 1, 1}}) {
    ModelCounter counter(model_gpu(c.gpu), 1);
    const auto bytes = static_cast<uint8_t>(c.stride == 1 ? 1 : 4);
    const std::vector<AccessSite> sites = {model_site(Space::kShared, AccessKind::kLoad, bytes)};
    counter.make_sink(sites, 0)->on_access(model_warp(0), sites[0],
                                           model_access(0, Space::kShared, 0, c.stride));
    EXPECT_EQ(counter.figures().shared_passes, c.passes) << c.gpu << " " << c.stride;
    EXPECT_EQ(counter.figures().shared_parts, c.parts) << c.gpu << " " << c.stride;
    EXPECT_EQ(counter.figures().load_transactions, 0U);
  }
}

TEST(ModelFigures, TooManyTransactionsHaveNoTime) {
  ModelCounter counter(model_gpu("gtx-280"), 1, 3);
  const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad)};
  emulator::AccessSink* sink = counter.make_sink(sites, 0);
  for (uint64_t i = 0; i < 2; ++i) {
    sink->on_access(model_warp(0), sites[0], model_access(0, Space::kGlobal, i * 128, 4));
  }
  EXPECT_EQ(counter.figures().load_transactions, 4U);
  EXPECT_FALSE(counter.figures().over_time.has_value());
  for (const ModelFigureInfo& info : model_figure_table()) {
    const bool over_time =
        info.name == "model.partition_slowdown" || info.name == "model.row_hit_pct";
    EXPECT_EQ(info.value(counter.figures()).has_value(), !over_time) << info.name;
  }
}

TEST(ModelFigures, ATeeTellsBoth) {
  AccessCounter counters;
  ModelCounter model(model_gpu("8800-gt"), 1);
  AccessTee tee(counters, model);
  const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad)};
  tee.make_sink(sites, 0)->on_access(model_warp(0), sites[0],
                                     model_access(0, Space::kGlobal, 0, 4));
  EXPECT_EQ(counters.totals().global_load_sectors, 4U);
  EXPECT_EQ(model.figures().load_transactions, 2U);
}

// By instruction, on a GTX 280. Floats 13 to 44, twice: 3 transactions with 224 bytes, ideally
// 64 for each half-warp. A column with a stride of 33 words: each half-warp in 16 banks. One with a
// stride of 32: each half-warp in one bank.
TEST(ModelFigures, AreKnownForEachInstruction) {
  ModelCounter counter(model_gpu("gtx-280"), 1, 0);
  const std::vector<AccessSite> sites = {model_site(Space::kGlobal, AccessKind::kLoad),
                                         model_site(Space::kShared, AccessKind::kLoad),
                                         model_site(Space::kShared, AccessKind::kStore)};
  emulator::AccessSink* sink = counter.make_sink(sites, 0);
  sink->on_access(model_warp(0), sites[0], model_access(0, Space::kGlobal, 52, 4));
  sink->on_access(model_warp(1), sites[0], model_access(0, Space::kGlobal, 52, 4, true));
  sink->on_access(model_warp(0), sites[1], model_access(1, Space::kShared, 0, 132));
  sink->on_access(model_warp(0), sites[2], model_access(2, Space::kShared, 0, 128));
  const std::vector<ModelSite> by_site = counter.by_site();
  ASSERT_EQ(by_site.size(), 3U);
  EXPECT_EQ(by_site[0].accesses, 2U);
  EXPECT_EQ(by_site[0].transactions, 6U);
  EXPECT_EQ(by_site[0].bytes, 448U);
  EXPECT_EQ(by_site[0].ideal_bytes, 256U);
  EXPECT_EQ(by_site[1].passes, 2U);
  EXPECT_EQ(by_site[1].parts, 2U);
  EXPECT_EQ(by_site[2].passes, 32U);
  EXPECT_EQ(by_site[2].parts, 2U);
  EXPECT_EQ(counter.figures().shared_passes, 34U);
}

}  // namespace
}  // namespace warpshop::timing
