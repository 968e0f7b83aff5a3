// Running a decoded kernel over a grid.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/access.h"
#include "emulator/finding.h"
#include "emulator/live_prints.h"
#include "emulator/memory.h"
#include "emulator/program.h"

namespace warpshop::emulator {

class TextureMemory;   // emulator/texture.h
class TextureSink;     // likewise

// One kernel argument: the bytes of a scalar, a struct, or a device pointer.
struct Argument {
  std::vector<uint8_t> bytes;
  static Argument pointer(DevicePointer p);
  static Argument i32(int32_t v);
  static Argument i64(int64_t v);
  static Argument f32(float v);
  static Argument f64(double v);
};

struct LaunchConfig {
  Dim3 grid{};
  Dim3 block{};
  uint32_t dynamic_shared_bytes = 0;
  // As by cudaLaunchCooperativeKernel: all blocks are resident together, and grid.sync() works. One emulation thread runs
  // it, so that waiting costs the same each time.
  bool cooperative = false;
  std::vector<Argument> args{};
  TextureMemory* textures = nullptr;   // whose handles the arguments hold; surface stores change its arrays
};

// Limits of the machine that is being played. Defaults: compute capability 9.0, CUDA C++ Programming
// Guide, table "Technical Specifications per Compute Capability".
struct MachineLimits {
  uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647, 65535, 65535};
  uint32_t max_shared_bytes = 232448;     // static + dynamic, opt-in maximum of a block
  uint64_t max_local_bytes = 512 * 1024;  // a thread
  bool independent_threads = true;        // 7.0 and newer
  uint32_t multiprocessors = 132;
  // How many blocks of the launch the machine holds at a time; 0: as many as that many SMs of an H200 (run/parking.h).
  uint64_t resident_blocks = 0;
  // Of malloc in kernels: cudaLimitMallocHeapSize. CUDA C++ Programming Guide, "Heap Memory Allocation".
  uint64_t heap_bytes = uint64_t{8} << 20;
};

// Receives the way of a warp: each basic block that it enters, as numbered by Program::basic_blocks().
class PathSink {
 public:
  virtual ~PathSink() = default;
  virtual void on_block(uint64_t linear_block, uint32_t warp, uint32_t basic_block,
                        uint32_t active_mask) = 0;
};

struct LaunchOptions {
  MachineLimits limits;
  int threads = 0;                             // 0: every core
  // A sample: only these blocks run, in this order. Empty: all of the grid.
  std::vector<uint64_t> blocks;
  bool watch_global_races = true;              // between blocks; a sample can only miss them
  PathSink* path = nullptr;                    // needs threads = 1
  TextureSink* fetches = nullptr;              // likewise
  // Ends a launch that does not end by itself: thread instructions over the whole grid, 32 for each of a warp.
  uint64_t instruction_budget = 20'000'000'000;
  // 0: blocks and warps come in ascending order. Otherwise they come, take turns and are interrupted in an order made
  // from this number; a correct kernel's results do not change.
  uint64_t order_seed = 0;
  uint64_t max_findings = 64;                  // different ones; repetitions are counted, not stored
  AccessSinkFactory* accesses = nullptr;
  LivePrints* prints = nullptr;                // is told of each call of printf as it is made
  const StopFlag* stop = nullptr;
  std::function<void(double fraction)> progress;   // blocks done / blocks
};

// How often an instruction was issued, and with how many lanes.
struct InstructionCount {
  uint64_t warps = 0;
  uint64_t lanes = 0;
};

struct LaunchResult {
  bool completed = false;              // false: stopped by a finding that ends the kernel, a budget or a stop
  bool stopped = false;                // the user asked
  std::vector<Finding> findings;       // most severe first, then by line
  std::string printed;                 // device printf, in block order: the first MiB, then how many calls were dropped
  std::vector<PrintedCall> printed_calls;  // in the order of their texts
  uint64_t printed_dropped = 0;        // calls that the buffer had no room for
  uint64_t thread_instructions = 0;    // executed PTX instructions times active lanes
  uint64_t warp_instructions = 0;
  double seconds = 0;                  // the emulation alone
  int threads = 0;                     // that it used
  // By ptx::Function::body index of the kernel itself.
  std::vector<InstructionCount> instructions;
};

// Runs the kernel on `memory`. Error: a launch the machine would refuse (too many threads, too much
// shared memory, a grid of zero, wrong number or size of arguments): said with the limit and its source.
Result<LaunchResult> launch(const Program& program, DeviceMemory& memory, const LaunchConfig& config,
                            const LaunchOptions& options);

}  // namespace warpshop::emulator
