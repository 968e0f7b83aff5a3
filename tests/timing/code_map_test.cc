// Mapping PTX blocks to machine instructions: hand-written machine code and unrolled loops.
#include "one_sm/code_map.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

// --- Following a warp ---

CodePiece piece(int first, int end, int copies, bool in_loop) {
  return {.ranges = {{first, end}}, .copies = copies, .in_loop = in_loop};
}

struct WalkCase {
  const char* what;
  std::vector<CodePiece> pieces;  // of block 0
  std::vector<uint32_t> passes;   // consecutive executions, per call
  std::vector<int> ran;           // first instructions of the pieces that ran
};

TEST(CodeWalker, TakesTheLargestPiecesThatFit) {
  const WalkCase cases[] = {
      {"one piece, once for each time", {piece(0, 4, 1, true)}, {3}, {0, 0, 0}},
      {"no code: nothing", {}, {3}, {}},
      {"eleven turns of a loop in fours and ones",
       {piece(0, 40, 4, true), piece(40, 50, 1, true)},
       {11},
       {0, 0, 40, 40, 40}},
      {"what fits is taken anew for each call",
       {piece(0, 40, 4, true), piece(40, 50, 1, true)},
       {4, 3},
       {0, 40, 40, 40}},
      {"too few for the only piece: it runs ahead, and the next calls need nothing",
       {piece(0, 40, 4, true)},
       {1, 1, 1, 1, 1},
       {0, 0}},
      {"straight code: iterations side by side take turns",
       {piece(0, 10, 1, false), piece(10, 20, 1, false)},
       {1, 1, 1},
       {0, 10, 0}},
  };
  for (const WalkCase& c : cases) {
    CodeMap map;
    map.pieces = {c.pieces};
    CodeWalker walker(map);
    std::vector<int> ran;
    for (const uint32_t times : c.passes) {
      walker.pass(0, times, [&](const CodePiece& p) { ran.push_back(p.ranges.front().first); });
    }
    EXPECT_EQ(ran, c.ran) << c.what;
  }
}

// --- Finding the pieces ---

constexpr uint64_t kAlways = 7U << 12;  // the always-true predicate
constexpr uint64_t kIfP0 = 0;

MachineInstruction instruction(uint64_t opcode, int ptx_line, uint64_t guard = kAlways) {
  return {.low = opcode | guard, .high = uint64_t{1} << 41, .ptx_line = ptx_line};
}
MachineInstruction branch(int at, int to, int ptx_line, uint64_t guard) {
  MachineInstruction i = instruction(0x947, ptx_line, guard);  // BRA
  const auto distance = static_cast<uint64_t>(int64_t{to - at - 1} * 4) & ((uint64_t{1} << 56) - 1);
  i.low |= (distance & 0xff) << 16 | (distance >> 8 & ((uint64_t{1} << 30) - 1)) << 34;
  i.high |= distance >> 38 & 0x3ffff;
  return i;
}
constexpr uint64_t kFfma = 0x223;
constexpr uint64_t kFadd = 0x221;
constexpr uint64_t kTex = 0xf60;
constexpr uint64_t kIadd3 = 0x210;
constexpr uint64_t kIsetp = 0x20c;
constexpr uint64_t kStg = 0x986;
constexpr uint64_t kExit = 0x94d;

// Lines: 7 the loop's first multiply-add, 8 its second, 9 to 11 its counter, 12 the store.
constexpr const char* kLoop =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<9>; ld.param.u64 %rd1,[p]; "
    "mov.u32 %r1,0; $L:\n"
    "fma.rn.f32 %f1,%f1,%f2,%f3;\n"
    "fma.rn.f32 %f4,%f1,%f2,%f4;\n"
    "add.s32 %r1,%r1,1;\n"
    "setp.lt.s32 %p1,%r1,9;\n"
    "@%p1 bra $L;\n"
    "st.global.f32 [%rd1],%f4;\n"
    "ret;\n}\n";

emulator::Program program_of(const char* text) {
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  return emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k").value();
}
emulator::Program loop() { return program_of(kLoop); }

size_t block_of_line(const emulator::Program& program, int line) {
  const auto blocks = program.basic_blocks();
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (int i : blocks[b].instructions) {
      if (program.function().body[static_cast<size_t>(i)].ptx_line == line) return b;
    }
  }
  ADD_FAILURE() << "no block has line " << line;
  return 0;
}

