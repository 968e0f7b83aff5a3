// The table of panels. Layouts, the menu "Panels", the palette, the keys, a lecture's choice of
// panels and the order of drawing are derived from it: a new panel is one file and one row.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "panels/panel_states.h"

namespace warpshop::ui {

// Docks of a wide window in student mode, in analysis mode, and of a lecture; see
// window/layout.cc. In minimal mode and in narrow windows, all panels but the texts share one dock.
enum class StudentDock { kNone, kSteps, kText, kBelow, kMaps, kResults };
enum class AnalysisDock { kNone, kText, kBelow, kMaps, kBesideMaps, kResults, kTimeline };
enum class LectureDock { kNone, kText, kMap, kScene, kFigures };

// The kernels that a panel is drawn for.
enum class PanelOf { kAnyKernel, kSharedMemory, kTensorCores, kAtomics, kAsyncCopies };
bool has_panel(PanelOf of, const PreparedResult& result);

struct PanelRow {
  std::string_view id;        // stable: layout files, actions and lecture scripts name it
  std::string_view title;     // on its tab; a key of the catalogue, or a name. "": depends
  std::string_view go_title;  // of the action "go-ID", a key of the catalogue; "": no such action
  std::string_view go_chord;  // as chord_text() spells it; "": none
  int tab = 0;                // in which order panels are drawn; their tabs stand in that order
  StudentDock student = StudentDock::kNone;
  AnalysisDock analysis = AnalysisDock::kNone;
  LectureDock lecture = LectureDock::kNone;
  // Null for the steps and the editor, which are always drawn, and in more than one way.
  void (*draw)(const View& view, PanelStates& states, CommandQueue& queue) = nullptr;
  PanelOf of = PanelOf::kAnyKernel;
};

// In the order of the menu.
std::span<const PanelRow> panel_table();
const PanelRow* find_panel(std::string_view id);  // null if there is none
// The panels that explain a run, in the order in which they are drawn outside a lecture.
const std::vector<const PanelRow*>& panels_of_a_run();

}  // namespace warpshop::ui
