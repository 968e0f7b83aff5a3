// mma.sp: products with a matrix of which only half is stored, compared with the
// full matrix multiplied on the host. Fragments and metadata follow the manual's
// formulas and figures (PTX ISA §9.7.14.6).
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct Sparse {
  const char* form;       // from the shape onwards
  std::string_view type;  // of A and B
  std::string_view sum;   // of C and D
  int k;                  // columns of A
  int selectors;
};

const Sparse kForms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", "f16", "f32", 16, 4},
    {"m16n8k16.row.col.f16.f16.f16.f16", "f16", "f16", 16, 4},
    {"m16n8k32.row.col.f32.f16.f16.f32", "f16", "f32", 32, 2},
    {"m16n8k32.row.col.f16.f16.f16.f16", "f16", "f16", 32, 2},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", "bf16", "f32", 16, 4},
    {"m16n8k32.row.col.f32.bf16.bf16.f32", "bf16", "f32", 32, 2},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", "tf32", "f32", 8, 4},
    {"m16n8k16.row.col.f32.tf32.tf32.f32", "tf32", "f32", 16, 2},
    {"m16n8k32.row.col.s32.s8.s8.s32", "s8", "s32", 32, 2},
    {"m16n8k32.row.col.satfinite.s32.s8.s8.s32", "s8", "s32", 32, 2},
    {"m16n8k64.row.col.s32.s8.s8.s32", "s8", "s32", 64, 1},
    {"m16n8k64.row.col.s32.u8.s8.s32", "u8", "s32", 64, 1},
};

uint32_t f16_of(int value) {  // exact for every value used here
  if (value == 0) return 0;
  const int magnitude = std::abs(value);
  const int exponent = std::bit_width(static_cast<uint32_t>(magnitude)) - 1;
  const auto fraction = static_cast<uint32_t>(magnitude << (10 - exponent)) & 0x3ffu;
  return (value < 0 ? 0x8000u : 0u) | static_cast<uint32_t>(exponent + 15) << 10 | fraction;
}
uint32_t element_of(std::string_view type, int value) {
  if (type == "f16") return f16_of(value);
  if (type == "bf16") return std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16;
  if (type == "tf32" || type == "f32") return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == "s32") return static_cast<uint32_t>(value);
  return static_cast<uint32_t>(value) & 0xffu;
}
int sparse_bits(std::string_view type) {
  return type == "s8" || type == "u8" ? 8 : type == "f16" || type == "bf16" ? 16 : 32;
}

// Which elements of a chunk of four are stored, and in which order; for tf32, which of two.
constexpr int kPairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 1}, {2, 0}};
int pair_of(int row, int chunk, bool ordered) {
  return (row * 5 + chunk * 3 + row * chunk) % (ordered ? 6 : 8);
}
int column_of(const Sparse& p, int row, int stored, bool ordered) {
  if (p.type == "tf32") return 2 * stored + pair_of(row, stored, ordered) % 2;
  return 4 * (stored / 2) + kPairs[pair_of(row, stored / 2, ordered)][stored % 2];
}

int a_at(const Sparse& p, int row, int stored) {
  const int value = (row * 7 + stored * 3) % 11 - 5;
  return p.type == "u8" ? value + 250 - 9 * (value > 0) : value;
}
int b_at(int k, int column) { return (k * 5 + column * 2) % 7 - 3; }
int c_at(int row, int column) { return row - 2 * column; }

// Each lane's 32-bit word of metadata.
Words metadata_of(const Sparse& p, int selector, bool ordered) {
  Words words(32, 0xdeadbeefu);  // garbage in lanes that do not matter
  const bool bytes = sparse_bits(p.type) == 8;
  const int stored = p.k / 2;
  for (int row = 0; row < 16; ++row) {
    std::vector<bool> bits;  // of one row, in the order of its elements
    for (int i = 0; i < stored; ++i) {
      const int inside = column_of(p, row, i, ordered) - (p.type == "tf32" ? 2 * i : 4 * (i / 2));
      const uint32_t index =
          p.type == "tf32" ? (inside == 0 ? 0b0100u : 0b1110u) : static_cast<uint32_t>(inside);
      for (int b = 0; b < (p.type == "tf32" ? 4 : 2); ++b) bits.push_back(((index >> b) & 1u) != 0);
    }
    const size_t in_word = bytes ? 32 : 16;
    for (size_t n = 0; n < bits.size(); ++n) {
      const int part = static_cast<int>(n / in_word);
      const int parts = static_cast<int>(bits.size() / in_word);
      int lane = 4 * (row % 8);
      size_t place = n % in_word;
      if (bytes) {
        // m16n8k32: the pair given by the selector; m16n8k64: both
        // pairs. A pair holds row g, then row g + 8.
        lane += 2 * (parts == 1 ? selector : part) + (row >= 8 ? 1 : 0);
      } else {
        // One thread, or two neighbours; row g is in the lower half, row g + 8 in the upper one.
        lane += parts == 1 ? selector : 2 * selector + part;
        if (row >= 8) place += 16;
      }
      uint32_t& word = words[static_cast<size_t>(lane)];
      word = (word & ~(1u << place)) | (bits[n] ? 1u << place : 0u);
    }
  }
  return words;
}

