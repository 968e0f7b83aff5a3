#include "run/launch_result.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "checks/race_report.h"
#include "operations/heap_leaks.h"
#include "state/emulation_thread.h"

namespace warpshop::emulator {
namespace {

int severity_order(const Finding& f) { return static_cast<int>(f.severity); }

// The most groups that were in flight during a quarter of the reads: a pipeline of few tiles runs
// dry for the last ones.
template <size_t kMost>
uint32_t most_of_the_time(const std::array<uint64_t, kMost>& reads_behind_groups, uint64_t reads) {
  uint64_t so_many_or_more = 0;
  for (size_t groups = kMost - 1; groups > 0; --groups) {
    so_many_or_more += reads_behind_groups[groups];
    if (so_many_or_more > 0 && 4 * so_many_or_more >= reads) return static_cast<uint32_t>(groups);
  }
  return 0;
}

}  // namespace

void keep_written(const Launch& launch, DeviceMemory& memory) {
  for (const Region& region : launch.regions) {
    if (region.shadow == nullptr || region.written == nullptr) continue;
    if (region.shadow->mark_written(region.written)) memory.mark_written(region.base);
  }
}

void gather(const Launch& launch, std::vector<EmulationThread>& workers, LaunchResult& result) {
  std::map<EmulationThread::FindingKey, EmulationThread::FoundOnce> all;
  PrintBuffer printed;
  const DecodedProgram& program = *launch.program;
  BlockCounts counts(static_cast<size_t>(program.basic_blocks));
  uint64_t shared_reads = 0;
  decltype(EmulationThread::reads_behind_groups) reads_behind_groups{};
  for (EmulationThread& worker : workers) {
    for (auto& [key, found] : worker.findings) {
      auto [it, fresh] = all.try_emplace(key, found);
      if (fresh) continue;
      const uint64_t count = it->second.finding.count + found.finding.count;
      if (it->second.gives_way_to(found.finding.severity, found.block)) it->second = found;
      it->second.finding.count = count;
    }
    result.longest_warp = std::max(result.longest_warp, worker.longest_warp);
    result.squared_work += worker.squared_work;
    result.remote_requests += worker.remote_requests;
    shared_reads += worker.shared_reads;
    for (size_t groups = 0; groups < reads_behind_groups.size(); ++groups)
      reads_behind_groups[groups] += worker.reads_behind_groups[groups];
    printed.merge(std::move(worker.printed));
    for (size_t b = 0; b < counts.size(); ++b) {
      counts[b].warps += worker.counts[b].warps;
      counts[b].lanes += worker.counts[b].lanes;
    }
  }
  for (auto& [key, found] : all) result.findings.push_back(std::move(found.finding));
  if (launch.heap && result.completed) {
    for (Finding& leak : leaks_of(*launch.heap, launch.regions))
      result.findings.push_back(std::move(leak));
  }
  tidy_races(result.findings);
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     if (severity_order(a) != severity_order(b))
                       return severity_order(a) < severity_order(b);
                     return a.place.line < b.place.line;
                   });
  if (result.findings.size() > launch.options->max_findings)
    result.findings.resize(launch.options->max_findings);
  PrintBuffer::Printed text = printed.printed();
  result.printed = std::move(text.text);
  result.printed_calls = std::move(text.calls);
  result.printed_dropped = text.dropped;
  result.copy_groups_in_flight = most_of_the_time(reads_behind_groups, shared_reads);
  result.instructions.resize(program.functions[0].source->body.size());
  for (size_t f = 1; f < program.functions.size(); ++f) {
    const ptx::Function* function = program.functions[f].source;
    result.called.push_back({function, std::vector<InstructionCount>(function->body.size())});
  }
  for (size_t b = 0; b < counts.size(); ++b) {
    const auto& block = program.block_instructions[b];
    result.warp_instructions += counts[b].warps * block.instructions.size();
    result.thread_instructions += counts[b].lanes * block.instructions.size();
    const auto function = static_cast<size_t>(block.function);
    std::vector<InstructionCount>& instructions =
        function == 0 ? result.instructions : result.called[function - 1].instructions;
    for (int i : block.instructions) {
      instructions[static_cast<size_t>(i)].warps += counts[b].warps;
      instructions[static_cast<size_t>(i)].lanes += counts[b].lanes;
    }
  }
}

}  // namespace warpshop::emulator
