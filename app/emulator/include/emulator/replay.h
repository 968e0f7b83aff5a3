// Replays one warp of a launch, instruction by instruction, forwards and backwards.
//
// The warp's block is rerun from the start on memory as it was before the launch. Its other warps
// take turns with the watched one as in the launch; other blocks do not run, so their writes are
// missing. A kernel whose blocks do not communicate runs exactly as in the launch. %clock and
// %globaltimer are those of the replay.
//
//   steps()   every instruction that the warp executed, 28 bytes each
//   at(n)     registers, paths and memory just after step n, rerun from the checkpoint before it
//
// A checkpoint holds the block's registers, its shared memory and the parts of global memory that
// it wrote. When checkpoints exceed `checkpoint_bytes`, every second one is dropped: memory stays
// bounded, and going back takes at most twice as long as before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"

namespace warpshop::emulator {

enum ReplayFlag : uint8_t {
  kStepAccess = 1,       // touched memory: `accesses` records
  kStepBarrier = 2,      // arrived at a barrier of the block
  kStepDiverges = 4,     // a branch that split the running lanes
  kStepReconverges = 8,  // lanes that had waited for others run with them again from here on
  kStepFinding = 16,     // caused a finding
};

struct ReplayStep {
  int32_t instruction = 0;  // in the function's body
  uint16_t function = 0;    // index into ptx::Module::functions
  uint8_t flags = 0;
  uint8_t accesses = 0;
  uint32_t mask = 0;          // lanes that executed it; 0: its guard was false for all
  uint32_t live = 0;          // lanes that have not exited
  uint32_t first_access = 0;  // index of its first access among the warp's accesses
  uint16_t paths = 0;         // groups of lanes with a pc of their own: 1 if all run together
};

// A register of the step's function.
struct ReplayRegister {
  std::string name;  // as in the PTX
  ptx::Type type = ptx::Type::kNone;
  int defined_by = -1;                     // first instruction of the body that writes it
  bool written = false;                    // the warp has executed an instruction that writes it
  uint32_t changed = 0;                    // lanes whose value the step changed
  std::array<uint64_t, kWarpSize> bits{};  // low 64 bits; predicates: 0 or 1
};

// Lanes that run or wait together. Parents, which wait where their children reconverge, come first.
struct ReplayPath {
  enum class Waits : uint8_t { kNothing, kForChildren, kForBlock, kForLanes, kForTurn };
  uint32_t mask = 0;
  Waits waits = Waits::kNothing;  // kNothing: it runs
  int depth = 0;
  int function = 0;
  int next = -1;            // instruction at which it continues; -1: end of the function
  int reconverges_at = -1;  // instruction at which it rejoins its parent; -1: at the end
};

// An access of the step with the memory contents before and after it: the first 16 bytes per lane.
struct ReplayAccess {
  uint32_t site = 0;
  ptx::Space space = ptx::Space::kGlobal;
  uint32_t mask = 0;
  uint8_t bytes = 4;
  std::array<uint64_t, kWarpSize> address{};
  std::array<std::array<uint8_t, 16>, kWarpSize> before{};
  std::array<std::array<uint8_t, 16>, kWarpSize> after{};
};

struct ReplayState {
  uint64_t step = 0;
  ReplayStep what;
  std::vector<ReplayPath> paths;          // while it executes
  std::vector<ReplayRegister> registers;  // after it; only those that the function's code names
  std::vector<ReplayAccess> accesses;
  std::vector<uint8_t> shared;       // the block's, after it
  std::vector<bool> shared_written;  // per 4-byte word: the block has written it
  // The .local variables of the step's function, after it: `local_bytes` per lane, lane after lane.
  uint32_t local_bytes = 0;
  std::vector<uint8_t> local;
  std::vector<uint8_t> local_written;  // likewise: 0 where the thread has not written
};

// The addresses of one access of the warp to shared or global memory.
struct ReplayTrace {
  uint32_t step = 0;
  uint32_t mask = 0;
  ptx::Space space = ptx::Space::kGlobal;
  AccessKind kind = AccessKind::kLoad;
  std::array<uint32_t, kWarpSize> address{};  // the low 32 bits
};

struct ReplayOptions {
  MachineLimits limits;
  uint64_t block = 0;                         // linear
  uint32_t warp = 0;                          // of the block
  uint64_t instruction_budget = 500'000'000;  // thread instructions of the block
  uint64_t max_steps = 1 << 20;               // longer runs are truncated
  uint64_t checkpoint_bytes = 64 << 20;
  uint64_t max_trace = 0;  // most accesses that trace() keeps
  const StopFlag* stop = nullptr;
};

class Replay {
 public:
  // `memory`: as it was before the launch. Error: a launch that the machine would refuse, a block
  // or warp outside the launch, a kernel that writes to surfaces, or a stop.
  static Result<Replay> open(Program program, DeviceMemory memory, LaunchConfig config,
                             const ReplayOptions& options);
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;
  ~Replay();

  const Program& program() const;
  const std::vector<ReplayStep>& steps() const;
  const std::vector<ReplayTrace>& trace() const;  // in the order of the steps
  bool truncated() const;                         // the run exceeded max_steps or its budget
  // `step` < steps().size().
  ReplayState at(uint64_t step);

  size_t checkpoints() const;
  uint64_t checkpoint_bytes() const;  // their total size

 private:
  struct State;
  explicit Replay(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::emulator
