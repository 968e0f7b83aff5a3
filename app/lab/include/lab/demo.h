// A lecture's script: the scenes of labs/ID/demo.toml, played in order. Each runs a kernel in place
// of an exercise's and shows one map, one number, or another panel. docs/writing-a-lab.md describes
// the format.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"

namespace warpshop::lab {

struct RunResult;

// A published figure, shown beside what the scene simulates.
struct PublishedFigure {
  std::string label;  // "Tesla K40c"
  double value = 0;
  std::string unit;    // "GB/s": figures with the same unit are compared with each other
  std::string source;  // "GTC 2015"
};

// What else `show` may name besides the two maps and the number: panels that explain a whole run.
inline constexpr std::array<std::string_view, 14> kScenePanels = {
    "partitions", "dram",     "schedulers", "warp", "registers", "roofline",   "occupancy",
    "compare",    "counters", "times",      "ptx",  "memory",    "contention", "pipeline"};

// Which access of a line a scene refers to.
struct SceneAccess {
  emulator::AccessKind kind = emulator::AccessKind::kLoad;
  int number = 0;     // among the line's accesses of that kind, from 1, in execution order; 0: any
  std::string array;  // name of a shared or constant array; empty: any
  int param = -1;     // index of a pointer parameter; -1: any
};

struct Scene {
  enum class Show { kTransactions, kBanks, kNumber, kPanel };
  int toml_line = 0;  // of demo.toml, where the scene begins
  std::string title;
  std::string step;       // id of the exercise whose arguments, sizes and reference it uses
  std::string source;     // the kernel's text
  std::string file_name;  // as shown in the editor and in messages
  std::string gpu;        // id; empty: the step's model_gpu, else the selected one
  std::string say;        // what the class reads
  std::string ask;        // the question asked before the reveal; may be empty
  std::string answer;     // shown at the reveal; may be empty
  std::string notes;      // Markdown, for the speaker alone; may be empty
  double minutes = 0;     // planned for the scene; 0: not said
  Show show = Show::kTransactions;
  std::string panel;       // kPanel: one of kScenePanels
  int line = 0;            // the line that the text speaks of; 0: none
  SceneAccess access;      // of that line, or without a line the costliest
  bool whole_run = false;  // it shows no access: `line` is only marked
  // An expression over the names that checks may use; kPanel: for the proof only.
  std::string number;
  std::string unit;    // kNumber: shown below the number
  std::string ideal;   // kNumber: an expression; empty: none
  std::string expect;  // the figure that the scene's text gives for the number, or for the map's or
                       // panel's headline
  std::optional<PublishedFigure> published;
};

struct Demo {
  std::string title;
  std::vector<Scene> scenes;
};

struct SceneNumber {
  double value = 0;
  std::optional<double> ideal, expect;
};
// A scene's number at the first size. Error: the kernel did not run to completion, or the
// expression has no value.
Result<SceneNumber> scene_number(const Scene& scene, const RunResult& result);
// Whether the number is within 5% of its ideal. Nothing if it has no ideal: such a number is
// neither good nor bad.
std::optional<bool> is_good(const SceneNumber& number);
// As one would say it: two significant digits, or as many decimals as `expect` has; integers in
// full. "18", "3.7", "105".
std::string said_number(const Scene& scene, double value);

// True if the panel shows a single access, or its warp.
bool panel_needs_access(std::string_view panel);

// The number in a panel's headline: partitions, dram, occupancy and contention have one. Partitions
// and DRAM need RunRequest::memory_timeline.
bool has_panel_number(std::string_view panel);
std::optional<double> panel_number(std::string_view panel, const RunResult& result);

// Why the panel would be empty after that run, in a few words; empty: it shows something.
std::string nothing_to_show(std::string_view panel, const RunResult& result);

// The index, from 0, of the kernel parameter with that name in a CUDA text; -1: none.
int parameter_place(std::string_view source, std::string_view kernel, std::string_view name);

}  // namespace warpshop::lab
