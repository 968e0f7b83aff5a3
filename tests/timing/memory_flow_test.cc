// Traffic between kernel, caches and DRAM, worked out by hand for chips with
// L1 and L2, with L2 alone, and without caches.
#include "timing/memory_flow.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "one_sm/memory_path.h"
#include "ptx/parser.h"
#include "timing/predict.h"

namespace warpshop::timing {
namespace {

// Only one of two blocks was simulated, and the other does more: what the emulator counted replaces
// the simulated traffic, but the caches keep their hit rates.
TEST(MemoryFlow, TakesWhatWasCounted) {
  MemoryFlow flow;
  flow.has_l1 = true;
  flow[MemoryUse::kGlobalLoad] = {.requests = 10, .sectors = 40, .hits = 30, .wavefronts = 0};
  flow[MemoryUse::kSharedLoad] = {.requests = 10, .sectors = 0, .hits = 0, .wavefronts = 30};
  flow[MemoryUse::kSharedStore] = {.requests = 10, .sectors = 0, .hits = 0, .wavefronts = 10};
  Counters counters;
  counters.global_load_requests = 20;
  counters.global_load_sectors = 100;
  counters.shared_load_instructions = counters.shared_store_instructions = 12;
  counters.shared_load_wavefronts = 36;
  counters.shared_store_wavefronts = 12;
  MemoryFlow today = flow;
  today.take_counted(counters, std::nullopt);
  EXPECT_DOUBLE_EQ(today[MemoryUse::kGlobalLoad].requests, 20);
  EXPECT_DOUBLE_EQ(today[MemoryUse::kGlobalLoad].sectors, 100);
  EXPECT_DOUBLE_EQ(*today.l1_hit_rate(), 0.75);
  EXPECT_DOUBLE_EQ(today[MemoryUse::kSharedLoad].wavefronts, 36);
  EXPECT_DOUBLE_EQ(today[MemoryUse::kSharedStore].wavefronts, 12);
  ModelFigures chip;  // served per half-warp, so twice as many passes
  chip.load_bytes = 20 * 128;
  chip.shared_passes = 96;
  flow.take_counted(counters, chip);
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kGlobalLoad].sectors, 80);
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kSharedLoad].wavefronts, 72);
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kSharedStore].wavefronts, 24);
}

TEST(MemoryFlow, SumsRatesAndScales) {
  MemoryFlow flow;
  flow.has_l1 = flow.has_l2 = true;
  flow[MemoryUse::kGlobalLoad] = {.requests = 10, .sectors = 40, .hits = 30, .wavefronts = 0};
  flow[MemoryUse::kTexture] = {.requests = 5, .sectors = 10, .hits = 5, .wavefronts = 0};
  // stores look nothing up
  flow[MemoryUse::kGlobalStore] = {.requests = 10, .sectors = 40, .hits = 0, .wavefronts = 0};
  flow.read_bytes = 15 * 32;
  flow.write_bytes = 40 * 32;
  flow.atomic_bytes = 32;
  flow.l2_read_sectors = 12;
  flow.l2_read_misses = 3;
  flow.dram_read_bytes = 96;
  flow.dram_write_bytes = 64;
  EXPECT_DOUBLE_EQ(flow.l1_hit_rate().value(), 0.7);
  EXPECT_DOUBLE_EQ(flow.l2_hit_rate().value(), 0.75);
  EXPECT_DOUBLE_EQ(flow.l2_bytes(), 56 * 32);
  EXPECT_DOUBLE_EQ(flow.dram_bytes(), 160);
  MemoryFlow twice = flow;
  twice += flow;
  flow *= 2;
  for (const MemoryFlow& f : {twice, flow}) {
    EXPECT_DOUBLE_EQ(f[MemoryUse::kGlobalLoad].requests, 20);
    EXPECT_DOUBLE_EQ(f[MemoryUse::kTexture].hits, 10);
    EXPECT_DOUBLE_EQ(f.l2_bytes(), 112 * 32);
    EXPECT_DOUBLE_EQ(f.dram_bytes(), 320);
    EXPECT_DOUBLE_EQ(f.l1_hit_rate().value(), 0.7) << "rates stay";
  }
  // Without a cache there is no hit rate, and no bytes belong to it.
  flow.has_l1 = flow.has_l2 = false;
  EXPECT_FALSE(flow.l1_hit_rate() || flow.l2_hit_rate());
  EXPECT_DOUBLE_EQ(flow.l2_bytes(), 0);
  EXPECT_FALSE(MemoryFlow{}.l1_hit_rate());
}