// Machine code 0 to 6: the loop unrolled twice; 7 to 11: a single iteration; then the store.
TEST(CodeMap, AnUnrolledLoopHasAPieceForEachNumberOfCopies) {
  const emulator::Program program = loop();
  const std::vector<MachineInstruction> code = {
      instruction(kFfma, 7),   instruction(kFfma, 8),   instruction(kFfma, 7),
      instruction(kFfma, 8),   instruction(kIadd3, 9),  instruction(kIsetp, 10),
      branch(6, 0, 11, kIfP0), instruction(kFfma, 7),   instruction(kFfma, 8),
      instruction(kIadd3, 9),  instruction(kIsetp, 10), branch(11, 7, 11, kIfP0),
      instruction(kStg, 12),   instruction(kExit, 13)};
  const CodeMap map = map_code(program, code, {9, 0});
  const std::vector<CodePiece>& pieces = map.pieces[block_of_line(program, 7)];
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].copies, 2);
  EXPECT_EQ(pieces[0].ranges, (std::vector<std::pair<int, int>>{{0, 7}}));
  EXPECT_TRUE(pieces[0].in_loop);
  EXPECT_EQ(pieces[1].copies, 1);
  EXPECT_EQ(pieces[1].ranges, (std::vector<std::pair<int, int>>{{7, 12}}));
  EXPECT_TRUE(pieces[1].in_loop);

  // Nine iterations: four pairs and a single iteration.
  CodeWalker walker(map);
  int instructions = 0;
  walker.pass(static_cast<uint32_t>(block_of_line(program, 7)), 9, [&](const CodePiece& p) {
    for (const auto& [first, end] : p.ranges) instructions += end - first;
  });
  EXPECT_EQ(instructions, 4 * 7 + 5);
  // The accesses of the site are made by the store alone.
  for (size_t i = 0; i < code.size(); ++i) EXPECT_EQ(map.site_of_op[i] >= 0, i == 12) << i;
  ASSERT_EQ(map.pieces[block_of_line(program, 12)].size(), 1U);
  EXPECT_EQ(map.pieces[block_of_line(program, 12)][0].ranges.front().first, 12);
}

// Lines: 7 the store in the loop, 8 to 10 its counter.
constexpr const char* kStores =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; ld.param.u64 %rd1,[p]; mov.u32 %r1,0; "
    "$L:\n"
    "st.global.u32 [%rd1],%r1;\n"
    "add.s32 %r1,%r1,1;\n"
    "setp.lt.s32 %p1,%r1,9;\n"
    "@%p1 bra $L;\n"
    "ret;\n}\n";

// Machine code 0 to 4: the loop unrolled twice; 5 and 6: the test for a
// remaining iteration; 7 to 9: that iteration.
TEST(CodeMap, WhatAsksForTheRestOfALoopIsNoTurnOfIt) {
  const emulator::Program program = program_of(kStores);
  const std::vector<MachineInstruction> code = {
      instruction(kStg, 7),     instruction(kStg, 7),    instruction(kIadd3, 8),
      instruction(kIsetp, 9),   branch(4, 0, 10, kIfP0), instruction(kIsetp, 9),
      branch(6, 10, 10, kIfP0), instruction(kStg, 7),    instruction(kIadd3, 8),
      instruction(kIsetp, 9),   instruction(kExit, 11)};
  const CodeMap map = map_code(program, code, {9, 0});
  CodeWalker walker(map);
  std::vector<int> ran;
  for (int turn = 0; turn < 3; ++turn) {
    walker.pass(static_cast<uint32_t>(block_of_line(program, 7)), 1,
                [&](const CodePiece& p) { ran.push_back(p.ranges.front().first); });
  }
  EXPECT_EQ(ran, (std::vector<int>{7, 7, 7}));
}

// Line 7 arrives at a barrier object, line 8 multiplies: ptxas puts them into blocks of their own.
constexpr const char* kProducts =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<5>; mov.u32 %r1,0; $L:\n"
    "mbarrier.arrive.shared.b64 %rd1,[%r2];\n"
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4},%rd2,%rd3,1,1,1,0,0;\n"
    "add.s32 %r1,%r1,1;\n"
    "setp.lt.s32 %p1,%r1,8;\n"
    "@%p1 bra $L;\n"
    "ret;\n}\n";

