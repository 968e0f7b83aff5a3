// Which access increments which counter: synthetic accesses, with costs worked out by hand.
#include "timing/counters.h"

#include <gtest/gtest.h>

#include <set>

#include "timing/issue.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;
using emulator::WarpAccess;
using emulator::WarpIdentity;
using ptx::Space;

AccessSite site(Space space, AccessKind kind, uint8_t bytes, std::string text = {}) {
  AccessSite s;
  s.space = space;
  s.kind = kind;
  s.element_bytes = bytes;
  s.text = std::move(text);
  return s;
}

WarpAccess access(uint32_t site_index, Space space, uint64_t first, int64_t stride,
                  uint32_t mask = 0xFFFFFFFFU) {
  WarpAccess a{.site = site_index, .space = space, .active_mask = mask, .address = {}};
  for (uint64_t lane = 0; lane < 32; ++lane)
    a.address[lane] = first + lane * static_cast<uint64_t>(stride);
  return a;
}

WarpIdentity warp_of(uint64_t block, uint32_t warp) {
  WarpIdentity w;
  w.linear_block = block;
  w.warp = warp;
  return w;
}

// Counts a single access of a single site.
Counters count_one(const AccessSite& s, Space space, uint64_t first, int64_t stride,
                   uint32_t mask = 0xFFFFFFFFU) {
  AccessCounter counter;
  const std::vector<AccessSite> sites = {s};
  counter.make_sink(sites, 0)->on_access(warp_of(0, 0), sites[0],
                                         access(0, space, first, stride, mask));
  return counter.totals();
}

TEST(Counters, AGlobalLoadCountsItsSectors) {
  Counters expected;
  expected.global_load_instructions = 1;
  expected.global_load_requests = 1;
  expected.global_load_sectors = 8;  // every second float
  expected.global_load_bytes_used = 128;
  expected.theoretical_sectors = 8;
  expected.theoretical_sectors_ideal = 4;
  EXPECT_EQ(count_one(site(Space::kGlobal, AccessKind::kLoad, 4), Space::kGlobal, 0, 8), expected);
}

// The distances between lanes repeat, but the first lane's offset in its sector does not.
TEST(Counters, RepetitionsCountLikeTheAccessesThemselves) {
  for (const int64_t stride : {0, 4, 12, 28, 32, 36, 64, 4096, -32}) {
    for (const uint32_t mask : {0xFFFFFFFFU, 0x0000FF10U, 0x80000000U}) {
      SCOPED_TRACE(std::to_string(stride) + " " + std::to_string(mask));
      const std::vector<AccessSite> sites = {site(Space::kGlobal, AccessKind::kStore, 4)};
      AccessCounter counter;
      emulator::AccessSink* sink = counter.make_sink(sites, 0);
      Counters expected;
      for (uint64_t n = 0; n < 40; ++n) {
        const uint64_t first = 0x100000 + n * 20;
        WarpAccess a = access(0, Space::kGlobal, first, stride, mask);
        a.same_pattern = n > 0;
        sink->on_access(warp_of(0, 0), sites[0], a);
        expected += count_one(sites[0], Space::kGlobal, first, stride, mask);
      }
      EXPECT_EQ(counter.totals(), expected);
    }
  }
}

// Nsight Compute, on an H100: 131,072 copies, no shared store and no wavefront of one.
TEST(Counters, AnAsynchronousCopyIsNoStore) {
  AccessSite target = site(Space::kShared, AccessKind::kStore, 4);
  AccessSite source = site(Space::kGlobal, AccessKind::kLoad, 4);
  target.path = source.path = emulator::AccessPath::kAsyncCopy;
  target.text = source.text = "cp.async.ca.shared.global [%r1], [%rd1], 4;";
  AccessCounter counter;
  const std::vector<AccessSite> sites = {source, target};
  counter.make_sink(sites, 0)->on_copy(warp_of(0, 0), sites, access(0, Space::kGlobal, 0x1000, 4),
                                       access(1, Space::kShared, 0, 4), false);
  Counters expected;
  expected.global_load_requests = 1;
  expected.global_load_sectors = 4;
  expected.global_load_bytes_used = 128;
  expected.theoretical_sectors = expected.theoretical_sectors_ideal = 4;
  expected.async_copy_wavefronts = 1;
  expected.shared_wavefronts = expected.shared_wavefronts_ideal = 1;
  EXPECT_EQ(counter.totals(), expected);
}

