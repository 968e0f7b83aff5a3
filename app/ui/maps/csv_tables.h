// What the panels show, as comma-separated tables with a heading row: for spreadsheets and reports.
// No drawing. Fields with a comma, a quote or a line break are quoted (RFC 4180).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/film.h"
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

// A row for each active lane.
std::string transactions_csv(const models::WarpRequest& request, const CoalescerMap& map);
std::string banks_csv(const models::WarpRequest& request,
                      const models::GenerationBankResult& banks);
// A row for each step.
std::string film_csv(const lab::FilmScript& film);
// A row for each register, a column for each lane.
// `variables`: null where there are none.
std::string registers_csv(const emulator::ReplayState& state, const lab::VariableState* variables);
std::string occupancy_csv(std::string_view axis, std::span<const timing::OccupancyPoint> curve);
// A row for each interval of each warp.
std::string timeline_csv(const timing::Prediction& prediction);
// A row for each counter, the student's beside the reference's.
std::string counters_csv(const lab::RunResult& result);
// A row for each line of the student's file that runs: its text, and what it costs in all warps of
// the grid.
std::string lines_csv(const lab::RunResult& result);
// A row for each check of the exercise.
std::string checks_csv(const lab::RunResult& result);
// Of each output: how many of its elements are wrong, by how far they are off.
std::string errors_csv(const lab::SizeResult& size);
// A row for each time.
std::string times_csv(const std::vector<lab::TimeRow>& rows);

}  // namespace warpshop::ui