TEST(SparseMatrix, GivesTheProductOfTheWholeMatrix) {
  for (const Sparse& p : kForms) {
    for (int selector = 0; selector < p.selectors; ++selector) {
      for (const bool ordered : {false, true}) {
        const std::string text = std::string(ordered ? "mma.sp::ordered_metadata" : "mma.sp") +
                                 ".sync.aligned." + p.form;
        SCOPED_TRACE(text + ", selector " + std::to_string(selector));
        const int each = 32 / sparse_bits(p.type);
        const int registers_a = p.k / 2 / (2 * each);
        const int registers_b = p.k / (4 * each);
        const bool packed = p.sum == "f16";
        const Words metadata = metadata_of(p, selector, ordered);
        Words memory(32 * 16, 0);
        for (int lane = 0; lane < 32; ++lane) {
          const int group = lane / 4;
          const int thread = lane % 4;
          uint32_t* words = &memory[static_cast<size_t>(16 * lane)];
          for (int i = 0; i < registers_a * each; ++i) {
            const int row = (i / each) % 2 == 0 ? group : group + 8;
            const int stored = thread * each + i % each + (i / (2 * each)) * 4 * each;
            words[i / each] |= element_of(p.type, a_at(p, row, stored))
                               << (sparse_bits(p.type) * (i % each) % 32);
          }
          for (int i = 0; i < registers_b * each; ++i) {
            const int k = thread * each + i % each + (i / each) * 4 * each;
            words[4 + i / each] |= element_of(p.type, b_at(k, group))
                                   << (sparse_bits(p.type) * (i % each) % 32);
          }
          for (int i = 0; i < 4; ++i) {
            const uint32_t value =
                element_of(p.sum, c_at(i < 2 ? group : group + 8, 2 * thread + i % 2));
            if (packed)
              words[8 + i / 2] |= value << (16 * (i % 2));
            else
              words[8 + i] = value;
          }
          words[12] = metadata[static_cast<size_t>(lane)];
        }
        auto list = [](int first, int count) {
          std::string names = "{";
          for (int n = 0; n < count; ++n)
            names += (n == 0 ? "%r" : ", %r") + std::to_string(first + n);
          return names + "}";
        };
        const std::string body =
            "mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 64; add.s64 %l0, %l0, %p0;"
            "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%l0]; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, "
            "[%l0+16];"
            "ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%l0+32]; ld.global.u32 %r13, [%l0+48];"
            "mov.u32 %r16, 0; mov.u32 %r17, 0;" +
            text + " " + list(14, packed ? 2 : 4) + ", " + list(1, registers_a) + ", " +
            list(5, registers_b) + ", " + list(9, packed ? 2 : 4) + ", %r13, " +
            std::to_string(selector) + "; st.global.v4.u32 [%l0], {%r14, %r15, %r16, %r17}; ret;";
        const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {32, 1, 1}, {memory});
        ASSERT_EQ(errors_of(run), "");
        EXPECT_TRUE(run.result.findings.empty());
        for (int lane = 0; lane < 32; ++lane) {
          Words want(4, 0);
          for (int i = 0; i < 4; ++i) {
            const int row = lane / 4 + (i < 2 ? 0 : 8);
            const int column = 2 * (lane % 4) + i % 2;
            std::vector<int> whole(static_cast<size_t>(p.k), 0);
            for (int s = 0; s < p.k / 2; ++s)
              whole[static_cast<size_t>(column_of(p, row, s, ordered))] = a_at(p, row, s);
            int sum = c_at(row, column);
            for (int k = 0; k < p.k; ++k) sum += whole[static_cast<size_t>(k)] * b_at(k, column);
            if (packed)
              want[static_cast<size_t>(i / 2)] |= f16_of(sum) << (16 * (i % 2));
            else
              want[static_cast<size_t>(i)] = element_of(p.sum, sum);
          }
          const auto first = run.buffers[0].begin() + 16 * lane;
          ASSERT_EQ(Words(first, first + 4), want) << "thread " << lane;
        }
      }
    }
  }
}

// Elements of B that no stored element multiplies are ignored. The full matrix has zeros there, and
// zero times infinity would be NaN.
TEST(SparseMatrix, WhatMeetsNothingMayBeInfinite) {
  // Elements 0 and 1 of each chunk are stored (metadata 0b0100). In B,
  // rows 2 and 3 of each chunk are infinite.
  const KernelRun run = run_warp(
      "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %q0, %r2, 0; selp.b32 %r3, "
      "0x3c003c00, 0x7c007c00, %q0;"
      "mov.u32 %r4, 0x3c003c00; mov.u32 %r5, 0x44444444; mov.u32 %r6, 0;"
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r7, %r8, %r9}, {%r4, %r4}, "
      "{%r3, %r3}, {%r6, %r6, %r6, %r6}, %r5, 0;" +
      kStoreR0);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers[0], Words(32, 0x41000000u));  // eight ones
}

}  // namespace
}  // namespace warpshop::emulator::testing