// What follows is as Nsight Compute counts on an H200: tests/hardware/asynchronous.
TEST(Counters, MatricesAreNoLoadsAndNoStores) {
  AccessSite load = site(Space::kShared, AccessKind::kLoad, 16);
  load.path = emulator::AccessPath::kMatrix;
  Counters expected;
  expected.matrix_load_instructions = 1;
  expected.matrix_load_wavefronts = expected.shared_wavefronts = 32;  // 8 rows in the same banks
  expected.shared_wavefronts_ideal = 4;
  EXPECT_EQ(count_one(load, Space::kShared, 0, 128), expected);
  // Four matrices at the same place: loads would share wavefronts.
  expected.matrix_load_wavefronts = expected.shared_wavefronts = 4;
  EXPECT_EQ(count_one(load, Space::kShared, 0, 0), expected);
  AccessSite store = site(Space::kShared, AccessKind::kStore, 16);
  store.path = emulator::AccessPath::kMatrix;
  expected = {};
  expected.matrix_store_instructions = 1;
  expected.matrix_store_wavefronts = expected.shared_wavefronts = 2;
  expected.shared_wavefronts_ideal = 2;
  EXPECT_EQ(count_one(store, Space::kShared, 0, 16, 0xFFFF), expected);
}

TEST(Counters, TestsAndArrivalsAtMbarrierObjectsCountNothing) {
  AccessSite object = site(Space::kShared, AccessKind::kAtomic, 8);
  object.path = emulator::AccessPath::kBarrier;
  object.text = "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;";
  EXPECT_EQ(count_one(object, Space::kShared, 0, 0), Counters());
}

TEST(Counters, CopiesInBulkHaveSectorsOfTheirOwn) {
  AccessSite copy = site(Space::kGlobal, AccessKind::kLoad, 16);
  copy.path = emulator::AccessPath::kBulk;
  const std::pair<AccessKind, uint64_t Counters::*> kinds[] = {
      {AccessKind::kLoad, &Counters::bulk_load_sectors},
      {AccessKind::kStore, &Counters::bulk_store_sectors},
      {AccessKind::kReduction, &Counters::bulk_reduction_sectors}};
  for (const auto& [kind, counter] : kinds) {
    copy.kind = kind;
    Counters expected;
    expected.*counter = 17;  // from a byte 16 of a sector on
    const Counters counted = count_one(copy, Space::kGlobal, 0x1010, 16);
    EXPECT_EQ(counted, expected);
    EXPECT_EQ(counted.moved_sectors(), 17U);
  }
}

TEST(Counters, WgmmaReadsItsFactorsWithoutConflicts) {
  const std::vector<AccessSite> sites = {site(Space::kShared, AccessKind::kLoad, 16)};
  AccessCounter counter;
  counter.make_sink(sites, 0)->on_product_read(0, 16 * 32 + 8 * 32);  // 16 rows of A, n = 8
  Counters expected;
  expected.wgmma_wavefronts = expected.shared_wavefronts = expected.shared_wavefronts_ideal = 6;
  EXPECT_EQ(counter.totals(), expected);
}

