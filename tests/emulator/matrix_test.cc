// Matrix fragments, compared with the manual's index formulas
// and with products computed on the host.
#include <gtest/gtest.h>

#include <bit>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// 16-bit element n of shared memory is n; thread t supplies the address of
// byte 16t. Each thread has four result words.
KernelRun run_rows(const std::string& body) {
  const std::string start =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 4; add.u32 %r3, %r2, %r3;"
      "shl.b32 %r4, %r1, 3; mad.lo.u32 %r4, %r4, 0x10001, 0x10000; add.u32 %r5, %r4, 0x20002;"
      "add.u32 %r6, %r4, 0x40004; add.u32 %r7, %r4, 0x60006;"
      "st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7}; bar.sync 0; mov.u32 %r8, 0; mov.u32 %r9, 0; "
      "mov.u32 %r10, 0;"
      "mov.u32 %r11, 0; cvt.u64.u32 %l0, %r1; shl.b64 %l0, %l0, 4; add.s64 %l0, %l0, %p0;";
  return run_ptx(kernel_text(start + body + "st.global.v4.u32 [%l0], {%r8, %r9, %r10, %r11}; ret;",
                             1, ".shared .align 16 .b8 s[512];"),
                 {1, 1, 1}, {32, 1, 1}, {Words(128)});
}

uint32_t plain(uint32_t matrix, uint32_t lane) {  // elements 2t, 2t + 1 of row g
  const uint32_t n = 64 * matrix + 8 * (lane / 4) + 2 * (lane % 4);
  return n | (n + 1) << 16;
}
uint32_t turned(uint32_t matrix, uint32_t lane) {  // elements (2t, g), (2t + 1, g)
  const uint32_t n = 64 * matrix + 16 * (lane % 4) + lane / 4;
  return n | (n + 8) << 16;
}

TEST(Matrix, RowsComeAndGo) {
  struct Case {
    const char* body;
    uint32_t count;
    bool transposed;
  };
  const Case kMatrixCases[] = {
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r3];", 1, false},
      {"ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%r8, %r9}, [%r3];", 2, false},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r3];", 4, false},
      {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r8, %r9, %r10, %r11}, [%r3];", 4, true},
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r3]; "
       "movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r3;",
       1, true},
      {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r12, %r13}, [%r3]; bar.sync 0;"
       "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r3], {%r12, %r13}; bar.sync 0;"
       "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r8, %r9}, [%r3];",
       2, true},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r12, %r13}, [%r3]; bar.sync 0;"
       "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r3], {%r12, %r13}; bar.sync 0;"
       "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r8, %r9}, [%r3];",
       2, true},
  };
  for (const Case& c : kMatrixCases) {
    SCOPED_TRACE(c.body);
    const KernelRun run = run_rows(c.body);
    ASSERT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      for (uint32_t m = 0; m < 4; ++m) {
        const uint32_t want = m >= c.count ? 0 : c.transposed ? turned(m, lane) : plain(m, lane);
        ASSERT_EQ(run.buffers[0][4 * lane + m], want) << "thread " << lane << ", register " << m;
      }
    }
  }
}

// The bit pattern of a small integer in `type`.
uint32_t bits_of(const std::string& type, int value) {
  const auto f = std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == "f32" || type == "tf32") return f;
  if (type == "bf16") return f >> 16;
  if (type == "f16") {
    if (value == 0) return 0;
    return (f >> 31) << 15 | (((f >> 23) & 0xffu) - 112) << 10 | ((f >> 13) & 0x3ffu);
  }
  return static_cast<uint32_t>(value) & (type == "s32" ? 0xffffffffu : 0xffu);
}

struct Product {
  const char* form;  // after m16n8
  int k;
  std::string type;
  std::string result;
  int bits;  // per element
};

