#include "lab/transfer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "lab/workspace.h"
#include "progress_json.h"

namespace warpshop::lab {
namespace {

using json = nlohmann::json;

constexpr const char* kTransferFormat = "warpshop-progress";
constexpr int kTransferVersion = 1;

struct Place {
  const Lab* lab = nullptr;
  const Step* step = nullptr;
};

// The step that "lab/step" names here; paths are only ever made from ids of labs that are here.
Place find_place(const std::vector<Lab>& labs, const std::string& key) {
  for (const Lab& lab : labs) {
    if (!key.starts_with(lab.id + "/")) continue;
    if (const Step* step = lab.find_step(key.substr(lab.id.size() + 1))) return {&lab, step};
  }
  return {};
}

void merge(const StepProgress& other, StepProgress& mine) {
  if (other.passed && !mine.passed) mine.passed_at = other.passed_at;
  mine.passed |= other.passed;
  mine.runs = std::max(mine.runs, other.runs);
  mine.hints_shown = std::max(mine.hints_shown, other.hints_shown);
  mine.solution_shown |= other.solution_shown;
  mine.answers.insert(other.answers.begin(), other.answers.end());
}

}  // namespace

Result<std::string> export_progress(const std::vector<Lab>& labs) {
  const LoadedProgress loaded = load_progress();
  if (has_errors(loaded.problems)) return loaded.problems;
  json steps = json::object();
  for (const auto& [key, step] : loaded.progress.steps) steps[key] = json_of_step(step);
  json texts = json::object();
  for (const Lab& lab : labs) {
    for (const Step& step : lab.steps) {
      std::error_code ignored;
      if (!step.exercise || !std::filesystem::exists(student_file(lab, step), ignored)) continue;
      Result<std::string> text = read_file(student_file(lab, step));
      if (!text.ok()) return text.errors();
      texts[lab.id + "/" + step.id] = std::move(*text);
    }
  }
  return json{{"format", kTransferFormat}, {"version", kTransferVersion}, {"steps", steps}, {"texts", texts}}.dump(
             1, ' ', false, json::error_handler_t::replace) +
         "\n";
}

Result<ImportReport> import_progress(std::string_view text, const std::vector<Lab>& labs) {
  std::map<std::string, StepProgress> steps;
  std::map<std::string, std::string> texts;
  try {
    const json json = json::parse(text);
    if (json.at("format") != kTransferFormat) {
      return make_error("file", "this is no file of warpshop progress export");
    }
    if (json.at("version") != kTransferVersion) {
      return make_error("file",
                        "the file is of version " + json.at("version").dump() +
                            ", and this program reads version 1",
                        "import it with the version of Warpshop that wrote it, or a newer one");
    }
    for (const auto& [key, step] : json.at("steps").items()) steps[key] = step_of_json(step);
    texts = json.at("texts").get<std::map<std::string, std::string>>();
  } catch (const std::exception& error) {
    return make_error("file",
                      std::string("this is no file of warpshop progress export: ") + error.what());
  }
  LoadedProgress loaded = load_progress();
  if (has_errors(loaded.problems)) return loaded.problems;

  ImportReport report;
  for (const auto& [key, step] : steps) {
    StepProgress& mine = loaded.progress.steps[key];
    const json before = json_of_step(mine);
    merge(step, mine);
    report.steps += json_of_step(mine) != before ? 1 : 0;
  }
  for (const auto& [key, source] : texts) {
    const Place place = find_place(labs, key);
    if (place.step == nullptr || !place.step->exercise) {
      Diagnostic note = make_error("import", "there is no exercise " + key +
                                                 " here; its text stays "
                                                 "in the file");
      note.severity = Severity::kNote;
      report.notes.push_back(std::move(note));
      continue;
    }
    const Result<std::string> here = read_file(student_file(*place.lab, *place.step));
    if (here.ok() && *here == source) continue;
    const Status saved = save_student_file(*place.lab, *place.step, source, true);
    if (!saved.ok()) return saved.errors();
    ++report.texts;
    report.kept += here.ok() ? 1 : 0;
  }
  const Status saved = save_progress(loaded.progress);
  if (!saved.ok()) return saved.errors();
  return report;
}

}  // namespace warpshop::lab
