// A broken file is set aside, never overwritten.
#include "lab/progress.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/files.h"
#include "core/json_text.h"
#include "core/nesting.h"
#include "lab/workspace.h"
#include "work/progress_json.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kProgressVersion = 1;

fs::path progress_file() { return user_dir() / "progress.json"; }

// Throws the JSON library's exceptions; load_progress catches them.
Progress progress_from_text(const std::string& text) {
  if (json_nests_too_deep(text)) throw std::runtime_error("its brackets nest too deep");
  const json value = json::parse(text);
  Progress progress;
  progress.version = value.at("version").get<int>();
  if (progress.version != kProgressVersion) {
    throw std::runtime_error("version " + std::to_string(progress.version) +
                             " is unknown, expected version 1");
  }
  for (const auto& [key, step] : value.at("steps").items()) {
    progress.steps[key] = step_of_json(step);
  }
  return progress;
}

// Renames the file to progress.json.broken-1, or the first free number. Empty if that fails.
fs::path set_aside(const fs::path& path) {
  std::error_code error;
  for (int n = 1;; ++n) {
    fs::path aside = path;
    aside += ".broken-" + std::to_string(n);
    if (fs::exists(aside, error)) continue;
    fs::rename(path, aside, error);
    return error ? fs::path() : aside;
  }
}

}  // namespace

bool StepProgress::answered(const Step& of, int question) const {
  const Question& asked = of.questions[static_cast<size_t>(question)];
  if (asked.number) return numbers.contains(question);
  const auto choice = answers.find(question);
  return choice != answers.end() && choice->second >= 0 &&
         choice->second < static_cast<int>(asked.choices.size());
}

bool StepProgress::answered_all(const Step& of) const {
  for (int i = 0; i < static_cast<int>(of.questions.size()); ++i) {
    if (!answered(of, i)) return false;
  }
  return true;
}

StepProgress& Progress::of(const Lab& lab, const Step& step) {
  return steps[lab.id + "/" + step.id];
}

const StepProgress* Progress::find(const Lab& lab, const Step& step) const {
  const auto found = steps.find(lab.id + "/" + step.id);
  return found == steps.end() ? nullptr : &found->second;
}

Status record_pass(const Lab& lab, const Step& step, const std::string& text, const std::string& at,
                   StepProgress& progress) {
  if (!progress.passed) progress.passed_at = at;
  progress.passed = true;
  if (!step.exercise) return success();
  const Result<std::optional<std::string>> before = passed_version(lab, step);
  if (Status kept = keep_passed_version(lab, step, text); !kept.ok()) return kept;
  const Result<std::optional<std::string>> now = passed_version(lab, step);
  if (!now.ok()) return now.errors();
  if (!before.ok() || *before != *now) progress.version_passed_at = at;
  return success();
}

LoadedProgress load_progress() {
  const fs::path path = progress_file();
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found) return {};
  const Result<std::string> text = read_file(path);
  if (!text.ok()) return {{}, text.errors()};
  try {
    return {progress_from_text(*text), {}};
  } catch (const std::exception& broken) {
    const fs::path aside = set_aside(path);
    const std::string kept = aside.empty()
                                 ? "it stays where it is; move it away to save progress again"
                                 : "it is kept as " + aside.string();
    return {{},
            {make_error_at({path.string()}, "progress",
                           std::string("the progress file is damaged, so progress starts over: ") +
                               broken.what(),
                           kept)}};
  }
}

Status save_progress(const Progress& progress) {
  // The file may have been damaged since it was loaded, or could not be set aside then.
  const LoadedProgress before = load_progress();
  std::error_code ignored;
  if (!before.problems.empty() && fs::exists(progress_file(), ignored)) return before.problems;
  // Another window may have written since: keep its progress.
  json steps = json::object();
  for (const auto& [key, step] : before.progress.steps) steps[key] = json_of_step(step);
  for (const auto& [key, step] : progress.steps) {
    StepProgress whole = step;
    const auto other = before.progress.steps.find(key);
    if (other != before.progress.steps.end()) merge(other->second, whole);
    steps[key] = json_of_step(whole);
  }
  const json value = {{"version", kProgressVersion}, {"steps", steps}};
  const Status written = write_file_atomically(progress_file(), json_text(value, 2) + "\n");
  if (written.ok()) return written;
  Diagnostics errors = written.errors();
  for (Diagnostic& e : errors) {
    e.message = sentence("your progress was not saved: {error}", {{"error", e.message}});
    e.help = e.kind == kDiskFull
                 ? sentence("free some space on that disk; the labs work without it")
                 : sentence(
                       "make the folder writable, or set WARPSHOP_HOME to one that is; the labs "
                       "work without it");
  }
  return errors;
}

}  // namespace warpshop::lab
