// Atomics on 16-bit floats, vectors and 128 bits, and modifiers that have no effect here.
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct WideAtomicsCase {
  const char* name;
  std::string body;
  uint32_t lanes;  // threads of the block
  Words before;    // the buffer of 8 words
  Words after;
};

// 16-bit floats: 1.0 = 3c00, 2.0 = 4000, 0.5 = 3800, 32.0 = 5000; bf16: 1.0 = 3f80, 32.0 = 4200.
const std::vector<WideAtomicsCase>& cases() {
  static const std::vector<WideAtomicsCase> kCases = {
      {"f16 add: 32 × 1.0 on the upper half",
       "mov.b16 %h0, 0x3c00; red.global.add.noftz.f16 [%p0+2], %h0; ret;",
       32,
       {0x00001234},
       {0x50001234}},
      {"f16 add rounds to even: 2048 + 1 stays",
       "mov.b16 %h0, 0x3c00; atom.global.add.noftz.f16 %h1, [%p0], %h0; st.global.b16 [%p0+4], "
       "%h1; ret;",
       1,
       {0x00006800, 0},
       {0x00006800, 0x6800}},
      {"bf16 add",
       "mov.b16 %h0, 0x3f80; red.global.add.noftz.bf16 [%p0], %h0; ret;",
       32,
       {0},
       {0x00004200}},
      {"f16x2 add, both halves",
       "mov.b32 %r0, 0x38003c00; red.relaxed.gpu.global.add.noftz.f16x2 [%p0], %r0; ret;",
       4,
       {0},
       {0x40004400}},
      {"bf16x2 add",
       "mov.b32 %r0, 0x40003f80; red.global.add.noftz.bf16x2 [%p0], %r0; ret;",
       2,
       {0},
       {0x40804000}},
      {"vector f32 add",
       "mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f40000000; mov.f32 %f2, 0f40400000; mov.f32 %f3, "
       "0f40800000;"
       "red.global.v4.f32.add [%p0], {%f0, %f1, %f2, %f3}; ret;",
       2,
       {0, 0, 0, 0},
       {0x40000000, 0x40800000, 0x40c00000, 0x41000000}},
      {"vector f32 add gives old values",
       "mov.f32 %f0, 0f3F800000; atom.relaxed.sys.global.v2.f32.add {%f1, %f2}, [%p0], {%f0, %f0};"
       "st.global.v2.f32 [%p0+8], {%f2, %f1}; ret;",
       1,
       {0x40000000, 0x40800000, 0, 0},
       {0x40400000, 0x40a00000, 0x40800000, 0x40000000}},
      {"vector f16x2 max: -0 < +0, a NaN loses",
       "mov.b32 %r0, 0x00003c00; mov.b32 %r1, 0x7e00bc00; red.global.v2.f16x2.max.noftz [%p0], "
       "{%r0, %r1}; ret;",
       1,
       {0x80004000, 0x3c007e00},
       {0x00004000, 0x3c00bc00}},
      {"vector f16 min, four of them",
       "mov.b16 %h0, 0x3c00; mov.b16 %h1, 0xbc00; red.global.v4.f16.min.noftz [%p0], {%h0, %h1, "
       "%h0, %h1}; ret;",
       1,
       {0x38004000, 0xc0004000},
       {0xbc003c00, 0xc0003c00}},
      {"f32 add in global memory flushes subnormals",
       "mov.b32 %f0, 0x00000001; red.global.add.f32 [%p0], %f0; ret;",
       2,
       {0x80000003},
       {0x00000000}},
      {"f32 add in shared memory keeps subnormals",
       "mov.b32 %r0, 3; st.shared.u32 [s], %r0; mov.b32 %f0, 0x00000001; red.shared.add.f32 [s], "
       "%f0;"
       "ld.shared.u32 %r0, [s]; st.global.u32 [%p0], %r0; ret;",
       1,
       {0},
       {4}},
      {"f64 add",
       "mov.f64 %d0, 0d3FF0000000000000; red.global.add.f64 [%p0], %d0; ret;",
       32,
       {0, 0},
       {0, 0x40400000}},
      {"u64 max and min",
       "mov.u64 %l0, 0xffffffff00000001; red.global.max.u64 [%p0], %l0; red.global.min.s64 "
       "[%p0+8], %l0; ret;",
       1,
       {5, 5, 5, 5},
       {1, 0xffffffff, 1, 0xffffffff}},
      {"cas of 16 bits leaves the neighbour",
       "mov.b16 %h0, 0x2222; mov.b16 %h1, 0x7777; atom.acq_rel.cta.global.cas.b16 %h2, [%p0+2], "
       "%h0, %h1;"
       "st.global.b16 [%p0+4], %h2; ret;",
       1,
       {0x22221111, 0},
       {0x77771111, 0x2222}},
      {"cas of 128 bits, equal",
       "mov.u64 %l0, 0x200000001; mov.u64 %l1, 0x400000003; mov.u64 %l2, 9; mov.b128 %w0, {%l0, "
       "%l1};"
       "mov.b128 %w1, {%l2, %l2}; atom.global.cas.b128 %w2, [%p0], %w0, %w1; mov.b128 {%l3, %l4}, "
       "%w2;"
       "st.global.v2.u64 [%p0+16], {%l3, %l4}; ret;",
       1,
       {1, 2, 3, 4, 0, 0, 0, 0},
       {9, 0, 9, 0, 1, 2, 3, 4}},
      {"cas of 128 bits, the upper half differs",
       "mov.u64 %l0, 0x200000001; mov.u64 %l1, 0x400000003; mov.b128 %w0, {%l0, %l1};"
       "atom.global.cas.b128 %w2, [%p0], %w0, %w0; mov.b128 {%l3, %l4}, %w2;"
       "st.global.v2.u64 [%p0+16], {%l3, %l4}; ret;",
       1,
       {1, 2, 3, 5, 0, 0, 0, 0},
       {1, 2, 3, 5, 1, 2, 3, 5}},
      {"exch of 128 bits",
       "mov.u64 %l0, 7; mov.u64 %l1, 8; mov.b128 %w0, {%l0, %l1};"
       "atom.release.gpu.global.exch.b128 %w1, [%p0], %w0; mov.b128 {%l3, %l4}, %w1;"
       "st.global.v2.u64 [%p0+16], {%l3, %l4}; ret;",
       1,
       {1, 2, 3, 4, 0, 0, 0, 0},
       {7, 0, 8, 0, 1, 2, 3, 4}},
      {"every scope and order, and a cache policy",
       "createpolicy.fractional.L2::evict_last.b64 %l9, 1.0; mov.u32 %r0, 1;"
       "red.relaxed.cluster.global.add.u32 [%p0], %r0; atom.acquire.sys.global.add.u32 %r1, [%p0], "
       "%r0;"
       "atom.global.add.L2::cache_hint.u32 %r1, [%p0], %r0, %l9; red.global.add.L2::cache_hint.u32 "
       "[%p0], %r0, %l9;"
       "atom.add.u32 %r1, [%p0], %r0; ret;",
       1,
       {0},
       {5}},
      {"a generic address into shared memory",
       "mov.u64 %l0, s; cvta.shared.u64 %l1, %l0; mov.b32 %r0, 0x3c003c00; mov.u32 %r1, 0; "
       "st.shared.u32 [s], %r1;"
       "bar.warp.sync 0xffffffff; atom.add.noftz.f16x2 %r2, [%l1], %r0; bar.warp.sync 0xffffffff;"
       "ld.shared.u32 %r3, [s]; st.global.u32 [%p0], %r3; ret;",
       8,
       {0},
       {0x48004800}},
  };
  return kCases;
}