// One SM, and a grid too large for L2. A line is loaded twice; the second load hits in L1. The
// other half of the 64-byte unit that DRAM delivered hits in L2.
TEST(MemoryFlow, WhatL1AndL2HaveIsNotAskedFurther) {
  OneSmFigures chip;
  chip.sm_count = 1;
  chip.l1_latency = 30;
  chip.l2_latency = 200;
  chip.dram_latency = 700;
  chip.l2_keeps_bytes = 1 << 20;
  chip.l2_forgets_bytes = 2 << 20;
  chip.l2_slices = 1;
  chip.l2_read = chip.l2_write = chip.l2_partial = 1;
  chip.dram_unit = 1;
  chip.sparse_read.fill(1);
  chip.sparse_write.fill(1);
  constexpr uint64_t kPlace = uint64_t{1} << 30, kFirst = kPlace / 128;
  emulator::DeviceMemory::Allocation buffer;
  buffer.base = kPlace;
  buffer.size_bytes = 8 << 20;
  Sharing sharing;
  std::array<uint64_t, 32> lanes{};
  const auto note = [&](emulator::AccessKind kind, uint64_t from, uint32_t width) {
    for (size_t l = 0; l < 32; ++l) lanes[l] = from + 4 * l;
    sharing.note(Sharing::Who::kOwn, 0, kind, lanes.data(), width == 4 ? ~0U : 1U, 4);
  };
  note(emulator::AccessKind::kLoad, kPlace, 4);
  note(emulator::AccessKind::kStore, kPlace + 4096, 4);  // a full line
  note(emulator::AccessKind::kStore, kPlace + 8192, 1);  // one word of it
  sharing.settle(chip, {buffer}, {.own_blocks = 1, .grid_blocks = 1e6});
  MemoryPath path(chip, sharing, 128 << 10, 1);
  const LineAccess sector{.line = kFirst, .sectors = 1, .whole = 1, .bytes = {32, 0, 0, 0}};
  const LineAccess line{.line = kFirst, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  path.load(0, {&sector, 1}, 1);   // DRAM delivers 64 bytes to L2, and L2 passes 32 of them to L1
  path.load(5000, {&line, 1}, 1);  // sector 0 is in L1, sector 1 in L2, the others in DRAM
  path.load(9000, {&line, 1}, 1);  // all of it is in L1
  const LineAccess stored{
      .line = kFirst + 32, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}};
  const LineAccess word{.line = kFirst + 64, .sectors = 1, .whole = 0, .bytes = {4, 0, 0, 0}};
  path.store(12000, {&stored, 1});
  path.store(15000, {&word, 1});
  const MemoryFlow& flow = path.flow();
  EXPECT_TRUE(flow.has_l1 && flow.has_l2);
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kGlobalLoad].hits, 1 + 4);
  EXPECT_DOUBLE_EQ(flow.read_bytes, (1 + 3) * 32);
  EXPECT_DOUBLE_EQ(flow.l2_read_sectors, 1 + 3);
  EXPECT_DOUBLE_EQ(flow.l2_read_misses, 1 + 2) << "sector 1 came with sector 0";
  EXPECT_DOUBLE_EQ(flow.write_bytes, (4 + 1) * 32);
  EXPECT_DOUBLE_EQ(flow.dram_read_bytes, 2 * 64 + 32)
      << "the sector that was written in part is filled up";
  EXPECT_DOUBLE_EQ(flow.dram_write_bytes, (4 + 1) * 32);
  EXPECT_DOUBLE_EQ(flow.l2_bytes(), 9 * 32);
}

