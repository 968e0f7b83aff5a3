// Reads labs/ID/lab.toml. docs/writing-a-lab.md describes the format.
#include "files/lab_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/ascii.h"
#include "core/beneath.h"
#include "core/expression.h"
#include "files/exercise_file.h"
#include "files/question_file.h"
#include "files/recorded_times_file.h"
#include "files/text_problems.h"
#include "files/toml_table.h"
#include "lab/fills.h"
#include "lab/lab.h"
#include "lab/step_text.h"
#include "lecture/demo_file.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFormat = 1;

void check_id(TomlTable& table, const Placed<std::string>& id) {
  if (!id.value.empty() && !is_lab_id(id.value)) {
    table.error(id.place,
                "'" + id.value + "' is not an id: use lower-case letters, digits and '-'");
  }
}

constexpr size_t kLearnedLines = 2;

// Whether a comment looks like the mark: "<!-- After the answers -->".
bool begins_with_after(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of("<!- "), comment.size()));
  return lower(comment).starts_with("after");
}

// Reports a text that hides its second part in a way that never shows it, or not at all.
void check_parts(TomlTable& table, const Step& step) {
  const StepText parts = parts_of(step.text);
  const auto line_of = [&](size_t at) {
    return static_cast<int>(
        std::count(step.text.begin(), step.text.begin() + static_cast<std::ptrdiff_t>(at), '\n') +
        1);
  };
  const std::string file = step.text_file.string(), mark(kAfterRunMark);
  for (size_t at = step.text.find("<!--"); at != std::string::npos;
       at = step.text.find("<!--", at + 1)) {
    const std::string comment = step.text.substr(at, step.text.find("-->", at) + 3 - at);
    if (comment == mark || !begins_with_after(comment)) continue;
    table.error({file, line_of(at), 1}, "'" + comment + "' hides nothing",
                "what answers the questions stands below '" + mark + "'");
  }
  const size_t first = step.text.find(kAfterRunMark);
  if (first == std::string::npos) return;
  if (parts.after_run.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return table.error(
        {file, line_of(first), 1},
        "'" + mark + "' hides nothing: it is not alone on its line, or ends the text",
        "put it on a line of its own, above what answers the questions");
  }
  if (const size_t again = step.text.find(kAfterRunMark, first + 1); again != std::string::npos) {
    table.error({file, line_of(again), 1}, "a text has only one '" + mark + "'",
                "the first is in line " + std::to_string(line_of(first)));
  }
  if (!step.exercise && step.questions.empty()) {
    table.error(
        {file, line_of(first), 1},
        "nothing opens what follows '" + mark + "': the step has no question and no exercise",
        "add a [[step.question]], or show the text");
  }
}

Step read_step(const toml::table& raw, const LabFolders& folders, std::string_view lab_id,
               const std::string& file, Diagnostics& problems) {
  TomlTable table(raw, "the step", file, problems);
  Step step;
  const Placed<std::string> id = table.text("id");
  check_id(table, id);
  step.id = id.value;
  step.title = table.text("title").value;
  std::erase(step.title, '`');  // lists of titles have no type for code
  if (const auto able = table.optional_text("able")) {
    find_text_problems(able->value, {able->place.file, able->place.line}, folders.texts, problems);
    step.able = able->value;
  }
  const Placed<std::string> text = table.text("text");
  step.text_file = folders.texts / text.value;
  step.text = read_named_file(table, text, folders.texts);
  find_text_problems(step.text, {step.text_file.string(), 1, 1}, folders.texts, problems);
  for (const toml::table* question : table.tables("question", false)) {
    const std::string place =
        std::string(lab_id) + "/" + step.id + "/" + std::to_string(step.questions.size());
    step.questions.push_back(read_question(*question, place, folders.texts, file, problems));
  }
  for (const toml::table* further : table.tables("further", false)) {
    step.further.push_back(read_further(*further, folders.texts, file, problems));
  }
  for (const Placed<std::string>& line : table.texts("learned", false)) {
    find_text_problems(line.value, {line.place.file, line.place.line}, folders.texts, problems);
    step.learned.push_back(line.value);
  }
  if (table.has("learned") && step.learned.size() != kLearnedLines) {
    table.error(table.place_of_key("learned"), "'learned' has two lines");
  }
  if (const toml::table* exercise = table.optional_table("exercise")) {
    step.exercise = read_exercise(*exercise, folders, file, problems);
  }
  check_parts(table, step);
  table.finish();
  return step;
}

