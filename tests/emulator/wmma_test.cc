// wmma: every shape, type and layout, in global, shared and generic memory,
// compared with products computed on the host.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <set>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct WmmaKind {
  const char* shape;
  int m, n, k;
  std::string type;
  std::string sum;
  int bits;  // per element of A and B
  int sum_bits;
  int registers_a, registers_b;  // per lane: PTX ISA §9.7.14.4.1
  bool by_rows_only = false;     // A by rows, B by columns
};

const WmmaKind kKinds[] = {{"m16n16k16", 16, 16, 16, "f16", "f32", 16, 32, 8, 8},
                           {"m16n16k16", 16, 16, 16, "f16", "f16", 16, 16, 8, 8},
                           {"m8n32k16", 8, 32, 16, "f16", "f32", 16, 32, 8, 8},
                           {"m8n32k16", 8, 32, 16, "f16", "f16", 16, 16, 8, 8},
                           {"m32n8k16", 32, 8, 16, "f16", "f32", 16, 32, 8, 8},
                           {"m32n8k16", 32, 8, 16, "f16", "f16", 16, 16, 8, 8},
                           {"m16n16k16", 16, 16, 16, "bf16", "f32", 16, 32, 4, 4},
                           {"m8n32k16", 8, 32, 16, "bf16", "f32", 16, 32, 2, 8},
                           {"m32n8k16", 32, 8, 16, "bf16", "f32", 16, 32, 8, 2},
                           {"m16n16k8", 16, 16, 8, "tf32", "f32", 32, 32, 4, 4},
                           {"m8n8k4", 8, 8, 4, "f64", "f64", 64, 64, 1, 1},
                           {"m16n16k16", 16, 16, 16, "s8", "s32", 8, 32, 2, 2},
                           {"m8n32k16", 8, 32, 16, "u8", "s32", 8, 32, 1, 4},
                           {"m32n8k16", 32, 8, 16, "s8", "s32", 8, 32, 4, 1},
                           {"m8n8k32", 8, 8, 32, "s4", "s32", 4, 32, 1, 1, true},
                           {"m8n8k32", 8, 8, 32, "u4", "s32", 4, 32, 1, 1, true},
                           {"m8n8k128", 8, 8, 128, "b1", "s32", 1, 32, 1, 1, true}};

// The bit pattern of a small integer in `type`.
uint64_t wmma_bits(const std::string& type, int value) {
  if (type == "f64") return std::bit_cast<uint64_t>(static_cast<double>(value));
  const auto f = std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == "f32" || type == "tf32") return f;
  if (type == "bf16") return f >> 16;
  if (type == "f16")
    return value == 0 ? 0
                      : (f >> 31) << 15 | (((f >> 23) & 0xffu) - 112) << 10 | ((f >> 13) & 0x3ffu);
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

void put(Words& words, uint64_t element, int bits, uint64_t value) {
  for (int b = 0; b < bits; ++b) {
    const uint64_t at = element * static_cast<uint64_t>(bits) + static_cast<uint64_t>(b);
    const uint32_t bit = 1u << (at % 32);
    words[at / 32] = (value >> b & 1u) ? words[at / 32] | bit : words[at / 32] & ~bit;
  }
}

struct Layouts {
  bool a, b, c, d;  // true: row-major
};

// Elements of A and B fit every type; those of b1 are single bits.
int element_a(const WmmaKind& k, int row, int depth) {
  const int x = row * 7 + depth * 3;
  return k.bits == 1 ? (x % 5) % 2 : k.type[0] == 'u' ? x % 11 : x % 11 - 5;
}
int element_b(const WmmaKind& k, int depth, int column) {
  const int x = depth * 5 + column * 2;
  return k.bits == 1 ? (x % 7) % 2 : k.type[0] == 'u' ? x % 7 : x % 7 - 3;
}
int element_c(int row, int column) { return row - 2 * column; }

std::string fragment(const char* name, int registers) {
  std::string text = "{";
  for (int n = 0; n < registers; ++n)
    text += (n ? ", %" : "%") + std::string(name) + std::to_string(n);
  return text + "}";
}

constexpr int kSharedWords = 512;  // of each of A, B, C, D

