#include "one_sm/machine_code.h"

#include <algorithm>

#include "one_sm/arithmetic_rates.h"
#include "one_sm/tensor_rates.h"
#include "timing/generations.h"

namespace warpshop::timing {
namespace {

constexpr uint8_t kNoRegister = 255;

struct OpcodeInfo {
  uint16_t opcode;
  MachinePipe pipe;
  uint8_t cycles;
  MachineKind kind;
  uint8_t sources;  // registers read through the operand slots
};

// Opcode: bits 0 to 8. Cycles: per warp on one of the SM's four sub-partitions, measured on compute
// capability 9.0.
// clang-format off
constexpr OpcodeInfo kOpcodes[] = {
    {0x020, MachinePipe::kFma, 1, MachineKind::kArithmetic, 2},   // FMUL
    {0x021, MachinePipe::kFma, 1, MachineKind::kArithmetic, 2},   // FADD
    {0x023, MachinePipe::kFma, 1, MachineKind::kArithmetic, 3},   // FFMA
    {0x030, MachinePipe::kFma, 1, MachineKind::kArithmetic, 2},   // HADD2
    {0x031, MachinePipe::kFma, 1, MachineKind::kArithmetic, 3},   // HFMA2
    {0x032, MachinePipe::kFma, 1, MachineKind::kArithmetic, 2},   // HMUL2
    {0x035, MachinePipe::kFma, 1, MachineKind::kArithmetic, 3},   // HFMA2.MMA
    {0x024, MachinePipe::kImad, 2, MachineKind::kArithmetic, 3},  // IMAD
    {0x025, MachinePipe::kImad, 2, MachineKind::kArithmetic, 3},  // IMAD.WIDE
    {0x026, MachinePipe::kImad, 2, MachineKind::kArithmetic, 3},  // IDP
    {0x027, MachinePipe::kImad, 4, MachineKind::kArithmetic, 3},  // IMAD.HI
    {0x028, MachinePipe::kFp64, 2, MachineKind::kArithmetic, 2},  // DMUL
    {0x029, MachinePipe::kFp64, 2, MachineKind::kArithmetic, 2},  // DADD
    {0x02a, MachinePipe::kFp64, 2, MachineKind::kArithmetic, 2},  // DSETP
    {0x02b, MachinePipe::kFp64, 2, MachineKind::kArithmetic, 3},  // DFMA
    // Cycles: tensor_rates.h
    {0x037, MachinePipe::kTensor, 1, MachineKind::kArithmetic, 3},  // IMMA
    {0x03c, MachinePipe::kTensor, 1, MachineKind::kArithmetic, 3},  // HMMA
    {0x03d, MachinePipe::kTensor, 1, MachineKind::kArithmetic, 3},  // BMMA
    {0x03f, MachinePipe::kTensor, 1, MachineKind::kArithmetic, 3},  // DMMA
    {0x07a, MachinePipe::kTensor, 1, MachineKind::kArithmetic, 3},  // QMMA
    {0x1f0, MachinePipe::kTensor, 1, MachineKind::kWarpgroupProduct, 0},  // HGMMA
    {0x1f1, MachinePipe::kTensor, 1, MachineKind::kWarpgroupProduct, 0},  // IGMMA
    {0x1f2, MachinePipe::kTensor, 1, MachineKind::kWarpgroupProduct, 0},  // BGMMA
    {0x1f3, MachinePipe::kTensor, 1, MachineKind::kWarpgroupProduct, 0},  // QGMMA
    {0x1c5, MachinePipe::kNone, 1, MachineKind::kWaitForProducts, 0},  // WARPGROUP.ARRIVE, .DEPBAR
    {0x010, MachinePipe::kAlu, 2, MachineKind::kArithmetic, 3},   // IADD3
    {0x012, MachinePipe::kAlu, 2, MachineKind::kArithmetic, 3},   // LOP3
    {0x016, MachinePipe::kAlu, 2, MachineKind::kArithmetic, 3},   // PRMT
    {0x019, MachinePipe::kAlu, 2, MachineKind::kArithmetic, 3},   // SHF
    {0x102, MachinePipe::kXu, 8, MachineKind::kArithmetic, 2},    // FCHK
    {0x104, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // F2F
    {0x105, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // F2I
    {0x106, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // I2F
    {0x107, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // FRND
    {0x108, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // MUFU
    {0x109, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // POPC
    {0x100, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // FLO
    {0x101, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // BREV
    {0x110, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // F2F.F64
    {0x111, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // F2I.F64
    {0x112, MachinePipe::kXu, 8, MachineKind::kArithmetic, 1},    // I2F.F64
    {0x119, MachinePipe::kXu, 2, MachineKind::kSpecialRegister, 0},  // S2R
    {0x1c3, MachinePipe::kXu, 2, MachineKind::kSpecialRegister, 0},  // S2UR
    {0x182, MachinePipe::kUniform, 1, MachineKind::kConstantLoad, 0},  // LDC
    {0x1ac, MachinePipe::kUniform, 1, MachineKind::kConstantLoad, 0},  // LDCU, since 10.0
    // ULDC: stall cycles cover its latency
    {0x0b9, MachinePipe::kUniform, 1, MachineKind::kArithmetic, 0},
    {0x181, MachinePipe::kLsu, 1, MachineKind::kGlobalLoad, 0},   // LDG
    {0x180, MachinePipe::kLsu, 1, MachineKind::kGlobalLoad, 0},   // LD
    {0x183, MachinePipe::kLsu, 1, MachineKind::kGlobalLoad, 0},   // LDL
    {0x1ae, MachinePipe::kLsu, 1, MachineKind::kAsyncCopy, 0},    // LDGSTS
    {0x1af, MachinePipe::kLsu, 1, MachineKind::kCommitCopies, 0}, // LDGDEPBAR
    {0x186, MachinePipe::kLsu, 1, MachineKind::kGlobalStore, 0},  // STG
    {0x185, MachinePipe::kLsu, 1, MachineKind::kGlobalStore, 0},  // ST
    {0x187, MachinePipe::kLsu, 1, MachineKind::kGlobalStore, 0},  // STL
    {0x18e, MachinePipe::kLsu, 1, MachineKind::kGlobalAtomic, 0}, // RED
    {0x18a, MachinePipe::kLsu, 1, MachineKind::kGlobalAtomic, 0}, // ATOM
    {0x1a8, MachinePipe::kLsu, 1, MachineKind::kGlobalAtomic, 0}, // ATOMG
    {0x1a9, MachinePipe::kLsu, 1, MachineKind::kGlobalAtomic, 0}, // ATOMG.CAS
    {0x1a6, MachinePipe::kLsu, 1, MachineKind::kGlobalAtomic, 0}, // REDG
    {0x184, MachinePipe::kLsu, 1, MachineKind::kSharedLoad, 0},   // LDS
    {0x03b, MachinePipe::kLsu, 1, MachineKind::kSharedLoad, 0},   // LDSM
    {0x188, MachinePipe::kLsu, 1, MachineKind::kSharedStore, 0},  // STS
    {0x18c, MachinePipe::kLsu, 1, MachineKind::kSharedAtomic, 0}, // ATOMS
    {0x18d, MachinePipe::kLsu, 1, MachineKind::kSharedAtomic, 0}, // ATOMS.CAS
    {0x189, MachinePipe::kLsu, 1, MachineKind::kShuffle, 0},      // SHFL
    {0x160, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TEX
    {0x161, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TEX, handle in a register
    {0x163, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TLD4
    {0x164, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TLD4, likewise
    {0x166, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TLD
    {0x167, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // TLD, likewise
    {0x199, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // SULD
    {0x19d, MachinePipe::kTexture, 1, MachineKind::kTexture, 0},  // SUST
    {0x11d, MachinePipe::kNone, 1, MachineKind::kBarrier, 0},     // BAR
    {0x1a7, MachinePipe::kLsu, 1, MachineKind::kMbarrier, 0},     // SYNCS.ARRIVE, SYNCS.PHASECHK
    {0x1b0, MachinePipe::kLsu, 1, MachineKind::kMbarrier, 0},     // ARRIVES.LDGSTSBAR
    {0x1ba, MachinePipe::kUniform, 1, MachineKind::kBulkCopy, 0}, // UBLKCP
    {0x1b4, MachinePipe::kUniform, 1, MachineKind::kBulkCopy, 0}, // UTMALDG
    {0x11a, MachinePipe::kNone, 1, MachineKind::kWaitForCopies, 0},  // DEPBAR
    {0x147, MachinePipe::kNone, 1, MachineKind::kBranch, 0},      // BRA
    {0x149, MachinePipe::kNone, 1, MachineKind::kBranch, 0},      // BRX
    {0x144, MachinePipe::kNone, 1, MachineKind::kCall, 0},        // CALL.REL
    {0x143, MachinePipe::kNone, 1, MachineKind::kCall, 0},        // CALL.ABS
    {0x150, MachinePipe::kNone, 1, MachineKind::kExit, 0},        // RET
    {0x14d, MachinePipe::kNone, 1, MachineKind::kExit, 0},        // EXIT
    {0x141, MachinePipe::kNone, 1, MachineKind::kArithmetic, 0},  // BSYNC
    {0x145, MachinePipe::kNone, 1, MachineKind::kArithmetic, 0},  // BSSY
    {0x148, MachinePipe::kNone, 1, MachineKind::kArithmetic, 0},  // WARPSYNC
    {0x118, MachinePipe::kNone, 1, MachineKind::kNothing, 0},     // NOP
};
// clang-format on

// Opcodes not in the table are ALU arithmetic, or uniform datapath (opcodes 0x080 to 0x0bf).
OpcodeInfo info_of(uint16_t opcode) {
  for (const OpcodeInfo& info : kOpcodes) {
    if (info.opcode == opcode) return info;
  }
  const bool uniform = opcode >= 0x080 && opcode < 0x0c0;
  return {opcode, uniform ? MachinePipe::kUniform : MachinePipe::kAlu, 2, MachineKind::kArithmetic,
          static_cast<uint8_t>(uniform ? 0 : 2)};
}

// Registers in the three operand slots; kNoRegister: none.
std::array<uint8_t, 3> sources_of(const MachineInstruction& i, int count) {
  const auto byte = [](uint64_t word, int shift) { return static_cast<uint8_t>(word >> shift); };
  std::array<uint8_t, 3> slots{kNoRegister, kNoRegister, kNoRegister};
  if (count == 0) return slots;
  const auto form = (i.low >> 9) & 7;
  slots[0] = byte(i.low, 24);
  if (form == 1) {
    slots[1] = byte(i.low, 32);
    if (count == 3) slots[2] = byte(i.high, 0);
  } else if (count == 3) {
    slots[2] = byte(i.high, 0);
  }
  return slots;
}

// The instruction that instruction `n` jumps to. Since 9.0 the distance from the next instruction
// is in 4-byte words, its low 8 bits at bit 16 and the rest from bit 34 on; before, in bytes from
// bit 32 on. (Found with nvdisasm: all 300 branches of tests/hardware/published/tables/products.cu
// for seven targets.)
int64_t target_of(const MachineInstruction& i, int64_t n, models::ComputeCapability capability) {
  int64_t distance_bytes = 0;
  if (!is_hopper_or_newer(capability)) {
    const uint64_t bits = i.low >> 32 | (i.high & 0x3ffff) << 32;
    distance_bytes = static_cast<int64_t>(bits << 14) >> 14;
  } else {
    const uint64_t words =
        ((i.low >> 34) | ((i.high & 0x3ffff) << 30)) << 8 | ((i.low >> 16) & 0xff);
    distance_bytes = (static_cast<int64_t>(words << 8) >> 8) * 4;
  }
  return n + 1 + distance_bytes / 16;
}

// BRA may depend on a second predicate: `BRA P0`, or one of the uniform registers, `BRA.U UP0`,
// with which 10.0 and 12.0 close most loops. Seven is the predicate that is always true.
bool asks_more(const MachineInstruction& i) {
  const bool uniform = (i.low >> 9 & 7) == 2;
  return uniform ? (i.low >> 24 & 7) != 7 : (i.high >> 23 & 7) != 7;
}

}  // namespace

std::vector<MachineOp> decode_machine_code(const std::vector<MachineInstruction>& code,
                                           models::ComputeCapability capability,
                                           double tensor_f32_pct) {
  std::vector<MachineOp> ops;
  ops.reserve(code.size());
  std::array<uint8_t, 3> kept{kNoRegister, kNoRegister, kNoRegister};
  for (size_t n = 0; n < code.size(); ++n) {
    const MachineInstruction& i = code[n];
    const uint64_t guard = (i.low >> 12) & 0xf;
    // @!PT: never executed. Three such shared loads precede the copies of sm_90.
    const OpcodeInfo info = guard == 0xf
                                ? OpcodeInfo{0, MachinePipe::kNone, 1, MachineKind::kNothing, 0}
                                : info_of(static_cast<uint16_t>(i.low & 0x1ff));
    MachineOp op;
    op.opcode = info.opcode;
    op.pipe = info.pipe;
    op.issue_cycles = info.cycles;
    op.kind = info.kind;
    if (op.kind == MachineKind::kWarpgroupProduct) {
      op.issue_cycles = static_cast<float>(warpgroup_cycles(i));
      op.commits = (i.high >> 20 & 7) != 7;
    } else if (info.pipe == MachinePipe::kTensor) {
      op.issue_cycles =
          static_cast<float>(tensor_cycles(capability, tensor_op_of(i), tensor_f32_pct));
    }
    if (op.kind == MachineKind::kWaitForProducts) {
      const bool waits = (i.low >> 47 & 1) != 0;
      if (!waits) op.kind = MachineKind::kArithmetic;
      op.groups_left = static_cast<uint8_t>(i.high >> 8 & 7);
    }
    op.ptx_line = i.ptx_line;
    op.stall_cycles = static_cast<uint8_t>(std::max<uint64_t>(1, (i.high >> 41) & 0xf));
    op.write_barrier = static_cast<uint8_t>((i.high >> 46) & 7);
    op.read_barrier = static_cast<uint8_t>((i.high >> 49) & 7);
    op.wait_mask = static_cast<uint8_t>((i.high >> 52) & 0x3f);
    op.conditional = (guard != 7 && guard != 0xf) || (info.opcode == 0x147 && asks_more(i));
    // For 8.x, the back end leaves long loops by a conditional call from which nothing returns.
    if (info.opcode == 0x144 && op.conditional) op.kind = MachineKind::kBranch;
    if (info.opcode == 0x147 || info.opcode == 0x144) {
      const int64_t target = target_of(i, static_cast<int64_t>(n), capability);
      if (target >= 0 && target < static_cast<int64_t>(code.size()))
        op.target = static_cast<int>(target);
    }
    if (op.kind == MachineKind::kAsyncCopy) op.bypasses_l1 = (i.high >> 17 & 1) == 0;
    if (op.kind == MachineKind::kWaitForCopies)
      op.groups_left = static_cast<uint8_t>((i.low >> 38) & 0x3f);
    const std::array<uint8_t, 3> slots = sources_of(i, info.sources);
    const uint64_t reuse = (i.high >> 58) & 7;
    for (size_t s = 0; s < 3; ++s) {
      if (slots[s] == kNoRegister || slots[s] == kept[s]) continue;
      // A register used twice is read only once: chains of FFMA R0, R0, R0, c issue every cycle
      // (lab "divergence", by-warp, on an H200).
      if (std::find(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(s), slots[s]) !=
          slots.begin() + static_cast<std::ptrdiff_t>(s)) {
        continue;
      }
      ++op.bank_reads[slots[s] & 1U];
    }
    for (size_t s = 0; s < 3; ++s) kept[s] = (reuse >> s & 1) != 0 ? slots[s] : kNoRegister;
    ops.push_back(op);
  }
  apply_rates(capability, ops);
  return ops;
}

}  // namespace warpshop::timing
