// The panels' contents as comma-separated tables with a header row, for spreadsheets and reports.
// No drawing. Fields with a comma, a quote or a line break are quoted (RFC 4180).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/film.h"
#include "lab/profile_comparison.h"
#include "lab/times.h"
#include "maps/access_index.h"
#include "maps/coalescer_map.h"
#include "timing/occupancy_curve.h"

namespace warpshop::ui {

class CsvTable {
 public:
  explicit CsvTable(const std::vector<std::string>& columns) { row(columns); }
  void row(const std::vector<std::string>& fields);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// One row per active lane.
std::string transactions_csv(const models::WarpRequest& request, const CoalescerMap& map);
std::string banks_csv(const models::WarpRequest& request,
                      const models::GenerationBankResult& banks);
// One row per step.
std::string film_csv(const lab::FilmScript& film);
// One row per register, one column per lane. `variables`: null if there are none.
std::string registers_csv(const emulator::ReplayState& state, const lab::VariableState* variables);
std::string occupancy_csv(std::string_view axis, std::span<const timing::OccupancyPoint> curve);
// One row per interval of each warp.
std::string timeline_csv(const timing::Prediction& prediction);
// One row per counter, the student's value beside the reference's and those of a GPU. `profiled`:
// an imported profile's; may be null.
std::string counters_csv(const lab::RunResult& result, const lab::ProfileComparison* profiled);
// One row per executed line of the student's file:
// its text, and its cost over all warps of the grid.
std::string lines_csv(const lab::RunResult& result);
// One row per check of the exercise.
std::string checks_csv(const lab::RunResult& result);
// Histogram per output: number of wrong elements by size of error.
std::string errors_csv(const lab::SizeResult& size);
// One row per time.
std::string times_csv(const std::vector<lab::TimeRow>& rows);

}  // namespace warpshop::ui
