#include "control/navigation.h"

#include <algorithm>

#include "draw/widgets.h"
#include "imgui_internal.h"
#include "lab/findings.h"
#include "panels/banks_panel.h"
#include "panels/panel_table.h"
#include "panels/ptx_panel.h"
#include "state/wrap_index.h"
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

// Explains why the panel of such kernels is not there.
const char* why_no_panel(PanelOf of, bool ran) {
  switch (of) {
    case PanelOf::kAnyKernel:
      break;
    case PanelOf::kSharedMemory:
      return ran ? tr("This kernel uses no shared memory.")
                 : tr("Run a kernel that uses shared memory first.");
    case PanelOf::kTensorCores:
      return ran ? tr("This kernel uses no tensor cores.")
                 : tr("Run a kernel that uses tensor cores first.");
    case PanelOf::kAtomics:
      return ran ? tr("This kernel uses no atomics.") : tr("Run a kernel that uses atomics first.");
    case PanelOf::kAsyncCopies:
      return ran ? tr("This kernel makes no asynchronous copies.")
                 : tr("Run a kernel that makes asynchronous copies first.");
  }
  return "";
}

}  // namespace

Navigation::Navigation(Shell& shell, Docks& docks, Results& results, Film& film,
                       Lecturing& lecturing)
    : shell_(shell),
      docks_(docks),
      results_(results),
      film_(film),
      lecturing_(lecturing),
      editor_(shell.editor()),
      coalescer_(shell.panels.of<TransactionsPanelState>()),
      roofline_(shell.panels.of<RooflinePanelState>()),
      schedulers_(shell.panels.of<SchedulersPanelState>()),
      pipeline_(shell.panels.of<PipelinePanelState>()),
      dram_(shell.panels.of<DramPanelState>()) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::FocusPanel& c) { focus_panel(c.panel); });
  commands.on([this](const command::TryLayouts&) {
    shell_.panels.of<BanksPanelState>().layouts = true;
    focus_panel("banks");
  });
  commands.on([this](const command::ToggleMachineCode&) {
    PtxPanelState& ptx = shell_.panels.of<PtxPanelState>();
    ptx.sass = !ptx.visible || !ptx.sass;  // first to the front if it is hidden
    focus_panel("ptx");
  });
  commands.on(
      [this](const command::ShowStage& c) { show_stage(static_cast<lab::Stage>(c.stage)); });
  commands.on([this](const command::StepAccess& c) {
    if (!shell_.lecture.on() || shell_.lecture.shows_accesses()) {
      step_access(c.by);
    } else if (c.by > 0) {
      shell_.apply(command::Advance{});
    } else {
      shell_.apply(command::MoveScene{-1});
    }
  });
  commands.on([this](const command::SelectLine& c) { select_line(c.line); });
  commands.on([this](const command::GoTo& c) { go_to(c.place); });
  commands.on([this](const command::StepMoment& c) {
    if (!step_focus(c)) step_moment(c);
  });
  commands.on([this](const command::SelectAccess& c) {
    film_.follow();
    if (results_.prepared && c.entry < results_.prepared->accesses.entries.size())
      results_.select(c.entry, true);
  });
  commands.on([this](const command::StepWarp& c) {
    film_.follow();
    if (results_.prepared && results_.selected)
      results_.select(results_.prepared->accesses.in_other_warp(*results_.selected, c.by), true);
  });
  commands.on([this](const command::SelectEditorLine&) {
    if (!editor_.editor || !results_.prepared) return;
    const int line = editor_.result_line();
    if (results_.prepared->accesses.of_line(line, results_.selected)) {
      select_line(line);
    } else {
      shell_.say(tr("Line {} touches no memory that the maps show.",
                    editor_.editor->GetMainCursorPosition().line + 1));
    }
  });
  commands.on([this](const command::GoToAccess&) {
    if (has_keyboard("schedulers") && line_of_hand(schedulers_) > 0 && results_.prepared) {
      go_to({.file = results_.prepared->result.file_name,
             .line = line_of_hand(schedulers_),
             .column = 1});
      return;
    }
    if (has_keyboard("roofline") && !roofline_.focus_run.empty()) {
      shell_.apply(command::OpenChanges{roofline_.focus_run, ""});
      return;
    }
    const AccessEntry* entry = results_.access();
    if (entry && entry->line > 0)
      go_to({.file = results_.prepared->result.file_name, .line = entry->line, .column = 1});
  });
  commands.on([this](const command::MoveTimeline& c) {
    if (has_keyboard("dram")) {
      move_transfers(dram_, c.zoom, c.shift);
      return;
    }
    if (has_keyboard("pipeline")) {
      move_sight(pipeline_, c.zoom, c.shift);
      return;
    }
    docks_.show("schedulers");
    move_timeline(schedulers_, c.zoom, c.shift);
  });
}

void Navigation::focus_panel(const std::string& id) {
  const PanelRow* panel = find_panel(id);
  if (!panel) return;
  if (shell_.lecture.on() && id != "editor" && id != "scene") {
    if (panel->lecture == LectureDock::kNone) {
      shell_.say(tr("End the lecture first, with Esc."));
    } else {
      lecturing_.bring_panel(id);
    }
    return;
  }
  docks_.leave_home();
  const bool comes = panel->of == PanelOf::kAnyKernel ||
                     (results_.prepared && has_panel(panel->of, *results_.prepared));
  if (!comes) {
    shell_.say(why_no_panel(panel->of, results_.prepared != nullptr), "no-panel");
    return;
  }
  docks_.focus(id);
  docks_.show(id);
}