TEST(CodeMap, ProductsOfWarpgroupsAreNoGlue) {
  constexpr uint16_t kSyncs = 0x9a7;
  constexpr uint16_t kHgmma = 0x5f0;
  const emulator::Program program = program_of(kProducts);
  const std::vector<MachineInstruction> code = {instruction(kSyncs, 7),  branch(1, 2, 7, kIfP0),
                                                instruction(kHgmma, 8),  instruction(kIadd3, 9),
                                                branch(4, 0, 11, kIfP0), instruction(kExit, 12)};
  const CodeMap map = map_code(program, code, {9, 0});
  std::set<int> ran;
  for (const CodePiece& piece : map.pieces[static_cast<size_t>(block_of_line(program, 8))]) {
    for (const auto& [first, end] : piece.ranges) {
      for (int i = first; i < end; ++i) ran.insert(i);
    }
  }
  EXPECT_TRUE(ran.contains(2));
}

// Lines: 7 the coordinate, 8 the fetch, 9 to 11 the loop's counter.
constexpr const char* kFetches =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<9>; ld.param.u64 %rd1,[p]; "
    "mov.u32 %r1,0; $L:\n"
    "add.f32 %f2,%f1,0f3F000000;\n"
    "tex.2d.v4.u32.f32 {%r4,%r5,%r6,%r7},[%rd1,{%f2,%f3}];\n"
    "add.s32 %r1,%r1,1;\n"
    "setp.lt.s32 %p1,%r1,8;\n"
    "@%p1 bra $L;\n"
    "ret;\n}\n";

// Iterations that share a coordinate compute it only once; the fetch alone tells iterations apart.
TEST(CodeMap, FetchesTellTheTurnsOfALoop) {
  const emulator::Program program = program_of(kFetches);
  const std::vector<MachineInstruction> code = {instruction(kFadd, 7),   instruction(kFadd, 7),
                                                instruction(kTex, 8),    instruction(kTex, 8),
                                                instruction(kTex, 8),    instruction(kTex, 8),
                                                instruction(kIadd3, 9),  instruction(kIsetp, 10),
                                                branch(8, 0, 11, kIfP0), instruction(kExit, 12)};
  const CodeMap map = map_code(program, code, {9, 0});
  const std::vector<CodePiece>& pieces = map.pieces[block_of_line(program, 8)];
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].copies, 4);
}

// Unreachable code (the trap after a kernel's end) belongs to no block.
TEST(CodeMap, WhatIsNeverReachedIsLeftOut) {
  const emulator::Program program = loop();
  const std::vector<MachineInstruction> code = {
      instruction(kFfma, 7),   instruction(kFfma, 8),     instruction(kIadd3, 9),
      instruction(kIsetp, 10), branch(4, 0, 11, kIfP0),   instruction(kStg, 12),
      instruction(kExit, 13),  branch(7, 7, 13, kAlways), instruction(kFfma, 7)};
  const CodeMap map = map_code(program, code, {9, 0});
  for (const std::vector<CodePiece>& pieces : map.pieces) {
    for (const CodePiece& p : pieces) {
      for (const auto& [first, end] : p.ranges) EXPECT_LE(end, 7) << first;
    }
  }
  EXPECT_EQ(map.pieces[block_of_line(program, 7)].size(), 1U);
}

// Lines: 6 the division, 7 the sum, 8 the store.
constexpr const char* kDivision =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .b64 %rd<5>; .reg .f64 %fd<9>; ld.param.u64 %rd1,[p];\n"
    "div.rn.f64 %fd1,%fd2,%fd3;\n"
    "add.f64 %fd4,%fd1,%fd2;\n"
    "st.global.f64 [%rd1],%fd4;\n"
    "ret;\n}\n";
constexpr uint64_t kDfma = 0x22b;
constexpr uint64_t kDadd = 0x229;
constexpr uint64_t kCall = 0x944;

