// The layouts against the figures of the PTX ISA, §9.7.14.5 "Matrix Fragments for mma": there,
// groupID = lane / 4 and threadID_in_group = lane % 4.
#include "emulator/tensor_products.h"

#include <gtest/gtest.h>

#include <memory>

#include "ptx/parser.h"

namespace warpshop::emulator {
namespace {

std::vector<TensorProduct> products_of(const std::string& body, const std::string& registers) {
  const std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" +
      registers + "\n" + body + "\nret;\n}\n";
  ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.diagnostics.empty());
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.errors().front().message.english());
  return program.ok() ? tensor_products(*program) : std::vector<TensorProduct>{};
}

void expect(const Fragment& fragment, int row, int column, int lane, int reg, int element) {
  const Fragment::Element& e = fragment.at(row, column);
  EXPECT_EQ(e.lane, lane) << row << ", " << column;
  EXPECT_EQ(e.reg, reg) << row << ", " << column;
  EXPECT_EQ(e.element, element) << row << ", " << column;
}

TEST(Fragments, OfM16n8k16AreThoseOfTheManual) {
  const std::vector<TensorProduct> products = products_of(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, "
      "%r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {%r0, %r1, %r2, "
      "%r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};",
      ".reg .f32 %f<8>; .reg .b32 %r<6>;");
  ASSERT_EQ(products.size(), 1U) << "both instructions are of one form";
  const TensorProduct& product = products.front();
  EXPECT_EQ(product.instruction, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  ASSERT_TRUE(product.a && product.b);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int group = lane / 4, in_group = lane % 4;
    for (int i = 0; i < 8; ++i) {  // a0 … a7
      const int row = i == 0 || i == 1 || i == 4 || i == 5 ? group : group + 8;
      const int column = in_group * 2 + (i & 1) + (i < 4 ? 0 : 8);
      expect(*product.a, row, column, lane, i / 2, i % 2);
    }
    for (int i = 0; i < 4; ++i) {  // b0 … b3, c0 … c3
      expect(*product.b, in_group * 2 + (i & 1) + (i < 2 ? 0 : 8), group, lane, i / 2, i % 2);
      expect(product.d, i < 2 ? group : group + 8, in_group * 2 + (i & 1), lane, i, 0);
    }
  }
}

TEST(Fragments, BytesGoFourToARegister) {
  const std::vector<TensorProduct> products = products_of(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r6, %r7, %r8, %r9}, {%r0, %r1, %r2, "
      "%r3}, {%r4, %r5}, {%r6, %r7, %r8, %r9};",
      ".reg .b32 %r<10>;");
  ASSERT_EQ(products.size(), 1U);
  ASSERT_TRUE(products[0].a && products[0].b);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int group = lane / 4, in_group = lane % 4;
    for (int i = 0; i < 16; ++i) {  // a0 … a15
      const int row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
      expect(*products[0].a, row, in_group * 4 + (i & 3) + (i < 8 ? 0 : 16), lane, i / 4, i % 4);
    }
    for (int i = 0; i < 8; ++i)  // b0 … b7
      expect(*products[0].b, in_group * 4 + (i & 3) + (i < 4 ? 0 : 16), group, lane, i / 4, i % 4);
  }
}

// §9.7.15.5 "Register Fragments for wgmma": d[i] of a warp's 16 rows.
TEST(Fragments, OfAWarpgroupShowOneWarpsSums) {
  const std::vector<TensorProduct> products = products_of(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, "
      "%f7}, %l0, %l1, 1, 1, 1, 0, 0;",
      ".reg .f32 %f<8>; .reg .b64 %l<2>;");
  ASSERT_EQ(products.size(), 1U);
  EXPECT_FALSE(products[0].a || products[0].b);
  ASSERT_EQ(products[0].d.rows, 16);
  ASSERT_EQ(products[0].d.columns, 16);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int i = 0; i < 8; ++i) {
      const int row = lane / 4 + (i % 4 < 2 ? 0 : 8);
      expect(products[0].d, row, i / 4 * 8 + lane % 4 * 2 + i % 2, lane, i, 0);
    }
  }
}

TEST(Fragments, AKernelWithoutTensorInstructionsHasNone) {
  EXPECT_TRUE(products_of("", "").empty());
}

}  // namespace
}  // namespace warpshop::emulator
