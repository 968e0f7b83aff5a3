// The work behind Runner: buffers for a size, reference results cached between runs, and the pair
// of runs.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checks/compare.h"
#include "lab/lab.h"
#include "lab/run_result.h"
#include "run/compiled_file.h"
#include "run/kernel_prediction.h"
#include "run/kernel_run.h"
#include "run/launch_function.h"
#include "run/texture_objects.h"
#include "timing/memory_timeline.h"

namespace warpshop::lab {

// Buffers allocated and filled as the exercise specifies, in the order of its arguments.
struct PreparedLaunch {
  emulator::DeviceMemory memory;
  emulator::TextureMemory textures;
  std::vector<emulator::Argument> args;
  std::vector<PlacedBytes> buffers;  // one per argument; empty for scalars
};
Result<PreparedLaunch> prepare_launch(const Exercise& exercise, const ProblemSize& size,
                                      const StopFlag* stop = nullptr);

// The bytes of a scalar argument at one size.
emulator::Argument scalar_argument(const KernelArg& arg, const ProblemSize& size);

// A run of one of the exercise's kernels at one size.
struct ExerciseRun {
  KernelRun run;
  std::vector<BufferImage> outputs;  // the arguments with `output`, in order
  // Read-only buffers (filled, not an output) that the kernel changed all the same.
  struct ChangedInput {
    size_t arg = 0;  // index into the exercise's arguments
    BufferImage before, after;
  };
  std::vector<ChangedInput> changed_inputs;
};
// Error: the launch function fails, the arguments don't fit the kernel, or the launch is refused;
// placed at the launch function or the kernel.
Result<ExerciseRun> run_at_size(const CompiledKernel& kernel, const Exercise& exercise,
                                const ProblemSize& size, std::string_view source,
                                const models::GpuProfile& gpu, const KernelRunOptions& options);

// Predicts the time of that run on `gpu` from a sample of its blocks. Errors: those of run_at_size
// and predict_kernel.
Result<timing::Prediction> predict_at_size(const CompiledKernel& kernel, const Exercise& exercise,
                                           const ProblemSize& size, std::string_view source,
                                           const models::GpuProfile& gpu,
                                           const KernelPredictionOptions& options);

// The traffic of that run's first blocks to the memory of `gpu` over time: whole waves of blocks,
// about `most_transactions` in total, at least one block. `run`: of the same launch.
Result<timing::MemoryTimeline> memory_at_size(const CompiledKernel& kernel,
                                              const Exercise& exercise, const ProblemSize& size,
                                              std::string_view source,
                                              const models::GpuProfile& gpu, const KernelRun& run,
                                              uint64_t most_transactions, const StopFlag* stop);

// Compares output by output, then the inputs that `got` changed.
std::vector<BufferComparison> compare_outputs(const Exercise& exercise, const ProblemSize& size,
                                              const ExerciseRun& expected, const ExerciseRun& got);

// Why results equal to the reference's prove little: all elements of its outputs are the same, as
// if its inputs did not matter. Empty: they prove something.
Sentence why_unproven(const Exercise& exercise, const ProblemSize& size,
                      const ExerciseRun& reference);

// The same as a warning at the student's kernel.
Diagnostic unproven_warning(const Sentence& why, const CompiledKernel& kernel,
                            std::string_view source, const std::string& file_name);

// A small LRU cache.
template <typename Value>
class RecentCache {
 public:
  explicit RecentCache(size_t capacity) : capacity_(capacity) {}
  std::shared_ptr<const Value> find(const std::string& key) {
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (at->first != key) continue;
      entries_.splice(entries_.begin(), entries_, at);
      return entries_.front().second;
    }
    return nullptr;
  }
  std::shared_ptr<const Value> insert(std::string key, Value value) {
    entries_.emplace_front(std::move(key), std::make_shared<const Value>(std::move(value)));
    if (entries_.size() > capacity_) entries_.pop_back();
    return entries_.front().second;
  }

 private:
  size_t capacity_;
  std::list<std::pair<std::string, std::shared_ptr<const Value>>> entries_;
};

}  // namespace warpshop::lab