TEST(Counters, AGenericStoreCountsWhereItWent) {
  Counters global;
  global.global_store_instructions = 1;
  global.global_store_requests = 1;
  global.global_store_sectors = 4;
  global.global_store_bytes_used = 128;
  global.theoretical_sectors = 4;
  global.theoretical_sectors_ideal = 4;
  EXPECT_EQ(count_one(site(Space::kGeneric, AccessKind::kStore, 4), Space::kGlobal, 0, 4), global);
  Counters shared;
  shared.shared_store_instructions = 1;
  shared.shared_store_wavefronts = 2;
  shared.shared_wavefronts = 2;
  shared.shared_wavefronts_ideal = 1;
  EXPECT_EQ(count_one(site(Space::kGeneric, AccessKind::kStore, 4), Space::kShared, 0, 8), shared);
}

TEST(Counters, LocalConstantAndInactiveAccesses) {
  Counters local;
  local.local_load_instructions = 1;
  EXPECT_EQ(count_one(site(Space::kLocal, AccessKind::kLoad, 4), Space::kLocal, 0, 0), local);
  EXPECT_EQ(count_one(site(Space::kConst, AccessKind::kLoad, 4), Space::kConst, 0, 0), Counters{});
  EXPECT_EQ(count_one(site(Space::kGlobal, AccessKind::kLoad, 4), Space::kGlobal, 0, 4, 0),
            Counters{});
}

TEST(Counters, AtomicsOnGlobalMemory) {
  const AccessSite red =
      site(Space::kGlobal, AccessKind::kReduction, 4, "atom.global.add.u32 \t%r1, [%rd1], 1;");
  Counters all_on_one;
  all_on_one.global_reduction_requests = 1;
  all_on_one.global_reduction_sectors = 32;  // the lanes one after another
  all_on_one.theoretical_sectors = 1;
  all_on_one.theoretical_sectors_ideal = 1;
  EXPECT_EQ(count_one(red, Space::kGlobal, 64, 0), all_on_one);

  AccessSite elected = red;  // the back end knows that the whole warp has the same address
  elected.elected = true;
  Counters one_lane = all_on_one;
  one_lane.global_reduction_sectors = 1;
  EXPECT_EQ(count_one(elected, Space::kGlobal, 64, 0), one_lane);

  Counters returns;
  returns.global_atomic_requests = 1;
  returns.global_atomic_sectors = 4;
  returns.theoretical_sectors = 4;
  returns.theoretical_sectors_ideal = 4;
  EXPECT_EQ(count_one(site(Space::kGlobal, AccessKind::kAtomic, 4), Space::kGlobal, 0, 4), returns);
}

TEST(Counters, AtomicsOnSharedMemoryByTheirText) {
  struct Case {
    const char* text;
    AccessKind kind;
    models::SharedAccess how;
    uint64_t wavefronts;  // wavefronts of the atomic, with all lanes on one word
    uint64_t loads = 0;   // loads of the loop that the atomic becomes
  };
  const Case table[] = {
      {"atom.shared.add.u32 \t%r2, [%r1], 1;", AccessKind::kReduction,
       models::SharedAccess::kCountingAdd, 1},
      {"red.shared.add.u32 [%r1], 1", AccessKind::kReduction, models::SharedAccess::kCountingAdd,
       1},
      {"atom.shared.add.u32 %r2, [%r1], 1", AccessKind::kAtomic, models::SharedAccess::kAtomic, 32},
      {"atom.shared.add.u32 %r2, [%r1], 2", AccessKind::kReduction, models::SharedAccess::kAtomic,
       32},
      {"atom.shared.add.u32 %r2, [%r1], %r1", AccessKind::kReduction, models::SharedAccess::kAtomic,
       32},
      {"atom.shared.add.f32 %f2, [%r1], 1", AccessKind::kReduction, models::SharedAccess::kSpin, 64,
       32},
      {"atom.shared.add.noftz.bf16x2 %r2, [%r1], %r3", AccessKind::kAtomic,
       models::SharedAccess::kSpin, 64, 32},
      {"atom.shared.add.noftz.f16 %rs2, [%r1], %rs3", AccessKind::kAtomic,
       models::SharedAccess::kHalfwordLoop, 1056, 1},
      {"atom.shared.exch.b32 %r2, [%r1], %r3", AccessKind::kAtomic, models::SharedAccess::kAtomic,
       32},
      {"atom.shared.max.u32 %r2, [%r1], 1", AccessKind::kReduction, models::SharedAccess::kAtomic,
       32},
      {"atom.shared.cas.b32 %r2, [%r1], 0, 1", AccessKind::kAtomic,
       models::SharedAccess::kCompareAndSwap, 64},
      {"atom.acquire.cta.shared::cta.cas.b32 %r2, [%r1], 0, 1", AccessKind::kAtomic,
       models::SharedAccess::kCompareAndSwap, 64},
  };
  for (const Case& c : table) {
    SCOPED_TRACE(c.text);
    const AccessSite s = site(Space::kShared, c.kind, 4, c.text);
    EXPECT_EQ(shared_access_of(s), c.how);
    const Counters n = count_one(s, Space::kShared, 0, 0);
    EXPECT_EQ(n.shared_atomic_wavefronts, c.wavefronts);
    EXPECT_EQ(n.shared_load_wavefronts, c.loads);
    EXPECT_EQ(n.shared_load_instructions, c.loads);
    EXPECT_EQ(n.shared_wavefronts, c.wavefronts + c.loads);
    EXPECT_EQ(n.shared_store_instructions, 0U);
  }
}

