#include "lab/transfer.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/files.h"
#include "core/json_text.h"
#include "core/nesting.h"
#include "lab/progress.h"
#include "lab/workspace.h"
#include "work/progress_json.h"

namespace warpshop::lab {
namespace {

using json = nlohmann::json;

constexpr const char* kTransferFormat = "warpshop-progress";
constexpr int kTransferVersion = 1;

struct Place {
  const Lab* lab = nullptr;
  const Step* step = nullptr;
};

// Finds the step named "lab/step"; paths are only ever built from ids of existing labs.
Place find_place(const std::vector<Lab>& labs, const std::string& key) {
  for (const Lab& lab : labs) {
    if (!key.starts_with(lab.id + "/")) continue;
    if (const Step* step = lab.find_step(key.substr(lab.id.size() + 1))) return {&lab, step};
  }
  return {};
}

// Whether this could name a step, of a local lab or another. Anything else would stay in the
// progress forever.
bool is_place(const std::string& key) {
  const size_t slash = key.find('/');
  return slash != std::string::npos && is_lab_id(key.substr(0, slash)) &&
         is_lab_id(key.substr(slash + 1));
}

// Moves unsaved edits to history/, so that neither hides the imported text nor is overwritten by
// it. Returns how many.
Result<int> put_drafts_away(const Lab& lab, const Step& step, const std::string& imported) {
  int kept = 0;
  for (int window = 1; window <= kMostWindows; ++window) {
    const std::filesystem::path file = draft_file(lab, step, window);
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) continue;
    const Result<std::string> draft = read_file(file);
    if (!draft.ok()) return draft.errors();
    if (*draft != imported) {
      const auto in_history = keep_in_history(lab, step, *draft);
      if (!in_history.ok()) return in_history.errors();
      ++kept;
    }
    std::filesystem::remove(file, error);
  }
  return kept;
}

}  // namespace

Result<std::string> export_progress(const std::vector<Lab>& labs) {
  const LoadedProgress loaded = load_progress();
  if (has_errors(loaded.problems)) return loaded.problems;
  json steps = json::object();
  for (const auto& [key, step] : loaded.progress.steps) steps[key] = json_of_step(step);
  json texts = json::object(), passed = json::object();
  for (const Lab& lab : labs) {
    for (const Step& step : lab.steps) {
      if (!step.exercise) continue;
      const std::string key = lab.id + "/" + step.id;
      Result<std::optional<std::string>> version = passed_version(lab, step);
      if (!version.ok()) return version.errors();
      if (version->has_value()) passed[key] = std::move(**version);
      Result<std::optional<WrittenText>> text = newest_text(lab, step);
      if (!text.ok()) return text.errors();
      if (text->has_value()) texts[key] = std::move((*text)->text);
    }
  }
  return json_text(json{{"format", kTransferFormat},
                        {"version", kTransferVersion},
                        {"steps", steps},
                        {"texts", texts},
                        {"passed", passed}},
                   1) +
         "\n";
}

Result<ImportReport> import_progress(std::string_view text, const std::vector<Lab>& labs) {
  std::map<std::string, StepProgress> steps;
  std::map<std::string, std::string> texts, passed;
  try {
    if (json_nests_too_deep(text)) throw std::runtime_error("its brackets nest too deep");
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
    passed = json.value("passed", passed);  // absent in older versions
  } catch (const std::exception& error) {
    return make_error("file",
                      std::string("this is no file of warpshop progress export: ") + error.what());
  }
  LoadedProgress loaded = load_progress();
  if (has_errors(loaded.problems)) return loaded.problems;

  ImportReport report;
  if (const size_t others =
          std::erase_if(steps, [](const auto& step) { return !is_place(step.first); });
      others > 0) {
    Diagnostic note =
        make_error("import", std::to_string(others) +
                                 " entries of the file are not named LAB/STEP and are left out");
    note.severity = Severity::kNote;
    report.notes.push_back(std::move(note));
  }
  for (const auto& [key, source] : passed) {
    const Place place = find_place(labs, key);
    if (place.step == nullptr || !place.step->exercise) continue;  // reported for its text
    const Result<std::optional<std::string>> here = passed_version(*place.lab, *place.step);
    if (!here.ok()) return here.errors();
    if (here->has_value() && **here == source) continue;
    const bool later = steps[key].version_passed_at > loaded.progress.steps[key].version_passed_at;
    if (here->has_value()) {
      const auto kept = keep_in_history(*place.lab, *place.step, later ? **here : source);
      if (!kept.ok()) return kept.errors();
      ++report.kept;
      if (!later) continue;
    }
    const Status saved = write_file_atomically(passed_file(*place.lab, *place.step), source);
    if (!saved.ok()) return saved.errors();
    ++report.texts;
  }
  for (const auto& [key, step] : steps) {
    StepProgress& mine = loaded.progress.steps[key];
    const json before = json_of_step(mine);
    merge(step, mine);
    report.steps += json_of_step(mine) != before ? 1 : 0;
  }
  for (const auto& [key, source] : texts) {
    const Place place = find_place(labs, key);
    if (place.step == nullptr || !place.step->exercise) {
      Diagnostic note =
          make_error("import", "there is no exercise " + key + " here; its text stays in the file");
      note.severity = Severity::kNote;
      report.notes.push_back(std::move(note));
      continue;
    }
    const Result<std::string> here = read_file(student_file(*place.lab, *place.step));
    if (here.ok() && *here == source) continue;
    const Result<int> drafts = put_drafts_away(*place.lab, *place.step, source);
    if (!drafts.ok()) return drafts.errors();
    const Status saved = save_student_file(*place.lab, *place.step, source, true);
    if (!saved.ok()) return saved.errors();
    ++report.texts;
    report.kept += (here.ok() ? 1 : 0) + *drafts;
  }
  const Status saved = save_progress(loaded.progress);
  if (!saved.ok()) return saved.errors();
  return report;
}

}  // namespace warpshop::lab
