#include <algorithm>
#include <array>
#include <vector>

#include "core/expression.h"
#include "core/fixed.h"
#include "lab/measured_counters.h"
#include "report.h"

namespace warpshop::cli {
namespace {

std::string gb_s(double value) { return value > 0 ? fixed(value, 1) + " GB/s" : ""; }

std::string times_table(const lab::RunResult& result, const Paint& paint) {
  std::vector<std::array<std::string, 6>> rows = {
      {"", "yours, cold", "± spread", "warm", "reference, cold", "bandwidth"}};
  for (const lab::SizeResult* at : result.sizes_by_time()) {
    const lab::SizeResult& size = *at;
    if (!size.measured || !size.measured->job.timing) continue;
    const device::Timing& timing = *size.measured->job.timing;
    std::string bandwidth = gb_s(size.measured->student_gb_s);
    if (size.measured->student_of_ceiling > 0) {
      bandwidth += " (" + fixed(size.measured->student_of_ceiling * 100, 1) + " % of a copy)";
    }
    rows.push_back({size.size.label, us_text(timing.student.median_us),
                    us_text(timing.student.spread_us), us_text(timing.student.warm_median_us),
                    timing.reference ? us_text(timing.reference->median_us) : "", bandwidth});
  }
  if (rows.size() == 1) return {};
  std::array<size_t, 6> width{};
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], screen_width(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = "  " + pad_right(row[0], width[0]);
    for (size_t i = 1; i < row.size(); ++i) line += "  " + pad_left(row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += (&row == &rows.front() ? paint.quiet(line) : line) + "\n";
  }
  return out;
}

std::string figures(const lab::SizeResult& size) {
  const device::JobResult& job = size.measured->job;
  std::string out = "  " + std::to_string(job.student.registers) + " registers (simulated " +
                    std::to_string(size.student.registers) + "), " +
                    std::to_string(job.student.blocks_per_sm) + " blocks per SM (simulated " +
                    std::to_string(size.student.occupancy.blocks_per_sm) + ")\n";
  if (!job.timing) return out;
  const device::Timing& timing = *job.timing;
  out += "  an empty kernel takes " + us_text(timing.empty_launch_us);
  if (timing.clock_mhz > 0) {
    out += "; " + std::to_string(timing.clock_mhz) + " MHz, memory " +
           std::to_string(timing.memory_clock_mhz) + " MHz, " +
           std::to_string(timing.temperature_c) + " °C";
  }
  out += "\n";
  if (timing.student.outliers > 0) {
    out += "  " + std::to_string(timing.student.outliers) + " of " +
           std::to_string(timing.student.launches) + " launches are outliers\n";
  }
  for (const std::string& reason : timing.throttled) {
    out += "  the GPU was throttled while measuring: " + reason + "\n";
  }
  return out;
}

}  // namespace

std::string gpu_counters_report(const device::CounterReading& reading,
                                const timing::Counters& simulated) {
  std::string lines;
  size_t compared = 0;
  size_t equal = 0;
  for (const lab::MeasuredCounter& counter : lab::measured_counters(reading, simulated)) {
    compared += counter.simulated ? 1 : 0;
    equal += counter.simulated && !counter.differs() ? 1 : 0;
    if (counter.simulated && !counter.differs()) continue;
    lines += "    " + counter.name + ": " + fixed(counter.measured, 0) + " " + counter.unit + "s";
    if (counter.simulated) lines += " (simulated " + std::to_string(*counter.simulated) + ")";
    lines += "\n";
  }
  std::string out;
  if (compared > 0) {
    out = "  counters of the GPU: " + std::to_string(equal) + " of " + std::to_string(compared) +
          " match the simulated ones\n" + lines;
  }
  for (const Diagnostic& problem : reading.problems) {
    out += "  " + problem.message + "\n";
    if (!problem.help.empty()) out += "    " + problem.help + "\n";
  }
  return out;
}

std::string measured_report(const lab::RunResult& result, const Paint& paint) {
  std::string out;
  if (result.measured_on) {
    const lab::MeasuredOn& on = *result.measured_on;
    out += "Measured on " + on.gpu.name + " (GPU " + std::to_string(on.gpu.index) + " of " +
           on.host + ", driver " + (on.driver_version.empty() ? "" : on.driver_version + " ") +
           "for CUDA " + on.driver + ")\n";
  }
  out += times_table(result, paint);
  for (const lab::SizeResult& size : result.sizes) {
    if (!size.measured) continue;
    out += figures(size);
    if (size.measured->job.timing && size.measured->job.timing->copy_ceiling_gb_s > 0) {
      out += "  best copy on this GPU: " + gb_s(size.measured->job.timing->copy_ceiling_gb_s);
      if (result.measured_on->peak_gb_s > 0) {
        out += " of " + gb_s(result.measured_on->peak_gb_s) + " pin bandwidth";
      }
      out += "\n";
    }
    if (size.measured->job.counters) {
      out += gpu_counters_report(*size.measured->job.counters, size.student.counters);
    }
    if (!size.measured->job.printed.empty()) {
      out += "  printed on the GPU:\n" + size.measured->job.printed;
      if (out.back() != '\n') out += "\n";
    }
    break;  // the size in the panels; the others are in the table
  }
  if (!result.measure_problems.empty()) {
    out += diagnostics_report(result.measure_problems, result.file_name, result.source, paint);
  }
  return out;
}

}  // namespace warpshop::cli
