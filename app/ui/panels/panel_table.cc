#include "panels/panel_table.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "panels/banks_panel.h"
#include "panels/contention_panel.h"
#include "panels/counters_panel.h"
#include "panels/dram_panel.h"
#include "panels/findings_panel.h"
#include "panels/fragments_panel.h"
#include "panels/history_panel.h"
#include "panels/lecture_panels.h"
#include "panels/memory_panel.h"
#include "panels/occupancy_panel.h"
#include "panels/output_panel.h"
#include "panels/partitions_panel.h"
#include "panels/pipeline_panel.h"
#include "panels/ptx_panel.h"
#include "panels/result_panel.h"
#include "panels/roofline_panel.h"
#include "panels/schedulers_panel.h"
#include "panels/shared_panel.h"
#include "panels/times_panel.h"
#include "panels/transactions_panel.h"
#include "panels/two_gpus_panel.h"
#include "panels/variables_panel.h"
#include "panels/warp_panel.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

template <typename State>
State state_of(void (*)(const View&, State&, CommandQueue&));

// A panel's function with the state that it asks for.
template <auto panel>
void drawn_by(const View& view, PanelStates& states, CommandQueue& queue) {
  if constexpr (std::is_invocable_v<decltype(panel), const View&>) {
    panel(view);
  } else if constexpr (std::is_invocable_v<decltype(panel), const View&, CommandQueue&>) {
    panel(view, queue);
  } else {
    panel(view, states.of<decltype(state_of(panel))>(), queue);
  }
}