Lab read_lab(const toml::table& raw, const LabFolders& folders, std::string_view id,
             const std::string& file, Diagnostics& problems) {
  TomlTable table(raw, "the lab", file, problems);
  Lab lab;
  const int64_t format = table.whole("format");
  if (table.has("format") && format != kFormat) {
    table.error(table.place_of_key("format"),
                "format " + std::to_string(format) + " is unknown, expected format 1",
                "a newer Warpshop may read this lab");
  }
  const Placed<std::string> written_id = table.text("id");
  check_id(table, written_id);
  if (!written_id.value.empty() && written_id.value != id) {
    table.error(written_id.place, "the id \"" + written_id.value +
                                      "\" is not the folder's name \"" + std::string(id) + "\"");
  }
  lab.id = std::string(id);
  lab.title = table.text("title").value;
  std::erase(lab.title, '`');
  lab.summary = table.text("summary").value;
  lab.order = static_cast<int>(table.whole("order"));
  lab.folder = folders.texts;
  lab.kernel_folder = folders.kernels;
  lab.solution_folder = folders.solutions;
  for (const toml::table* step : table.tables("step", true)) {
    lab.steps.push_back(read_step(*step, folders, id, file, problems));
    const std::string& step_id = lab.steps.back().id;
    const auto same = std::count_if(lab.steps.begin(), lab.steps.end(),
                                    [&](const Step& s) { return s.id == step_id; });
    if (!step_id.empty() && same > 1) {
      TomlTable again(*step, "the step", file, problems);
      again.error(again.place_of(*step->get("id")),
                  "there are two steps with the id '" + step_id + "'");
    }
  }
  if (table.has("step") && lab.steps.empty()) {
    table.error(table.place_of_key("step"), "the lab has no step", "add a [[step]]");
  }
  table.finish();
  return lab;
}

// Notes for instructors are optional.
void read_instructor(Lab& lab, Diagnostics& problems) {
  const fs::path file = lab.folder / kInstructorFile;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored))) return;
  Result<std::string> text = read_file_beneath(lab.folder, kInstructorFile);
  if (!text.ok()) {
    problems.insert(problems.end(), text.errors().begin(), text.errors().end());
  } else if (find_text_problems(*text, {file.string(), 1, 1}, lab.folder, problems)) {
    lab.instructor = std::move(*text);
  }
}

}  // namespace

Result<Lab> load_lab_file(const LabFolders& folders, std::string_view id,
                          const fs::path& data_dir) {
  const std::string file = (folders.texts / "lab.toml").string();
  if (!is_lab_id(id)) {
    return make_error_at({file}, "lab-file", "\"" + std::string(id) + "\" cannot name a lab",
                         "ids have lower-case letters, digits and '-'");
  }
  Result<std::string> text = read_file_beneath(folders.texts, "lab.toml");
  if (!text.ok()) return text.errors();
  Diagnostics problems;
  const Result<toml::table> raw = parse_toml(*text, file);
  if (!raw.ok()) return raw.errors();
  Lab lab = read_lab(*raw, folders, id, file, problems);
  read_instructor(lab, problems);
  lab.demo = read_demo(lab, data_dir, problems);
  lab.recorded_times = read_recorded_times(lab, problems);
  if (problems.empty()) return lab;
  std::stable_sort(problems.begin(), problems.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
  });
  return problems;
}

}  // namespace warpshop::lab
