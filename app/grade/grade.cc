#include "grade/grade.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <thread>

#include "compile/compiler.h"
#include "core/files.h"
#include "core/fill.h"
#include "journal.h"
#include "lab/gpu_job.h"
#include "lab/measure.h"
#include "locked_run.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

// The submission's text. Error: a link, a device, too large, not text.
Result<std::string> read_submission(const Submission& submission, uint64_t limit) {
  const std::string name = shown_name(submission.file.filename().string());
  // O_NONBLOCK: opening a named pipe must not wait for somebody to write to it.
  const int file = ::open(submission.file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return make_error("refused", errno == ELOOP ? name + " is a link; hand in the file itself"
                                                : name + ": " + std::strerror(errno));
  }
  struct stat info {};
  std::string text;
  std::string problem;
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    problem = " is no file with text";
  } else if (static_cast<uint64_t>(info.st_size) > limit) {
    problem = " has " + std::to_string(info.st_size) + " bytes; at most " + std::to_string(limit) +
              " are read";
  } else {
    text.resize(static_cast<size_t>(info.st_size));
    size_t at = 0;
    for (ssize_t got = 1; at < text.size() && got > 0; at += static_cast<size_t>(got)) {
      got = ::read(file, text.data() + at, text.size() - at);
      if (got < 0) break;
    }
    text.resize(at);
    if (text.find('\0') != std::string::npos) problem = " is not text: it has bytes of value 0";
  }
  ::close(file);
  if (!problem.empty()) return make_error("refused", name + problem);
  return text;
}

std::string hash_of(const std::string& text) {
  return fnv1a_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});  // NOLINT
}

// What the locked-in child launched, as a run that can be measured.
lab::RunResult launches_of(const Judged& judged, const lab::Exercise& exercise) {
  lab::RunResult run;
  run.source = judged.ptx;
  for (size_t i = 0; i < judged.sizes.size() && i < exercise.sizes.size(); ++i) {
    const LaunchedSize& launched = judged.sizes[i];
    lab::SizeResult size;
    size.size = exercise.sizes[i];
    size.useful_bytes = lab::useful_bytes_of(exercise, size.size);
    size.student.grid = launched.student_grid;
    size.student.block = launched.student_block;
    size.student.dynamic_shared_bytes = launched.student_shared_bytes;
    size.reference.grid = launched.reference_grid;
    size.reference.block = launched.reference_block;
    size.reference.dynamic_shared_bytes = launched.reference_shared_bytes;
    run.sizes.push_back(std::move(size));
  }
  return run;
}

class Grading {
 public:
  Grading(const Class& submissions, const GradeOptions& options, Journal journal,
          lab::Runner runner, const compile::Compiler& compiler)
      : class_(submissions),
        options_(options),
        journal_(std::move(journal)),
        runner_(std::move(runner)) {
    rules_.memory_bytes = options.memory_bytes;
    rules_.cpu_seconds = static_cast<uint64_t>(options.time_limit_s) + 1;
    rules_.readable = {data_dir() / "assets" / "prelude", compiler.include_path(),
                       fs::path(compiler.library_path()).parent_path()};
    jobs_ = options.jobs > 0 ? static_cast<size_t>(options.jobs)
                             : std::max(1U, std::thread::hardware_concurrency());
  }

  Result<GradeResult> run() {
    GradeResult result;
    result.sandbox = sandbox_support();
    for (size_t i = 0; i < class_.submissions.size(); ++i) {
      if (wanted(class_.submissions[i])) tasks_.push_back(i);
    }
    for (const size_t task : tasks_) {
      if (stopped()) break;
      const Submission& submission = class_.submissions[task];
      prepare_exercise(submission);
      const Status done = begin(submission);
      if (!done.ok()) return done.errors();
      while (!running_.empty() && running_.size() >= jobs_) {
        const Status waited = wait();
        if (!waited.ok()) return waited.errors();
      }
    }
    while (!running_.empty() && !stopped()) {
      const Status waited = wait();
      if (!waited.ok()) return waited.errors();
    }
    running_.clear();
    result.stopped = stopped();
    result.graded_now = graded_now_;
    result.problems = problems_;
    return result;
  }

 private:
  struct Running {
    LockedRun child;
    const Submission* submission;
    std::string fingerprint;
  };

