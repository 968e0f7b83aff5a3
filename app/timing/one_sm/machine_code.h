// Decodes machine instructions of compute capability 7.0 and newer: pipe, delays and dependency
// barriers.
//
//   bits 0-11 opcode · 24-31, 32-39, 64-71 source registers · 105-108 stall cycles ·
//   110-112 write barrier · 113-115 read barrier · 116-121 barriers to wait for ·
//   122-125 operands kept in the reuse cache
//
// Source: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018,
// sections 2.1 and 4.1; opcodes as named by nvdisasm 13.0; pipe rates: own measurements,
// tests/microbench.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timing/predict.h"

namespace warpshop::timing {

enum class MachinePipe : uint8_t {
  kNone,
  kFma,
  kImad,
  kAlu,
  kFp64,
  kXu,
  kLsu,
  kUniform,
  kTensor,
  kTexture,
  kCount
};

enum class MachineKind : uint8_t {
  kArithmetic,
  kConstantLoad,
  kSpecialRegister,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kAsyncCopy,  // LDGSTS: from global to shared memory
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kShuffle,
  kTexture,
  kBarrier,
  kMbarrier,      // SYNCS, ARRIVES: an arrival at an mbarrier object, or a test of its phase
  kBulkCopy,      // UBLKCP
  kCommitCopies,  // LDGDEPBAR: the warp's copies so far are a group
  kWaitForCopies,
  kWarpgroupProduct,  // HGMMA, QGMMA, IGMMA, BGMMA: asynchronous
  kWaitForProducts,   // WARPGROUP.DEPBAR
  kBranch,
  kCall,
  kExit,
  kNothing,  // NOP
};

struct MachineOp {
  MachinePipe pipe = MachinePipe::kNone;
  MachineKind kind = MachineKind::kArithmetic;
  uint16_t opcode = 0;     // bits 0 to 8
  float issue_cycles = 1;  // cycles that the pipe is occupied
  uint8_t stall_cycles = 1;
  uint8_t write_barrier = 7;  // 7: none
  uint8_t read_barrier = 7;
  uint8_t wait_mask = 0;
  std::array<uint8_t, 2> bank_reads{};  // of the register file's even and odd banks
  bool conditional = false;             // guarded by a predicate
  bool in_atomic_loop = false;          // a load that an atomic's loop makes; set by map_code
  uint8_t groups_left = 0;   // kWaitForCopies, kWaitForProducts: groups that need not have arrived
  bool commits = false;      // kWarpgroupProduct: the last one of its group
  bool bypasses_l1 = false;  // kAsyncCopy
  int target = -1;           // BRA, CALL.REL: the target instruction; -1: unknown
  int ptx_line = 0;
};

// The capability decides how branches are encoded, and units and rates. `tensor_f32_pct`: see
// tensor_cycles.
std::vector<MachineOp> decode_machine_code(const std::vector<MachineInstruction>& code,
                                           models::ComputeCapability capability,
                                           double tensor_f32_pct = 100);

}  // namespace warpshop::timing
