#include <algorithm>
#include <array>
#include <cstdio>

#include "core/fixed.h"
#include "models/known_error.h"
#include "report.h"

namespace warpshop::cli {
namespace {

std::string us(const std::optional<timing::Prediction>& prediction) {
  return prediction ? us_text(prediction->time_us) : std::string();
}

std::string gb_s(const lab::SizeResult& size) {
  if (size.useful_bytes <= 0 || !size.student.prediction) return {};
  return fixed(size.useful_bytes / size.student.prediction->time_us / 1e3, 1) + " GB/s";
}

std::string limiter_lines(const std::string& whose, const lab::KernelRun& run) {
  if (!run.limiter) return {};
  const timing::LimiterSummary& limiter = *run.limiter;
  std::string out =
      "  " + whose + ": " + limiter.headline.english() + "\n    " + limiter.why.english() + "\n";
  if (!limiter.floor.empty()) out += "    " + limiter.floor.english() + "\n";
  return out;
}

}  // namespace

std::string us_text(double us) { return fixed(us, us < 1000 ? 2 : 0) + " µs"; }

std::string prediction_lines(const timing::Prediction& prediction) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "  %.2f µs, of which the launch %.2f µs; %.1f waves of blocks, achieved occupancy %.0f %%\n",
      prediction.time_us, prediction.launch_us, prediction.waves,
      prediction.achieved_occupancy * 100);
  return text + ("  " + prediction.reason + "\n");
}

std::string predicted_report(const lab::RunResult& result, const Paint& paint) {
  std::vector<std::array<std::string, 4>> rows = {{"", "yours", "reference", "bandwidth"}};
  for (const lab::SizeResult* size : result.sizes_by_time()) {
    if (!size->student.prediction) continue;
    rows.push_back({size->size.label, us(size->student.prediction), us(size->reference.prediction),
                    gb_s(*size)});
  }
  std::string out;
  if (rows.size() > 1) {
    out += "Predicted by a model. " + models::known_error(result.gpu).english() + "\n";
    std::array<size_t, 4> width{};
    for (const auto& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], screen_width(row[i]));
    }
    for (const auto& row : rows) {
      std::string line = "  " + pad_right(row[0], width[0]);
      for (size_t i = 1; i < row.size(); ++i) line += "  " + pad_left(row[i], width[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      out += (&row == &rows.front() ? paint.quiet(line) : line) + "\n";
    }
    const lab::SizeResult& shown = *result.timed_size();
    out += limiter_lines("yours", shown.student) + limiter_lines("reference", shown.reference);
  }
  if (!result.prediction_problems.empty()) {
    out += diagnostics_report(result.prediction_problems, result.file_name, result.source, paint);
  }
  return out;
}

}  // namespace warpshop::cli
