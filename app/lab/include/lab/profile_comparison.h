// The figures of an imported profile beside those of a run of the same kernel, for the command line
// and the window.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lab/profile.h"
#include "lab/run_result.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

struct ComparedFigure {
  std::string name;    // a counter's, or one of lab/profile.h: "global_load_sectors", "time_us"
  std::string unit;    // "sector", "µs", "%"
  std::string metric;  // the profile's; if it has none, what to collect; may be empty
  Provenance provenance = Provenance::kSimulated;  // of `ours`: simulated or predicted
  std::optional<double> ours;
  std::optional<double> profiled;
  Sentence note;  // why the two cannot be compared, or only roughly; may be empty
  bool comparable = false;

  // ours ÷ profiled; none unless they are comparable.
  std::optional<double> ratio() const;
  // True for a simulated count that a comparable profile contradicts.
  bool differs() const;
};

struct ProfileComparison {
  std::string file;
  ProfiledLaunch launch;  // the one that is compared
  size_t fitting = 0;     // launches of the profile with the same kernel, grid and block
  bool same_gpu = false;  // as far as the profile tells
  ComparedFigure time;
  std::vector<ComparedFigure> figures;  // counters in their order, then occupancy and registers
  std::vector<Sentence> notes;          // what to bear in mind
  std::vector<Sentence> time_notes;     // … about the time

  const ComparedFigure* find(std::string_view name) const;
};

// Compares the profile's launch of the run's kernel with the same grid and block; of several, the
// one with the median time. `counted`: false for a run without counters, as at the size for times.
// Error: the profile has no such launch; says which it has.
Result<ProfileComparison> compare_profile(const Profile& profile, const KernelRun& run,
                                          const models::GpuProfile& gpu, bool counted);

// For each size of the result whose launch the profile has: sizes[0] first, the one for times last.
// Error: it has none of them.
struct ProfiledSize {
  const SizeResult* size = nullptr;
  ProfileComparison comparison;
};
Result<std::vector<ProfiledSize>> compare_profile(const Profile& profile, const RunResult& result);

}  // namespace warpshop::lab
