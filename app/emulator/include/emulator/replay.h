// One warp of a launch, instruction by instruction, forwards and backwards.
//
// The warp's block is run again from the launch on: with the other warps of the block, which take turns with it as in
// the launch, and alone in the grid, on memory as it was before the launch. What other blocks would have written is not
// seen; a kernel whose blocks do not talk to each other runs exactly as in the launch. %clock and %globaltimer are
// those of the replay.
//
//   steps()   every instruction that the warp executed: 28 bytes each, for the film
//   at(n)     registers, paths and memory just after step n: the block runs from the checkpoint before it
//
// A checkpoint holds the block's registers, its shared memory and the parts of global memory that it wrote. Where they
// pass `checkpoint_bytes` every second one is dropped, so that memory is bounded and going back costs at most twice as
// much as before.
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
  kStepAccess = 1,     // touched memory: `accesses` records of the launch's sink
  kStepBarrier = 2,    // arrived at a barrier of the block
  kStepDiverges = 4,   // a branch after which only some of the lanes go on
  kStepMeets = 8,      // lanes that had waited for others run again with them, from this instruction on
  kStepFinding = 16,   // something wrong was found in it
};

struct ReplayStep {
  int32_t instruction = 0;      // in the function's body
  uint16_t function = 0;        // index into ptx::Module::functions
  uint8_t flags = 0;
  uint8_t accesses = 0;
  uint32_t mask = 0;            // lanes that executed it; 0: its guard held for none
  uint32_t live = 0;            // lanes that have not exited
  uint32_t first_access = 0;    // number of its first access among all of the warp
  uint16_t paths = 0;           // groups of lanes on ways of their own: 1 where all run together
};

// A register of the function that the step belongs to.
struct ReplayRegister {
  std::string name;             // as in the PTX
  ptx::Type type = ptx::Type::kNone;
  int defined_by = -1;          // the first instruction of the body that writes it
  bool written = false;         // the warp has executed an instruction that writes it
  uint32_t changed = 0;         // lanes whose value the step changed
  std::array<uint64_t, kWarpSize> bits{};   // low 64 bits; predicates: 0 or 1
};

// The registers that an instruction writes, as indices into ptx::Function::registers.
std::vector<size_t> written_registers(const ptx::Instruction& instruction);

// Lanes that run together, or wait together. Parents, which wait at the meeting point of their children, come first.
struct ReplayPath {
  enum class Waits : uint8_t { kNothing, kForChildren, kForBlock, kForLanes, kForTurn };
  uint32_t mask = 0;
  Waits waits = Waits::kNothing;   // kNothing: it runs
  int depth = 0;
  int function = 0;
  int next = -1;                   // instruction at which it goes on; -1: the end of the function
  int meets = -1;                  // instruction at which it joins the path that it came from; -1: at the end
};

// An access of the step, with what was in memory before and after it. Of more than 16 bytes a lane the first 16.
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
  std::vector<ReplayPath> paths;            // as it is executed
  std::vector<ReplayRegister> registers;    // after it; those that some instruction of the function names
  std::vector<ReplayAccess> accesses;
  std::vector<uint8_t> shared;              // the block's, after it
  std::vector<bool> shared_written;         // by word of 4 bytes: the block has written it
  // The .local variables of the function that the step belongs to, after it: `local_bytes` per lane, lane after lane.
  uint32_t local_bytes = 0;
  std::vector<uint8_t> local;
  std::vector<uint8_t> local_written;       // likewise: 0 where the thread has written nothing
};

// Where an access of the warp went, to shared or global memory.
struct ReplayTrace {
  uint32_t step = 0;
  uint32_t mask = 0;
  ptx::Space space = ptx::Space::kGlobal;
  AccessKind kind = AccessKind::kLoad;
  std::array<uint32_t, kWarpSize> address{};   // the low halves
};

struct ReplayOptions {
  MachineLimits limits;
  uint64_t block = 0;                       // linear
  uint32_t warp = 0;                        // of the block
  uint64_t instruction_budget = 500'000'000;   // thread instructions of the block
  uint64_t max_steps = 1 << 20;             // the rest of a longer run is left out
  uint64_t checkpoint_bytes = 64 << 20;
  uint64_t max_trace = 0;                   // accesses that trace() keeps
  const StopFlag* stop = nullptr;
};

class Replay {
 public:
  // `memory`: as it was before the launch. Error: a launch that the machine would refuse, a block or warp that the
  // launch does not have, a kernel that writes to surfaces, or the stop.
  static Result<Replay> open(Program program, DeviceMemory memory, LaunchConfig config, const ReplayOptions& options);
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;
  ~Replay();

  const Program& program() const;
  const std::vector<ReplayStep>& steps() const;
  const std::vector<ReplayTrace>& trace() const;   // in the order of the steps
  bool truncated() const;                   // the run is longer than max_steps or its budget
  // `step` < steps().size().
  ReplayState at(uint64_t step);

  size_t checkpoints() const;
  uint64_t checkpoint_bytes() const;        // that they take

 private:
  struct State;
  explicit Replay(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::emulator
