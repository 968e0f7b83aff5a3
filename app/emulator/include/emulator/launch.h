// Runs a decoded kernel over a grid.
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

class TextureMemory;  // emulator/texture_memory.h
class TextureSink;    // likewise

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
  // As with cudaLaunchCooperativeKernel: all blocks are resident at once and grid.sync() works.
  // Runs on one emulation thread, so that waiting costs the same every time.
  bool cooperative = false;
  // Blocks per cluster, as cudaLaunchAttributeClusterDimension; zeros: as the kernel says, with
  // __cluster_dims__, or no clusters.
  Dim3 cluster{0, 0, 0};
  // As cudaFuncAttributeNonPortableClusterSizeAllowed: more than 8 blocks per cluster.
  bool large_clusters = false;
  std::vector<Argument> args{};
  TextureMemory* textures = nullptr;  // target of the arguments' handles; surface stores change it
};

// Blocks per cluster that every GPU with clusters supports. CUDA C++ Programming Guide, "Thread
// Block Clusters".
inline constexpr uint32_t kPortableClusterBlocks = 8;

// Limits of the emulated machine. Defaults: compute capability 9.0, CUDA C++ Programming
// Guide, table "Technical Specifications per Compute Capability".
struct MachineLimits {
  uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647, 65535, 65535};
  uint32_t max_shared_bytes = 232448;     // static + dynamic, opt-in maximum of a block
  uint64_t max_local_bytes = 512 * 1024;  // per thread
  bool independent_threads = true;        // 7.0 and newer
  uint32_t multiprocessors = 132;
  uint32_t max_cluster_blocks = 16;  // with large_clusters; 0: the machine has no clusters
  // Blocks of the launch that the machine holds at once; 0: as many as that many SMs of an H200
  // hold (run/suspended_blocks.h).
  uint64_t resident_blocks = 0;
  // Heap of malloc in kernels: cudaLimitMallocHeapSize. CUDA C++ Programming Guide, "Heap Memory
  // Allocation".
  uint64_t heap_bytes = uint64_t{8} << 20;
};

// Receives a warp's path: each basic block that it enters, numbered as in Program::basic_blocks().
class PathSink {
 public:
  virtual ~PathSink() = default;
  virtual void on_block(uint64_t linear_block, uint32_t warp, uint32_t basic_block,
                        uint32_t active_mask) = 0;
  // A phase of the mbarrier object at this address of shared memory is complete. Arrivals before it
  // are accesses (AccessSink), reported before their effect.
  virtual void on_phase(uint64_t /*linear_block*/, uint64_t /*object*/) {}
  // A warp has tested such a phase, at that access site. `complete`: all of its lanes may go on.
  virtual void on_test(uint64_t /*linear_block*/, uint32_t /*warp*/, uint32_t /*site*/,
                       uint64_t /*object*/, bool /*complete*/) {}
  // A lane starts a copy in bulk, which the object counts and whose reads are reported next.
  virtual void on_bulk_copy(uint64_t /*linear_block*/, uint32_t /*warp*/, uint32_t /*site*/,
                            uint64_t /*object*/) {}
};

struct LaunchOptions {
  MachineLimits limits;
  int threads = 0;  // 0: every core
  // A sample: run only these blocks, in this order. Empty: the whole grid.
  std::vector<uint64_t> blocks;
  bool watch_global_races = true;  // between blocks; a sample may miss some
  bool watch_shared = true;        // races and unwritten words of shared memory
  // On several threads: a race between blocks ends the launch (LaunchResult::blocks_raced), as its
  // results and findings depend on the host. To be repeated with threads = 1.
  bool ends_at_block_races = false;
  PathSink* path = nullptr;        // needs threads = 1
  TextureSink* fetches = nullptr;  // needs threads = 1
  // Ends a kernel that does not terminate: thread instructions over the whole grid, 32 per warp
  // instruction.
  uint64_t instruction_budget = 20'000'000'000;
  // 0: blocks and warps run in ascending order. Otherwise their order, turns and interruptions are
  // derived from this seed; a correct kernel's results do not change.
  uint64_t order_seed = 0;
  uint64_t max_findings = 64;  // distinct ones; repetitions are counted, not stored
  AccessSinkFactory* accesses = nullptr;
  LivePrints* prints = nullptr;  // receives each printf call as it is made
  const StopFlag* stop = nullptr;
  std::function<void(double fraction)> progress;  // blocks done / blocks
};

// How often an instruction was issued, and with how many lanes.
struct InstructionCount {
  uint64_t warps = 0;
  uint64_t lanes = 0;
};

struct LaunchResult {
  bool completed = false;         // false: ended by a fatal finding, a budget or a stop
  bool stopped = false;           // by the user
  bool blocks_raced = false;      // ended by LaunchOptions::ends_at_block_races
  std::vector<Finding> findings;  // most severe first, then by line
  std::string printed;            // printf in block order: 1 MiB, then the number of dropped calls
  std::vector<PrintedCall> printed_calls;  // in the order of their texts
  uint64_t printed_dropped = 0;            // calls that did not fit into the buffer
  uint64_t thread_instructions = 0;        // executed PTX instructions times active lanes
  uint64_t warp_instructions = 0;
  // Instructions of the warp that executed most, but for turns in which it only waits in a loop.
  uint64_t longest_warp = 0;
  double squared_work = 0;  // the sum of the squares of these instructions over all warps
  // Warp instructions that access shared memory of other blocks, st.async and the like included.
  uint64_t remote_requests = 0;
  // Committed groups of cp.async that warps had in flight during at least a quarter of their reads
  // of shared memory. Groups of less than half of the bytes of the thread's largest do not count.
  uint32_t copy_groups_in_flight = 0;
  double seconds = 0;  // the emulation alone
  int threads = 0;     // emulation threads used
  // Indexed as ptx::Function::body of the kernel itself.
  std::vector<InstructionCount> instructions;
  // The same of the functions that it calls.
  struct Called {
    const ptx::Function* function = nullptr;  // of the program's module
    std::vector<InstructionCount> instructions;
  };
  std::vector<Called> called;
};

// Runs the kernel on `memory`. Error: a launch that the machine would refuse (too many threads, too
// much shared memory, an empty grid, wrong number or size of arguments), with the limit and its
// source.
Result<LaunchResult> launch(const Program& program, DeviceMemory& memory,
                            const LaunchConfig& config, const LaunchOptions& options);

// True if the blocks of the launch are in clusters that wait for each other or share memory: then
// only all of them together can be run.
bool runs_in_clusters(const Program& program, const LaunchConfig& config);

}  // namespace warpshop::emulator