TEST(Matrix, ProductsInEveryShape) {
  const Product kProducts[] = {
      {"k16.row.col.f32.f16.f16.f32", 16, "f16", "f32", 16},
      {"k8.row.col.f32.f16.f16.f32", 8, "f16", "f32", 16},
      {"k16.row.col.f16.f16.f16.f16", 16, "f16", "f16", 16},
      {"k8.row.col.f16.f16.f16.f16", 8, "f16", "f16", 16},
      {"k16.row.col.f32.bf16.bf16.f32", 16, "bf16", "f32", 16},
      {"k8.row.col.f32.bf16.bf16.f32", 8, "bf16", "f32", 16},
      {"k8.row.col.f32.tf32.tf32.f32", 8, "tf32", "f32", 32},
      {"k4.row.col.f32.tf32.tf32.f32", 4, "tf32", "f32", 32},
      {"k32.row.col.s32.s8.s8.s32", 32, "s8", "s32", 8},
      {"k16.row.col.s32.s8.s8.s32", 16, "s8", "s32", 8},
      {"k32.row.col.satfinite.s32.s8.s8.s32", 32, "s8", "s32", 8},
  };
  for (const Product& p : kProducts) {
    SCOPED_TRACE(p.form);
    auto a = [](int row, int k) { return (row * 7 + k * 3) % 11 - 5; };
    auto b = [](int k, int column) { return (k * 5 + column * 2) % 7 - 3; };
    auto c = [](int row, int column) { return row - 2 * column; };
    const int each = 32 / p.bits;
    const int half_k = 4 * each;  // columns of A in two registers
    const int registers_b = p.k / half_k;
    const int registers_a = 2 * registers_b;
    const bool packed = p.result == "f16";
    Words memory(32 * 16, 0);
    for (int lane = 0; lane < 32; ++lane) {
      const int group = lane / 4;
      const int thread = lane % 4;
      uint32_t* words = &memory[static_cast<size_t>(16 * lane)];
      // The manual's "row and column of a_i", register by register.
      for (int i = 0; i < registers_a * each; ++i) {
        const int row = (i / each) % 2 == 0 ? group : group + 8;
        const int column = thread * each + i % each + (i >= 2 * each ? half_k : 0);
        words[i / each] |= bits_of(p.type, a(row, column)) << (p.bits * (i % each));
      }
      for (int i = 0; i < registers_b * each; ++i) {
        const int row = thread * each + i % each + (i >= each ? half_k : 0);
        words[4 + i / each] |= bits_of(p.type, b(row, group)) << (p.bits * (i % each));
      }
      for (int i = 0; i < 4; ++i) {
        const uint32_t value = bits_of(p.result, c(i < 2 ? group : group + 8, 2 * thread + i % 2));
        if (packed)
          words[8 + i / 2] |= value << (16 * (i % 2));
        else
          words[8 + i] = value;
      }
    }
    const std::string body =
        std::string("mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 64; add.s64 %l0, %l0, %p0;") +
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%l0]; ld.global.v2.u32 {%r5, %r6}, [%l0+16];"
        "ld.global.v4.u32 {%r7, %r8, %r9, %r10}, [%l0+32]; mov.u32 %r13, 0; mov.u32 %r14, 0; "
        "mma.sync.aligned.m16n8" +
        p.form + (packed ? " {%r11, %r12}, " : " {%r11, %r12, %r13, %r14}, ") +
        (registers_a == 4 ? "{%r1, %r2, %r3, %r4}, {%r5, %r6}, " : "{%r1, %r2}, {%r5}, ") +
        (packed ? "{%r7, %r8};" : "{%r7, %r8, %r9, %r10};") +
        "st.global.v4.u32 [%l0+48], {%r11, %r12, %r13, %r14}; ret;";
    const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {32, 1, 1}, {memory});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.findings.empty());
    for (int lane = 0; lane < 32; ++lane) {
      Words want(4, 0);
      for (int i = 0; i < 4; ++i) {
        const int row = lane / 4 + (i < 2 ? 0 : 8);
        const int column = 2 * (lane % 4) + i % 2;
        int sum = c(row, column);
        for (int k = 0; k < p.k; ++k) sum += a(row, k) * b(k, column);
        if (packed)
          want[static_cast<size_t>(i / 2)] |= bits_of("f16", sum) << (16 * (i % 2));
        else
          want[static_cast<size_t>(i)] = bits_of(p.result, sum);
      }
      const auto first = run.buffers[0].begin() + 16 * lane + 12;
      ASSERT_EQ(Words(first, first + 4), want) << "thread " << lane;
    }
  }
}

