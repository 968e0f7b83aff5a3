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
  constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, alt = ImGuiMod_Alt, shift = ImGuiMod_Shift;
  // clang-format off
  return std::to_array<PanelRow>({
    // id             title on its tab           action's title, chord                                          tab  docks                              drawn by
    {"steps",         tr_later("Steps"),         tr_later("Go to the steps"), ctrl | ImGuiKey_1,                  0, S::kSteps, A::kText, L::kNone},
    {"editor",        tr_later("Editor"),        tr_later("Go to the editor"), ctrl | ImGuiKey_2,                 0, S::kText, A::kText, L::kText},
    {"transactions",  tr_later("Transactions"),  tr_later("Go to the transactions"), ctrl | ImGuiKey_3,           1, S::kMaps, A::kMaps, L::kMap,            drawn_by<transactions_panel>},
    {"banks",         tr_later("Banks"),         tr_later("Go to the banks"), ctrl | ImGuiKey_4,                 20, S::kMaps, A::kBesideMaps, L::kMap,      drawn_by<banks_panel>, PanelOf::kSharedMemory},
    {"counters",      tr_later("Counters"),      tr_later("Go to the counters"), ctrl | ImGuiKey_5,               2, S::kBelow, A::kBelow, L::kMap,          drawn_by<counters_panel>},
    {"result",        tr_later("Result"),        tr_later("Go to the result"), ctrl | ImGuiKey_6,                 3, S::kResults, A::kResults, L::kMap,      drawn_by<result_panel>},
    {"times",         tr_later("Times"),         tr_later("Go to the times"), alt | ImGuiKey_8,                   5, S::kResults, A::kResults, L::kMap,      drawn_by<times_panel>},
    {"findings",      tr_later("Findings"),      tr_later("Go to the findings"), ctrl | ImGuiKey_7,               6, S::kResults, A::kResults, L::kMap,      drawn_by<findings_panel>},
    {"output",        tr_later("Output"),        tr_later("Go to the kernel's output"), 0,                        7, S::kResults, A::kResults, L::kMap,      drawn_by<output_panel>},
    {"warp",          tr_later("Warp"),          tr_later("Go to the warp's film"), ctrl | ImGuiKey_8,            9, S::kBelow, A::kTimeline, L::kMap,       drawn_by<warp_panel>},
    {"registers",     tr_later("Variables"),     tr_later("Go to the variables"), ctrl | ImGuiKey_9,             10, S::kResults, A::kTimeline, L::kMap,     drawn_by<variables_panel>},
    {"shared",        tr_later("Shared memory"), tr_later("Go to the shared memory"), alt | shift | ImGuiKey_3,  18, S::kBelow, A::kTimeline, L::kMap,       drawn_by<shared_panel>, PanelOf::kSharedMemory},
    {"fragments",     tr_later("Fragments"),     tr_later("Go to the fragments"), alt | shift | ImGuiKey_5,      19, S::kMaps, A::kBesideMaps, L::kMap,      drawn_by<fragments_panel>, PanelOf::kTensorCores},
    {"contention",    tr_later("Contention"),    tr_later("Go to the contention"), alt | shift | ImGuiKey_6,     21, S::kMaps, A::kBesideMaps, L::kMap,      drawn_by<contention_panel>, PanelOf::kAtomics},
    {"pipeline",      tr_later("Pipeline"),      tr_later("Go to the pipeline"), alt | shift | ImGuiKey_7,       22, S::kBelow, A::kTimeline, L::kMap,       drawn_by<pipeline_panel>, PanelOf::kAsyncCopies},
    {"occupancy",     tr_later("Occupancy"),     tr_later("Go to the occupancy calculator"), alt | ImGuiKey_1,   11, S::kBelow, A::kBelow, L::kMap,          drawn_by<occupancy_panel>},
    {"ptx",           "PTX",                     tr_later("Go to the PTX"), alt | ImGuiKey_2,                     8, S::kResults, A::kMaps, L::kMap,         drawn_by<ptx_panel>},
    {"schedulers",    tr_later("Schedulers"),    tr_later("Go to the warp schedulers"), alt | ImGuiKey_3,        12, S::kBelow, A::kTimeline, L::kMap,       drawn_by<schedulers_panel>},
    {"roofline",      tr_later("Roofline"),      tr_later("Go to the roofline"), alt | ImGuiKey_4,               13, S::kBelow, A::kBelow, L::kMap,          drawn_by<roofline_panel>},
    {"memory",        tr_later("Memory"),        tr_later("Go to the memory chart"), alt | shift | ImGuiKey_4,   14, S::kMaps, A::kBelow, L::kMap,           drawn_by<memory_panel>},
    {"partitions",    tr_later("Partitions"),    tr_later("Go to the partitions"), alt | ImGuiKey_5,             15, S::kMaps, A::kBesideMaps, L::kMap,      drawn_by<partitions_panel>},
    {"dram",          "DRAM",                    tr_later("Go to the DRAM"), alt | ImGuiKey_6,                   16, S::kMaps, A::kBesideMaps, L::kMap,      drawn_by<dram_panel>},
    {"compare",       tr_later("Two GPUs"),      tr_later("Go to the two GPUs"), alt | ImGuiKey_7,               17, S::kMaps, A::kMaps, L::kMap,            drawn_by<two_gpus_panel>},
    {"history",       tr_later("History"),       tr_later("Go to the history of runs"), alt | ImGuiKey_9,         4, S::kBelow, A::kResults, L::kNone,       drawn_by<history_panel>},
    {"number",        tr_later("Number"),        "", 0,                                                           0, S::kNone, A::kNone, L::kMap,            drawn_by<number_panel>},
    {"curtain",       "",                        "", 0,                                                           0, S::kNone, A::kNone, L::kMap,            drawn_by<curtain_panel>},
    {"scene",         tr_later("Scene"),         "", 0,                                                           0, S::kNone, A::kNone, L::kScene,          drawn_by<scene_panel>},
    {"figures",       tr_later("Published"),     "", 0,                                                           0, S::kNone, A::kNone, L::kFigures,        drawn_by<figures_panel>},
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