TEST(Counters, AGroupIsIssuedOnceByItsLeader) {
  // Four neighbouring float loads. The second one in the text leads, 4 bytes into the 16.
  std::vector<AccessSite> sites(4, site(Space::kShared, AccessKind::kLoad, 4));
  for (AccessSite& s : sites) s.leader = 1;
  sites[1].leader = -1;
  sites[1].issued_bytes = 16;
  sites[1].issued_offset = -4;
  AccessCounter counter;
  emulator::AccessSink* sink = counter.make_sink(sites, 0);
  for (uint32_t i = 0; i < 4; ++i) {
    // A 64-byte row per lane: lane l reads words 16 l … 16 l + 3.
    sink->on_access(warp_of(0, 0), sites[i], access(i, Space::kShared, 4 * i, 64));
  }
  const Counters n = counter.totals();
  EXPECT_EQ(n.shared_load_instructions, 1U);
  // The 8 lanes of a quarter-warp read four words each, at words 0, 16,
  // 32, …: banks 0-3 and 16-19, four rows each.
  EXPECT_EQ(n.shared_load_wavefronts, 16U);
  EXPECT_EQ(n.shared_wavefronts_ideal, 4U);
  const std::vector<SiteCounters> by_site = counter.by_site();
  EXPECT_EQ(by_site[0].executions, 1U);
  EXPECT_EQ(by_site[0].requests, 0U);
  EXPECT_EQ(by_site[1].requests, 1U);
  EXPECT_EQ(by_site[1].wavefronts, 16U);
  EXPECT_EQ(by_site[1].worst_wavefronts, 16U);

  EXPECT_TRUE(issued_requests(sites[0], access(0, Space::kShared, 0, 64)).empty());
  const auto issued = issued_requests(sites[1], access(1, Space::kShared, 4, 64));
  ASSERT_EQ(issued.size(), 1U);
  EXPECT_EQ(issued[0].width_bytes, 16U);
  EXPECT_EQ(issued[0].address[0], 0U);
  EXPECT_EQ(issued[0].address[31], 31U * 64);
}

