// A decoded program: the micro-ops of each function that the kernel reaches, and its memory layout.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/access.h"
#include "emulator/program.h"
#include "memory/address_space.h"
#include "ptx/module.h"
#include "state/copies_in_flight.h"
#include "state/matrix_form.h"
#include "state/micro_op.h"
#include "state/video_form.h"

namespace warpshop::emulator {

// Special registers that are constant for a running warp; stored in the frame. PTX ISA chapter 10.
enum class Special : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kSmid,
  kNsmid,
  kGridid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kDynamicSharedSize,
  kTotalSharedSize,
  kReservedBegin,
  kReservedEnd,
  kReservedCap,
  kGridWorkspaceHigh,
  kGridWorkspaceLow,
  kZero,  // of the driver and the profiler
  kClusteridX,
  kClusteridY,
  kClusteridZ,
  kNclusteridX,
  kNclusteridY,
  kNclusteridZ,
  kClusterCtaidX,
  kClusterCtaidY,
  kClusterCtaidZ,
  kClusterNctaidX,
  kClusterNctaidY,
  kClusterNctaidZ,
  kClusterCtarank,
  kClusterNctarank,
  kIsExplicitCluster,
  // Read again each time.
  kClock,
  kClockHi,
  kClock64,
  kGlobaltimer,
  kGlobaltimerLo,
  kGlobaltimerHi,
};
inline constexpr Special kFirstDynamicSpecial = Special::kClock;

struct SpecialSlot {
  Special special = Special::kTidX;
  uint32_t offset = 0;      // in the frame
  uint8_t width_bytes = 4;  // per lane
};

// A constant operand, broadcast into the frame once.
struct ConstantSlot {
  uint64_t bits = 0;
  uint32_t offset = 0;
  uint8_t width_bytes = 4;  // 0: a predicate
};

// A list of registers: vector operands.
struct RegisterList {
  uint8_t count = 0;
  uint32_t offset[8] = {};
};

// Parameter passing of a call: .param variables of the caller to parameters of the callee.
struct CallSite {
  int callee = -1;   // decoded function; -1: indirect or built in
  int builtin = -1;  // see builtins.h
  struct Copy {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t size_bytes = 0;
  };
  std::vector<Copy> arguments;             // caller's param area → callee's
  std::vector<Copy> results;               // callee's → caller's
  std::vector<uint32_t> argument_offsets;  // in the caller's param area, for built-ins
  uint32_t result_offset = 0xffffffffu;
  std::vector<int> sites;  // indirect: call site by function of the module; -1: no match
};

struct DecodedFunction {
  const ptx::Function* source = nullptr;
  int index = -1;  // in the module
  std::vector<MicroOp> code;
  uint32_t frame_bytes = 0;
  std::vector<uint32_t> register_offset;  // in the frame, by register; kNoRegister: never used
  std::vector<ConstantSlot> constants;
  std::vector<ConstantSlot> unset;  // registers that may be read before they are written: zeros
  std::vector<SpecialSlot> specials;
  uint32_t local_bytes = 0;  // of its own .local variables
  uint32_t param_bytes = 0;  // device functions: returns and params, then its call frames' .param
  std::vector<uint32_t> param_offset;  // of function params, in the param area
  std::vector<uint32_t> return_offset;
  int first_block = 0;       // index of its first basic block in the program
  bool uses_alloca = false;  // frees it when it returns, using alloca_mark
  uint32_t alloca_mark = 0;  // register, u32
};

// Whether a load races with an atomic; see checks/checked_again.h.
enum class LoadBesideAtomics : uint8_t {
  kPlain,
  kCheckedAgain,  // an atomicCAS on the same address tests it, or it decides about an atomic there
  kStrong,  // volatile, relaxed, acquire: no race with an atomic (PTX ISA §8, "strong operations")
};

