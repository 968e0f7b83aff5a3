// Decodes sm_90 machine instructions, whose bits and names come from nvdisasm 13.0.
#include "one_sm/machine_code.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

struct InstructionCase {
  const char* text;
  uint64_t low;
  uint64_t high;
  MachineKind kind;
  MachinePipe pipe;
  int stall;          // bits 41 to 44 of the upper half
  int write_barrier;  // 7: none
  int read_barrier;
  int wait_mask;
  int even_reads;  // number of registers read from each bank of the register file
  int odd_reads;
  bool conditional;
};

const InstructionCase kMachineCodeCases[] = {
    {"LDG.E R22, desc[UR8][R22.64]", 0x0000000816167981, 0x000ea2000c1e1900,
     MachineKind::kGlobalLoad, MachinePipe::kLsu, 1, 2, 7, 0, 0, 0, false},
    {"STS [R5], R22", 0x0000001605007388, 0x0041e20000000800, MachineKind::kSharedStore,
     MachinePipe::kLsu, 1, 7, 0, 4, 0, 0, false},
    {"BAR.SYNC.DEFER_BLOCKING 0x0", 0x0000000000007b1d, 0x000fec0000010000, MachineKind::kBarrier,
     MachinePipe::kNone, 6, 7, 7, 0, 0, 0, false},
    {"FFMA R22, R22, R4, R9", 0x0000000416167223, 0x004fc60000000009, MachineKind::kArithmetic,
     MachinePipe::kFma, 3, 7, 7, 4, 2, 1, false},
    {"FFMA R22, R4, R22, R11", 0x0000001604167223, 0x010fc6000000000b, MachineKind::kArithmetic,
     MachinePipe::kFma, 3, 7, 7, 16, 2, 1, false},
    {"MUFU.EX2 R7, R7", 0x0000000700077308, 0x000e620000000800, MachineKind::kArithmetic,
     MachinePipe::kXu, 1, 1, 7, 0, 0, 0, false},
    {"DFMA R4, R4, R4, 1", 0x3ff000000404742b, 0x004fce0000000004, MachineKind::kArithmetic,
     MachinePipe::kFp64, 7, 7, 7, 4, 1, 0, false},
    {"STG.E desc[UR8][R8.64], R11", 0x0000000b08007986, 0x000fe8000c101908,
     MachineKind::kGlobalStore, MachinePipe::kLsu, 4, 7, 7, 0, 0, 0, false},
    {"IMAD R13, R10, R12, R13", 0x0000000c0a0d7224, 0x008fca00078e020d, MachineKind::kArithmetic,
     MachinePipe::kImad, 5, 7, 7, 8, 2, 1, false},
    {"TEX.LL RZ, R3, R2, R9, UR4, 0x0, 2D, 0x1", 0x2000040902037f60, 0x000fe200099e01ff,
     MachineKind::kTexture, MachinePipe::kTexture, 1, 7, 7, 0, 0, 0, false},
    {"TLD.LZ RZ, R8, R0, UR4, 0x0, 1D, 0x1", 0x000004ff00087f66, 0x000f6200089e01ff,
     MachineKind::kTexture, MachinePipe::kTexture, 1, 5, 7, 0, 0, 0, false},
    {"@P0 REDG.E.ADD.STRONG.GPU desc[UR8][R2.64], R5", 0x000000050200098e, 0x000fe2000c10e188,
     MachineKind::kGlobalAtomic, MachinePipe::kLsu, 1, 7, 7, 0, 0, 0, true},
    {"LDGSTS.E.BYPASS.128 [R9], desc[UR6][R2.64]", 0x0000000002097fae, 0x0003e8000b901c46,
     MachineKind::kAsyncCopy, MachinePipe::kLsu, 4, 7, 1, 0, 0, 0, false},
    {"LDGDEPBAR", 0x00000000000079af, 0x000e220000000000, MachineKind::kCommitCopies,
     MachinePipe::kLsu, 1, 0, 7, 0, 0, 0, false},
    {"@!PT LDS RZ, [RZ]", 0x00000000fffff984, 0x000fe20000000800, MachineKind::kNothing,
     MachinePipe::kNone, 1, 7, 7, 0, 0, 0, false},
};

TEST(MachineCode, FieldsAreReadAsTheAssemblerWroteThem) {
  for (const InstructionCase& c : kMachineCodeCases) {
    const std::vector<MachineOp> ops =
        decode_machine_code({{.low = c.low, .high = c.high, .ptx_line = 7}}, {9, 0});
    ASSERT_EQ(ops.size(), 1U);
    const MachineOp& op = ops[0];
    EXPECT_EQ(op.kind, c.kind) << c.text;
    EXPECT_EQ(op.pipe, c.pipe) << c.text;
    EXPECT_EQ(op.stall_cycles, c.stall) << c.text;
    EXPECT_EQ(op.write_barrier, c.write_barrier) << c.text;
    EXPECT_EQ(op.read_barrier, c.read_barrier) << c.text;
    EXPECT_EQ(op.wait_mask, c.wait_mask) << c.text;
    EXPECT_EQ(op.conditional, c.conditional) << c.text;
    EXPECT_EQ(op.ptx_line, 7);
    if (c.pipe == MachinePipe::kFma || c.pipe == MachinePipe::kFp64 ||
        c.pipe == MachinePipe::kImad) {
      EXPECT_EQ(op.bank_reads[0], c.even_reads) << c.text;
      EXPECT_EQ(op.bank_reads[1], c.odd_reads) << c.text;
    }
  }
}

