// Lane-wise forms. Edge cases are worked out by hand; every instruction set of this machine gives
// the same bits and leaves inactive lanes unchanged; the fast conversions equal the exact ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../../app/emulator/lanes/lane_tables.h"
#include "lane_fixture.h"
#include "ptx/instructions.h"

namespace warpshop::emulator::testing {
namespace {

Lanes all(uint64_t value) {
  Lanes lanes;
  lanes.fill(value);
  return lanes;
}

// ---- By hand, from the manual's text ------------------------------------------------------------

struct EdgeCase {
  std::string_view form;
  std::vector<uint64_t> sources;
  uint64_t expected = 0;
};

constexpr uint64_t kNanF32 = 0x7fffffff;
constexpr uint64_t kInfF32 = 0x7f800000;
constexpr uint64_t kOneF32 = 0x3f800000;

const EdgeCase kEdgeCases[] = {
    // Division by zero, and a quotient that does not fit.
    {.form = "div.u32", .sources = {7, 0}, .expected = 0xffffffff},
    {.form = "rem.s16", .sources = {7, 0}, .expected = 0xffff},
    {.form = "div.s32", .sources = {0x80000000, 0xffffffff}, .expected = 0x80000000},
    {.form = "rem.s32", .sources = {0x80000000, 0xffffffff}, .expected = 0},
    {.form = "div.s64",
     .sources = {0x8000000000000000, ~uint64_t{0}},
     .expected = 0x8000000000000000},
    {.form = "div.u32", .sources = {0xffffffff, 1}, .expected = 0xffffffff},
    {.form = "div.u32", .sources = {0xfffffffe, 0xffffffff}, .expected = 0},
    {.form = "div.s32",
     .sources = {0xfffffff9, 2},
     .expected = 0xfffffffd},  // -7 / 2: towards zero
    {.form = "rem.s32", .sources = {0xfffffff9, 2}, .expected = 0xffffffff},  // the dividend's sign
    // Shift amounts beyond the register's width. PTX ISA "shl", "shr", "shf".
    {.form = "shl.b32", .sources = {1, 32}, .expected = 0},
    {.form = "shl.b64", .sources = {1, 0xffffffff}, .expected = 0},
    {.form = "shr.u32", .sources = {0x80000000, 40}, .expected = 0},
    {.form = "shr.s32", .sources = {0x80000000, 40}, .expected = 0xffffffff},
    {.form = "shr.s16", .sources = {0x8000, 16}, .expected = 0xffff},
    {.form = "shf.l.wrap.b32", .sources = {0x12345678, 0x9abcdef0, 36}, .expected = 0xabcdef01},
    {.form = "shf.l.clamp.b32", .sources = {0x12345678, 0x9abcdef0, 36}, .expected = 0x12345678},
    {.form = "shf.r.wrap.b32", .sources = {0x12345678, 0x9abcdef0, 4}, .expected = 0x01234567},
    {.form = "shf.r.clamp.b32", .sources = {0x12345678, 0x9abcdef0, 99}, .expected = 0x9abcdef0},
    // Saturation and wide products.
    {.form = "add.sat.s32", .sources = {0x7fffffff, 1}, .expected = 0x7fffffff},
    {.form = "sub.sat.s32", .sources = {0x80000000, 1}, .expected = 0x80000000},
    {.form = "add.s32", .sources = {0x7fffffff, 1}, .expected = 0x80000000},
    {.form = "abs.s32", .sources = {0x80000000}, .expected = 0x80000000},
    {.form = "mul.wide.s32", .sources = {0xffffffff, 2}, .expected = 0xfffffffffffffffe},
    {.form = "mul.wide.u32", .sources = {0xffffffff, 2}, .expected = 0x1fffffffe},
    {.form = "mul.hi.s64", .sources = {~uint64_t{0}, 1}, .expected = ~uint64_t{0}},
    {.form = "mad.hi.u32", .sources = {0x80000000, 4, 5}, .expected = 7},
    {.form = "mul24.lo.s32", .sources = {0x00ffffff, 3}, .expected = 0xfffffffd},
    {.form = "sad.s32", .sources = {0xffffffff, 1, 10}, .expected = 12},
    // Bits. PTX ISA "bfind", "bfe", "bfi", "prmt", "lop3".
    {.form = "bfind.s32", .sources = {0xffffffff}, .expected = 0xffffffff},
    {.form = "bfind.u32", .sources = {0x00010000}, .expected = 16},
    {.form = "bfind.shiftamt.u32", .sources = {0x00010000}, .expected = 15},
    {.form = "bfind.u64", .sources = {0}, .expected = 0xffffffff},
    {.form = "clz.b64", .sources = {0}, .expected = 64},
    {.form = "brev.b32", .sources = {1}, .expected = 0x80000000},
    {.form = "bfe.s32", .sources = {0x00000080, 4, 4}, .expected = 0xfffffff8},
    {.form = "bfe.s32", .sources = {0x80000000, 28, 8}, .expected = 0xfffffff8},
    {.form = "bfe.u32", .sources = {0xffffffff, 0, 0}, .expected = 0},
    {.form = "bfi.b32", .sources = {0xff, 0, 28, 8}, .expected = 0xf0000000},
    {.form = "bfi.b32", .sources = {0xff, 0x12345678, 32, 8}, .expected = 0x12345678},
    {.form = "prmt.b32", .sources = {0x33221100, 0x77665544, 0x0716}, .expected = 0x00771166},
    {.form = "prmt.b32", .sources = {0x80, 0, 0x8880}, .expected = 0xffffff80},
    {.form = "fns.b32", .sources = {0b10110, 0, 2}, .expected = 2},
    {.form = "fns.b32", .sources = {0b10110, 4, 0xfffffffe}, .expected = 2},
    {.form = "bmsk.clamp.b32", .sources = {4, 40}, .expected = 0xfffffff0},
    {.form = "szext.clamp.s32", .sources = {0x80, 8}, .expected = 0xffffff80},
    {.form = "dp4a.s32.s32", .sources = {0xff01ff01, 0x01010101, 5}, .expected = 5},
    // f32: signed zeros, NaNs, subnormals.
    {.form = "min.f32", .sources = {0x00000000, 0x80000000}, .expected = 0x80000000},
    {.form = "max.f32", .sources = {0x80000000, 0x00000000}, .expected = 0},
    {.form = "min.f32", .sources = {0x7fc00000, kOneF32}, .expected = kOneF32},
    {.form = "min.f32", .sources = {0x7fc00000, 0x7fc00000}, .expected = kNanF32},
    {.form = "min.NaN.f32", .sources = {0x7fc00000, kOneF32}, .expected = kNanF32},
    {.form = "max.xorsign.abs.f32", .sources = {0xbf800000, 0x40000000}, .expected = 0xc0000000},
    {.form = "add.f32", .sources = {kInfF32, 0xff800000}, .expected = kNanF32},
    {.form = "add.sat.f32", .sources = {kInfF32, 0xff800000}, .expected = 0},
    {.form = "add.sat.f32", .sources = {0x80000000, 0x80000000}, .expected = 0},
    {.form = "add.rm.f32", .sources = {kOneF32, 0xbf800000}, .expected = 0x80000000},
    {.form = "add.rn.f32", .sources = {kOneF32, 0xbf800000}, .expected = 0},
    {.form = "add.rp.f32", .sources = {kOneF32, 1}, .expected = 0x3f800001},
    {.form = "add.rz.f32", .sources = {0x7f7fffff, 0x7f7fffff}, .expected = 0x7f7fffff},
    {.form = "mul.ftz.f32", .sources = {0x00800000, 0x3f000000}, .expected = 0},
    {.form = "mul.f32", .sources = {0x00800000, 0x3f000000}, .expected = 0x00400000},
    // (1 + 2^-12)^2 - 1 - 2^-11 = 2^-24: a separately rounded product would give 0.
    {.form = "fma.rn.f32", .sources = {0x3f800800, 0x3f800800, 0xbf801000}, .expected = 0x33800000},
    {.form = "rcp.rn.f32", .sources = {0x80000000}, .expected = 0xff800000},
    {.form = "sqrt.rn.f32", .sources = {0x80000000}, .expected = 0x80000000},
    {.form = "sqrt.rn.f32", .sources = {0xbf800000}, .expected = kNanF32},
    {.form = "rsqrt.approx.f32", .sources = {0x80000000}, .expected = 0xff800000},
    {.form = "lg2.approx.f32", .sources = {0}, .expected = 0xff800000},
    {.form = "ex2.approx.f32", .sources = {0xff800000}, .expected = 0},
    {.form = "ex2.approx.ftz.f32",
     .sources = {0xc2ff0000},
     .expected = 0},  // 2^-127.5 is subnormal
    {.form = "sin.approx.f32", .sources = {0x80000000}, .expected = 0x80000000},
    {.form = "cos.approx.f32", .sources = {0}, .expected = kOneF32},
    {.form = "tanh.approx.f32", .sources = {kInfF32}, .expected = kOneF32},
    {.form = "copysign.f32", .sources = {0x80000000, kOneF32}, .expected = 0xbf800000},
    {.form = "testp.subnormal.f32", .sources = {1}, .expected = 1},
    {.form = "testp.finite.f64", .sources = {0x7ff0000000000000}, .expected = 0},
    // Comparisons with a NaN.
    {.form = "setp.eq.f32", .sources = {0x7fc00000, 0x7fc00000}, .expected = 0},
    {.form = "setp.ne.f32", .sources = {0x7fc00000, kOneF32}, .expected = 0},
    {.form = "setp.neu.f32", .sources = {0x7fc00000, kOneF32}, .expected = 1},
    {.form = "setp.num.f32", .sources = {0x7fc00000, kOneF32}, .expected = 0},
    {.form = "setp.lt.ftz.f32", .sources = {1, 2}, .expected = 0},
    {.form = "setp.lo.u32", .sources = {1, 0xffffffff}, .expected = 1},
    {.form = "setp.lt.s32", .sources = {1, 0xffffffff}, .expected = 0},
    {.form = "setp.gt.and.s32", .sources = {2, 1, 0}, .expected = 0},
    {.form = "setp.gt.xor.s32", .sources = {2, 1, 0}, .expected = 1},
    {.form = "set.lt.u32.s32", .sources = {0xffffffff, 0}, .expected = 0xffffffff},
    {.form = "set.lt.f32.s32", .sources = {0xffffffff, 0}, .expected = kOneF32},
    {.form = "selp.b64", .sources = {1, 2, 0}, .expected = 2},
    {.form = "slct.u32.f32", .sources = {1, 2, 0x7fc00000}, .expected = 2},
    {.form = "slct.u32.f32", .sources = {1, 2, 0x80000000}, .expected = 1},
    // Conversions. PTX ISA "cvt".
    {.form = "cvt.rzi.s32.f32", .sources = {0x4f000000}, .expected = 0x7fffffff},  // 2^31
    {.form = "cvt.rzi.u32.f32", .sources = {0xbf800000}, .expected = 0},
    {.form = "cvt.rni.s32.f32", .sources = {0x40200000}, .expected = 2},  // 2.5: to even
    {.form = "cvt.rmi.s32.f32", .sources = {0xbf000000}, .expected = 0xffffffff},
    {.form = "cvt.rpi.f32.f32", .sources = {0xbf000000}, .expected = 0x80000000},
    {.form = "cvt.rn.f32.u64",
     .sources = {0xffffff8000000000},
     .expected = 0x5f800000},  // a tie, to even
    {.form = "cvt.rz.f32.u64", .sources = {0xffffffffffffffff}, .expected = 0x5f7fffff},
    {.form = "cvt.sat.u8.s32", .sources = {0xffffffff}, .expected = 0},
    {.form = "cvt.sat.s8.s32", .sources = {300}, .expected = 127},
    {.form = "cvt.s8.s32", .sources = {0x80}, .expected = 0xff80},
    {.form = "cvt.u8.s32", .sources = {0x180}, .expected = 0x80},
    {.form = "cvt.s32.s8", .sources = {0x1280}, .expected = 0xffffff80},
    {.form = "cvt.rn.f16.f32",
     .sources = {0x477ff000},
     .expected = 0x7c00},  // 65520: halfway to 2^16
    {.form = "cvt.rz.f16.f32", .sources = {0x477fffff}, .expected = 0x7bff},
    {.form = "cvt.rn.f16.f32", .sources = {0x33000000}, .expected = 0},  // 2^-25: a tie with 0
    {.form = "cvt.rn.f16.f32", .sources = {0x33000001}, .expected = 1},
    {.form = "cvt.rn.bf16.f32", .sources = {0x3f808000}, .expected = 0x3f80},
    {.form = "cvt.rn.f16x2.f32", .sources = {kOneF32, 0x40000000}, .expected = 0x3c004000},
    {.form = "cvt.rn.relu.f16.f32", .sources = {0xbf800000}, .expected = 0},
    {.form = "cvt.rn.satfinite.e4m3x2.f32",
     .sources = {0x44000000, 0xc4000000},
     .expected = 0x7efe},
    {.form = "cvt.rn.satfinite.e5m2x2.f32", .sources = {kOneF32, 0x47800000}, .expected = 0x3c7b},
    {.form = "cvt.rn.f16x2.e4m3x2", .sources = {0x387e}, .expected = 0x3c005f00},
    {.form = "cvt.rna.tf32.f32", .sources = {0x3f801000}, .expected = 0x3f802000},
    {.form = "cvt.f64.f32", .sources = {1}, .expected = 0x36a0000000000000},
    {.form = "cvt.rn.f32.f64", .sources = {0x47efffffefffffff}, .expected = 0x7f7fffff},
    {.form = "cvt.rn.f32.f64", .sources = {0x47effffff0000000}, .expected = 0x7f800000},
    // 16-bit floats.
    {.form = "add.f16",
     .sources = {0x7bff, 0x4c00},
     .expected = 0x7c00},  // 65504 + 16: a tie, to even
    {.form = "fma.rn.f16x2",
     .sources = {0x3c003c00, 0x40004000, 0x3c00bc00},
     .expected = 0x42003c00},
    {.form = "fma.rn.relu.bf16", .sources = {0xbf80, 0x3f80, 0}, .expected = 0},
    {.form = "fma.rn.oob.f16", .sources = {0x7ff7, 0x3c00, 0x4000}, .expected = 0},
    {.form = "fma.rn.oob.f16", .sources = {0x7fff, 0x3c00, 0x4000}, .expected = 0x7fff},
    // An H200's result for an argument that depends on one unit in the table's last place.
    {.form = "rsqrt.approx.f32", .sources = {0x018fce5d}, .expected = 0x5e718593},
    {.form = "neg.bf16", .sources = {0x3f80}, .expected = 0xbf80},
};

TEST(LaneForms, EdgeCases) {
  for (const EdgeCase& c : kEdgeCases) {
    for (const std::string_view isa : lane_isas()) {
      const LaneForm* form = find_lane_form_of(isa, c.form);
      ASSERT_NE(form, nullptr) << c.form;
      LaneRun run(*form);
      for (int i = 0; i < form->source_count; ++i)
        run.set_source(i, all(c.sources.at(static_cast<size_t>(i))));
      run.run();
      EXPECT_EQ(run.dest()[17], c.expected)
          << c.form << " on " << isa << ": 0x" << std::hex << run.dest()[17];
    }
  }
}

TEST(LaneForms, Lop3IsTheTableOfItsImmediate) {
  const LaneForm* form = find_lane_form("lop3.b32");
  ASSERT_NE(form, nullptr);
  for (uint64_t table = 0; table < 256; ++table) {
    LaneRun run(*form);
    run.set_source(0, all(0xf0));  // bits 0 to 7 contain every combination of a, b and c once
    run.set_source(1, all(0xcc));
    run.set_source(2, all(0xaa));
    run.set_immediate(table);
    run.run();
    EXPECT_EQ(run.dest()[0] & 0xff, table);
  }
}

TEST(LaneForms, Lop3WithAPredicateReadsItAndWritesOne) {
  const LaneForm* form = find_lane_form("lop3.or.b32");
  ASSERT_NE(form, nullptr);
  EXPECT_EQ(form->immediate_source, 3);
  EXPECT_EQ(form->far_source, 4);
  LaneRun run(*form);
  Lanes a{}, q{};
  a[1] = a[3] = 1;
  q[2] = q[3] = 1;
  run.set_source(0, a);
  run.set_source(1, all(0));
  run.set_source(2, all(0));
  run.set_source(4, q);
  run.set_immediate(0xf0);  // a
  run.run();
  EXPECT_EQ(run.dest(), a);
  const Lanes second = run.second();
  EXPECT_EQ(second[0], 0u);
  EXPECT_EQ(second[1], 1u);
  EXPECT_EQ(second[2], 1u);
  EXPECT_EQ(second[3], 1u);
}

TEST(LaneForms, ASecondPredicateIsTheOppositeAndMayBeAbsent) {
  const LaneForm* form = find_lane_form("setp.lt.u32");
  ASSERT_NE(form, nullptr);
  Lanes a{};
  for (size_t lane = 0; lane < 32; ++lane) a[lane] = lane;
  LaneRun both(*form);
  both.set_source(0, a);
  both.set_source(1, all(10));
  both.run();
  LaneRun one(*form);
  one.set_source(0, a);
  one.set_source(1, all(10));
  one.drop_second();
  one.run();
  for (size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(both.dest()[lane], lane < 10 ? 1u : 0u);
    EXPECT_EQ(both.second()[lane], lane < 10 ? 0u : 1u);
    EXPECT_EQ(one.dest()[lane], both.dest()[lane]);
    EXPECT_EQ(one.second()[lane], 0u);
  }
}

TEST(LaneForms, ANegatedPredicateIsReadNegated) {
  const LaneForm* form = find_lane_form("selp.u32");
  ASSERT_NE(form, nullptr);
  LaneRun run(*form);
  run.set_source(0, all(1));
  run.set_source(1, all(2));
  run.set_source(2, all(1));
  run.negate_source(2);
  run.run();
  EXPECT_EQ(run.dest()[5], 2u);
}

TEST(LaneForms, TheCarryStaysWithItsLane) {
  const LaneForm* add = find_lane_form("add.cc.u32");
  const LaneForm* plain = find_lane_form("addc.u32");
  ASSERT_NE(add, nullptr);
  ASSERT_NE(plain, nullptr);
  LaneRun first(*add, 0x0000ffffu);
  Lanes a{};
  for (size_t lane = 0; lane < 32; lane += 2) a[lane] = 0xffffffff;
  first.set_source(0, a);
  first.set_source(1, all(1));
  first.set_carry(0xff000000u);
  first.run();
  EXPECT_EQ(first.carry(), 0xff005555u);  // the upper lanes are inactive: their carry is unchanged
  LaneRun second(*plain);
  second.set_source(0, all(5));
  second.set_source(1, all(6));
  second.set_carry(first.carry());
  second.run();
  for (size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(second.dest()[lane], 11u + (first.carry() >> lane & 1));
}

TEST(LaneForms, ConversionsKnowTheWidthOfTheirRegisters) {
  const LaneForm* narrow = find_lane_form("cvt.s32.s8");
  const LaneForm* wide = find_lane_form("cvt.s32.s8", 32, 32);
  const LaneForm* extended = find_lane_form("cvt.s8.s32", 64, 32);
  ASSERT_NE(narrow, nullptr);
  ASSERT_NE(wide, nullptr);
  ASSERT_NE(extended, nullptr);
  EXPECT_EQ(ptx::size_bytes(narrow->source[0]), 2);
  EXPECT_EQ(ptx::size_bytes(wide->source[0]), 4);
  EXPECT_EQ(ptx::size_bytes(extended->dest), 8);
  LaneRun run(*extended);
  run.set_source(0, all(0x1280));
  run.run();
  EXPECT_EQ(run.dest()[9], 0xffffffffffffff80u);
  EXPECT_EQ(find_lane_form("cvt.u32.u64", 32, 32), nullptr);     // a source too narrow for its type
  EXPECT_EQ(find_lane_form("cvt.rn.f32.s32", 64, 32), nullptr);  // floats have one width
  EXPECT_EQ(find_lane_form("add.q32"), nullptr);
}

// ---- All forms, random inputs -------------------------------------------------------------------

class Noise {
 public:
  explicit Noise(uint64_t seed) : random_(seed) {}
  // Special values of every width and kind, mixed with random ones.
  uint64_t word() {
    static constexpr uint64_t kSpecial[] = {0,
                                            1,
                                            2,
                                            31,
                                            32,
                                            63,
                                            64,
                                            0x7f,
                                            0x80,
                                            0xff,
                                            0x7fff,
                                            0x8000,
                                            0xffff,
                                            0x7fffffff,
                                            0x80000000,
                                            0xffffffff,
                                            0x7fffffffffffffff,
                                            0x8000000000000000,
                                            0xffffffffffffffff,
                                            0x3c00,
                                            0x7c00,
                                            0x7e00,
                                            0xfc00,
                                            0x3f80,
                                            0x7f80,
                                            0x3c003c00,
                                            0x7e00fc01,
                                            0x3f803f80,
                                            0x3f800000,
                                            0xbf800000,
                                            0x7f800000,
                                            0xff800000,
                                            0x7fc00000,
                                            0x7f800001,
                                            0x00800000,
                                            0x807fffff,
                                            0x4f000000,
                                            0x3ff0000000000000,
                                            0xbff0000000000000,
                                            0x7ff0000000000000,
                                            0xfff0000000000000,
                                            0x7ff8000000000000,
                                            0x7ff0000000000001,
                                            0x0010000000000000,
                                            0x800fffffffffffff,
                                            0x43e0000000000000};
    const uint64_t choice = random_();
    if (choice % 3 == 0) return kSpecial[random_() % std::size(kSpecial)];
    if (choice % 3 == 1) return random_();
    return random_() >> (random_() % 64);
  }
  Lanes lanes() {
    Lanes values;
    for (uint64_t& value : values) value = word();
    return values;
  }
  uint32_t mask() { return static_cast<uint32_t>(random_()); }

 private:
  std::mt19937_64 random_;
};

struct FormResult {
  Lanes dest;
  Lanes second;
  uint32_t carry;
  bool operator==(const FormResult&) const = default;
};

FormResult result_of(const LaneForm& form, uint32_t mask, uint64_t seed) {
  Noise noise(seed);
  LaneRun run(form, mask);
  run.set_before(noise.lanes());
  for (int i = 0; i < form.source_count; ++i) {
    if (i != form.immediate_source) run.set_source(i, noise.lanes());
  }
  if (form.immediate_source >= 0) run.set_immediate(noise.word() & 0xff);
  run.set_carry(noise.mask());
  run.run();
  return {run.dest(), run.second(), run.carry()};
}

TEST(LaneForms, AllInstructionSetsGiveTheSameBits) {
  const std::vector<std::string_view> isas = lane_isas();
  for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
    if (row.unit.empty()) continue;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      const uint32_t mask = seed <= 3 ? 0xffffffffu : Noise(seed).mask();
      const LaneForm* reference = find_lane_form_of(isas.back(), row.form);
      ASSERT_NE(reference, nullptr) << row.form;
      const FormResult expected = result_of(*reference, mask, seed);
      for (const std::string_view isa : isas) {
        const LaneForm* form = find_lane_form_of(isa, row.form);
        ASSERT_NE(form, nullptr) << row.form;
        ASSERT_EQ(result_of(*form, mask, seed), expected)
            << row.form << " on " << isa << ", mask " << std::hex << mask;
      }
    }
  }
}

TEST(LaneForms, InactiveLanesKeepWhatTheyHad) {
  for (const std::string_view isa : lane_isas()) {
    for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
      if (row.unit.empty()) continue;
      const LaneForm* form = find_lane_form_of(isa, row.form);
      ASSERT_NE(form, nullptr) << row.form;
      constexpr uint32_t kMask = 0x0f55a001u;
      constexpr uint64_t kSeed = 99;
      const FormResult whole = result_of(*form, 0xffffffffu, kSeed);
      const FormResult part = result_of(*form, kMask, kSeed);
      Noise noise(kSeed);
      LaneRun untouched(*form);
      untouched.set_before(noise.lanes());
      const Lanes before = untouched.dest();
      for (size_t lane = 0; lane < 32; ++lane) {
        const bool active = (kMask >> lane & 1) != 0;
        ASSERT_EQ(part.dest[lane], active ? whole.dest[lane] : before[lane])
            << row.form << " on " << isa;
        ASSERT_EQ(part.second[lane], active ? whole.second[lane] : 0) << row.form << " on " << isa;
      }
    }
  }
}