class Wmma : public ::testing::Test {
 protected:
  // `space`: of the instruction. A and B are in shared memory;
  // so are C and D, unless it is "global".
  void check(const WmmaKind& k, Layouts layouts, const std::string& space) {
    SCOPED_TRACE(std::string(k.shape) + " " + k.type + " " + k.sum + (layouts.a ? " row" : " col") +
                 (layouts.b ? " row" : " col") + (layouts.c ? " row" : " col") +
                 (layouts.d ? " row " : " col ") + space);
    // Lines are padded by a multiple of 16 bytes, so that they stay aligned.
    auto stride = [](int in_line, int bits) {
      return in_line + 256 / std::max(bits, 8) * (bits < 8 ? 8 / bits : 1);
    };
    const int stride_a = stride(layouts.a ? k.k : k.m, k.bits);
    const int stride_b = stride(layouts.b ? k.n : k.k, k.bits);
    const int stride_c = stride(layouts.c ? k.n : k.m, k.sum_bits);
    const int stride_d = stride(layouts.d ? k.n : k.m, k.sum_bits);
    auto place = [](bool by_rows, int row, int column, int line) {
      return static_cast<uint64_t>(by_rows ? row * line + column : column * line + row);
    };
    Words a(2 * kSharedWords, 0xdeadbeef), b(a), c(a), d(a);
    for (int row = 0; row < k.m; ++row) {
      for (int depth = 0; depth < k.k; ++depth) {
        put(a, place(layouts.a, row, depth, stride_a), k.bits,
            wmma_bits(k.type, element_a(k, row, depth)));
      }
      for (int column = 0; column < k.n; ++column) {
        put(c, place(layouts.c, row, column, stride_c), k.sum_bits,
            wmma_bits(k.sum, element_c(row, column)));
      }
    }
    for (int depth = 0; depth < k.k; ++depth) {
      for (int column = 0; column < k.n; ++column) {
        put(b, place(layouts.b, depth, column, stride_b), k.bits,
            wmma_bits(k.type, element_b(k, depth, column)));
      }
    }
    const bool in_global = space == ".global";
    const int sums = k.m * k.n / 32 / (k.sum == "f16" ? 2 : 1);
    const std::string w = k.bits == 64 ? "d" : "w";  // registers
    auto layout = [](bool by_rows) { return std::string(by_rows ? ".row." : ".col."); };
    const std::string common = ".sync.aligned";
    std::string body =
        ".reg .b32 %wa<8>, %wb<8>, %wc<8>, %wd<8>; .reg .b64 %da<8>, %db<8>, %dc<8>, %dd<8>;\n";
    // A single warp copies in and out.
    if (!in_global) {
      body +=
          "mov.u32 %r1, %tid.x; mul.wide.u32 %l0, %r1, 4; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; "
          "add.u32 %r2, %r2, %r3; mov.u32 %r4, 0;\n"
          "IN: ";
      for (int n = 0; n < 4; ++n) {
        body += "add.u64 %l1, %p" + std::to_string(n) +
                ", %l0; ld.global.u32 %r5, [%l1]; st.shared.u32 [%r2+" +
                std::to_string(8 * kSharedWords * n) + "], %r5;\n";
      }
      body +=
          "add.u64 %l0, %l0, 128; add.u32 %r2, %r2, 128; add.u32 %r4, %r4, 32; setp.lt.u32 %q0, "
          "%r4, 1024; @%q0 bra IN; bar.sync 0;\n";
      for (int n = 0; n < 4; ++n) {
        const std::string reg = "%l" + std::to_string(4 + n);
        body += "mov.u64 " + reg + ", s; add.u64 " + reg + ", " + reg + ", " +
                std::to_string(8 * kSharedWords * n) + ";\n";
        if (space.empty()) body += "cvta.shared.u64 " + reg + ", " + reg + ";\n";
      }
    } else {
      for (int n = 0; n < 4; ++n)
        body += "mov.u64 %l" + std::to_string(4 + n) + ", %p" + std::to_string(n) + ";\n";
    }
    const std::string shape = k.shape;
    body += "wmma.load.a" + common + layout(layouts.a) + shape + space + "." + k.type + " " +
            fragment((w + "a").c_str(), k.registers_a) + ", [%l4], " + std::to_string(stride_a) +
            ";\n";
    body += "mov.u32 %r9, " + std::to_string(stride_b) + ";\n";
    body += "wmma.load.b" + common + layout(layouts.b) + shape + space + "." + k.type + " " +
            fragment((w + "b").c_str(), k.registers_b) + ", [%l5], %r9;\n";
    body += "wmma.load.c" + common + layout(layouts.c) + shape + space + "." + k.sum + " " +
            fragment((w + "c").c_str(), sums) + ", [%l6], " + std::to_string(stride_c) + ";\n";
    const std::string bits_op = k.bits == 1 ? ".and.popc" : "";
    const std::string types =
        k.type == "f16" ? k.sum + "." + k.sum : k.sum + "." + k.type + "." + k.type + "." + k.sum;
    body += "wmma.mma" + bits_op + common + layout(layouts.a) + (layouts.b ? "row." : "col.") +
            shape + "." + types + " " + fragment((w + "d").c_str(), sums) + ", " +
            fragment((w + "a").c_str(), k.registers_a) + ", " +
            fragment((w + "b").c_str(), k.registers_b) + ", " + fragment((w + "c").c_str(), sums) +
            ";\n";
    body += "wmma.store.d" + common + layout(layouts.d) + shape + space + "." + k.sum + " [%l7], " +
            fragment((w + "d").c_str(), sums) + ", " + std::to_string(stride_d) + ";\n";
    if (!in_global) {
      body +=
          "bar.sync 0; mul.wide.u32 %l0, %r1, 4; mov.u32 %r2, s; add.u32 %r2, %r2, %r3; mov.u32 "
          "%r4, 0; add.u64 %l0, %p3, %l0;\n"
          "OUT: ld.shared.u32 %r5, [%r2+" +
          std::to_string(8 * kSharedWords * 3) +
          "]; st.global.u32 [%l0], %r5;\n"
          "add.u64 %l0, %l0, 128; add.u32 %r2, %r2, 128; add.u32 %r4, %r4, 32; setp.lt.u32 %q0, "
          "%r4, 1024; @%q0 bra OUT;\n";
    }
    const KernelRun run =
        run_ptx(kernel_text(body + "ret;", 4,
                            ".shared .align 32 .b8 s[" + std::to_string(32 * kSharedWords) + "];"),
                {1, 1, 1}, {32, 1, 1}, {a, b, c, d});
    ASSERT_EQ(errors_of(run), "");
    ASSERT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
    Words want = d;
    for (int row = 0; row < k.m; ++row) {
      for (int column = 0; column < k.n; ++column) {
        int sum = element_c(row, column);
        for (int depth = 0; depth < k.k; ++depth)
          sum += element_a(k, row, depth) * element_b(k, depth, column);
        put(want, place(layouts.d, row, column, stride_d), k.sum_bits, wmma_bits(k.sum, sum));
      }
    }
    EXPECT_EQ(run.buffers[3], want);
  }
};