  bool stopped() const { return options_.stop != nullptr && options_.stop->requested(); }

  bool wanted(const Submission& submission) {
    if (submission.file.empty()) return false;
    const auto at =
        std::lower_bound(class_.students.begin(), class_.students.end(), submission.student);
    const auto number = at - class_.students.begin();
    return options_.groups <= 1 || number % options_.groups == options_.group;
  }

  // All that decides the exercise's grades.
  void prepare_exercise(const Submission& submission) {
    if (exercise_ == submission.step) return;
    exercise_ = submission.step;
    warm_ = false;
    const Result<std::string> lab_file = read_file(submission.lab->folder / "lab.toml");
    exercise_hash_ =
        hash_of((lab_file.ok() ? lab_file.value() : std::string()) + '\n' + submission.step->id +
                '\n' + submission.step->exercise->reference + '\n' + options_.gpu.id + '\n' +
                (options_.worker != nullptr ? "cuda" : "emulator"));
  }

  // The reference's results and the compiler are in memory before any child is made from it.
  void warm_up(const Submission& submission) {
    if (warm_) return;
    warm_ = true;
    lab::RunRequest request = request_for(submission, submission.step->exercise->solution);
    request.threads = 0;
    runner_.run(request);
  }

  lab::RunRequest request_for(const Submission& submission, std::string source) const {
    lab::RunRequest request;
    request.lab = submission.lab;
    request.step = submission.step;
    request.source = std::move(source);
    request.file_name = submission.step->id + ".cu";
    request.gpu = options_.gpu;
    request.record_blocks = {};
    request.instruction_budget = options_.instruction_budget;
    request.threads = 1;
    return request;
  }

  Status begin(const Submission& submission) {
    Result<std::string> source = read_submission(submission, options_.file_limit_bytes);
    std::string fingerprint = exercise_hash_ + '-' + (source.ok() ? hash_of(*source) : "refused");
    const auto known =
        journal_.grades().find(key_of(submission.student, submission.lab->id, submission.step->id));
    if (known != journal_.grades().end() && known->second.fingerprint == fingerprint &&
        known->second.verdict != Verdict::kNoVerdict) {
      ++finished_;
      say();
      return success();
    }
    if (!source.ok()) {
      Judged refused;
      refused.grade.verdict = Verdict::kRefused;
      refused.grade.reason = source.errors().front().message;
      return finish(submission, fingerprint, std::move(refused));
    }
    warm_up(submission);
    SandboxRules rules = rules_;
    rules.readable.push_back(submission.folder);
    Result<LockedRun> child =
        LockedRun::start(runner_, request_for(submission, std::move(*source)), rules,
                         submission.file.parent_path(), options_.worker != nullptr);
    if (!child.ok()) return child.errors();
    running_.push_back({std::move(*child), &submission, std::move(fingerprint)});
    return success();
  }