struct DecodedProgram {
  std::shared_ptr<const ptx::Module> module;
  std::string kernel;
  std::vector<DecodedFunction> functions;  // functions[0] is the kernel
  std::vector<RegisterList> lists;
  std::vector<CallSite> calls;
  std::vector<matrix::Product> products;
  std::vector<matrix::WarpgroupProduct> warpgroup_products;
  std::vector<matrix::FragmentPlace> fragment_places;
  std::vector<Reduction> reductions;  // of copies in bulk
  std::vector<video::Form> video_forms;
  std::vector<std::vector<int32_t>> branch_tables;  // brx.idx: micro-op deltas
  std::vector<AccessSite> sites;
  // For each site, the origin of its address (provenance.h): the part of shared memory that it may
  // access, and the kernel's parameters that were added up: a pointer and perhaps 64-bit lengths.
  struct SiteBase {
    bool one_array = false;
    bool constant = false;    // the array is in constant memory, not in shared memory
    uint32_t offset = 0;      // in the block's shared memory, or in constant memory
    uint32_t size_bytes = 0;  // 0: to the end of dynamic shared memory
    std::string name;
    uint64_t params = 0;  // bit n: parameter n of the kernel is part of the address; 0: unknown
  };
  std::vector<SiteBase> site_bases;
  std::vector<LoadBesideAtomics> loads_beside_atomics;  // by site
  std::vector<uint32_t> order_roles;                    // by site: OrderRole
  bool may_have_locks = false;                          // false: all of these are 0
  bool may_order_blocks = false;  // by fences, releases and acquires in global memory
  bool writes_surfaces = false;
  bool orders_blocks = false;      // fences, acquire, release: blocks may have their own protocol
  bool has_volatile = false;       // volatile accesses to global memory
  bool has_strong_stores = false;  // relaxed and the like, to global memory
  bool orders_by_flags = false;    // of these, those that are not of a cluster's barrier
  bool orders_warps = false;       // all these, or those of the block: its warps may have one
  uint32_t global_granule_bytes = 4;  // unit of the race watch in global memory: words or bytes
  int basic_blocks = 0;
  struct BlockOfInstructions {
    int function = 0;               // in `functions`
    std::vector<int> instructions;  // indices into the function's body, in order
  };
  std::vector<BlockOfInstructions> block_instructions;  // by basic block
  struct Polling {
    bool polls = false;    // reads memory that another thread may change
    bool changes = false;  // changes memory that another thread may read
  };
  std::vector<Polling> polling;  // by basic block; see polling.h
  bool may_poll = false;
  // Unit of the race watch in shared memory: words, or bytes if the kernel accesses parts of words.
  uint32_t shared_granule_bytes = 4;
  bool has_barrier = false;
  bool parts_wait = false;               // parts of a block wait for each other, through barriers,
                                         // locks or flags: see shadows/ordered_shadow.h
  bool uses_reserved_shared = false;     // the system's part of shared memory (address_space.h)
  bool asks_for_grid_workspace = false;  // this_grid(): see Launch::grid_workspace
  bool reads_past_stores = false;        // of shared memory: copies in bulk, wgmma
  bool meets_cluster = false;            // barrier.cluster
  bool maps_cluster = false;             // mapa: shared memory of the cluster's other blocks
  bool uses_heap = false;                // malloc or free
  uint32_t alloca_base = 0;              // of alloca's area in each thread's local memory; 0: none
  uint32_t local_stride = 0;             // local memory per thread for the deepest chain of calls
  uint32_t param_stride = 0;             // call frames per thread, likewise

  std::vector<Program::Param> params;
  uint64_t param_bytes = 0;
  uint32_t static_shared_bytes = 0;
  struct SharedVariable {
    std::string name;
    uint32_t offset = 0;
    uint32_t size_bytes = 0;
  };
  std::vector<SharedVariable> shared_variables;
  // By function, -1 for the module: offsets of its variables in static shared memory, all ones for
  // others.
  std::map<int, std::vector<uint64_t>> shared_offset_of_function;
  uint32_t dynamic_shared_base = 0;      // start of `extern __shared__` memory
  std::string dynamic_shared_name;       // of its array; empty: none, or several share the memory
  std::vector<VariablePlace> variables;  // by module variable
  std::vector<uint8_t> const_image;      // relocated
  std::vector<uint8_t> global_image;     // .global variables from kModuleGlobals on, relocated
  struct GlobalVariable {
    std::string name;
    uint64_t offset = 0;
    uint64_t size_bytes = 0;
  };
  std::vector<GlobalVariable> global_variables;
};

}  // namespace warpshop::emulator