TEST_F(Wmma, EveryShapeTypeLayoutAndSpace) {
  for (const WmmaKind& k : kKinds) {
    for (const char* space : {".global", ".shared", ""}) {
      for (int n = 0; n < 16; ++n) {
        const Layouts layouts{(n & 1) == 0, (n & 2) != 0, (n & 4) == 0, (n & 8) == 0};
        if (k.by_rows_only && (!layouts.a || layouts.b)) continue;
        check(k, layouts, space);
        if (HasFailure()) return;
      }
    }
  }
}

// The elements that lane 5 (g = 1, t = 1) gets on sm_90, read from
// SASS (ptxas 13.0). Element n of memory is n.
TEST_F(Wmma, FragmentsLieAsInMma) {
  struct Case {
    const char* load;
    int registers;
    Words lane5;  // 16-bit elements: low | high << 16
  };
  const Case kWmmaCases[] = {
      // rows 1, 9, columns 2, 3 and 10, 11 of 16 × 16; then the same again
      {"a.sync.aligned.row.m16n16k16.global.f16",
       8,
       {0x00130012, 0x00930092, 0x001b001a, 0x009b009a, 0x00130012, 0x00930092, 0x001b001a,
        0x009b009a}},
      {"a.sync.aligned.col.m16n16k16.global.f16",
       8,
       {0x00310021, 0x00390029, 0x00b100a1, 0x00b900a9, 0x00310021, 0x00390029, 0x00b100a1,
        0x00b900a9}},
      // rows 2, 3 and 10, 11, columns 1 and 9
      {"b.sync.aligned.col.m16n16k16.global.f16",
       8,
       {0x00130012, 0x001b001a, 0x00930092, 0x009b009a, 0x00130012, 0x001b001a, 0x00930092,
        0x009b009a}},
      // one 8 × 16 matrix, four times
      {"a.sync.aligned.row.m8n32k16.global.f16",
       8,
       {0x00130012, 0x001b001a, 0x00130012, 0x001b001a, 0x00130012, 0x001b001a, 0x00130012,
        0x001b001a}},
  };
  for (const Case& c : kWmmaCases) {
    SCOPED_TRACE(c.load);
    Words in(256, 0);
    for (uint32_t n = 0; n < 512; ++n) in[n / 2] |= n << (16 * (n % 2));
    std::string body = ".reg .b32 %w<8>; wmma.load." + std::string(c.load) + " " +
                       fragment("w", c.registers) +
                       ", [%p0], 16; mov.u32 %r0, %tid.x; setp.ne.u32 %q0, %r0, 5; @%q0 ret;\n";
    for (int n = 0; n < c.registers; ++n) {
      body += "st.global.u32 [%p1+" + std::to_string(4 * n) + "], %w" + std::to_string(n) + ";\n";
    }
    const KernelRun run =
        run_ptx(kernel_text(body + "ret;", 2), {1, 1, 1}, {32, 1, 1}, {in, Words(8)});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.buffers[1], c.lane5);
  }
}

