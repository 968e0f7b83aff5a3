#include "maps/csv_tables.h"

#include <bit>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/ascii.h"
#include "lab/access_cost.h"
#include "lab/measured_counters.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {

void CsvTable::row(const std::vector<std::string>& fields) {
  bool first = true;
  for (const std::string& field : fields) {
    if (!std::exchange(first, false)) text_ += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      text_ += field;
      continue;
    }
    text_ += '"';
    for (char c : field) text_ += c == '"' ? "\"\"" : std::string(1, c);
    text_ += '"';
  }
  text_ += '\n';
}

std::string transactions_csv(const models::WarpRequest& request, const CoalescerMap& map) {
  CsvTable table({"lane", "address", "bytes", map.generation ? "transaction" : "sector"});
  for (size_t lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const int at = map.generation ? map.generation->of_lane[lane] : map.result.first_sector[lane];
    table.row({std::to_string(lane), hexadecimal(request.address[lane]),
               std::to_string(request.width_bytes), at < 0 ? "" : std::to_string(at)});
  }
  return table.text();
}

std::string banks_csv(const models::WarpRequest& request,
                      const models::GenerationBankResult& banks) {
  CsvTable table({"lane", "byte", "bank", "pass"});
  for (size_t lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    // Wide accesses have one row per word.
    for (size_t word = 0; word < 4 && banks.lane_bank[lane][word] >= 0; ++word) {
      table.row({std::to_string(lane), std::to_string(request.address[lane] + 4 * word),
                 std::to_string(banks.lane_bank[lane][word]),
                 std::to_string(banks.lane_pass[lane][word] + 1)});
    }
  }
  return table.text();
}

std::string film_csv(const lab::FilmScript& film) {
  CsvTable table({"step", "line", "ptx line", "instruction", "active lanes", "mask", "event"});
  for (size_t n = 0; n < film.steps.size(); ++n) {
    const emulator::ReplayStep& step = film.steps[n];
    const lab::FilmInstruction& what = film.at(n);
    std::string event;
    const std::pair<int, const char*> names[] = {{emulator::kStepAccess, "access"},
                                                 {emulator::kStepBarrier, "barrier"},
                                                 {emulator::kStepDiverges, "splits"},
                                                 {emulator::kStepReconverges, "meets"},
                                                 {emulator::kStepFinding, "finding"}};
    for (const auto& [flag, name] : names) {
      if (step.flags & flag) event += (event.empty() ? "" : " ") + std::string(name);
    }
    table.row({std::to_string(n + 1), what.line > 0 ? std::to_string(what.line) : "",
               std::to_string(what.ptx_line), what.text, std::to_string(std::popcount(step.mask)),
               hexadecimal(step.mask), event});
  }
  return table.text();
}

std::string registers_csv(const emulator::ReplayState& state, const lab::VariableState* variables) {
  std::vector<std::string> fields = {"name", "type"};
  for (int lane = 0; lane < 32; ++lane) fields.push_back("lane " + std::to_string(lane));
  CsvTable table(fields);
  if (variables) {
    for (const lab::NamedValue& v : variables->values) {
      fields = {v.name, v.type};
      for (int lane = 0; lane < 32; ++lane)
        fields.push_back(v.lanes >> lane & 1 ? value_text(v, lane) : "");
      table.row(fields);
    }
  }
  for (const emulator::ReplayRegister& r : state.registers) {
    if (!r.written) continue;
    fields = {r.name, std::string(ptx::name_of(r.type))};
    for (uint64_t bits : r.bits) fields.push_back(value_text(r.type, bits));
    table.row(fields);
  }
  return table.text();
}

std::string occupancy_csv(std::string_view axis, std::span<const timing::OccupancyPoint> curve) {
  CsvTable table({std::string(axis), "warps per SM"});
  for (const timing::OccupancyPoint& point : curve) {
    table.row({std::to_string(point.value), std::to_string(point.warps_per_sm)});
  }
  return table.text();
}

std::string timeline_csv(const timing::Prediction& prediction) {
  CsvTable table({"block", "warp", "start cycle", "cycles", "state", "line", "PTX line"});
  for (const timing::WarpTimeline& line : prediction.timelines) {
    for (const timing::WarpInterval& i : line.intervals) {
      const int source = lab::student_line(i.source);
      table.row({std::to_string(line.block), std::to_string(line.warp),
                 fraction_text(i.start_cycle), fraction_text(i.cycles),
                 std::string(timing::name_of(i.state)), source > 0 ? std::to_string(source) : "",
                 i.ptx_line > 0 ? std::to_string(i.ptx_line) : ""});
    }
  }
  return table.text();
}

