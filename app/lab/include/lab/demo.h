// A lecture's prepared script: scenes that are played one after the other from labs/ID/demo.toml.
// Each runs a kernel in the place of an exercise and shows one map or one number.
// docs/writing-a-lab.md gives the format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"

namespace warpshop::lab {

struct RunResult;

// A figure that somebody else measured, shown beside what the scene simulates.
struct PublishedFigure {
  std::string label;  // "Tesla K40c"
  double value = 0;
  std::string unit;    // "GB/s": figures of one unit are compared with each other
  std::string source;  // "GTC 2015"
};

struct Scene {
  enum class Show { kTransactions, kBanks, kNumber };
  std::string title;
  std::string step;       // id of the exercise whose arguments, sizes and reference it uses
  std::string source;     // the kernel's text
  std::string file_name;  // as the editor and messages name it
  std::string gpu;        // id; empty: the one that is selected
  std::string say;        // what the class reads
  std::string ask;        // the question before it is revealed; may be empty
  std::string answer;     // shown with what is revealed; may be empty
  Show show = Show::kTransactions;
  int line = 0;  // maps: of the access; 0: the costliest of all
  emulator::AccessKind access = emulator::AccessKind::kLoad;  // maps, with `line`
  std::string number;  // kNumber: an expression over the names that checks may use
  std::string unit;    // written behind the number
  std::string ideal;   // kNumber: an expression; empty: there is none
  std::string expect;  // kNumber: what the scene's words say it is, an expression; empty: they don't
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
// The number of a kNumber scene at the first size. Error: the kernel did not run to its end, or the
// expression has no value.
Result<SceneNumber> scene_number(const Scene& scene, const RunResult& result);
// Is it as good as it gets, within 5% of its ideal? Nothing where it has none: such a number is neither good nor bad.
std::optional<bool> is_good(const SceneNumber& number);

}  // namespace warpshop::lab
