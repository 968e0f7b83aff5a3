#include <algorithm>
#include <cstdio>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/child_process.h"
#include "core/files.h"
#include "grade/formats.h"
#include "grade/grade.h"
#include "grade/slurm.h"
#include "lab/lab.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

namespace fs = std::filesystem;

// Parses "3/16": the fourth of 16 groups.
Status read_group(const std::string& text, grade::GradeOptions& options) {
  if (text.empty()) return success();
  char rest = 0;
  const int got = std::sscanf(text.c_str(), "%d/%d%c", &options.group, &options.groups, &rest);
  if (got != 2 || options.groups < 1 || options.group < 0 || options.group >= options.groups) {
    return make_error("usage", "--group " + text + ": expected K/N, K from 0 to N - 1");
  }
  return success();
}

// Whether `inner`, which may not exist yet, is `outer` or inside it, following links.
bool is_inside(const fs::path& inner, const fs::path& outer) {
  std::error_code error;
  fs::path at = fs::weakly_canonical(inner, error);
  if (error) at = inner;
  for (;; at = at.parent_path()) {
    if (fs::equivalent(at, outer, error)) return true;
    if (!at.has_relative_path()) return false;
  }
}

// A number that reads back unchanged: the tasks' grades are looked up by their limits.
std::string exact_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// The command for one task of the array: the same grading without the array's options.
std::vector<std::string> task_command(const GradeCommandOptions& options, const fs::path& folder,
                                      const fs::path& out, uint64_t inputs) {
  std::vector<std::string> command = {own_program().string(), "grade", folder.string(), "--out",
                                      out.string(),           "--gpu", options.gpu,     "--device",
                                      options.device.device};
  std::string own_labs;  // as absolute paths: a task may start in another folder
  for (const fs::path& labs : lab::lab_places().own)
    own_labs += (own_labs.empty() ? "" : ":") + labs.string();
  if (!own_labs.empty()) command.insert(command.end(), {"--labs", own_labs});
  for (const std::string& exercise : options.exercises) {
    command.insert(command.end(), {"--exercise", exercise});
  }
  if (!options.device.worker.empty()) {
    command.insert(command.end(), {"--worker", options.device.worker});
  }
  command.insert(command.end(),
                 {"--jobs", std::to_string(options.jobs), "--limit-time",
                  exact_text(options.limit_s), "--limit-memory", std::to_string(options.limit_mib),
                  "--budget", std::to_string(options.budget), "--inputs", std::to_string(inputs)});
  return command;
}

// What to write, and the points behind it.
struct Reports {
  std::vector<grade::WantedFile> files;
  grade::FormatOptions options;
};

// Error: an unusable option, before anything is graded.
Result<Reports> reports_of(const GradeCommandOptions& options, const fs::path& out,
                           const grade::Class& submissions) {
  Reports reports;
  Result<std::vector<grade::WantedFile>> files = grade::read_formats(options.formats, out);
  if (!files.ok()) return files.errors();
  for (const auto& [format, file] : *files) {
    if (!grade::is_for_one(format)) continue;
    const std::string name(grade::name_of(format));
    if (!options.one) {
      return make_error("usage", "--format " + name + " holds the results of one student",
                        "grade one submission: warpshop grade DIR --one --format " + name);
    }
    if (options.exercises.empty()) {
      return make_error("usage",
                        "--format " + name + " needs --exercise: what the assignment asks for",
                        "without it, exercises that were not handed in would not count");
    }
  }
  Result<grade::Points> points = grade::read_points(options.points, submissions);
  if (!points.ok()) return points.errors();
  const Status column = grade::check_id_column(*files, options.id_column);
  if (!column.ok()) return column.errors();
  const bool classroom50 = std::any_of(
      files->begin(), files->end(),
      [](const grade::WantedFile& file) { return file.format == grade::Format::kClassroom50; });
  if (classroom50) {
    Result<grade::Classroom50Run> run = grade::classroom50_run();
    if (!run.ok()) return run.errors();
    reports.options.classroom50 = std::move(*run);
  }
  reports.files = std::move(*files);
  reports.options.points = std::move(*points);
  reports.options.id_column = options.id_column;
  reports.options.columns = options.columns == "lab" ? grade::GradebookColumns::kLabs
                                                     : grade::GradebookColumns::kExercises;
  return reports;
}

// Whatever goes wrong from now on, a grader must not find an earlier submission's results.
void remove_earlier(const std::vector<grade::WantedFile>& files) {
  for (const auto& [format, file] : files) {
    std::error_code ignored;
    if (grade::is_for_one(format) && !is_written_in_place(file)) fs::remove(file, ignored);
  }
}

// The points of all grades together; "" if one of them has no verdict.
std::string points_line(const grade::GradeResult& result) {
  int points = 0;
  int most = 0;
  for (const grade::Grade& grade : result.grades) {
    if (!grade.points) return {};
    points += *grade.points;
    most += grade.max_points;
  }
  return std::to_string(points) + " of " + std::to_string(most) + " points\n";
}

