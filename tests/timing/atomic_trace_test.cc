// Atomics in a trace: sector visits, and whether the old values are used.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "one_sm/trace.h"
#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

struct AtomicTraceCase {
  const char* what;
  const char* shift;  // of the lane index, for the address; 8 bits: one sector per lane
  const char* atomic;
  int visits;  // to the first line; each covers only some words of a sector
  int whole_visits;
  bool returned;
};

TEST(AtomicTrace, CountsVisits) {
  const AtomicTraceCase cases[] = {
      {"words of 4 bytes side by side: four whole sectors", "shl.b32 %r2,%r1,2;",
       "red.global.add.u32 [%rd3],%r1;", 0, 4, false},
      {"all lanes on a word", "shr.u32 %r2,%r1,5;", "red.global.add.u32 [%rd3],%r1;", 32, 0, false},
      {"on one that is visibly the same: a lane is elected", "mov.u32 %r2,0;",
       "red.global.add.u32 [%rd3],%r1;", 1, 0, false},
      {"a lane a line", "shl.b32 %r2,%r1,7;", "red.global.add.u32 [%rd3],%r1;", 1, 0, false},
      {"a lane a line, 8 bytes of floating point: one visit alone", "shl.b32 %r2,%r1,7;",
       "red.global.add.f64 [%rd3],%d1;", 1, 0, false},
      {"all lanes on one of these: each further one two", "mov.u32 %r2,0;",
       "red.global.add.f64 [%rd3],%d1;", 63, 0, false},
      {"four side by side are a whole sector", "shl.b32 %r2,%r1,3;",
       "red.global.add.f64 [%rd3],%d1;", 0, 4, false},
      {"8 bytes of integers never take two", "shr.u32 %r2,%r1,5;",
       "red.global.add.u64 [%rd3],%rd4;", 32, 0, false},
      {"the old value is used", "shl.b32 %r2,%r1,7;",
       "atom.global.add.u32 %r4,[%rd3],%r1; st.global.u32 [%rd1+8192],%r4;", 1, 0, true},
  };
  for (const AtomicTraceCase& c : cases) {
    const std::string text = std::string(
                                 ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
                                 "k(.param .u64 p)\n{\n") +
                             ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f64 %d<4>;\nld.param.u64 "
                             "%rd1,[p]; mov.u32 %r1,%laneid; mov.f64 %d1,0d3FF0000000000000;\n" +
                             "mov.u64 %rd4,1;" + c.shift +
                             " cvt.u64.u32 %rd2,%r2; add.s64 %rd3,%rd1,%rd2;\n" + c.atomic +
                             "\nret;\n}\n";
    const ptx::ParseOutput parsed = ptx::parse(text, "t.ptx");
    ASSERT_TRUE(parsed.diagnostics.empty()) << c.what << render(parsed.diagnostics);
    const Result<emulator::Program> program =
        emulator::Program::decode(std::make_shared<const ptx::Module>(parsed.module), "k");
    ASSERT_TRUE(program.ok()) << c.what << render(program.errors());
    emulator::DeviceMemory memory;
    const auto buffer = memory.allocate(16384, "buffer");
    memory.mark_written(*buffer);
    emulator::LaunchConfig launch{.grid = {1, 1, 1}, .block = {32, 1, 1}};
    launch.args = {emulator::Argument::pointer(*buffer)};
    Trace trace;
    Sharing sharing;
    Recorder recorder({.program = &*program, .launch = &launch}, TexelLayout::kSectors, memory);
    ASSERT_TRUE(recorder.record({0}, Sharing::Who::kOwn, trace, sharing).ok()) << c.what;
    const MemoryOp& op = trace.blocks.front().warps.front().ops[0].front();
    EXPECT_EQ(trace.lines[op.first_line].visits, c.visits) << c.what;
    EXPECT_EQ(trace.lines[op.first_line].whole_visits, c.whole_visits) << c.what;
    EXPECT_EQ(op.returned, c.returned) << c.what;
  }
}

}  // namespace
}  // namespace warpshop::timing