void Navigation::show_stage(lab::Stage stage) {
  const lab::RunResult* result = results_.latest ? &results_.latest->result : nullptr;
  switch (stage) {
    case lab::Stage::kCompile:
    case lab::Stage::kCheck:
      docks_.show("findings");
      break;
    case lab::Stage::kEmulate:
      docks_.show(result && lab::count_findings(*result).all() > 0 ? "findings" : "transactions");
      break;
    case lab::Stage::kCompare:
      docks_.show("result");
      break;
    case lab::Stage::kMeasure:
      docks_.show("times");
      break;
  }
  if (!result || stage != lab::Stage::kCompile) return;
  for (const Diagnostic& d : result->diagnostics) {
    if (d.place.line > 0 && d.severity == Severity::kError) {
      editor_.go_to = d.place;
      return;
    }
  }
}

void Navigation::step_access(int by) {
  film_.follow();
  if (!results_.prepared || !results_.selected) return;
  ++shell_.facts.looks;  // at the last access, too
  const AccessIndex& accesses = results_.prepared->accesses;
  size_t to = accesses.in_same_warp(*results_.selected, by);
  // A slide's map shows one kind of memory: skip accesses to the other.
  const std::string_view panel = shell_.lecture.on() ? shell_.lecture.panel() : "";
  if (panel == "transactions" || panel == "banks") {
    const bool shared = panel == "banks";
    for (size_t next = to; accesses.entries[to].shared != shared; to = next) {
      next = accesses.in_same_warp(to, by);
      if (next == to) return tell_end(by);
    }
  }
  if (to == *results_.selected) tell_end(by);
  results_.select(to, true);
}

void Navigation::tell_end(int by) {
  if (shell_.lecture.on() && by > 0)
    shell_.say(tr("That was the warp's last access: Page Down goes on."), "end");
}

void Navigation::select_line(int line) {
  if (!results_.prepared || shell_.view.stale) return;
  film_.follow();
  if (auto entry = results_.prepared->accesses.of_line(line, results_.selected))
    results_.select(*entry, true);
}

void Navigation::go_to(const SourcePlace& place) {
  editor_.go_to = place;
  docks_.show("editor");
}

// In a panel that has such steps of its own.
bool Navigation::step_focus(const command::StepMoment& c) {
  if (has_keyboard("transactions") && !c.other_partition && move_focus(coalescer_, c.by)) {
    shell_.draw_frames(3);
    return true;
  }
  if (has_keyboard("roofline") || has_keyboard("schedulers")) {
    const bool points = has_keyboard("roofline");
    if (!(points ? move_focus(roofline_, c.by)
                 : move_focus(schedulers_, c.by, c.other_partition))) {
      shell_.say(points ? tr("There is no point to go to.")
                        : tr("There is no time window to go to."));
    }
    shell_.draw_frames(3);
    return true;
  }
  return false;
}

// The last target if the access uses it, else the partition of its first lane.
int Navigation::partition_of(const lab::KernelRun& run, const AccessEntry& entry,
                             const models::PartitionMap& map) const {
  const models::WarpRequest request = request_of(run, entry);
  int first = -1;
  for (size_t lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const int partition = models::partition_of(map, request.address[lane]);
    if (partition == last_partition_) return partition;
    if (first < 0) first = partition;
  }
  return std::max(first, 0);
}

void Navigation::step_moment(const command::StepMoment& c) {
  const lab::KernelRun* run = results_.current_student();
  if (!run || !run->memory || run->memory->load.windows.empty()) {
    shell_.say(tr("The kernel's accesses have not been played over time."));
    return;
  }
  if (!in_sight("partitions") && !in_sight("dram")) docks_.show("partitions");
  const timing::MemoryTimeline& memory = *run->memory;
  const std::vector<models::PartitionWindow>& windows = memory.load.windows;
  std::optional<timing::TimedAccess> here;
  int partition = 0;
  size_t window = 0;
  const AccessEntry* entry = results_.access();
  if (entry && !entry->shared) {
    const emulator::WarpIdentity& warp = run->records[entry->record].warp;
    const uint32_t step = *results_.prepared->accesses.global_step(*results_.selected);
    here = timing::TimedAccess{.block = warp.linear_block,
                               .from = {.warp = warp.warp, .step = step, .site = 0}};
    partition = partition_of(*run, *entry, memory.load.map);
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
      const auto other = static_cast<int>(wrap_index(
          static_cast<size_t>(partition), int64_t{c.by} * n, static_cast<size_t>(count)));
      found = heaviest(window, other);
      if (found) last_partition_ = other;
    }
    if (found) shell_.say(tr("Partition {}", last_partition_));
  } else {
    for (auto at = static_cast<ptrdiff_t>(window) + c.by;
         at >= 0 && at < std::ssize(windows) && !found; at += c.by) {
      found = heaviest(static_cast<size_t>(at), std::nullopt);
    }
  }
  if (found) {
    shell_.apply(command::SelectGlobalAccess{found->block, found->from.warp, found->from.step});
  } else {
    shell_.say(c.other_partition ? tr("No other partition is busy in this time window.")
               : c.by > 0        ? tr("Memory is idle after this time window.")
                                 : tr("Memory is idle before this time window."));
  }
}

}  // namespace warpshop::ui