// Machine code 0 and 1: the division; 2: past the routine for special operands; 3: its call; 4: the
// division's end, in a block of its own; 5 to 7: the rest. The routine itself is 8 and 9.
TEST(CodeMap, CodeThatRunsOnceRunsWholeHoweverManyBlocksItBecomes) {
  const emulator::Program program = program_of(kDivision);
  const std::vector<MachineInstruction> code = {
      instruction(kDfma, 6), instruction(kDfma, 6), branch(2, 4, 6, kIfP0), instruction(kCall, 6),
      instruction(kDfma, 6), instruction(kDadd, 7), instruction(kStg, 8),   instruction(kExit, 9),
      instruction(kDfma, 6), instruction(0x950, 6)};
  const CodeMap map = map_code(program, code, {9, 0});
  CodeWalker walker(map);
  std::set<int> ran;
  walker.pass(static_cast<uint32_t>(block_of_line(program, 6)), 1, [&](const CodePiece& p) {
    for (const auto& [first, end] : p.ranges) {
      for (int i = first; i < end; ++i) ran.insert(i);
    }
  });
  EXPECT_EQ(ran, (std::set<int>{0, 1, 2, 4, 5, 6, 7}));
}

// Lines: 7 the multiply-add of a function that is called, 12 the call, 13 the store.
constexpr const char* kCalling =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func (.param .b32 r) f(.param .b32 a)\n{\n"
    ".reg .f32 %f<9>; ld.param.f32 %f1,[a];\n"
    "fma.rn.f32 %f2,%f1,%f1,%f1;\n"
    "st.param.f32 [r],%f2; ret;\n}\n"
    ".visible .entry k(.param .u64 p)\n{ .reg .b64 %rd<5>; .reg .f32 %f<9>; ld.param.u64 %rd1,[p]; "
    ".param .b32 x; .param .b32 y; st.param.f32 [x],0f3F800000;\n"
    "call.uni (y),f,(x);\n"
    "ld.param.f32 %f1,[y]; st.global.f32 [%rd1],%f1; ret;\n}\n";

MachineInstruction call(int at, int to, int ptx_line) {
  MachineInstruction i = branch(at, to, ptx_line, kAlways);
  i.low = (i.low & ~uint64_t{0xfff}) | kCall;
  return i;
}

// Machine code 0: the call; 1 and 2: what follows it; 3 and 4: the function.
TEST(CodeMap, AFunctionThatThePtxCallsIsReached) {
  const emulator::Program program = program_of(kCalling);
  const std::vector<MachineInstruction> code = {call(0, 3, 12), instruction(kStg, 13),
                                                instruction(kExit, 13), instruction(kFfma, 7),
                                                instruction(0x950, 8)};
  const CodeMap map = map_code(program, code, {9, 0});
  std::set<int> mapped;
  for (const std::vector<CodePiece>& pieces : map.pieces) {
    for (const CodePiece& p : pieces) {
      for (const auto& [first, end] : p.ranges) {
        for (int i = first; i < end; ++i) mapped.insert(i);
      }
    }
  }
  EXPECT_EQ(mapped, (std::set<int>{0, 1, 2, 3, 4}));
}

// Lines: 6 the load of a fragment, which is several machine instructions.
constexpr const char* kFragment =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<5>; ld.param.u64 %rd1,[p]; mov.u32 %r9,0; "
    "$L:\n"
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
    "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[%rd1],%r9;\n"
    "add.s32 %r9,%r9,1;\n"
    "setp.lt.s32 %p1,%r9,8;\n"
    "@%p1 bra $L;\n"
    "ret;\n}\n";
constexpr uint64_t kLdg = 0x981;

// Two iterations side by side: eight loads of the line, four for each.
TEST(CodeMap, SeveralLoadsOfOneFragmentAreOneCopy) {
  const emulator::Program program = program_of(kFragment);
  const int line = program.access_sites().front().ptx_line;
  std::vector<MachineInstruction> code;
  for (int n = 0; n < 8; ++n) code.push_back(instruction(kLdg, line));
  code.push_back(instruction(kIadd3, line + 1));
  code.push_back(branch(9, 0, line + 3, kIfP0));
  code.push_back(instruction(kExit, line + 4));
  const CodeMap map = map_code(program, code, {9, 0});
  const std::vector<CodePiece>& pieces = map.pieces[block_of_line(program, line)];
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].copies, 2);
  // Each of the four loads of an iteration has accesses of its own.
  EXPECT_EQ(std::set<int>(map.site_of_op.begin(), map.site_of_op.begin() + 4).size(), 4U);
}

}  // namespace
}  // namespace warpshop::timing
