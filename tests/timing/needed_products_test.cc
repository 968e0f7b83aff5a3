// Which kernels a prediction may emulate without computing their matrix products.
#include "predict/needed_products.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "emulator/launch.h"
#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

emulator::Program decoded(const std::string& body, const std::string& functions = {}) {
  const std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n" + functions +
      ".visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<29>; .reg .f32 %f<9>; .reg .b64 %rd<19>;\n"
      ".shared .align 16 .b8 own[1024];\n"
      "ld.param.u64 %rd1,[p]; mov.u32 %r1,0x3c003c00; mov.u32 %r2,%r1; mov.u32 %r9,own;\n"
      "mov.f32 %f0,0f40A00000; mov.f32 %f1,%f0; mov.f32 %f2,%f0; mov.f32 %f3,%f0;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3},{%r1,%r1},{%r2},"
      "{%f0,%f1,%f2,%f3};\n" +
      body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return *std::move(program);
}

bool needed(const std::string& body, const std::string& functions = {}) {
  return needs_products(decoded(body, functions));
}

TEST(NeededProducts, WhereSumsDecideAPathOrAnAddress) {
  struct Case {
    const char* what;
    const char* body;
    bool needed;
  };
  const Case cases[] = {
      {"stored", "st.global.f32 [%rd1],%f0;", false},
      {"stored after arithmetic",
       "max.f32 %f4,%f0,0f00000000; fma.rn.f32 %f4,%f4,%f1,%f2; st.global.f32 [%rd1],%f4;", false},
      {"selected by each other",
       "setp.gt.f32 %p1,%f0,%f1; selp.f32 %f4,%f0,%f1,%p1; st.global.f32 [%rd1],%f4;", false},
      {"exchanged between lanes",
       "mov.b32 %r3,%f0; shfl.sync.bfly.b32 %r4,%r3,1,31,-1; st.global.u32 [%rd1],%r4;", false},
      {"through shared memory",
       "st.shared.f32 [%r9],%f0; bar.sync 0; ld.shared.f32 %f4,[%r9]; st.global.f32 [%rd1],%f4;",
       false},
      {"factors of the next product",
       "cvt.rni.u32.f32 %r3,%f0; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
       "{%f4,%f5,%f6,%f7},{%r3,%r3},{%r3},{%f0,%f1,%f2,%f3}; st.global.f32 [%rd1],%f4;",
       false},
      {"a branch", "setp.gt.f32 %p1,%f0,%f1; @%p1 bra done; st.global.f32 [%rd1],%f0; done:", true},
      {"a guard", "setp.gt.f32 %p1,%f0,%f1; @%p1 st.global.f32 [%rd1],%f0;", true},
      {"an address", "cvt.rni.u64.f32 %rd2,%f0; add.u64 %rd2,%rd1,%rd2; st.global.u32 [%rd2],%r1;",
       true},
      {"an address of the loop's next round",
       "again: ld.global.u32 %r3,[%rd1]; setp.eq.u32 %p1,%r3,0; cvt.rni.u64.f32 %rd2,%f0;"
       "add.u64 %rd1,%rd1,%rd2; @%p1 bra again;",
       true},
      {"an address through memory",
       "cvt.rni.u32.f32 %r3,%f0; st.shared.u32 [%r9],%r3; ld.shared.u32 %r4,[%r9];"
       "add.u32 %r4,%r9,%r4; ld.shared.u32 %r5,[%r4];",
       true},
      {"which lane is read", "cvt.rni.u32.f32 %r3,%f0; shfl.sync.idx.b32 %r4,%r1,%r3,31,-1;", true},
      {"a vote", "setp.gt.f32 %p1,%f0,%f1; vote.sync.ballot.b32 %r3,%p1,-1;", true},
      {"an atomic", "red.global.add.f32 [%rd1],%f0;", true},
      {"an atomic on what was stored",
       "st.global.f32 [%rd1],%f0; atom.global.add.u32 %r3,[%rd1],1;", true},
  };
  for (const Case& c : cases) EXPECT_EQ(needed(c.body), c.needed) << c.what;
}

TEST(NeededProducts, WhatAFunctionGetsIsNotFollowed) {
  const std::string leaf =
      ".func (.reg .b32 %out) leaf(.reg .b32 %n)\n{\nadd.u32 %out,%n,1; ret;\n}\n";
  EXPECT_TRUE(needed("call (%r3), leaf, (%r1); st.global.u32 [%rd1],%r3;", leaf));
  EXPECT_FALSE(needed("st.global.u32 [%rd1],%r1;", leaf)) << "it is not called";
}

// Each of the sums is 5 + 8 × 1 × 1.
TEST(NeededProducts, AnEmulationWithoutThemLeavesTheSumsAsTheyAre) {
  const emulator::Program program = decoded("st.global.f32 [%rd1],%f0;");
  for (const bool multiplies : {true, false}) {
    emulator::DeviceMemory memory;
    const auto buffer = memory.allocate(4, "sum");
    ASSERT_TRUE(buffer.ok());
    emulator::LaunchConfig config{.grid = {1, 1, 1}, .block = {32, 1, 1}};
    config.args = {emulator::Argument::pointer(*buffer)};
    emulator::LaunchOptions options;
    options.multiplies_matrices = multiplies;
    const auto launched = emulator::launch(program, memory, config, options);
    ASSERT_TRUE(launched.ok()) << render(launched.errors());
    float sum = 0;
    std::memcpy(&sum, memory.bytes(*buffer).data(), sizeof sum);
    EXPECT_EQ(sum, multiplies ? 13 : 5);
  }
}

}  // namespace
}  // namespace warpshop::timing
