// A transpose of 1024 × 1024 floats by 8 warps: rows are read (4 sectors), columns are written (32
// sectors).
#include "maps/access_index.h"

#include <gtest/gtest.h>

#include "demo.h"

namespace warpshop::ui {
namespace {

using emulator::AccessKind;
using ptx::Space;

TEST(AccessIndex, EveryAccessHasItsCostAndItsWarp) {
  const AccessIndex index = index_accesses(demo::transpose_run(1024, 7, 9));
  ASSERT_EQ(index.entries.size(), 16u);
  ASSERT_EQ(index.warps.size(), 8u);
  EXPECT_EQ(index.entries[0].cost, 4);
  EXPECT_EQ(index.entries[0].line, 7);
  EXPECT_EQ(index.entries[1].cost, 32);
  EXPECT_EQ(index.entries[1].ideal, 4);
  EXPECT_EQ(index.entries[1].waste(), 28);
  EXPECT_EQ(index.warp_of(5).warp.warp, 2u);
  EXPECT_FALSE(index.any_shared);
}

TEST(AccessIndex, TheWorstIsTheFirstOfTheCostliest) {
  EXPECT_EQ(index_accesses(demo::transpose_run(1024, 7, 9)).worst(), std::optional<size_t>(1));
  EXPECT_EQ(AccessIndex{}.worst(), std::nullopt);
}

TEST(AccessIndex, StepsStayInsideTheWarpAndTheGrid) {
  const AccessIndex index = index_accesses(demo::transpose_run(1024, 7, 9));
  EXPECT_EQ(index.in_same_warp(2, 1), 3u);
  EXPECT_EQ(index.in_same_warp(3, 1), 3u);
  EXPECT_EQ(index.in_same_warp(2, -1), 2u);
  EXPECT_EQ(index.in_other_warp(3, 1), 5u);
  EXPECT_EQ(index.in_other_warp(3, -9), 1u);
  EXPECT_EQ(index.in_other_warp(3, 99), 15u);
}

TEST(AccessIndex, GlobalAccessesHaveNumbersThatSharedOnesDoNotCountIn) {
  demo::RunBuilder builder;
  const uint32_t load = builder.site(3, Space::kGlobal, AccessKind::kLoad);
  const uint32_t tile = builder.site(4, Space::kShared, AccessKind::kStore);
  const uint32_t store = builder.site(5, Space::kGlobal, AccessKind::kStore);
  for (uint32_t warp = 0; warp < 2; ++warp) {
    for (const uint32_t site : {load, tile, store}) {
      builder.access(site, warp, [](int lane) { return 4096 + 4 * static_cast<uint64_t>(lane); });
    }
  }
  const AccessIndex index = index_accesses(builder.run());
  EXPECT_EQ(index.of_global(0, 1, 0), std::optional<size_t>(3));
  EXPECT_EQ(index.of_global(0, 1, 1), std::optional<size_t>(5));
  EXPECT_EQ(index.of_global(0, 1, 2), std::nullopt);
  EXPECT_EQ(index.of_global(0, 2, 0), std::nullopt);
  EXPECT_EQ(index.of_global(1, 1, 0), std::nullopt);
  EXPECT_EQ(index.global_step(5), std::optional<uint32_t>(1));
  EXPECT_EQ(index.global_step(4), std::nullopt);
  // nearest() serves the other map: the earlier of two equally near accesses, never one of another
  // warp.
  EXPECT_EQ(index.nearest(4, false), std::optional<size_t>(3));
  EXPECT_EQ(index.nearest(4, true), std::optional<size_t>(4));
  EXPECT_EQ(index.nearest(5, true), std::optional<size_t>(4));
  EXPECT_EQ(index.nearest(0, true), std::optional<size_t>(1));
  EXPECT_EQ(index_accesses(demo::transpose_run(1024, 7, 9)).nearest(2, true), std::nullopt);
}

TEST(AccessIndex, ALineLeadsToItsCostliestAccess) {
  const AccessIndex index = index_accesses(demo::transpose_run(1024, 7, 9));
  EXPECT_EQ(index.of_line(9, std::nullopt), std::optional<size_t>(1));
  EXPECT_EQ(index.of_line(9, 6), std::optional<size_t>(7));  // of the selected warp
  EXPECT_EQ(index.of_line(8, 6), std::nullopt);
  // With load and store on one line, a second click selects the other.
  const AccessIndex both = index_accesses(demo::transpose_run(1024, 7, 7));
  EXPECT_EQ(both.of_line(7, 1), std::optional<size_t>(0));
  EXPECT_EQ(both.of_line(7, 0), std::optional<size_t>(1));
}

TEST(AccessIndex, WhatTheBackEndDropsOrMergesHasNoEntry) {
  demo::RunBuilder builder;
  const uint32_t leader = builder.site(3, Space::kShared, AccessKind::kLoad);
  const uint32_t follower = builder.site(3, Space::kShared, AccessKind::kLoad);
  const uint32_t dropped = builder.site(4, Space::kGlobal, AccessKind::kLoad);
  const uint32_t local = builder.site(5, Space::kLocal, AccessKind::kStore);
  builder.run().sites[leader].issued_bytes = 8;
  builder.run().sites[follower].leader = static_cast<int>(leader);
  builder.run().sites[dropped].dropped = true;
  auto words = [](int lane) { return uint64_t{8} * static_cast<uint64_t>(lane); };
  for (uint32_t site : {leader, follower, dropped, local}) builder.access(site, 0, words);
  const AccessIndex index = index_accesses(builder.run());
  ASSERT_EQ(index.entries.size(), 1u);
  EXPECT_TRUE(index.any_shared);
  EXPECT_TRUE(index.entries[0].shared);
  // 32 lanes × 8 bytes are 256 bytes of consecutive words: two passes, no conflict.
  EXPECT_EQ(index.entries[0].cost, 2);
  EXPECT_EQ(index.entries[0].waste(), 0);
}

TEST(AccessIndex, SharedColumnsConflict) {
  demo::RunBuilder builder;
  const uint32_t site = builder.site(15, Space::kShared, AccessKind::kLoad);
  builder.access(site, 0, [](int lane) { return uint64_t{128} * static_cast<uint64_t>(lane); });
  const AccessIndex index = index_accesses(builder.run());
  EXPECT_EQ(index.entries[0].cost, 32);
  EXPECT_EQ(index.entries[0].ideal, 1);
}

TEST(AccessIndex, TheSelectionSurvivesAnEdit) {
  const AccessIndex older = index_accesses(demo::transpose_run(1024, 7, 9));
  // If the lines are the same, the same access of the same warp is selected.
  EXPECT_EQ(carry_selection(older, 5, older), std::optional<size_t>(5));
  // If the line has moved, the warp's access of the same kind is selected.
  const AccessIndex moved = index_accesses(demo::transpose_run(1024, 8, 12));
  EXPECT_EQ(carry_selection(older, 5, moved), std::optional<size_t>(5));
  EXPECT_EQ(carry_selection(older, std::nullopt, moved), std::optional<size_t>(1));
  EXPECT_EQ(carry_selection(older, 5, AccessIndex{}), std::nullopt);
}

// The maps of another block select the same access by the warp with the same number.
TEST(AccessIndex, TheSelectionGoesToAnotherBlock) {
  const AccessIndex older = index_accesses(demo::transpose_run(1024, 7, 9));
  lab::KernelRun other = demo::transpose_run(1024, 7, 9);
  for (timing::RecordedAccess& record : other.records) {
    record.warp.linear_block = 7;
    record.warp.block.x = 7;
  }
  const AccessIndex newer = index_accesses(other);
  for (const WarpAccesses& warp : older.warps) {
    const auto carried = carry_selection(older, warp.first, newer);
    ASSERT_TRUE(carried);
    EXPECT_EQ(newer.warp_of(*carried).warp.warp, warp.warp.warp);
    EXPECT_EQ(newer.warp_of(*carried).warp.linear_block, 7U);
    EXPECT_EQ(newer.entries[*carried].line, older.entries[warp.first].line);
  }
}

TEST(AccessIndex, InlinedCodeBelongsToTheLineOfItsCall) {
  emulator::AccessSite site;
  site.source = {2, 40, 1, 0, 0, 0};
  EXPECT_EQ(student_line(site), 40);
  site.source = {2, 40, 1, 1, 12, 3};
  EXPECT_EQ(student_line(site), 12);
}

// A function of the student's own is in the same file: its line is named beside that of its call,
// since the editor has its figure there.
TEST(AccessIndex, CodeOfTheStudentsOwnFunctionHasBothLines) {
  demo::RunBuilder builder;
  const uint32_t plain = builder.site(25, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  const uint32_t own = builder.site(9, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  const uint32_t header = builder.site(40, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  for (const uint32_t site : {plain, own, header})
    builder.access(site, 0, [](int lane) { return demo::kIn + 4 * static_cast<uint64_t>(lane); });
  lab::KernelRun run = builder.run();
  run.sites[own].source = {1, 9, 1, 1, 25, 3};
  run.sites[header].source = {2, 40, 1, 1, 25, 3};
  const AccessIndex index = index_accesses(run, {});
  ASSERT_EQ(index.entries.size(), 3U);
  for (const AccessEntry& entry : index.entries) EXPECT_EQ(entry.line, 25);
  EXPECT_EQ(index.entries[0].within, 0);
  EXPECT_EQ(index.entries[1].within, 9);
  EXPECT_EQ(index.entries[2].within, 0);
}

// CUDA C Programming Guide 4.2, F.3: half-warps, and on 1.0 and 1.1 one transaction per lane unless
// lane k accesses word k.
TEST(AccessIndex, CostsAreThoseOfTheGpusGeneration) {
  demo::RunBuilder builder;
  const uint32_t load = builder.site(3, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  const uint32_t shared = builder.site(4, ptx::Space::kShared, emulator::AccessKind::kLoad);
  builder.access(load, 0, [](int lane) { return demo::kIn + 4 * static_cast<uint64_t>(lane); });
  builder.access(load, 0, [](int lane) {
    return demo::kIn + 4 * static_cast<uint64_t>(lane ^ 1);
  });  // pairs swapped
  builder.access(shared, 0,
                 [](int lane) { return 128 * static_cast<uint64_t>(lane); });  // a column
  builder.access(shared, 0, [](int lane) { return 132 * static_cast<uint64_t>(lane); });  // padded
  struct Case {
    models::ComputeCapability capability;
    std::vector<std::pair<int, int>> cost_and_ideal;
  };
  for (const Case& c : {Case{{1, 0}, {{4, 4}, {32, 4}, {32, 2}, {2, 2}}},
                        // 1.2 and 1.3 accept any order within a segment.
                        Case{{1, 3}, {{4, 4}, {4, 4}, {32, 2}, {2, 2}}},
                        Case{{2, 0}, {{4, 4}, {4, 4}, {32, 1}, {1, 1}}},
                        Case{{9, 0}, {{4, 4}, {4, 4}, {32, 1}, {1, 1}}}}) {
    models::GpuProfile gpu;
    gpu.capability = c.capability;
    const AccessIndex index = index_accesses(builder.run(), gpu);
    ASSERT_EQ(index.entries.size(), c.cost_and_ideal.size());
    for (size_t n = 0; n < index.entries.size(); ++n) {
      EXPECT_EQ(std::pair(index.entries[n].cost, index.entries[n].ideal), c.cost_and_ideal[n])
          << c.capability.major << "." << c.capability.minor << " access " << n;
    }
  }
}

}  // namespace
}  // namespace warpshop::ui