// One output element: 1 + the sum of 16 products, two of which are given. docs/emulator.md.
TEST(Matrix, SumsAreCutOffBehindTwentyFiveBits) {
  struct Case {
    const char* name;
    uint32_t a;    // two f16 of row 0, times 2^-12 each
    uint32_t sum;  // f32
  };
  const Case kMatrixCases[] = {
      {"2 × 2^-24 make the last place of 1", 0x0c000c00, 0x3f800001},
      {"one 2^-24 is cut off, not rounded", 0x0c00, 0x3f800000},
      {"three quarters of the last place are cut off", 0x08000c00, 0x3f800000},
      {"1.75 and 0.25 × 2^-24 would make the last place, but 2^-26 is cut off both", 0x04000f00,
       0x3f800000},
  };
  for (const Case& c : kMatrixCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_warp(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %q0, %r1, 0; selp.b32 %r2, " + std::to_string(c.a) +
        ", 0, %q0; mov.u32 %r3, 0; mov.u32 %r4, 0x0c000c00; mov.u32 %r5, 0x3f800000;"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r6, %r7, %r8}, {%r2, %r3, %r3, "
        "%r3}, {%r4, %r3},"
        "{%r5, %r5, %r5, %r5};" +
        kStoreR0);
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.buffers[0][0], c.sum);
  }
}

// The back end's rules never merge or drop matrix accesses.
TEST(Matrix, BackEndLeavesTheAccessAlone) {
  const KernelRun run = run_rows(
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r12, %r8}, [%r3]; mbarrier.init.shared.b64 [s], "
      "1;"
      "mbarrier.init.shared.b64 [s+8], 1;");
  ASSERT_EQ(errors_of(run), "");
  for (const AccessSite& site : run.sites) {
    if (site.text.starts_with("st")) continue;
    EXPECT_FALSE(site.dropped) << site.text;
    EXPECT_EQ(site.leader, -1) << site.text;
    EXPECT_EQ(site.issued_bytes, 0) << site.text;
  }
}

TEST(Matrix, HalfAWarpIsFound) {
  const KernelRun run = run_rows(
      "setp.lt.u32 %q0, %r1, 16; @%q0 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r3];");
  ASSERT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kSyncwarpMask), nullptr);
}

TEST(Matrix, OtherShapesAreRefused) {
  const char* const kOthers[] = {
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2}, "
      "{%r3,%r4}, {%f0,%f1,%f2,%f3}, %r5, 4;",
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2}, "
      "{%r3,%r4}, {%f0,%f1,%f2,%f3};",
      "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32 {%f0,%f1,%f2,%f3}, "
      "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f0,%f1,%f2,%f3};",
      "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, "
      "{%r5,%r6}, {%f0,%f1,%f2,%f3};",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, "
      "{%r5,%r6}, {%f0,%f1,%f2,%f3};",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2}, {%r5,%r6}, "
      "{%f0,%f1,%f2,%f3};",
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%p0];",
      "wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r1}, [%p0];",
      "wmma.mma.sync.aligned.row.col.m8n8k4.rz.f64.f64.f64.f64 {%l0,%l1}, {%l2}, {%l3}, {%l0,%l1};",
  };
  for (const char* body : kOthers) {
    EXPECT_NE(errors_of(run_rows(body)).find("cannot run"), std::string::npos) << body;
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
