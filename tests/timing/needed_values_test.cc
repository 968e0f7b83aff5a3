// Which values a prediction computes, and that a kernel without the others takes the same paths and
// makes the same accesses.
#include "predict/needed_values.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

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

// Whether any product has to be computed.
bool needed(const std::string& body, const std::string& functions = {}) {
  const emulator::Program program = decoded(body, functions);
  const std::vector<emulator::Wanted> wanted = needed_values(program);
  for (size_t n = 0; n < wanted.size(); ++n) {
    if (program.function().body[n].opcode == "mma" && wanted[n] == emulator::Wanted::kAll)
      return true;
  }
  return false;
}

TEST(NeededValues, WhereSumsDecideAPathOrAnAddress) {
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

TEST(NeededValues, WhatAFunctionGetsIsNotFollowed) {
  const std::string leaf =
      ".func (.reg .b32 %out) leaf(.reg .b32 %n)\n{\nadd.u32 %out,%n,1; ret;\n}\n";
  EXPECT_TRUE(needed("call (%r3), leaf, (%r1); st.global.u32 [%rd1],%r3;", leaf));
  EXPECT_FALSE(needed("st.global.u32 [%rd1],%r1;", leaf)) << "it is not called";
}

// Of the kernel's instructions after the product: a all of it, l its access, - nothing.
std::string wanted(const std::string& body) {
  const emulator::Program program = decoded(body);
  std::string out;
  bool after = false;
  const auto& instructions = program.function().body;
  const std::vector<emulator::Wanted> needed = needed_values(program);
  for (size_t n = 0; n < instructions.size(); ++n) {
    if (after) out += "al-"[static_cast<size_t>(needed[n])];
    after = after || instructions[n].opcode == "mma";
  }
  return out.substr(0, out.size() - 1);  // without ret
}

TEST(NeededValues, OfEachInstruction) {
  struct Case {
    const char* what;
    const char* body;
    const char* wanted;
  };
  const Case cases[] = {
      {"a sum", "ld.global.f32 %f4,[%rd1]; add.f32 %f4,%f4,%f4; st.global.f32 [%rd1+4],%f4;",
       "l-l"},
      {"an index",
       "ld.global.u32 %r3,[%rd1]; mul.wide.u32 %rd2,%r3,4; add.u64 %rd2,%rd1,%rd2; ld.global.f32 "
       "%f4,[%rd2];",
       "aaal"},
      {"an index among what is stored",
       "ld.global.u32 %r3,[%rd1]; cvt.u64.u32 %rd2,%r3; add.u64 %rd2,%rd1,%rd2; st.global.u32 "
       "[%rd2],%r9;",
       "aaaa"},
      {"an index that nobody writes",
       "ld.global.nc.u32 %r3,[%rd1]; cvt.u64.u32 %rd2,%r3; add.u64 %rd2,%rd1,%rd2; st.global.u32 "
       "[%rd2],%r9;",
       "aaal"},
      {"an index in another memory",
       "ld.shared.u32 %r3,[%r9]; cvt.u64.u32 %rd2,%r3; add.u64 %rd2,%rd1,%rd2; st.global.u32 "
       "[%rd2],%r9;",
       "aaal"},
      {"any memory",
       "ld.u32 %r3,[%rd1]; cvt.u64.u32 %rd2,%r3; add.u64 %rd2,%rd1,%rd2; st.shared.u32 [%r9],%r3; "
       "ld.f32 %f4,[%rd2];",
       "aaaal"},
      {"a product of a warpgroup",
       "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
       "{%f4,%f5,%f6,%f7},%rd2,%rd2,1,1,1,0,0; wgmma.wait_group.sync.aligned 0; "
       "st.global.f32 [%rd1],%f4;",
       "alal"},
      {"a product of a warpgroup that is an index",
       "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4,%f5,%f6,%f7},%rd2,%rd2,1,1,1,0,0; "
       "cvt.rzi.u32.f32 %r3,%f4; add.u32 %r3,%r9,%r3; ld.shared.f32 %f8,[%r3];",
       "aaal"},
      {"a copy to where an index is read",
       "cp.async.ca.shared.global [%r9],[%rd1],4; ld.shared.u32 %r3,[%r9]; add.u32 %r4,%r9,%r3; "
       "ld.shared.u32 %r5,[%r4];",
       "aaal"},
      {"a carry",
       "add.cc.u32 %r3,%r1,%r1; addc.u32 %r4,%r1,0; cvt.u64.u32 %rd2,%r4; add.u64 %rd2,%rd1,%rd2; "
       "st.global.u32 [%rd2],%r1;",
       "aaaal"},
      {"a guard", "setp.eq.u32 %p1,%r1,0; @%p1 add.u32 %r3,%r1,1; @%p1 st.global.u32 [%rd1],%r3;",
       "a-l"},
      {"a guard of nothing",
       "setp.eq.u32 %p1,%r1,0; @%p1 add.u32 %r3,%r1,1; st.global.u32 [%rd1],%r3;", "--l"},
      {"a lane's value", "shfl.sync.bfly.b32 %r4,%r1,1,31,-1; st.global.u32 [%rd1],%r4;", "al"},
      {"what an atomic finds",
       "st.global.u32 [%rd1],%r1; add.u32 %r3,%r1,%r1; red.global.add.u32 [%rd1],%r3;", "aaa"},
      {"a loop's end",
       "add.u32 %r3,%r1,1; setp.lt.u32 %p1,%r3,9; @%p1 bra done; mul.f32 %f4,%f1,%f1; done:",
       "aaa-"},
  };
  for (const Case& c : cases) EXPECT_EQ(wanted(c.body), c.wanted) << c.what;
}

// Everything that a prediction learns of a launch.
class Seen final : public emulator::AccessSink,
                   public emulator::AccessSinkFactory,
                   public emulator::PathSink {
 public:
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>&, int) override {
    return this;
  }
  void on_access(const emulator::WarpIdentity& warp, const emulator::AccessSite&,
                 const emulator::WarpAccess& access) override {
    text_ += std::to_string(access.site) + " of " + std::to_string(warp.warp) + ":";
    for (size_t lane = 0; lane < 32; ++lane)
      if ((access.active_mask >> lane & 1) != 0)
        text_ += ' ' + std::to_string(access.address[lane]);
    text_ += '\n';
  }
  void on_block(uint64_t, uint32_t warp, uint32_t basic_block, uint32_t mask) override {
    text_ += "block " + std::to_string(basic_block) + " of " + std::to_string(warp) + " lanes " +
             std::to_string(mask) + '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Each lane follows a list of indices, as long as its number says, and sums the squares of what it
// finds, through shared memory; the buffer holds 64 indices and room for 64 sums.
TEST(NeededValues, AReducedKernelTakesTheSamePathsAndMakesTheSameAccesses) {
  const std::string body =
      "mov.u32 %r1,%tid.x; mul.wide.u32 %rd2,%r1,4; add.u64 %rd3,%rd1,%rd2; and.b32 %r2,%r1,7; "
      "mov.u32 %r3,%r1; mov.f32 %f4,0f00000000;\n"
      "shl.b32 %r4,%r1,2; add.u32 %r4,%r9,%r4;\n"
      "again: mul.wide.u32 %rd4,%r3,4; add.u64 %rd4,%rd1,%rd4; ld.global.nc.u32 %r3,[%rd4]; "
      "cvt.rn.f32.u32 %f5,%r3;\n"
      "st.shared.f32 [%r4],%f5; bar.warp.sync -1; ld.shared.f32 %f6,[%r4]; fma.rn.f32 "
      "%f4,%f6,%f6,%f4;\n"
      "setp.ne.u32 %p1,%r2,0; sub.u32 %r2,%r2,1; @%p1 bra again;\n"
      "setp.gt.u32 %p2,%r1,5; mul.f32 %f4,%f4,%f4; @%p2 st.global.f32 [%rd3+256],%f4;";
  const emulator::Program whole = decoded(body);
  const emulator::Program reduced = whole.reduced_to(needed_values(whole));
  std::string seen[2];
  float last[2] = {};
  for (const bool reduces : {false, true}) {
    emulator::DeviceMemory memory;
    const auto buffer = memory.allocate(512, "indices");
    ASSERT_TRUE(buffer.ok());
    std::vector<uint32_t> indices(128, 0x3f800000);  // 1.0 where sums come
    for (uint32_t n = 0; n < 64; ++n) indices[n] = (n * 29 + 7) % 64;
    std::memcpy(memory.bytes(*buffer).data(), indices.data(), 512);
    emulator::LaunchConfig config{.grid = {1, 1, 1}, .block = {64, 1, 1}};
    config.args = {emulator::Argument::pointer(*buffer)};
    Seen all;
    emulator::LaunchOptions options;
    options.threads = 1;
    options.accesses = &all;
    options.path = &all;
    const auto launched = emulator::launch(reduces ? reduced : whole, memory, config, options);
    ASSERT_TRUE(launched.ok()) << render(launched.errors());
    EXPECT_TRUE(launched->completed);
    seen[reduces] = all.text();
    std::memcpy(&last[reduces], memory.bytes(*buffer).data() + 508, sizeof(float));
  }
  EXPECT_GT(seen[0].size(), 1000U);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_GT(last[0], 1);
  EXPECT_EQ(last[1], 1) << "no sum is computed or stored";
}

// A path depends on what is loaded from a; a sum is stored to b, perhaps over that.
TEST(NeededValues, WhereAStoreMayChangeWhatDecides) {
  const std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
      ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[b]; mov.u32 %r1,%tid.x; mul.wide.u32 %rd3,%r1,4;\n"
      "add.u64 %rd4,%rd1,%rd3; add.u64 %rd5,%rd2,%rd3; mov.f32 %f2,0f00000000;\n"
      "again: ld.global.f32 %f1,[%rd4]; add.u64 %rd4,%rd4,4; fma.rn.f32 %f2,%f1,%f1,%f2;\n"
      "setp.gt.f32 %p1,%f1,0f3F000000; @%p1 bra again;\n"
      "st.global.f32 [%rd5],%f2; ret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  ASSERT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  struct Case {
    const char* what;
    std::vector<int> buffers;
    bool needed;
  };
  const Case cases[] = {
      {"nothing is known", {}, true},          {"both in one buffer", {0, 0}, true},
      {"two buffers", {0, 1}, false},          {"a may point anywhere", {-1, 0}, true},
      {"b may point anywhere", {0, -1}, true},
  };
  for (const Case& c : cases) {
    const std::vector<emulator::Wanted> wanted = needed_values(*program, c.buffers);
    const std::vector<ptx::Instruction>& body = program->function().body;
    for (size_t n = 0; n < body.size(); ++n) {
      const emulator::Wanted without = body[n].opcode == "fma"  ? emulator::Wanted::kNothing
                                       : body[n].opcode == "st" ? emulator::Wanted::kAccess
                                                                : emulator::Wanted::kAll;
      if (without == emulator::Wanted::kAll) continue;
      EXPECT_EQ(wanted[n], c.needed ? emulator::Wanted::kAll : without)
          << c.what << ": " << body[n].opcode;
    }
  }
}

TEST(NeededValues, TheBuffersOfALaunch) {
  emulator::DeviceMemory memory;
  const auto first = memory.allocate(256, "first");
  const auto second = memory.allocate(256, "second");
  emulator::LaunchConfig launch;
  launch.args = {emulator::Argument::pointer(*second), emulator::Argument::i32(7),
                 emulator::Argument::pointer(*first), emulator::Argument::i64(7),
                 emulator::Argument::pointer(*second + 64)};
  EXPECT_EQ(buffers_of_arguments(launch, memory), (std::vector<int>{0, -1, 1, -1, 0}));
}

// They are followed back against the order of the text, and with it: 40,000 of them one after the
// other, then as many the other way round.
TEST(NeededValues, LongChains) {
  std::string down, up;
  for (int n = 0; n < 40000; ++n) {
    down += "add.u32 %c" + std::to_string(n + 1) + ",%c" + std::to_string(n) + ",4;";
    up += "add.u32 %d" + std::to_string(40000 - n) + ",%d" + std::to_string(39999 - n) + ",4;";
  }
  const std::string body =
      ".reg .b32 %c<40001>; .reg .b32 %d<40001>; mov.u32 %c0,%r9; mov.u32 %d0,%r9;" + down + up +
      "ld.shared.u32 %r3,[%c40000]; ld.shared.u32 %r4,[%d40000];";
  EXPECT_EQ(wanted(body), std::string(80002, 'a') + "ll");
}

// Each of the sums is 5 + 8 × 1 × 1.
TEST(NeededValues, AnEmulationWithoutThemLeavesTheSumsAsTheyAre) {
  const emulator::Program whole = decoded("st.global.f32 [%rd1],%f0;");
  std::vector<emulator::Wanted> wanted;
  for (const ptx::Instruction& i : whole.function().body)
    wanted.push_back(i.opcode == "mma" ? emulator::Wanted::kNothing : emulator::Wanted::kAll);
  const emulator::Program without = whole.reduced_to(wanted);
  for (const bool multiplies : {true, false}) {
    emulator::DeviceMemory memory;
    const auto buffer = memory.allocate(4, "sum");
    ASSERT_TRUE(buffer.ok());
    emulator::LaunchConfig config{.grid = {1, 1, 1}, .block = {32, 1, 1}};
    config.args = {emulator::Argument::pointer(*buffer)};
    const auto launched = emulator::launch(multiplies ? whole : without, memory, config, {});
    ASSERT_TRUE(launched.ok()) << render(launched.errors());
    float sum = 0;
    std::memcpy(&sum, memory.bytes(*buffer).data(), sizeof sum);
    EXPECT_EQ(sum, multiplies ? 13 : 5);
  }
}

}  // namespace
}  // namespace warpshop::timing