TEST(WideAtomics, GiveTheManualsValues) {
  for (const WideAtomicsCase& c : cases()) {
    SCOPED_TRACE(c.name);
    Words memory = c.before;
    memory.resize(8);
    Words after = c.after;
    after.resize(8);
    const KernelRun run = run_ptx(kernel_text(c.body, 1, ".shared .align 16 .b8 s[64];",
                                              ".reg .f64 %d<4>; .reg .b128 %w<4>;"),
                                  {1, 1, 1}, {c.lanes, 1, 1}, {memory});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.buffers[0], after);
  }
}

// Two emulation threads add to one word at the same time, and no addition is lost.
TEST(WideAtomics, BlocksShareAWord) {
  LaunchOptions options;
  options.threads = 2;
  const KernelRun run = run_ptx(
      kernel_text("mov.b32 %r0, 0x00003c00; red.global.add.noftz.f16x2 [%p0], %r0; ret;", 1),
      {64, 1, 1}, {32, 1, 1}, {Words{0}}, options);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers[0][0], 0x6800u);  // 64 × 32: f16 counts exactly up to here
}

TEST(WideAtomics, ThoseThatDoNotExistAreRefused) {
  for (const char* body :
       {"red.shared.v2.f32.add [s], {%f0, %f1}; ret;", "red.global.min.f32 [%p0], %f0; ret;",
        "red.async.relaxed.cluster.global.add.u32 [%p0], %r0; ret;"}) {
    SCOPED_TRACE(body);
    const KernelRun run = run_ptx(kernel_text(body, 1, ".shared .align 16 .b8 s[64];"), {1, 1, 1},
                                  {1, 1, 1}, {Words(8)});
    EXPECT_NE(errors_of(run).find("cannot run"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