std::string counters_csv(const lab::RunResult& result, const lab::ProfileComparison* profiled) {
  CsvTable table(
      {"counter", "unit", "yours", "reference", "yours on the GPU", "yours in Nsight Compute"});
  const lab::KernelRun *student = result.student(), *reference = result.reference();
  if (!student || !reference) return table.text();
  const std::vector<lab::MeasuredCounter> measured = lab::measured_counters(result.sizes.front());
  const auto whole = [](double value) { return std::to_string(std::llround(value)); };
  const auto in_profile = [&](std::string_view name) {
    const lab::ComparedFigure* figure = profiled ? profiled->find(name) : nullptr;
    if (!figure || !figure->profiled) return std::string();
    return figure->unit == "%" ? fraction_text(*figure->profiled) : whole(*figure->profiled);
  };
  for (const timing::CounterInfo& info : timing::counter_table()) {
    std::string on_gpu;
    for (const lab::MeasuredCounter& counter : measured) {
      if (counter.name == info.name) on_gpu = whole(counter.measured);
    }
    table.row({std::string(info.name), std::string(info.unit),
               std::to_string(student->counters.*info.field),
               std::to_string(reference->counters.*info.field), on_gpu, in_profile(info.name)});
  }
  std::vector<std::string> listed;
  for (const lab::MeasuredCounter& counter : measured) {
    if (counter.simulated) continue;
    table.row(
        {counter.name, counter.unit, "", "", whole(counter.measured), in_profile(counter.name)});
    listed.push_back(counter.name);
  }
  // What else the profile has.
  for (const timing::CounterInfo& info : timing::counter_table()) listed.emplace_back(info.name);
  if (!profiled) return table.text();
  for (const lab::ComparedFigure& figure : profiled->figures) {
    if (!figure.profiled || std::find(listed.begin(), listed.end(), figure.name) != listed.end())
      continue;
    table.row({figure.name, figure.unit, "", "", "", in_profile(figure.name)});
  }
  return table.text();
}

std::string lines_csv(const lab::RunResult& result) {
  CsvTable table({"line", "text", "warp instructions", "lane instructions", "load requests",
                  "load sectors", "store requests", "store sectors", "shared requests",
                  "shared wavefronts"});
  const lab::KernelRun* run = result.student();
  if (!run) return table.text();
  std::vector<std::string> texts;
  std::istringstream source(result.source);
  for (std::string text; std::getline(source, text);) texts.push_back(text);
  for (const lab::LineCost& cost : run->lines) {
    const bool known = cost.line > 0 && static_cast<size_t>(cost.line) <= texts.size();
    table.row({std::to_string(cost.line), known ? texts[static_cast<size_t>(cost.line - 1)] : "",
               std::to_string(cost.warp_instructions), std::to_string(cost.lane_instructions),
               std::to_string(cost.load.requests), std::to_string(cost.load.sectors),
               std::to_string(cost.store.requests), std::to_string(cost.store.sectors),
               std::to_string(cost.shared.requests), std::to_string(cost.shared.wavefronts)});
  }
  return table.text();
}

std::string checks_csv(const lab::RunResult& result) {
  CsvTable table({"check", "wanted", "got", "passed"});
  for (const lab::CheckResult& check : result.checks) {
    table.row({check.title.english(), check.wanted.english(), check.got.english(),
               !check.evaluated ? ""
               : check.passed   ? "yes"
                                : "no"});
  }
  return table.text();
}

std::string errors_csv(const lab::SizeResult& size) {
  CsvTable table({"output", "error over expected, from", "to", "wrong elements"});
  for (const lab::BufferComparison& c : size.outputs) {
    for (int d = 0; d < lab::ErrorHistogram::kDecades; ++d) {
      const int end = lab::ErrorHistogram::kFirstPower + d;
      table.row({c.buffer, d == 0 ? "0" : "1e" + std::to_string(end - 1),
                 d + 1 == lab::ErrorHistogram::kDecades ? "" : "1e" + std::to_string(end),
                 std::to_string(c.errors.decades[static_cast<size_t>(d)])});
    }
    table.row({c.buffer, "no number", "", std::to_string(c.errors.no_number)});
    table.row({c.buffer, "never written", "", std::to_string(c.errors.never_written)});
  }
  return table.text();
}

std::string times_csv(const std::vector<lab::TimeRow>& rows) {
  const auto number = [](double value) { return value > 0 ? fraction_text(value) : std::string(); };
  CsvTable table({"where from", "kernel", "warm us", "cold us", "cold spread us", "GB/s", "GFLOP/s",
                  "error %", "value", "unit", "origin"});
  for (const lab::TimeRow& row : rows) {
    table.row({std::string(lab::name_of(row.provenance)), row.name(), number(row.us),
               number(row.cold_us), number(row.spread_us), number(row.gb_s), number(row.gflop_s),
               row.error ? fraction_text(*row.error * 100) : "", number(row.value), row.unit,
               row.origin});
  }
  return table.text();
}

}  // namespace warpshop::ui