// Panels that come and go with the kernel are drawn last; of two that appear in one dock together,
// the later one is in front.
constexpr auto kPanels = [] {
  using S = StudentDock;
  using A = AnalysisDock;
  using L = LectureDock;
  // clang-format off
  return std::to_array<PanelRow>({
    // id, title on its tab, title and chord of the action that goes there,
    // tab, docks                                drawn by
    {"steps", tr_later("Steps"), tr_later("Go to the steps"), "Ctrl+1",
      0, S::kSteps,   A::kText,       L::kNone},
    {"editor", tr_later("Editor"), tr_later("Go to the editor"), "Ctrl+2",
      0, S::kText,    A::kText,       L::kText},
    {"transactions", tr_later("Transactions"), tr_later("Go to the transactions"), "Ctrl+3",
      1, S::kMaps,    A::kMaps,       L::kMap,    drawn_by<transactions_panel>},
    {"banks", tr_later("Banks"), tr_later("Go to the banks"), "Ctrl+4",
     20, S::kMaps,    A::kBesideMaps, L::kMap,    drawn_by<banks_panel>, PanelOf::kSharedMemory},
    {"counters", tr_later("Counters"), tr_later("Go to the counters"), "Ctrl+5",
      2, S::kBelow,   A::kBelow,      L::kMap,    drawn_by<counters_panel>},
    {"result", tr_later("Result"), tr_later("Go to the result"), "Ctrl+6",
      3, S::kResults, A::kResults,    L::kMap,    drawn_by<result_panel>},
    {"times", tr_later("Times"), tr_later("Go to the times"), "Alt+8",
      5, S::kResults, A::kResults,    L::kMap,    drawn_by<times_panel>},
    {"findings", tr_later("Findings"), tr_later("Go to the findings"), "Ctrl+7",
      6, S::kResults, A::kResults,    L::kMap,    drawn_by<findings_panel>},
    {"output", tr_later("Output"), tr_later("Go to the kernel's output"), "",
      7, S::kResults, A::kResults,    L::kMap,    drawn_by<output_panel>},
    {"warp", tr_later("Warp"), tr_later("Go to the warp's film"), "Ctrl+8",
      9, S::kBelow,   A::kTimeline,   L::kMap,    drawn_by<warp_panel>},
    {"registers", tr_later("Variables"), tr_later("Go to the variables"), "Ctrl+9",
     10, S::kResults, A::kTimeline,   L::kMap,    drawn_by<variables_panel>},
    {"shared", tr_later("Shared memory"), tr_later("Go to the shared memory"), "Alt+Shift+3",
     18, S::kBelow,   A::kTimeline,   L::kMap,    drawn_by<shared_panel>, PanelOf::kSharedMemory},
    {"fragments", tr_later("Fragments"), tr_later("Go to the fragments"), "Alt+Shift+5",
     19, S::kMaps,    A::kBesideMaps, L::kMap,    drawn_by<fragments_panel>, PanelOf::kTensorCores},
    {"contention", tr_later("Contention"), tr_later("Go to the contention"), "Alt+Shift+6",
     21, S::kMaps,    A::kBesideMaps, L::kMap,    drawn_by<contention_panel>, PanelOf::kAtomics},
    {"pipeline", tr_later("Pipeline"), tr_later("Go to the pipeline"), "Alt+Shift+7",
     22, S::kBelow,   A::kTimeline,   L::kMap,    drawn_by<pipeline_panel>, PanelOf::kAsyncCopies},
    {"occupancy", tr_later("Occupancy"), tr_later("Go to the occupancy calculator"), "Alt+1",
     11, S::kBelow,   A::kBelow,      L::kMap,    drawn_by<occupancy_panel>},
    {"ptx", "PTX", tr_later("Go to the PTX"), "Alt+2",
      8, S::kResults, A::kMaps,       L::kMap,    drawn_by<ptx_panel>},
    {"schedulers", tr_later("Schedulers"), tr_later("Go to the warp schedulers"), "Alt+3",
     12, S::kBelow,   A::kTimeline,   L::kMap,    drawn_by<schedulers_panel>},
    {"roofline", tr_later("Roofline"), tr_later("Go to the roofline"), "Alt+4",
     13, S::kBelow,   A::kBelow,      L::kMap,    drawn_by<roofline_panel>},
    {"memory", tr_later("Memory"), tr_later("Go to the memory chart"), "Alt+Shift+4",
     14, S::kMaps,    A::kBelow,      L::kMap,    drawn_by<memory_panel>},
    {"partitions", tr_later("Partitions"), tr_later("Go to the partitions"), "Alt+5",
     15, S::kMaps,    A::kBesideMaps, L::kMap,    drawn_by<partitions_panel>},
    {"dram", "DRAM", tr_later("Go to the DRAM"), "Alt+6",
     16, S::kMaps,    A::kBesideMaps, L::kMap,    drawn_by<dram_panel>},
    {"compare", tr_later("Two GPUs"), tr_later("Go to the two GPUs"), "Alt+7",
     17, S::kMaps,    A::kMaps,       L::kMap,    drawn_by<two_gpus_panel>},
    {"history", tr_later("History"), tr_later("Go to the history of runs"), "Alt+9",
      4, S::kBelow,   A::kResults,    L::kNone,   drawn_by<history_panel>},
    {"number", tr_later("Number"), "", "",
      0, S::kNone,    A::kNone,       L::kMap,    drawn_by<number_panel>},
    {"curtain", "", "", "",
      0, S::kNone,    A::kNone,       L::kMap,    drawn_by<curtain_panel>},
    {"scene", tr_later("Scene"), "", "",
      0, S::kNone,    A::kNone,       L::kScene,  drawn_by<scene_panel>},
    {"figures", tr_later("Published"), "", "",
      0, S::kNone,    A::kNone,       L::kFigures, drawn_by<figures_panel>},
  });
  // clang-format on
}();

}  // namespace

std::span<const PanelRow> panel_table() { return kPanels; }

bool has_panel(PanelOf of, const PreparedResult& result) {
  switch (of) {
    case PanelOf::kAnyKernel:
      return true;
    case PanelOf::kSharedMemory:
      return result.accesses.any_shared;
    case PanelOf::kTensorCores:
    case PanelOf::kAtomics:
    case PanelOf::kAsyncCopies:
      break;
  }
  const lab::KernelRun* run = result.result.student();
  if (run == nullptr) return false;
  if (of == PanelOf::kAsyncCopies) return timing::copies_asynchronously(run->sites);
  return of == PanelOf::kAtomics ? run->contention.any() : !run->tensor_products.empty();
}

const PanelRow* find_panel(std::string_view id) {
  const auto found = std::find_if(kPanels.begin(), kPanels.end(),
                                  [&](const PanelRow& row) { return row.id == id; });
  return found == kPanels.end() ? nullptr : &*found;
}

const std::vector<const PanelRow*>& panels_of_a_run() {
  static const std::vector<const PanelRow*> all = [] {
    std::vector<const PanelRow*> rows;
    for (const PanelRow& row : kPanels) {
      if (row.tab > 0) rows.push_back(&row);
    }
    std::sort(rows.begin(), rows.end(),
              [](const PanelRow* a, const PanelRow* b) { return a->tab < b->tab; });
    return rows;
  }();
  return all;
}

}  // namespace warpshop::ui
