// Accesses that repeat a site's pattern at other places share their lines in a trace.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "one_sm/trace.h"
#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

struct Line {
  uint64_t line = 0;  // of the buffer
  int sectors = 0;
  bool operator==(const Line&) const = default;
};

struct RepeatedCase {
  const char* what;
  const char* address;  // %r2: bytes into the buffer, from %r1, the lane, and %r3, the warp
  const char* access;
  std::vector<std::vector<Line>> lines;  // of each warp
  size_t recorded;                       // lines in the trace
};

TEST(RepeatedAccess, SharesItsLines) {
  const char* const load = "ld.global.u32 %r4,[%rd3]; st.shared.u32 [used],%r4;";
  const char* const store = "st.global.u32 [%rd3],%r1;";
  const RepeatedCase cases[] = {
      {"a line for each warp",
       "shl.b32 %r2,%r3,7; mad.lo.u32 %r2,%r1,4,%r2;",
       load,
       {{{0, 15}}, {{1, 15}}, {{2, 15}}},
       1},
      {"the same of stores",
       "shl.b32 %r2,%r3,7; mad.lo.u32 %r2,%r1,4,%r2;",
       store,
       {{{0, 15}}, {{1, 15}}, {{2, 15}}},
       1},
      {"a word apart",
       "add.u32 %r2,%r1,%r3; shl.b32 %r2,%r2,2;",
       load,
       {{{0, 15}}, {{0, 15}, {1, 1}}, {{0, 15}, {1, 1}}},
       5},
      {"half a line apart: the third lies as the first did",
       "shl.b32 %r2,%r3,6; mad.lo.u32 %r2,%r1,4,%r2;",
       load,
       {{{0, 15}}, {{0, 12}, {1, 3}}, {{1, 15}}},
       3},
      {"four lanes per sector, two lines for each warp",
       "shl.b32 %r2,%r3,8; shr.u32 %r4,%r1,2; shl.b32 %r4,%r4,5; add.u32 %r2,%r2,%r4;",
       load,
       {{{0, 15}, {1, 15}}, {{2, 15}, {3, 15}}, {{4, 15}, {5, 15}}},
       2},
      {"other distances in each warp",
       "shl.b32 %r2,%r1,2; mul.lo.u32 %r2,%r2,%r3;",
       load,
       {{{0, 1}}, {{0, 15}}, {{0, 15}, {1, 15}}},
       4},
      {"atomics, each for itself",
       "shl.b32 %r2,%r3,7; mad.lo.u32 %r2,%r1,4,%r2;",
       "red.global.add.u32 [%rd3],%r1;",
       {{{0, 15}}, {{1, 15}}, {{2, 15}}},
       3},
  };
  for (const RepeatedCase& c : cases) {
    const std::string text =
        std::string(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 "
            "p)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .align 4 .b8 used[4];\nld.param.u64 "
            "%rd1,[p]; mov.u32 "
            "%r1,%laneid; mov.u32 %r3,%tid.x; shr.u32 %r3,%r3,5;\n") +
        c.address + " cvt.u64.u32 %rd2,%r2; add.s64 %rd3,%rd1,%rd2;\n" + c.access + "\nret;\n}\n";
    const ptx::ParseOutput parsed = ptx::parse(text, "t.ptx");
    ASSERT_TRUE(parsed.diagnostics.empty()) << c.what << render(parsed.diagnostics);
    const Result<emulator::Program> program =
        emulator::Program::decode(std::make_shared<const ptx::Module>(parsed.module), "k");
    ASSERT_TRUE(program.ok()) << c.what << render(program.errors());
    emulator::DeviceMemory memory;
    const auto buffer = memory.allocate(16384, "buffer");
    memory.mark_written(*buffer);
    emulator::LaunchConfig launch{.grid = {1, 1, 1}, .block = {96, 1, 1}};
    launch.args = {emulator::Argument::pointer(*buffer)};
    Trace trace;
    Sharing sharing;
    Recorder recorder({.program = &*program, .launch = &launch}, TexelLayout::kSectors, memory);
    ASSERT_TRUE(recorder.record({0}, Sharing::Who::kOwn, trace, sharing).ok()) << c.what;
    ASSERT_EQ(trace.blocks.front().warps.size(), c.lines.size());
    EXPECT_EQ(trace.lines.size(), c.recorded) << c.what;
    for (size_t w = 0; w < c.lines.size(); ++w) {
      const std::vector<MemoryOp>& ops = trace.blocks.front().warps[w].ops[0];
      ASSERT_EQ(ops.size(), 1u) << c.what;
      const AccessedLines lines = trace.lines_of(ops.front());
      std::vector<Line> got;
      for (size_t n = 0; n < lines.count; ++n)
        got.push_back({lines[n].line - *buffer / 128, lines[n].sectors});
      EXPECT_EQ(got, c.lines[w]) << c.what << ", warp " << w;
    }
  }
}

}  // namespace
}  // namespace warpshop::timing
