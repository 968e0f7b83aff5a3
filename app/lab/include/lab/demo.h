// A lecture's prepared script: scenes that are played one after the other from labs/ID/demo.toml.
// Each runs a kernel in the place of an exercise and shows one map, one number, or another panel.
// docs/writing-a-lab.md gives the format.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"
#include "lab/access_cost.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

struct KernelRun;
struct RunResult;

// A figure that somebody else measured, shown beside what the scene simulates.
struct PublishedFigure {
  std::string label;  // "Tesla K40c"
  double value = 0;
  std::string unit;    // "GB/s": figures of one unit are compared with each other
  std::string source;  // "GTC 2015"
};

// What `show` may name besides the two maps and the number: the panels that explain a whole run.
inline constexpr std::array<std::string_view, 12> kScenePanels = {"partitions", "dram",     "schedulers", "warp",
                                                                  "registers",  "roofline", "occupancy",  "compare",
                                                                  "counters",   "times",    "ptx",        "memory"};

// Which access of a line a scene means.
struct SceneAccess {
  emulator::AccessKind kind = emulator::AccessKind::kLoad;
  int number = 0;     // of the line's accesses of that kind, from 1, as a warp makes them; 0: any
  std::string array;  // shared or constant array, by its name; empty: any
  int param = -1;     // pointer parameter, by its place; -1: any
};

struct Scene {
  enum class Show { kTransactions, kBanks, kNumber, kPanel };
  std::string title;
  std::string step;       // id of the exercise whose arguments, sizes and reference it uses
  std::string source;     // the kernel's text
  std::string file_name;  // as the editor and messages name it
  std::string gpu;        // id; empty: the step's model_gpu, else the one that is selected
  std::string say;        // what the class reads
  std::string ask;        // the question before it is revealed; may be empty
  std::string answer;     // shown with what is revealed; may be empty
  Show show = Show::kTransactions;
  std::string panel;   // kPanel: one of kScenePanels
  int line = 0;        // maps and panels: of the access; 0: the costliest of all
  SceneAccess access;  // with `line`
  std::string number;  // an expression over the names that checks may use; kPanel: only proved
  std::string unit;    // kNumber: written below the number
  std::string ideal;   // kNumber: an expression; empty: there is none
  std::string expect;  // what the scene's words say of the number, or of what the map or panel has as its headline
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
// The number of a scene at the first size. Error: the kernel did not run to its end, or the expression has no value.
Result<SceneNumber> scene_number(const Scene& scene, const RunResult& result);
// Is it as good as it gets, within 5% of its ideal? Nothing where it has none: such a number is neither good nor bad.
std::optional<bool> is_good(const SceneNumber& number);
// As one would say it: two significant digits, or as many decimals as `expect` has; whole numbers whole. "18", "3.7",
// "105".
std::string said_number(const Scene& scene, double value);

// What a panel's headline says of a run: partitions, dram and occupancy have such a number. Partitions and DRAM need
// RunRequest::memory_timeline.
bool has_panel_number(std::string_view panel);
std::optional<double> panel_number(std::string_view panel, const RunResult& result);

// The access that a scene's map shows.
struct ShownAccess {
  size_t record = 0;  // index into KernelRun::records
  size_t part = 0;    // of the requests that the access is issued as
  AccessCost cost;
};
// The costliest of those that the scene means, by the first warp that makes it. Nothing where the text has none, as
// when a lecturer has changed it.
std::optional<ShownAccess> shown_access(const Scene& scene, const KernelRun& run, const models::GpuProfile& gpu);

// Why the access is not the one that the scene's words name, "as[ty][k]" or "the read of in"; empty: it is, or they
// name none.
std::string contradiction(const Scene& scene, const KernelRun& run, const ShownAccess& shown);

// The place of the kernel's parameter of that name, from 0, in a CUDA text; -1: it has none.
int parameter_place(std::string_view source, std::string_view kernel, std::string_view name);

}  // namespace warpshop::lab