void print_summary(const grade::GradeResult& result, const fs::path& out, bool one,
                   const grade::WrittenFiles& files) {
  std::map<grade::Verdict, size_t> counts;
  for (const grade::Grade& grade : result.grades) ++counts[grade.verdict];
  std::string text;
  for (const auto& [verdict, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
            std::string(grade::name_of(verdict));
  }
  print(text + " (" + std::to_string(result.graded_now) + " graded now)\n");
  if (one) print(points_line(result));
  print(result.sandbox + "\n");
  print("inputs of seed " + std::to_string(result.inputs) + "\n");
  for (const fs::path& file : files.written) {
    const bool usual = file.parent_path() == out && file.filename().string().starts_with("grades.");
    if (!usual) print(file.string() + "\n");
  }
  for (const fs::path& file : files.withheld) {
    print_error(file.string() +
                " was not written: without a verdict, no number of points would be right\n");
  }
}

}  // namespace

int grade_command(const GradeCommandOptions& options) {
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  const Result<WorkerChoice> worker = choose_worker(options.device);
  if (!worker.ok()) return fail(worker.errors());
  std::error_code ignored;
  fs::path folder = fs::absolute(options.folder, ignored).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const fs::path out = options.out.empty() ? fs::path(folder.string() + "-grades")
                                           : fs::absolute(options.out, ignored).lexically_normal();
  if (is_inside(out, folder)) {
    return fail({make_error("usage", "--out is inside the submissions folder: " + out.string(),
                            "choose a folder beside " + folder.string())});
  }
  lab::LabLibrary library = lab::load_labs(lab::lab_places());
  if (!library.problems.empty()) print_error(render(library.problems) + "\n");
  const Result<uint64_t> inputs = grade::inputs_seed(out, options.inputs);
  if (!inputs.ok()) return fail(inputs.errors());
  for (lab::Lab& lab : library.labs) lab = lab::with_inputs(std::move(lab), *inputs);
  const Result<grade::Class> submissions =
      options.one ? grade::find_submission(folder, library.labs, options.exercises)
                  : grade::find_submissions(folder, library.labs, options.exercises);
  if (!submissions.ok()) return fail(submissions.errors());
  const Result<Reports> reports = reports_of(options, out, *submissions);
  if (!reports.ok()) return fail(reports.errors());
  const Diagnostics& left_alone = submissions.value().ignored;
  if (!left_alone.empty()) print_error(render(left_alone) + "\n");
  const bool unreadable =
      std::any_of(left_alone.begin(), left_alone.end(),
                  [](const Diagnostic& line) { return line.severity == Severity::kError; });

  const Interrupt interrupt;
  grade::GradeOptions grading;
  grading.out = out;
  grading.inputs = *inputs;
  grading.gpu = *gpu;
  grading.jobs = options.jobs;
  grading.time_limit_s = options.limit_s;
  grading.memory_bytes = options.limit_mib << 20;
  grading.instruction_budget = options.budget;
  grading.gpu_wanted = worker.value().required;
  grading.worker_gpu = worker.value().gpu;
  grading.worker_time_limit_s = worker.value().time_limit_s;
  grading.stop = interrupt.flag();
  const Status group = read_group(options.group, grading);
  if (!group.ok()) return fail(group.errors());

  remove_earlier(reports.value().files);
  // A process that forks must be single-threaded, so progress is printed between submissions.
  size_t said = 0;
  grading.progress = [&said](size_t done, size_t all) {
    if (done * 20 / std::max<size_t>(all, 1) == said * 20 / std::max<size_t>(all, 1) && done < all)
      return;
    said = done;
    print_error(std::to_string(done) + " of " + std::to_string(all) + " submissions\n");
  };

  Result<grade::GradeResult> result = grade::GradeResult{};
  if (options.use_slurm) {
    grade::SlurmOptions slurm;
    slurm.command = task_command(options, folder, out, *inputs);
    if (!options.slurm.empty()) {
      Result<std::vector<std::string>> words = split_command(options.slurm);
      if (!words.ok()) return fail(words.errors());
      slurm.sbatch = std::move(*words);
    }
    slurm.groups =
        options.groups > 0
            ? options.groups
            : static_cast<int>(std::clamp<size_t>(submissions.value().students.size(), 1, 64));
    slurm.stop = interrupt.flag();
    slurm.say = [](const std::string& text) { print_error(text + "\n"); };
    const Status done = grade::run_on_slurm(*submissions, grading, slurm);
    result = grade::gather(*submissions, grading);
    if (result.ok() && !done.ok()) result->problems = done.errors();
  } else {
    if (worker.value().required) {
      grading.worker = worker.value().client.get();
    }
    result = grade::grade(*submissions, grading);
  }
  if (!result.ok()) return fail(result.errors());
  if (grading.groups <= 1) {
    const Result<grade::WrittenFiles> written =
        grade::write_reports(reports.value().files, *submissions, *result, reports.value().options);
    if (!written.ok()) {
      print_error(render(written.errors()) + "\n");
      return kToolFailed;
    }
    print_summary(*result, out, options.one, *written);
  }
  if (!result.value().problems.empty()) print_error(render(result.value().problems) + "\n");
  if (interrupt.requested()) return kInterrupted;
  const bool no_verdict =
      grading.groups <= 1 &&
      std::any_of(result.value().grades.begin(), result.value().grades.end(),
                  [](const grade::Grade& g) { return g.verdict == grade::Verdict::kNoVerdict; });
  return no_verdict || unreadable || !result.value().problems.empty() ? kToolFailed : kAllPassed;
}

}  // namespace warpshop::cli
