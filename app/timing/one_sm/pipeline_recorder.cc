#include "one_sm/pipeline_recorder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace warpshop::timing {
namespace {

using SlotKey = std::pair<bool, uint64_t>;  // mbarrier objects after addresses of copies

}  // namespace

PipelineRecorder::PipelineRecorder(const std::vector<MachineOp>& code) {
  on_ = std::any_of(code.begin(), code.end(), [](const MachineOp& op) {
    return op.kind == MachineKind::kAsyncCopy || op.kind == MachineKind::kBulkCopy;
  });
}

void PipelineRecorder::start(const Block& block, const BlockTrace& trace, double at) {
  if (!on_) return;
  on_ = false;
  block_ = &block;
  trace_ = &trace;
  warps_.resize(block.warps.size());
  out_.block = trace.block;
  out_.warps.assign(block.warps.size(), {.start_cycle = at, .end_cycle = at});
  stage_of_phase_.assign(trace.phases.size(), -1);
}

uint32_t PipelineRecorder::index_of(const Warp& w) const {
  return static_cast<uint32_t>(&w - block_->warps.data());
}
PipelineRecorder::WarpState& PipelineRecorder::state_of(const Warp& w) {
  return warps_[index_of(w)];
}

void PipelineRecorder::copy(const Warp& w, double issue, double arrival, uint64_t bytes,
                            uint64_t address, int ptx_line) {
  OpenStage& open = state_of(w).open;
  if (open.empty()) open.of = {.issue_cycle = issue, .ptx_line = ptx_line};
  open.of.last_issue_cycle = issue;
  open.of.arrival_cycle = std::max(open.of.arrival_cycle, arrival);
  open.of.bytes += bytes;
  open.address = std::min(open.address, address);
}

void PipelineRecorder::close(WarpState& warp, int& stage) {
  const OpenStage from = std::exchange(warp.open, {});
  if (from.empty()) return;
  if (stage < 0) {
    stage = static_cast<int>(stages_.size());
    stages_.push_back(from);
    return;
  }
  OpenStage& to = stages_[static_cast<size_t>(stage)];
  to.of.issue_cycle = std::min(to.of.issue_cycle, from.of.issue_cycle);
  to.of.last_issue_cycle = std::max(to.of.last_issue_cycle, from.of.last_issue_cycle);
  to.of.arrival_cycle = std::max(to.of.arrival_cycle, from.of.arrival_cycle);
  to.of.bytes += from.of.bytes;
  if (!from.is_object) to.address = std::min(to.address, from.address);
}

void PipelineRecorder::commit(const Warp& w) {
  if (!records(w.block)) return;
  WarpState& warp = state_of(w);
  const size_t group = warp.groups.size();
  int stage = -1;
  if (!warp.open.empty()) {
    int& of_group = stage_of_group_.try_emplace(group, -1).first->second;
    close(warp, of_group);
    stage = of_group;
  }
  warp.groups.push_back(stage);
}

void PipelineRecorder::give_to_phase(const Warp& w, uint32_t phase) {
  if (!records(w.block)) return;
  close(state_of(w), stage_of_phase_[phase - 1]);
}

void PipelineRecorder::bulk(uint32_t phase, double issue, double arrival, uint64_t bytes,
                            int ptx_line) {
  if (phase == 0) return;
  WarpState one;
  one.open = {.of = {.issue_cycle = issue,
                     .last_issue_cycle = issue,
                     .arrival_cycle = arrival,
                     .bytes = bytes,
                     .ptx_line = ptx_line},
              .address = trace_->objects[phase - 1],
              .is_object = true};
  close(one, stage_of_phase_[phase - 1]);
  stop_if_full(issue);
}

void PipelineRecorder::wait(PipelineWait wait) {
  if (wait.end_cycle <= wait.start_cycle) return;
  const double end = wait.end_cycle;
  out_.waits.push_back(std::move(wait));
  stop_if_full(end);
}

void PipelineRecorder::stop_if_full(double now) {
  if (out_.waits.size() >= kMostWaits || stages_.size() >= kMostStages) stop(now);
}

void PipelineRecorder::stop(double now) {
  for (PipelineWarp& warp : out_.warps) {
    if (warp.end_cycle > warp.start_cycle) continue;
    warp.end_cycle = now;
    out_.cut = true;
  }
  block_ = nullptr;
}

