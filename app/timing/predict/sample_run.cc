#include "predict/sample_run.h"

#include <algorithm>

#include "emulator/live_prints.h"

namespace warpshop::timing {
namespace {

// Thread instructions after which a sample is abandoned: about 30 million warp instructions, a
// second or two of emulation.
constexpr uint64_t kLongest = 1'000'000'000;
constexpr uint64_t kMostPrints = 4;  // printf calls per block: enough for one thread to report

}  // namespace

void append(WarpPath& path, uint32_t basic_block) {
  if (!path.empty() && path.back().first == basic_block) {
    ++path.back().second;
  } else {
    path.emplace_back(basic_block, 1);
  }
}

MemoryUse memory_use(emulator::AccessKind kind, ptx::Space space) {
  const bool loads = kind == emulator::AccessKind::kLoad,
             stores = kind == emulator::AccessKind::kStore;
  switch (space) {
    case ptx::Space::kShared:
      return loads    ? MemoryUse::kSharedLoad
             : stores ? MemoryUse::kSharedStore
                      : MemoryUse::kSharedAtomic;
    case ptx::Space::kLocal:
      return loads ? MemoryUse::kLocalLoad : MemoryUse::kLocalStore;
    default:
      return loads    ? MemoryUse::kGlobalLoad
             : stores ? MemoryUse::kGlobalStore
                      : MemoryUse::kGlobalAtomic;
  }
}

Result<uint64_t> run_sample(const SampleRun& run, const std::vector<uint64_t>& blocks,
                            emulator::DeviceMemory& memory, emulator::AccessSinkFactory& accesses,
                            emulator::PathSink* path, emulator::TextureSink* fetches) {
  if (blocks.empty()) return uint64_t{0};  // an empty list would run all blocks
  emulator::LaunchOptions options;
  options.limits = run.limits;
  options.threads = 1;
  options.instruction_budget = kLongest;
  options.watch_global_races = false;
  options.watch_shared = false;
  options.accesses = &accesses;
  options.path = path;
  options.fetches = fetches;
  options.stop = run.stop;
  options.blocks = blocks;
  emulator::LivePrints prints;
  options.prints = &prints;
  const Result<emulator::LaunchResult> launched =
      emulator::launch(*run.program, memory, *run.launch, options);
  if (!launched.ok()) return launched.errors();
  // On a GPU each call writes its words to a common buffer with atomics, which nothing here models.
  if (prints.calls() > kMostPrints * blocks.size()) {
    return make_error("predict",
                      sentence("cannot predict a time for a kernel that prints this much: the cost "
                               "of printf is not modelled"),
                      sentence("remove printf, or print from only one thread per block"));
  }
  if (launched->completed) return launched->warp_instructions;
  const bool waits = std::any_of(
      launched->findings.begin(), launched->findings.end(),
      [](const emulator::Finding& f) { return f.kind == emulator::FindingKind::kDeadlock; });
  if (waits && blocks.size() < run.launch->grid.count()) {
    return make_error("predict",
                      sentence("cannot predict a time for a kernel whose blocks wait for each "
                               "other: a sample of its blocks would wait for the others"));
  }
  const Sentence why =
      launched->findings.empty() ? sentence("it was stopped") : launched->findings.front().message;
  return make_error(
      "predict", sentence("cannot predict a time for a kernel that fails: {why}", {{"why", why}}));
}

}  // namespace warpshop::timing
