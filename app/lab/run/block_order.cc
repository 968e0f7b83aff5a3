#include "run/block_order.h"

#include <algorithm>

namespace warpshop::lab {
namespace {

using emulator::Finding;

// Each of these orders puts one of two given blocks first about as often as the other.
constexpr uint64_t kOtherOrders = 3;

// Placed at the kernel's first store, as nothing tells which access has come too early or too late.
Finding wrong_in_another_order(const KernelRun& run, const BufferComparison& output) {
  Finding out;
  out.kind = emulator::FindingKind::kRace;
  out.space = "global";
  out.allocation = output.buffer;
  out.place.file = run.file_name;
  for (const LineCost& cost : run.lines) {
    if (cost.store.executions == 0) continue;
    out.place.line = cost.line;
    break;
  }
  out.message = sentence(
      "with its blocks and warps in another order, {wrong} of {count} elements of \"{name}\" are "
      "wrong: nothing orders the accesses of different threads",
      {{"wrong", output.wrong}, {"count", output.count}, {"name", output.buffer}});
  out.cause = sentence(
      "volatile, relaxed and atomic accesses do not wait for other threads, nor do fences: put "
      "__syncthreads() between what the warps of a block store and read; give each block its own "
      "elements, or split the kernel in two launches");
  return out;
}

}  // namespace

std::optional<Finding> find_order_dependence(const JudgedLaunch& launch, const KernelRun& run,
                                             KernelRunOptions options) {
  const bool unclear = launch.kernel.program.order_may_matter();
  const bool explained =
      std::any_of(run.findings.begin(), run.findings.end(),
                  [](const Finding& finding) { return finding.severity == Severity::kError; });
  if (!unclear || explained || options.order_seed != 0) return std::nullopt;
  options.record_blocks.clear();
  options.model_gpu = nullptr;
  options.prints = nullptr;
  for (options.order_seed = 1; options.order_seed <= kOtherOrders; ++options.order_seed) {
    const Result<ExerciseRun> other = run_at_size(launch.kernel, launch.exercise, launch.size,
                                                  launch.source, launch.gpu, options);
    // Blocks that wait for earlier ones may wait forever in an order that no GPU takes.
    if (!other.ok() || !other->run.completed) return std::nullopt;
    for (const BufferComparison& output :
         compare_outputs(launch.exercise, launch.size, launch.expected, *other)) {
      if (output.wrong > 0) return wrong_in_another_order(run, output);
    }
  }
  return std::nullopt;
}

}  // namespace warpshop::lab