void PipelineRecorder::wait_for_groups(const Warp& w, double from, size_t left, int ptx_line) {
  if (!records(w.block)) return;
  const WarpState& warp = state_of(w);
  if (warp.groups.size() <= left) return;
  int stage = -1;  // the newest of those that the wait is for
  for (size_t group = 0; group < warp.groups.size() - left; ++group) {
    const int of = warp.groups[group];
    if (of >= 0) stage = of;
  }
  wait({.warp = index_of(w),
        .start_cycle = from,
        .end_cycle = w.copies.arrival(left),
        .what = WaitFor::kCopies,
        .stage = stage,
        .ptx_line = ptx_line});
}

void PipelineRecorder::wait_for_phase(const Warp& w, double at, uint32_t phase, double complete,
                                      int ptx_line) {
  if (!records(w.block)) return;
  wait({.warp = index_of(w),
        .start_cycle = at,
        .end_cycle = complete,
        .what = WaitFor::kMbarrier,
        .stage = stage_of_phase_[phase - 1],
        .object_address = trace_->objects[phase - 1],
        .ptx_line = ptx_line});
}

void PipelineRecorder::arrive(const Warp& w, double at, int ptx_line) {
  if (!records(w.block)) return;
  WarpState& warp = state_of(w);
  warp.arrived = at;
  warp.arrived_line = ptx_line;
}

void PipelineRecorder::release(const Warp& w, double at) {
  if (!records(w.block)) return;
  const WarpState& warp = state_of(w);
  wait({.warp = index_of(w),
        .start_cycle = warp.arrived,
        .end_cycle = at,
        .what = WaitFor::kBarrier,
        .ptx_line = warp.arrived_line});
}

void PipelineRecorder::end(const Warp& w, double at) {
  if (records(w.block)) out_.warps[index_of(w)].end_cycle = at;
}

std::unique_ptr<Pipeline> PipelineRecorder::take(double now) {
  if (stages_.empty()) return nullptr;
  if (block_ != nullptr) stop(now);
  std::vector<int> order(stages_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return stages_[static_cast<size_t>(a)].of.issue_cycle <
           stages_[static_cast<size_t>(b)].of.issue_cycle;
  });
  std::map<SlotKey, int> slots;
  for (const OpenStage& stage : stages_) slots[{stage.is_object, stage.address}] = 0;
  for (auto& [key, number] : slots) {
    number = static_cast<int>(out_.slots.size());
    out_.slots.push_back({.address = key.second, .is_object = key.first});
  }
  std::vector<int> place(stages_.size());
  for (const int old : order) {
    const OpenStage& stage = stages_[static_cast<size_t>(old)];
    place[static_cast<size_t>(old)] = static_cast<int>(out_.stages.size());
    out_.stages.push_back(stage.of);
    out_.stages.back().slot = slots[{stage.is_object, stage.address}];
  }
  for (PipelineWait& wait : out_.waits) {
    if (wait.stage >= 0) wait.stage = place[static_cast<size_t>(wait.stage)];
  }
  return std::make_unique<Pipeline>(std::move(out_));
}

void complete_pipeline(Pipeline& pipeline, const emulator::Program& program) {
  using emulator::Program;
  const std::vector<Program::SharedArray> arrays = program.shared_arrays();
  const auto element = [&](uint64_t address) -> std::string {
    const Program::SharedArray* array = Program::array_at(arrays, address);
    if (array == nullptr) return "";
    constexpr uint64_t kObjectBytes = 8;  // PTX ISA, "Size and alignment of mbarrier object"
    if (array->size_bytes == kObjectBytes) return array->name;
    return array->name + "[" + std::to_string((address - array->offset_bytes) / kObjectBytes) + "]";
  };
  for (CopySlot& slot : pipeline.slots) {
    if (const Program::SharedArray* array = Program::array_at(arrays, slot.address)) {
      slot.array = slot.is_object ? element(slot.address) : array->name;
      slot.offset = slot.address - array->offset_bytes;
    }
  }
  for (PipelineWait& wait : pipeline.waits) {
    if (wait.what == WaitFor::kMbarrier) wait.object = element(wait.object_address);
  }
  std::map<int, ptx::SourceLine> source;
  for (const ptx::Instruction& i : program.function().body) source.emplace(i.ptx_line, i.source);
  const auto add_line = [&](auto& to) {
    if (const auto found = source.find(to.ptx_line); found != source.end())
      to.source = found->second;
  };
  for (CopyStage& stage : pipeline.stages) add_line(stage);
  for (PipelineWait& wait : pipeline.waits) add_line(wait);
}

}  // namespace warpshop::timing