  // Until at least one child has ended, or a moment has passed.
  Status wait() {
    std::vector<pollfd> files;
    for (const Running& running : running_)
      files.push_back({running.child.descriptor(), POLLIN, 0});
    if (::poll(files.data(), files.size(), 100) < 0 && errno != EINTR) {
      return make_error("tool", std::string("poll: ") + std::strerror(errno));
    }
    std::vector<Running> ended;
    for (size_t i = 0; i < running_.size();) {
      LockedRun& child = running_[i].child;
      if (child.read() || child.seconds() > options_.time_limit_s) {
        ended.push_back(std::move(running_[i]));
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (Running& running : ended) {
      Judged judged = running.child.take(rules_, options_.time_limit_s);
      const Status done = finish(*running.submission, running.fingerprint, std::move(judged));
      if (!done.ok()) return done;
    }
    return success();
  }

  Status finish(const Submission& submission, const std::string& fingerprint, Judged judged) {
    Grade& grade = judged.grade;
    grade.student = submission.student;
    grade.lab = submission.lab->id;
    grade.step = submission.step->id;
    grade.fingerprint = fingerprint;
    if (options_.worker != nullptr && grade.verdict == Verdict::kPassed)
      measure(submission, judged);
    ++finished_;
    ++graded_now_;
    const Status written = journal_.append(grade);
    say();
    return written;
  }

  // Both kernels on the GPU, from the PTX that the locked-in compiler made.
  void measure(const Submission& submission, Judged& judged);

  void say() const {
    if (options_.progress) options_.progress(finished_, tasks_.size());
  }

  const Class& class_;
  const GradeOptions& options_;
  Journal journal_;
  lab::Runner runner_;
  SandboxRules rules_;
  size_t jobs_ = 1;
  std::vector<size_t> tasks_;
  std::vector<Running> running_;
  const lab::Step* exercise_ = nullptr;
  std::string exercise_hash_;
  bool warm_ = false;
  size_t finished_ = 0;
  size_t graded_now_ = 0;
  Diagnostics problems_;
};

void Grading::measure(const Submission& submission, Judged& judged) {
  Grade& grade = judged.grade;
  const lab::Exercise& exercise = *submission.step->exercise;
  const auto no_verdict = [&](const Diagnostic& problem) {
    grade.verdict = Verdict::kNoVerdict;
    grade.reason = "the GPU: " + problem.message;
    if (problems_.empty()) problems_.push_back(problem);
  };
  if (judged.ptx.empty()) return no_verdict(make_error("gpu", "its PTX is too long to be sent"));
  lab::RunResult run = launches_of(judged, exercise);
  run.file_name = submission.step->id + ".ptx";
  lab::MeasureOptions options;
  options.worker = options_.worker;
  options.gpu = options_.worker_gpu;
  options.time_limit_s = options_.worker_time_limit_s;
  options.stop = options_.stop;
  options.source_is_ptx = true;
  lab::Measured measured;
  lab::measure_run(exercise, run, options, measured);
  lab::put_measured(measured, run);
  for (const Diagnostic& problem : run.measure_problems) {
    if (problem.severity == Severity::kError && !lab::is_kernels_fault(problem))
      return no_verdict(problem);
  }
  for (const lab::CheckResult& check : run.checks) {
    grade.checks.push_back(line_of(check));
    if (check.passed) continue;
    grade.verdict = Verdict::kFailed;
    grade.reason = reason_of(check);
    return;
  }
  if (run.sizes.empty() || !run.sizes.front().measured) return;
  const lab::Measurement& first = *run.sizes.front().measured;
  if (!first.job.timing) return;
  grade.measured = MeasuredTimes{.gpu = run.measured_on->gpu.name,
                                 .student_us = first.job.timing->student.median_us,
                                 .student_gb_s = first.student_gb_s};
  if (first.job.timing->reference)
    grade.measured->reference_us = first.job.timing->reference->median_us;
}

}  // namespace

Result<GradeResult> grade(const Class& submissions, const GradeOptions& options) {
  const Result<compile::Compiler> compiler = compile::Compiler::load();
  if (!compiler.ok()) return compiler.errors();
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return runner.errors();
  Result<Journal> journal = Journal::open(journal_path(options));
  if (!journal.ok()) return journal.errors();
  Result<GradeResult> result =
      Grading(submissions, options, std::move(*journal), std::move(*runner), compiler.value())
          .run();
  if (!result.ok()) return result;
  Result<GradeResult> all = gather(submissions, options);
  if (!all.ok()) return all;
  result->grades = std::move(all->grades);
  return result;
}

Result<GradeResult> gather(const Class& submissions, const GradeOptions& options) {
  GradeResult result;
  result.sandbox = sandbox_support();
  Grades grades;
  std::error_code error;
  std::set<fs::path> journals;  // in a fixed order: the last line of a submission counts
  for (fs::directory_iterator at(options.out, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".jsonl") journals.insert(at->path());
  }
  for (const fs::path& journal : journals) {
    for (auto& [key, grade] : read_journal(journal)) grades[key] = std::move(grade);
  }
  for (const Submission& submission : submissions.submissions) {
    const auto known =
        grades.find(key_of(submission.student, submission.lab->id, submission.step->id));
    if (known != grades.end() && !submission.file.empty()) {
      result.grades.push_back(known->second);
      continue;
    }
    Grade missing;
    missing.student = submission.student;
    missing.lab = submission.lab->id;
    missing.step = submission.step->id;
    if (submission.file.empty()) {
      missing.reason = "nothing was handed in";
    } else {
      missing.verdict = Verdict::kNoVerdict;
      missing.reason = "not graded yet";
    }
    result.grades.push_back(std::move(missing));
  }
  return result;
}

}  // namespace warpshop::grade
