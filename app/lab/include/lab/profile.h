// A profile that Nsight Compute took of somebody's program, exported as CSV: the page "raw" (one
// row per launch, one column per metric) or "details" (one row per metric).
// https://docs.nvidia.com/nsight-compute/NsightComputeCli/, "Output Pages".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

// Figures that a profile has beside device::counter_metrics().
inline constexpr std::string_view kProfiledTime = "time_us";
inline constexpr std::string_view kProfiledRegisters = "registers";
inline constexpr std::string_view kProfiledOccupancy = "theoretical_occupancy_pct";
inline constexpr std::string_view kProfiledWarps = "achieved_occupancy_pct";
inline constexpr std::string_view kProfiledClock = "sm_clock_mhz";

// One of a launch's figures.
struct ProfiledFigure {
  std::string name;    // a counter's, or one of those above
  std::string metric;  // as in the profile: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  bool near = false;   // a metric that counts a little more: CounterMetric::near_metrics
  int line = 0;        // of the profile
  double value = 0;    // bytes, µs, %, MHz, or a count
  Sentence missing;    // why there is no value; empty: there is one
};

struct ProfiledLaunch {
  std::string id;      // Nsight Compute's number of the launch
  std::string kernel;  // as in the profile: "void tile<float, (int)32>(const float *, float *)"
  std::string gpu;     // its name; empty: the profile has only the capability, or neither
  std::optional<models::ComputeCapability> capability;
  std::optional<Dim3> grid, block;
  int line = 0;
  std::vector<ProfiledFigure> figures;

  const ProfiledFigure* find(std::string_view name) const;  // null: not in the profile
};

struct Profile {
  std::string file;                      // its name, without folders
  std::vector<ProfiledLaunch> launches;  // at least one, each with the figures that we know
};

// Error: what is wrong, in which line, and how to export a profile that can be read. `file` names
// it in messages.
Result<Profile> read_profile(std::string_view text, const std::string& file);
Result<Profile> load_profile(const std::filesystem::path& path);

// The metrics of all figures, separated by commas: what --metrics of ncu needs.
std::string profile_metrics();

// "NVIDIA H200 (9.0)", "compute capability 9.0"; "?" if the profile tells neither.
std::string gpu_text(const ProfiledLaunch& launch);

}  // namespace warpshop::lab