Result<Prediction> predicted_flow(const char* id, const std::string& body, uint32_t blocks,
                                  uint32_t threads) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .shared .align 4 .b8 "
      "tile[4096];\n"
      "ld.param.u64 %rd1,[p]; mov.u32 %r1,%tid.x; mov.u32 %r2,%ctaid.x; mov.u32 %r3,%ntid.x;\n"
      "mad.lo.s32 %r4,%r2,%r3,%r1;\n" +
      body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  emulator::DeviceMemory memory(uint64_t{1} << 30);
  const auto buffer = memory.allocate(uint64_t{128} << 20, "buffer");
  memory.mark_written(*buffer);
  emulator::LaunchConfig launch;
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.args = {emulator::Argument::pointer(*buffer)};
  PredictionInput input;
  input.program = &*program;
  input.launch = &launch;
  return predict(models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value(), input, memory);
}

// 32,768 blocks of 8 warps copy 8,388,608 floats from one half of the buffer to the
// other. The 64 bytes of a half-warp are one transaction on 1.x and two sectors on 3.x;
// either way, it is four bytes per thread.
TEST(MemoryFlow, ACopyOnChipsWithoutL1MovesItsBytesOnce) {
  constexpr double kWarps = 32768.0 * 8, kBytes = kWarps * 128;
  const std::string copy =
      "mul.wide.s32 %rd2,%r4,4; add.s64 %rd3,%rd1,%rd2; ld.global.f32 %f1,[%rd3]; st.global.f32 "
      "[%rd3+33554432],%f1;";
  for (const char* id : {"8800-gt", "gtx-280", "k40c"}) {
    const Result<Prediction> p = predicted_flow(id, copy, 32768, 256);
    ASSERT_TRUE(p.ok()) << id << render(p.errors());
    const MemoryFlow& flow = p->flow;
    for (const MemoryUse use : {MemoryUse::kGlobalLoad, MemoryUse::kGlobalStore}) {
      EXPECT_NEAR(flow[use].requests, kWarps, 1e-6 * kWarps) << id;
      EXPECT_NEAR(flow[use].sectors, 4 * flow[use].requests, 1e-6 * kWarps) << id;
    }
    EXPECT_NEAR(flow.read_bytes, kBytes, 1e-6 * kBytes) << id;
    EXPECT_NEAR(flow.write_bytes, kBytes, 1e-6 * kBytes) << id;
    EXPECT_NEAR(flow.dram_read_bytes, kBytes, 0.05 * kBytes) << id;
    // Data still in L2 at the end of the sample has not been written back yet: 1.5 MB on a K40c.
    EXPECT_NEAR(flow.dram_write_bytes, kBytes, 0.07 * kBytes) << id;
    EXPECT_FALSE(flow.has_l1) << id;
    EXPECT_EQ(flow.has_l2, std::string(id) == "k40c") << id;
    // The roofline must use the same sums as the memory chart.
    EXPECT_DOUBLE_EQ(p->dram_bytes, flow.dram_bytes()) << id;
    EXPECT_DOUBLE_EQ(p->l2_bytes, flow.l2_bytes()) << id;
    if (!flow.has_l2) continue;
    EXPECT_NEAR(flow.l2_hit_rate().value(), 0, 0.02)
        << "each byte is read once, and the launch before has left others";
  }
}