TEST(Counters, DroppedNarrowedAndSplitLoads) {
  AccessSite dropped = site(Space::kGlobal, AccessKind::kLoad, 4);
  dropped.dropped = true;
  EXPECT_EQ(count_one(dropped, Space::kGlobal, 0, 4), Counters{});

  AccessSite narrowed =
      site(Space::kGlobal, AccessKind::kLoad, 4);  // a .v4 load of which only the last word is used
  narrowed.elements = 4;
  narrowed.issued_bytes = 4;
  narrowed.issued_offset = 12;
  Counters n = count_one(narrowed, Space::kGlobal, 0, 16);
  EXPECT_EQ(n.global_load_requests, 1U);
  EXPECT_EQ(n.global_load_sectors, 16U);
  EXPECT_EQ(n.global_load_bytes_used, 128U);
  EXPECT_EQ(n.theoretical_sectors_ideal, 4U);

  AccessSite split = narrowed;  // the first and the last word are used: two loads
  split.issued_offset = 0;
  split.second_bytes = 4;
  split.second_offset = 12;
  n = count_one(split, Space::kGlobal, 0, 16);
  EXPECT_EQ(n.global_load_requests, 2U);
  EXPECT_EQ(n.global_load_sectors, 32U);
}

TEST(Counters, ThreadsAddUpAndRecordsAreOrderedByBlockAndWarp) {
  AccessCounter counter({.blocks = {3, 1}, .max_records = 100});
  const std::vector<AccessSite> sites = {site(Space::kGlobal, AccessKind::kLoad, 4)};
  emulator::AccessSink* first = counter.make_sink(sites, 0);
  emulator::AccessSink* second = counter.make_sink(sites, 1);
  auto run = [&](emulator::AccessSink* sink, uint64_t block, uint32_t warp, uint64_t address) {
    sink->on_access(warp_of(block, warp), sites[0], access(0, Space::kGlobal, address, 4));
  };
  run(first, 3, 1, 100 * 128);
  run(first, 3, 0, 101 * 128);
  run(first, 3, 1, 102 * 128);
  run(second, 2, 0, 103 * 128);
  run(second, 1, 0, 104 * 128);
  EXPECT_EQ(counter.totals().global_load_requests, 5U);
  EXPECT_EQ(counter.by_site().at(0).lanes, 160U);
  const std::vector<RecordedAccess> records = counter.records();
  ASSERT_EQ(records.size(), 4U);
  std::vector<uint64_t> lines;
  for (const RecordedAccess& r : records) lines.push_back(r.access.address[0] / 128);
  EXPECT_EQ(lines, (std::vector<uint64_t>{104, 101, 100, 102}));
  EXPECT_FALSE(counter.records_truncated());
}

TEST(Counters, MoreRecordsThanAllowedAreCut) {
  AccessCounter counter({.blocks = {0}, .max_records = 3});
  const std::vector<AccessSite> sites = {site(Space::kGlobal, AccessKind::kLoad, 4)};
  emulator::AccessSink* sink = counter.make_sink(sites, 0);
  for (int i = 0; i < 3; ++i)
    sink->on_access(warp_of(0, 0), sites[0], access(0, Space::kGlobal, 0, 4));
  EXPECT_FALSE(counter.records_truncated());
  sink->on_access(warp_of(0, 0), sites[0], access(0, Space::kGlobal, 0, 4));
  EXPECT_TRUE(counter.records_truncated());
  EXPECT_EQ(counter.records().size(), 3U);
  EXPECT_EQ(counter.totals().global_load_requests, 4U);
}

TEST(Counters, TheTableNamesEveryCounterOnce) {
  std::set<std::string_view> names;
  std::set<const uint64_t*> places;
  const Counters counters;
  for (const CounterInfo& row : counter_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(places.insert(&(counters.*row.field)).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_TRUE(row.meaning.ends_with(".")) << row.name;
    const bool ours = row.name.ends_with("bytes_used");
    EXPECT_EQ(row.nsight.empty(), ours) << row.name;
    EXPECT_TRUE(
        std::set<std::string_view>({"request", "sector", "wavefront", "instruction", "byte"})
            .contains(row.unit));
  }
  EXPECT_EQ(places.size() * sizeof(uint64_t), sizeof(Counters));  // every counter is in the table
}

}  // namespace
}  // namespace warpshop::timing
