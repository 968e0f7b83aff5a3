// Keyboard equivalents of clicks on pictures: moving between time windows of memory or of a warp,
// between points, and between the editor's line and the access shown in the maps; and explaining a
// panel's figures.
#include <algorithm>

#include "app/lab_app.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "state/round.h"
#include "text/text.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {
namespace {

bool in_sight(std::string_view panel) {
  const ImGuiWindow* window = panel_window(panel);
  return window && window->Active && in_front(window);
}

bool has_keyboard(std::string_view panel) {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  return focused && focused->RootWindow == panel_window(panel);
}

int last_partition = -1;  // the last target of StepMoment, since an access may use several

// The last target if the access uses it, else the partition of its first lane.
int partition_of_access(const lab::KernelRun& run, const AccessEntry& entry,
                        const models::PartitionMap& map) {
  const models::WarpRequest request = request_of(run, entry);
  int first = -1;
  for (size_t lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const int partition = models::partition_of(map, request.address[lane]);
    if (partition == last_partition) return partition;
    if (first < 0) first = partition;
  }
  return std::max(first, 0);
}

}  // namespace

void App::apply(const command::StepMoment& c) {
  if (has_keyboard("transactions") && !c.other_partition && move_hand(coalescer_, c.by)) {
    frames_due_ = std::max(frames_due_, 3);
    return;
  }
  if (has_keyboard("roofline") || has_keyboard("schedulers")) {
    const bool points = has_keyboard("roofline");
    if (!(points ? move_hand(roofline_, c.by) : move_hand(schedulers_, c.by, c.other_partition))) {
      toasts_.say(
          points ? tr("There is no point to go to.") : tr("There is no time window to go to."),
          now());
    }
    frames_due_ = std::max(frames_due_, 3);
    return;
  }
  const lab::KernelRun* run = prepared_ && !view_.stale ? prepared_->result.student() : nullptr;
  if (!run || !run->memory || run->memory->load.windows.empty()) {
    toasts_.say(tr("The kernel's accesses have not been played over time."), now());
    return;
  }
  if (!in_sight("partitions") && !in_sight("dram")) show_panel("partitions");
  const timing::MemoryTimeline& memory = *run->memory;
  const std::vector<models::PartitionWindow>& windows = memory.load.windows;
  std::optional<timing::TimedAccess> here;
  int partition = 0;
  size_t window = 0;
  const AccessEntry* entry = selected_ ? &prepared_->accesses.entries[*selected_] : nullptr;
  if (entry && !entry->shared) {
    const emulator::WarpIdentity& warp = run->records[entry->record].warp;
    const uint32_t step = *prepared_->accesses.global_step(*selected_);
    here = timing::TimedAccess{.block = warp.linear_block,
                               .from = {.warp = warp.warp, .step = step, .site = 0}};
    partition = partition_of_access(*run, *entry, memory.load.map);
    const uint64_t time =
        timing::time_of_access(memory, warp.linear_block, warp.warp, step).value_or(0);
    while (window + 1 < windows.size() && windows[window + 1].begin <= time) ++window;
  }
  const auto heaviest = [&](size_t at, std::optional<int> of) {
    return timing::heaviest_access(memory, windows[at].begin,
                                   windows[at].begin + memory.load.window_length, of, here);
  };
  std::optional<timing::TimedAccess> found;
  if (c.other_partition) {
    const int count = std::max(1, memory.load.map.count);
    for (int n = 1; n < count && !found; ++n) {
      const auto other = static_cast<int>(
          go_round(static_cast<size_t>(partition), int64_t{c.by} * n, static_cast<size_t>(count)));
      found = heaviest(window, other);
      if (found) last_partition = other;
    }
    if (found) toasts_.say(tr("Partition {}", last_partition), now());
  } else {
    for (auto at = static_cast<ptrdiff_t>(window) + c.by;
         at >= 0 && at < std::ssize(windows) && !found; at += c.by) {
      found = heaviest(static_cast<size_t>(at), std::nullopt);
    }
  }
  if (found) {
    apply(command::SelectGlobalAccess{found->block, found->from.warp, found->from.step});
  } else {
    toasts_.say(c.other_partition ? tr("No other partition is busy in this time window.")
                : c.by > 0        ? tr("Memory is idle after this time window.")
                                  : tr("Memory is idle before this time window."),
                now());
  }
}

void App::apply(const command::SelectEditorLine&) {
  if (!editor_.editor || !prepared_) return;
  const int line = editor_.result_line();
  if (prepared_->accesses.of_line(line, selected_)) {
    apply(command::SelectLine{line});
  } else {
    toasts_.say(tr("Line {} touches no memory that the maps show.",
                   editor_.editor->GetMainCursorPosition().line + 1),
                now());
  }
}

void App::apply(const command::GoToAccess&) {
  if (has_keyboard("schedulers") && line_of_hand(schedulers_) > 0 && prepared_) {
    apply(command::GoTo{
        {.file = prepared_->result.file_name, .line = line_of_hand(schedulers_), .column = 1}});
    return;
  }
  if (has_keyboard("roofline") && !roofline_.hand_run.empty()) {
    apply(command::OpenChanges{roofline_.hand_run, ""});
    return;
  }
  const AccessEntry* entry =
      prepared_ && selected_ ? &prepared_->accesses.entries[*selected_] : nullptr;
  if (entry && entry->line > 0)
    apply(command::GoTo{{.file = prepared_->result.file_name, .line = entry->line, .column = 1}});
}

void App::apply(const command::StepGpu& c) {
  for (size_t at = 0; at < gpus_.size(); ++at) {
    if (gpus_[at].id != gpu_id()) continue;
    apply(command::SelectGpu{gpus_[go_round(at, c.by, gpus_.size())].id});
    return;
  }
}

void App::apply(const command::MoveTimeline& c) {
  if (has_keyboard("dram")) {
    move_transfers(dram_, c.zoom, c.shift);
    return;
  }
  show_panel("schedulers");
  move_timeline(schedulers_, c.zoom, c.shift);
}

// Explains the figures of the panel that has the keyboard focus, or of all visible panels if it has
// none. They are known once a frame has been drawn.
void App::apply(const command::ExplainFigures&) {
  figures_wanted_ = true;
  frames_due_ = std::max(frames_due_, 2);
}

void App::begin_figures() {
  if (!figures_wanted_ || shown_metrics() != nullptr) return;
  figures_.clear();
  shown_metrics() = &figures_;
}

void App::end_figures() {
  if (!figures_wanted_ || shown_metrics() != &figures_) return;
  shown_metrics() = nullptr;
  figures_wanted_ = false;
  dialog_.figures.clear();
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  const ImGuiWindow* panel = focused ? focused->RootWindow : nullptr;
  const auto take = [&](bool all) {
    for (const ShownMetric& figure : figures_) {
      if (!all && !(panel && panel->Rect().Contains(ImRect(figure.min, figure.max).GetCenter())))
        continue;
      const bool known =
          std::any_of(dialog_.figures.begin(), dialog_.figures.end(),
                      [&](const ShownMetric& other) { return other.title == figure.title; });
      if (!known) dialog_.figures.push_back(figure);
    }
  };
  take(false);
  if (dialog_.figures.empty()) take(true);
  dialog_.open = Dialog::kFigures;
  frames_due_ = std::max(frames_due_, 3);
}

}  // namespace warpshop::ui