// The accesses that the back end issues, taken from SASS for sm_90.
TEST_F(Wmma, AccessesAreThoseOfTheMachine) {
  struct Case {
    const char* load;
    int registers;
    size_t sites;
    int bytes;
  };
  const Case kWmmaCases[] = {
      {"a.sync.aligned.row.m16n16k16.global.f16", 8, 4, 4},
      {"a.sync.aligned.col.m16n16k16.global.f16", 8, 4, 4},
      {"a.sync.aligned.row.m16n16k16.shared.f16", 8, 1, 16},
      {"b.sync.aligned.row.m16n16k16.shared.f16", 8, 1, 16},
      {"c.sync.aligned.row.m16n16k16.global.f32", 8, 4, 8},
      {"c.sync.aligned.col.m16n16k16.global.f32", 8, 8, 4},
      {"a.sync.aligned.col.m16n16k16.global.s8", 2, 8, 1},
      {"a.sync.aligned.row.m16n16k16.shared.s8", 2, 1, 16},
  };
  for (const Case& c : kWmmaCases) {
    SCOPED_TRACE(c.load);
    const bool shared = std::string(c.load).find("shared") != std::string::npos;
    const std::string body = std::string(".reg .b32 %w<8>; ") + (shared ? "mov.u64 %p0, s;" : "") +
                             "wmma.load." + c.load + " " + fragment("w", c.registers) +
                             ", [%p0], 16; ret;";
    const KernelRun run = run_ptx(kernel_text(body, 1, ".shared .align 32 .b8 s[1024];"), {1, 1, 1},
                                  {32, 1, 1}, {Words(512)});
    ASSERT_EQ(errors_of(run), "");
    ASSERT_EQ(run.sites.size(), c.sites);
    for (const AccessSite& site : run.sites) EXPECT_EQ(site.width_bytes(), c.bytes);
  }
}

// An access past the end of the buffer is found like any other, with its line.
TEST_F(Wmma, OutOfBoundsIsFound) {
  const KernelRun run =
      run_ptx(kernel_text(".reg .b32 %w<8>; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " +
                              fragment("w", 8) + ", [%p0], 16; st.global.u32 [%p0], %w0; ret;",
                          1),
              {1, 1, 1}, {32, 1, 1}, {Words(100)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kOutOfBounds), nullptr);
}

}  // namespace
}  // namespace warpshop::emulator::testing
