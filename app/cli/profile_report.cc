#include "profile_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/expression.h"
#include "core/fixed.h"
#include "report.h"

namespace warpshop::cli {
namespace {

std::string figure_text(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "–";
  if (unit == "µs") return us_text(*value);
  if (unit == "%") return fixed(*value, 1) + " %";
  return number_text(std::round(*value));
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of_figure(const lab::ComparedFigure& figure) {
  const std::string note = figure.note.english();
  return {{std::string(lab::name_of(figure.provenance)), number_or_null(figure.ours)},
          {"measured", number_or_null(figure.profiled)},
          {"ratio", number_or_null(figure.ratio())},
          {"unit", figure.unit},
          {"metric", figure.metric.empty() ? Json() : Json(figure.metric)},
          {"note", note.empty() ? Json() : Json(note)}};
}

Json json_of_problems(const Diagnostics& problems) {
  Json out = Json::array();
  for (const Diagnostic& problem : problems) out.push_back(json_of(problem));
  return out;
}

std::string capability_of(const lab::ProfiledLaunch& launch) {
  if (!launch.capability) return {};
  return std::to_string(launch.capability->major) + "." + std::to_string(launch.capability->minor);
}

}  // namespace

std::string profile_report(const lab::ProfileComparison& comparison, const std::string& size,
                           const Paint& paint) {
  const lab::ProfiledLaunch& launch = comparison.launch;
  std::string out = "Beside " + comparison.file + ", the profile of " + launch.kernel;
  if (launch.grid && launch.block)
    out += ", grid " + text_of(*launch.grid) + ", block " + text_of(*launch.block);
  const std::string capability = capability_of(launch);
  if (!launch.gpu.empty()) out += ", on " + launch.gpu;
  if (!capability.empty()) out += ", compute capability " + capability;
  out += (size.empty() ? "" : ", at " + size) + "\n";

  // Name, ours, its badge, the profile's, ratio, note.
  std::vector<std::array<std::string, 6>> rows = {
      {"", "Warpshop", "", "Nsight Compute, measured", "ratio", ""}};
  std::vector<bool> differs = {false};
  const auto add = [&](const lab::ComparedFigure& figure, const std::string& name) {
    const std::optional<double> ratio = figure.ratio();
    rows.push_back({name, figure_text(figure.ours, figure.unit),
                    figure.ours ? std::string(lab::name_of(figure.provenance)) : "",
                    figure_text(figure.profiled, figure.unit), ratio ? fixed(*ratio, 3) : "–",
                    figure.note.english()});
    differs.push_back(figure.differs());
  };
  for (const lab::ComparedFigure& figure : comparison.figures) add(figure, figure.name);
  add(comparison.time, "time");
  std::array<size_t, 6> width{};
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], screen_width(row[i]));
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    std::string line = "  " + pad_right(row[0], width[0]) + "  " + pad_left(row[1], width[1]) +
                       "  " + pad_right(row[2], width[2]) + "  " + pad_left(row[3], width[3]) +
                       "  " + pad_left(row[4], width[4]);
    if (row[5].empty()) {
      line.erase(line.find_last_not_of(' ') + 1);
    } else {
      line += "  " + row[5];
    }
    out += (r == 0 ? paint.quiet(line) : differs[r] ? paint.bad(line) : line) + "\n";
  }
  for (const auto* notes : {&comparison.notes, &comparison.time_notes}) {
    for (const Sentence& note : *notes) out += "  " + note.english() + "\n";
  }
  return out;
}

Json json_of(const lab::ProfileComparison& comparison) {
  const lab::ProfiledLaunch& launch = comparison.launch;
  const std::string capability = capability_of(launch);
  Json counters = Json::object();
  for (const lab::ComparedFigure& figure : comparison.figures)
    counters[figure.name] = json_of_figure(figure);
  Json notes = Json::array();
  for (const auto* all : {&comparison.notes, &comparison.time_notes}) {
    for (const Sentence& note : *all) notes.push_back(note.english());
  }
  return {{"file", comparison.file},
          {"launch",
           {{"id", launch.id},
            {"kernel", launch.kernel},
            {"line", launch.line},
            {"gpu", launch.gpu.empty() ? Json() : Json(launch.gpu)},
            {"compute_capability", capability.empty() ? Json() : Json(capability)},
            {"grid", launch.grid ? Json(*launch.grid) : Json()},
            {"block", launch.block ? Json(*launch.block) : Json()}}},
          {"fitting", comparison.fitting},
          {"same_gpu", comparison.same_gpu},
          {"time_us", json_of_figure(comparison.time)},
          {"figures", counters},
          {"notes", notes}};
}

void add_profile(const std::optional<Result<lab::ProfileComparison>>& comparison, Json& out) {
  if (!comparison) return;
  if (comparison->ok()) {
    out["profile"] = json_of(**comparison);
  } else {
    out["profile_problems"] = json_of_problems(comparison->errors());
  }
}

void add_profiles(const Result<std::vector<lab::ProfiledSize>>& compared, Json& out) {
  if (!compared.ok()) {
    out["profile_problems"] = json_of_problems(compared.errors());
    return;
  }
  out["profiles"] = Json::array();
  for (const lab::ProfiledSize& at : *compared) {
    Json profile = json_of(at.comparison);
    profile["size"] = at.size->size.label;
    out["profiles"].push_back(std::move(profile));
  }
}

}  // namespace warpshop::cli
