#include "timing/pipeline.h"

#include <algorithm>
#include <string>
#include <utility>

namespace warpshop::timing {
namespace {

using Span = std::pair<double, double>;

// When any copy is in flight: spans in ascending order, with gaps between them.
std::vector<Span> copying(const std::vector<CopyStage>& stages) {
  std::vector<Span> spans;
  for (const CopyStage& stage : stages) spans.emplace_back(stage.issue_cycle, stage.arrival_cycle);
  std::sort(spans.begin(), spans.end());
  std::vector<Span> out;
  for (const Span& span : spans) {
    if (!out.empty() && span.first <= out.back().second) {
      out.back().second = std::max(out.back().second, span.second);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

double within(const std::vector<Span>& spans, double from, double to) {
  double sum = 0;
  for (const Span& span : spans)
    sum += std::max(0.0, std::min(to, span.second) - std::max(from, span.first));
  return sum;
}

double share_of_time(const Pipeline& of, const auto& counts) {
  double time = 0, waiting = 0;
  for (const PipelineWarp& warp : of.warps) time += warp.end_cycle - warp.start_cycle;
  for (const PipelineWait& wait : of.waits) {
    if (counts(wait)) waiting += wait.end_cycle - wait.start_cycle;
  }
  return time > 0 ? waiting / time : 0;
}

}  // namespace

bool copies_asynchronously(const std::vector<emulator::AccessSite>& sites) {
  return std::any_of(sites.begin(), sites.end(), [](const emulator::AccessSite& site) {
    return site.kind == emulator::AccessKind::kLoad && site.space == ptx::Space::kGlobal &&
           site.text.find("cp.async") != std::string::npos;
  });
}

double Pipeline::overlap() const {
  const std::vector<Span> spans = copying(stages);
  double time = 0, waiting = 0;
  for (const PipelineWarp& warp : warps) time += within(spans, warp.start_cycle, warp.end_cycle);
  for (const PipelineWait& wait : waits) waiting += within(spans, wait.start_cycle, wait.end_cycle);
  return time > 0 ? 1 - waiting / time : 0;
}

double Pipeline::waiting_for_copies() const {
  return share_of_time(*this, [](const PipelineWait& wait) { return wait.stage >= 0; });
}

double Pipeline::waiting_at_barriers() const {
  return share_of_time(*this,
                       [](const PipelineWait& wait) { return wait.what == WaitFor::kBarrier; });
}

int Pipeline::most_in_flight() const {
  int most = 0;
  for (const CopyStage& at : stages) {
    int here = 0;
    for (const CopyStage& other : stages)
      here += other.issue_cycle <= at.issue_cycle && at.issue_cycle < other.arrival_cycle;
    most = std::max(most, here);
  }
  return most;
}

double Pipeline::end_cycle() const {
  double end = 0;
  for (const PipelineWarp& warp : warps) end = std::max(end, warp.end_cycle);
  for (const CopyStage& stage : stages) end = std::max(end, stage.arrival_cycle);
  return end;
}

}  // namespace warpshop::timing
