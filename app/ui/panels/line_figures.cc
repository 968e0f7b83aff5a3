#include "panels/line_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kLanesOfWarp = 32;
// Fraction of the warp's lanes. If fewer are active, lanes are idle for more than the grid's edge.
constexpr double kIdleLanes = 0.9;
constexpr double kMuchWaiting = 0.2;  // fraction of all waiting

double share(uint64_t part, uint64_t of) {
  return of > 0 ? static_cast<double>(part) / static_cast<double>(of) : 0;
}

std::map<int, LineFigure> executed(const lab::KernelRun& run, bool lanes) {
  uint64_t most = 0;
  for (const lab::LineCost& cost : run.lines) most = std::max(most, cost.warp_instructions);
  std::map<int, LineFigure> out;
  for (const lab::LineCost& cost : run.lines) {
    if (cost.warp_instructions == 0) continue;
    LineFigure figure;
    if (lanes) {
      const double active = share(cost.lane_instructions, cost.warp_instructions);
      const bool idle = active < kIdleLanes * kLanesOfWarp;
      figure.parts.push_back({fraction_text(std::round(active * 10) / 10), idle});
      figure.heat = active / kLanesOfWarp;
    } else {
      figure.parts.push_back({with_separators(cost.warp_instructions), false});
      figure.heat = share(cost.warp_instructions, most);
    }
    out[cost.line] = std::move(figure);
  }
  return out;
}

struct Waiting {
  double cycles = 0;
  std::array<double, timing::kWarpStates> by_state{};
};

std::map<int, LineFigure> stalls(const lab::RunResult& result) {
  const lab::SizeResult* size = result.timed_size();
  if (!size || !size->student.prediction) return {};
  std::map<int, Waiting> lines;
  double all = 0;
  for (const timing::WarpTimeline& warp : size->student.prediction->timelines) {
    for (const timing::WarpInterval& interval : warp.intervals) {
      if (interval.state == timing::WarpState::kSelected) continue;
      all += interval.cycles;
      if (interval.source.line <= 0) continue;
      Waiting& line = lines[interval.source.line];
      line.cycles += interval.cycles;
      line.by_state[static_cast<size_t>(interval.state)] += interval.cycles;
    }
  }
  std::map<int, LineFigure> out;
  for (const auto& [line, waiting] : lines) {
    const double part = waiting.cycles / all;
    if (part < 0.0005) continue;
    LineFigure figure;
    figure.parts.push_back({percent_text(std::round(part * 1000) / 1000), part >= kMuchWaiting});
    figure.heat = part;
    const auto most = std::max_element(waiting.by_state.begin(), waiting.by_state.end());
    const auto state = static_cast<timing::WarpState>(most - waiting.by_state.begin());
    figure.detail = tr("Mostly: {}, {} of it", timing::name_of(state),
                       percent_text(std::round(*most / waiting.cycles * 100) / 100));
    out[line] = std::move(figure);
  }
  return out;
}

}  // namespace

const char* title_of(LineMeasure measure) {
  constexpr const char* kTitles[] = {tr_later("memory"), tr_later("executed"),
                                     tr_later("active lanes"), tr_later("waiting")};
  return kTitles[static_cast<size_t>(measure)];
}

const MetricWords& metric_of(LineMeasure measure, bool chip) {
  switch (measure) {
    case LineMeasure::kExecuted:
      return metric::kLineExecuted;
    case LineMeasure::kLanes:
      return metric::kLineLanes;
    case LineMeasure::kStalls:
      return metric::kLineStalls;
    default:
      return chip ? metric::kLineCostOfChip : metric::kLineCost;
  }
}

std::array<const char*, 2> columns_of(LineMeasure measure, bool chip) {
  switch (measure) {
    case LineMeasure::kExecuted:
      return {tr_later("instr"), nullptr};
    case LineMeasure::kLanes:
      return {tr_later("lanes"), nullptr};
    case LineMeasure::kStalls:
      return {tr_later("waiting"), nullptr};
    default:
      break;
  }
  if (chip) return {tr_later("trans"), tr_later("pass")};
  return {tr_later("sect"), tr_later("wave")};
}

bool LineFigure::waste() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.waste; });
}

LineFigure figure_of(const lab::LineCost& cost, bool chip) {
  LineFigure figure;
  auto each = [](uint64_t total, uint64_t requests) {
    return fraction_text(std::round(share(total, requests) * 10) / 10);
  };
  if (chip) {
    for (const timing::ModelSite* site : {&cost.chip_load, &cost.chip_store}) {
      if (site->accesses > 0)
        figure.parts.push_back(
            {each(site->transactions, site->accesses), site->bytes > site->ideal_bytes});
    }
    if (const timing::ModelSite& shared = cost.chip_shared; shared.passes > 0) {
      figure.parts.push_back(
          {each(shared.passes, shared.accesses), shared.passes > shared.parts, 1});
    }
    return figure;
  }
  for (const timing::SiteCounters* site : {&cost.load, &cost.store}) {
    if (site->requests > 0)
      figure.parts.push_back(
          {each(site->sectors, site->requests), site->sectors > site->sectors_ideal});
  }
  if (cost.shared.executions > 0 && cost.shared.wavefronts > 0) {
    figure.parts.push_back({each(cost.shared.wavefronts, cost.shared.executions),
                            cost.shared.wavefronts > cost.shared.wavefronts_ideal, 1});
    if (cost.shared.requests < cost.shared.executions) {
      figure.detail =
          tr("The compiler merges accesses to shared memory: for {} in the source, warps issue {}. "
             "So the wavefronts of one are fewer.",
             with_separators(cost.shared.executions), with_separators(cost.shared.requests));
    }
  }
  return figure;
}

std::map<int, LineFigure> line_figures(const lab::RunResult& result, LineMeasure measure) {
  if (measure == LineMeasure::kStalls) return stalls(result);
  const lab::KernelRun* run = result.student();
  if (!run) return {};
  if (measure != LineMeasure::kMemory) return executed(*run, measure == LineMeasure::kLanes);
  std::map<int, LineFigure> out;
  for (const lab::LineCost& cost : run->lines) {
    if (LineFigure figure = figure_of(cost, run->chip.has_value()); !figure.parts.empty())
      out[cost.line] = std::move(figure);
  }
  return out;
}

}  // namespace warpshop::ui