TEST(LaneForms, FastConversionsAreTheExactOnes) {
  std::map<std::string_view, const lanes_base::ConvertRow*> exact;
  const lanes_base::ConvertRow* next = lanes_base::kConvert;
  for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
    if (row.unit == "Convert") exact[row.form] = next++;
  }
  int compared = 0;
  for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
    if (row.unit != "FastConvert") continue;
    ASSERT_TRUE(exact.contains(row.form)) << row.form;
    for (const std::string_view isa : lane_isas()) {
      const LaneForm* fast = find_lane_form_of(isa, row.form);
      ASSERT_NE(fast, nullptr) << row.form;
      const auto index = [](ptx::Type type) {
        return ptx::size_bytes(type) <= 2 ? 0 : ptx::size_bytes(type) == 4 ? 1 : 2;
      };
      LaneForm slow = *fast;
      slow.run = exact.at(row.form)->run[index(fast->dest)][index(fast->source[0])];
      ASSERT_NE(slow.run, nullptr) << row.form;
      ASSERT_NE(slow.run, fast->run) << row.form;
      for (uint64_t seed = 1; seed <= 40; ++seed) {
        ASSERT_EQ(result_of(*fast, 0xffffffffu, seed), result_of(slow, 0xffffffffu, seed))
            << row.form << " on " << isa;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

// Directed rounding against the definition: the result and its neighbour enclose the exact value.
TEST(LaneForms, DirectedRoundingEnclosesTheExactValue) {
  std::mt19937 random(5);
  const LaneForm* down = find_lane_form("mul.rm.f32");
  const LaneForm* up = find_lane_form("mul.rp.f32");
  const LaneForm* zero = find_lane_form("mul.rz.f32");
  ASSERT_TRUE(down != nullptr && up != nullptr && zero != nullptr);
  const auto as_float = [](uint64_t bits) {
    const uint32_t word = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &word, 4);
    return value;
  };
  for (int round = 0; round < 100; ++round) {
    Lanes a, b;
    for (size_t lane = 0; lane < 32; ++lane) {
      a[lane] = (random() & 0x80ffffffu) | 0x3f000000u;
      b[lane] = (random() & 0x80ffffffu) | 0x3f000000u;
    }
    Lanes results[3];
    for (int mode = 0; mode < 3; ++mode) {
      LaneRun run(mode == 0 ? *down : mode == 1 ? *up : *zero);
      run.set_source(0, a);
      run.set_source(1, b);
      run.run();
      results[mode] = run.dest();
    }
    for (size_t lane = 0; lane < 32; ++lane) {
      const double exact =
          static_cast<double>(as_float(a[lane])) * static_cast<double>(as_float(b[lane]));
      const float low = as_float(results[0][lane]), high = as_float(results[1][lane]);
      EXPECT_LE(static_cast<double>(low), exact);
      EXPECT_GE(static_cast<double>(high), exact);
      if (low != high) {
        EXPECT_EQ(std::nextafter(low, HUGE_VALF), high);
      }
      EXPECT_EQ(as_float(results[2][lane]), exact > 0 ? low : high);
    }
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