// The reuse cache serves an operand that the previous instruction
// kept in the same slot (bits 58 to 60).
// LDGSTS.E.128 and .E.BYPASS.128; DEPBAR.LE SB0, 0x0, 0x1 and 0x7.
TEST(MachineCode, CopiesTellWhetherTheyPassL1AndWaitsHowManyMayBeLeft) {
  const auto decoded = [](uint64_t low, uint64_t high) {
    return decode_machine_code({{.low = low, .high = high}}, {9, 0}).front();
  };
  EXPECT_FALSE(decoded(0x0000000002097fae, 0x0003e8000b921c46).bypasses_l1);
  EXPECT_TRUE(decoded(0x0000000002097fae, 0x0003e8000b901c46).bypasses_l1);
  EXPECT_EQ(decoded(0x000080000000791a, 0x000fc80000000000).groups_left, 0);
  EXPECT_EQ(decoded(0x000080400000791a, 0x000fc80000000000).groups_left, 1);
  EXPECT_EQ(decoded(0x000081c00000791a, 0x000fc80000000000).groups_left, 7);
}

TEST(MachineCode, AKeptOperandIsNotReadAgain) {
  const uint64_t low = 0x0000000416167223;  // FFMA R22, R22, R4, R9
  const uint64_t high = 0x004fc60000000009;
  const uint64_t keeps_second = uint64_t{2} << 58;
  const std::vector<MachineOp> ops = decode_machine_code(
      {{.low = low, .high = high | keeps_second}, {.low = low, .high = high}}, {9, 0});
  EXPECT_EQ(ops[0].bank_reads[0], 2);
  EXPECT_EQ(ops[1].bank_reads[0], 1) << "R4 comes from the reuse cache";
}

// Branches of tests/hardware/published/tables/products.cu as nvdisasm 13 shows them for 8.6.
TEST(MachineCode, BranchesBefore90CountBytes) {
  struct Case {
    size_t at;
    uint64_t low, high;
    int target;
  };
  const Case cases[] = {
      {0x35, 0x0000278000008947, 0x000fea0003800000, 0x2ae},   // @!P0 BRA, forwards
      {0x2ad, 0xffffd9e000007947, 0x000fea000383ffff, 0x4c},   // BRA, backwards
      {0x2ac, 0x0000001000000944, 0x000fe20003c00000, 0x2ae},  // @P0 CALL.REL.NOINC: leaves a loop
  };
  for (const Case& c : cases) {
    std::vector<MachineInstruction> code(0x400, {.low = 0x918 | 7U << 12, .high = 0});  // NOP
    code[c.at] = {.low = c.low, .high = c.high};
    const MachineOp op = decode_machine_code(code, {8, 6})[c.at];
    EXPECT_EQ(op.kind, MachineKind::kBranch);
    EXPECT_EQ(op.target, c.target);
  }
}

// The branches of labs/tiling's solution of "corner" as nvdisasm 13.2 shows them for 10.0.
TEST(MachineCode, ABranchByAUniformPredicateIsConditional) {
  struct Case {
    const char* text;
    size_t at;
    uint64_t low, high;
    bool conditional;
    int target;
  };
  const Case cases[] = {
      {"BRA.U !UP0", 0x0a, 0x0000001508807547, 0x004fea000b800000, true, 0x16b},
      {"BRA.U UP1", 0xd6, 0xfffffff501307547, 0x000fea000b83ffff, true, 0x23},
      {"BRA.U UP0", 0x138, 0x0000000100c87547, 0x000fea000b800000, true, 0x16b},
      {"BRA", 0x171, 0xfffffffc00fc7947, 0x000fc0000383ffff, false, 0x171},
  };
  for (const Case& c : cases) {
    std::vector<MachineInstruction> code(0x200, {.low = 0x918 | 7U << 12, .high = 0});  // NOP
    code[c.at] = {.low = c.low, .high = c.high};
    const MachineOp op = decode_machine_code(code, {10, 0})[c.at];
    EXPECT_EQ(op.kind, MachineKind::kBranch) << c.text;
    EXPECT_EQ(op.conditional, c.conditional) << c.text;
    EXPECT_EQ(op.target, c.target) << c.text;
  }
}

}  // namespace
}  // namespace warpshop::timing