// Each of 1,024 threads accesses one word, in a sector of its own: a 32-byte transaction each on
// 1.3 and 3.5, and one transaction per lane on 1.1 as well. Each warp also stores to shared memory
// once, and loads from it with all lanes of a half-warp in one bank.
TEST(MemoryFlow, RequestsOfSharedMemoryAndScatteredWordsAreCounted) {
  const std::string body =
      "mul.wide.s32 %rd2,%r4,32; add.s64 %rd3,%rd1,%rd2; ld.global.f32 %f1,[%rd3];\n"
      "mov.u32 %r5,tile; shl.b32 %r6,%r1,2; add.s32 %r6,%r5,%r6; st.shared.f32 [%r6],%f1; bar.sync "
      "0;\n"
      "xor.b32 %r7,%r1,1; shl.b32 %r7,%r7,2; add.s32 %r7,%r5,%r7; ld.shared.f32 %f2,[%r7];\n"
      "st.global.f32 [%rd3],%f2;";
  constexpr double kBlocks = 60, kWarps = kBlocks * 8;
  for (const char* id : {"8800-gt", "gtx-280", "k40c"}) {
    const Result<Prediction> p = predicted_flow(id, body, 60, 256);
    ASSERT_TRUE(p.ok()) << id << render(p.errors());
    const MemoryFlow& flow = p->flow;
    EXPECT_NEAR(flow[MemoryUse::kGlobalLoad].requests, kWarps, 1e-6) << id;
    EXPECT_NEAR(flow[MemoryUse::kGlobalLoad].sectors, 32 * kWarps, 1e-6) << id;
    EXPECT_NEAR(flow[MemoryUse::kGlobalStore].sectors, 32 * kWarps, 1e-6) << id;
    EXPECT_NEAR(flow[MemoryUse::kSharedStore].requests, kWarps, 1e-6) << id;
    EXPECT_NEAR(flow[MemoryUse::kSharedLoad].requests, kWarps, 1e-6) << id;
    // Without conflicts: one pass per half-warp before 2.0, one per warp since.
    const double passes = std::string(id) == "k40c" ? 1 : 2;
    EXPECT_NEAR(flow[MemoryUse::kSharedLoad].wavefronts, passes * kWarps, 1e-6) << id;
    EXPECT_NEAR(flow[MemoryUse::kSharedStore].wavefronts, passes * kWarps, 1e-6) << id;
    EXPECT_DOUBLE_EQ(flow[MemoryUse::kSharedLoad].sectors, 0) << id;
    EXPECT_NEAR(flow.read_bytes, 32 * 32 * kWarps, 1e-3) << id;
  }
}

// Blocks so long that their simulation starts in the middle: 2,000 loads and one store per thread.
// The store counts once per thread, whichever part of the blocks contains it.
TEST(MemoryFlow, LongBlocksStoreAsOftenAsTheyDo) {
  const std::string body =
      "mul.wide.s32 %rd2,%r4,4; add.s64 %rd3,%rd1,%rd2; mov.u32 %r5,0; mov.f32 "
      "%f2,0f00000000;\n$loop:\n"
      "ld.global.f32 %f1,[%rd3]; add.f32 %f2,%f2,%f1; add.s64 %rd3,%rd3,128;\n"
      "add.s32 %r5,%r5,1; setp.lt.s32 %p1,%r5,2000; @%p1 bra $loop;\nst.global.f32 [%rd3],%f2;";
  constexpr double kWarps = 4096.0 * 8;
  for (const char* id : {"gtx-280", "k40c"}) {
    const Result<Prediction> p = predicted_flow(id, body, 4096, 256);
    ASSERT_TRUE(p.ok()) << id << render(p.errors());
    EXPECT_NEAR(p->flow[MemoryUse::kGlobalLoad].requests, 2000 * kWarps, 1e-3 * kWarps) << id;
    EXPECT_NEAR(p->flow[MemoryUse::kGlobalStore].requests, kWarps, 1e-3 * kWarps) << id;
    EXPECT_NEAR(p->flow.read_bytes, 2000 * 128 * kWarps, 1e-3 * 2000 * 128 * kWarps) << id;
  }
}

}  // namespace
}  // namespace warpshop::timing
