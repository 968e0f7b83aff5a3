#include "grade/grade.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <deque>
#include <optional>
#include <set>
#include <thread>

#include "compile/locked_nvrtc.h"
#include "handed_in.h"
#include "journal.h"
#include "lab/gpu_job.h"
#include "lab/measure.h"
#include "sandboxed_run.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostQueued = 64;                      // submissions queued for the GPU
constexpr size_t kMostQueuedBytes = size_t{128} << 20;  // total bytes of their PTX

// Rebuilds the sandboxed child's launches as a run that can be measured.
lab::RunResult launches_of(const Launches& launches, const lab::Exercise& exercise) {
  lab::RunResult run;
  run.source = launches.ptx;
  for (size_t i = 0; i < launches.sizes.size() && i < exercise.sizes.size(); ++i) {
    const LaunchedSize& launched = launches.sizes[i];
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
  Grading(const Class& submissions, const GradeOptions& options, Journal journal)
      : class_(submissions),
        options_(options),
        journal_(std::move(journal)),
        known_(read_journals(options.out)),
        reader_(submissions, options) {
    walls_.cpu_limit_s = std::ceil(options.time_limit_s);  // Linux counts whole seconds
    walls_.wall_limit_s = options.wall_limit_s > 0 ? options.wall_limit_s : 4 * walls_.cpu_limit_s;
    jobs_ = options.jobs > 0 ? static_cast<size_t>(options.jobs)
                             : std::max(1U, std::thread::hardware_concurrency());
  }

  Result<GradeResult> run() {
    for (size_t i = 0; i < class_.submissions.size(); ++i) {
      if (wanted(class_.submissions[i])) tasks_.push_back(i);
    }
    for (const size_t task : tasks_) {
      if (stopped()) break;
      const Submission& submission = class_.submissions[task];
      if (exercise_ != submission.step) {
        exercise_ = submission.step;
        warm_ = false;
      }
      Status done = begin(submission);
      while (done.ok() && !running_.empty() && running_.size() >= jobs_) done = wait();
      if (done.ok() && queue_is_long()) done = measure_queue();
      if (!done.ok()) return done.errors();
    }
    Status done = measure_queue();
    if (done.ok()) done = journal_.sync();
    if (!done.ok()) return done.errors();
    GradeResult result;
    result.stopped = stopped();
    result.graded_now = graded_now_;
    result.problems = problems_;
    return result;
  }

 private:
  struct Running {
    SandboxedRun child;
    const Submission* submission;
    std::string fingerprint;
  };
  struct Queued {
    const Submission* submission;
    Judged judged;
  };

  bool stopped() const { return options_.stop != nullptr && options_.stop->requested(); }

  bool wanted(const Submission& submission) {
    if (submission.file.empty()) return false;
    const auto at =
        std::lower_bound(class_.students.begin(), class_.students.end(), submission.student);
    const auto number = at - class_.students.begin();
    return options_.groups <= 1 || number % options_.groups == options_.group;
  }

  // Before the first submission, start the compiler, which proves that the sandbox holds. Before
  // the first one of an exercise, load the reference's results into memory, so that no child has
  // to.
  Status warm_up(const Submission& submission) {
    if (!nvrtc_) {
      compile::LockedLimits limits;
      limits.memory_bytes = options_.memory_bytes;
      limits.cpu_seconds = static_cast<uint64_t>(walls_.cpu_limit_s);
      Result<compile::LockedNvrtc> nvrtc = compile::LockedNvrtc::start(limits, journal_.path());
      if (!nvrtc.ok()) return nvrtc.errors();
      nvrtc_ = std::move(*nvrtc);
      runner_.emplace(nvrtc_->compiler());
      walls_.rules = nvrtc_->rules();
      walls_.promised = nvrtc_->report();
    }
    if (warm_) return success();
    warm_ = true;
    const Status opened = nvrtc_->open();
    if (!opened.ok()) return opened;
    lab::RunRequest request = request_for(submission, submission.step->exercise->solution);
    request.threads = 0;
    runner_->run(request);
    nvrtc_->close();
    return success();
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
    request.compile_seconds = walls_.cpu_limit_s;
    request.threads = 1;
    return request;
  }

  Status begin(const Submission& submission) {
    Result<HandedIn> handed_in = reader_.read(submission);
    if (!handed_in.ok()) return skip();  // gather() reports why
    const Grade* known = known_.find(submission, handed_in->fingerprint);
    if (known != nullptr && known->verdict != Verdict::kNoVerdict) return skip();
    if (!handed_in->refused.empty()) {
      Judged refused;
      refused.grade.verdict = Verdict::kRefused;
      refused.grade.reason = handed_in->refused;
      refused.grade.fingerprint = handed_in->fingerprint;
      return finish(submission, std::move(refused));
    }
    const Status ready = warm_up(submission);
    if (!ready.ok()) return ready;
    Walls walls = walls_;
    walls.rules.folder = handed_in->folder.get();
    Result<SandboxedRun> child =
        SandboxedRun::start(*runner_, *nvrtc_, request_for(submission, std::move(handed_in->text)),
                            walls, handed_in->parent.get(), options_.worker != nullptr);
    if (!child.ok()) return child.errors();
    running_.push_back({std::move(*child), &submission, std::move(handed_in->fingerprint)});
    return success();
  }

  Status skip() {
    ++finished_;
    say();
    return success();
  }

  // Waits until a child has ended or a moment has passed.
  Status wait() {
    std::vector<pollfd> files;
    for (const Running& running : running_)
      files.push_back({running.child.descriptor(), POLLIN, 0});
    if (::poll(files.data(), files.size(), 100) < 0 && errno != EINTR) {
      return make_error("tool", std::string("poll: ") + std::strerror(errno));
    }
    std::vector<Running> ended;
    for (size_t i = 0; i < running_.size();) {
      SandboxedRun& child = running_[i].child;
      if (child.read() || child.seconds() > walls_.wall_limit_s) {
        ended.push_back(std::move(running_[i]));
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (Running& running : ended) {
      Judged judged = running.child.take(walls_);
      judged.grade.fingerprint = std::move(running.fingerprint);
      if (options_.worker != nullptr && judged.grade.verdict == Verdict::kPassed) {
        queued_bytes_ += judged.launches ? judged.launches->ptx.size() : 0;
        queue_.push_back({running.submission, std::move(judged)});
        continue;
      }
      const Status done = finish(*running.submission, std::move(judged));
      if (!done.ok()) return done;
    }
    return success();
  }

  bool queue_is_long() const {
    return queue_.size() >= kMostQueued || queued_bytes_ >= kMostQueuedBytes;
  }

  // Finishes the running children, then measures what passed. No child runs meanwhile: nothing
  // reads its pipe while the GPU works, and its clock would keep running.
  Status measure_queue() {
    while (!running_.empty() && !stopped()) {
      const Status waited = wait();
      if (!waited.ok()) return waited;
    }
    running_.clear();
    for (; !queue_.empty() && !stopped(); queue_.pop_front()) {
      Queued& next = queue_.front();
      measure(*next.submission, next.judged);
      const Status done = finish(*next.submission, std::move(next.judged));
      if (!done.ok()) return done;
    }
    queued_bytes_ = 0;
    return success();
  }

  Status finish(const Submission& submission, Judged judged) {
    Grade& grade = judged.grade;
    grade.student = submission.student;
    grade.lab = submission.lab->id;
    grade.step = submission.step->id;
    grade.graded_at = std::time(nullptr);
    ++finished_;
    ++graded_now_;
    const Status written = journal_.append(grade);
    say();
    return written;
  }

  // Runs both kernels on the GPU, from the PTX compiled inside the sandbox.
  void measure(const Submission& submission, Judged& judged);

  void say() const {
    if (options_.progress) options_.progress(finished_, tasks_.size());
  }

  const Class& class_;
  const GradeOptions& options_;
  Journal journal_;
  const Grades known_;
  Reader reader_;
  std::optional<compile::LockedNvrtc> nvrtc_;
  std::optional<lab::Runner> runner_;
  Walls walls_;
  size_t jobs_ = 1;
  std::vector<size_t> tasks_;
  std::vector<Running> running_;
  std::deque<Queued> queue_;  // waiting for the GPU
  size_t queued_bytes_ = 0;
  const lab::Step* exercise_ = nullptr;
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
  if (!judged.launches) return no_verdict(make_error("gpu", "its launches did not arrive"));
  if (judged.launches->ptx.empty())
    return no_verdict(make_error("gpu", "its PTX is too long to be sent"));
  lab::RunResult run = launches_of(*judged.launches, exercise);
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
  Result<Journal> journal = Journal::open(journal_path(options));
  if (!journal.ok()) return journal.errors();
  Result<GradeResult> result = Grading(submissions, options, std::move(*journal)).run();
  if (!result.ok()) return result;
  Result<GradeResult> all = gather(submissions, options);
  if (!all.ok()) return all;
  all->graded_now = result->graded_now;
  all->stopped = result->stopped;
  all->problems = std::move(result->problems);
  return all;
}

Result<GradeResult> gather(const Class& submissions, const GradeOptions& options) {
  GradeResult result;
  result.inputs = options.inputs;
  const Grades grades = read_journals(options.out);
  Reader reader(submissions, options);
  std::set<std::string> sandboxes;
  for (const Submission& submission : submissions.submissions) {
    Grade grade;
    grade.student = submission.student;
    grade.lab = submission.lab->id;
    grade.step = submission.step->id;
    grade.verdict = Verdict::kNoVerdict;
    const Result<HandedIn> handed_in =
        submission.file.empty() ? Result<HandedIn>(make_error("missing", "nothing was handed in"))
                                : reader.read(submission);
    if (!submission.unreadable.empty() && submission.file.empty()) {
      grade.reason = submission.unreadable;
    } else if (submission.file.empty()) {
      grade.verdict = Verdict::kMissing;
      grade.reason = "nothing was handed in" +
                     (submission.left_alone.empty() ? "" : "; ignored: " + submission.left_alone);
    } else if (!handed_in.ok()) {
      grade.reason = handed_in.errors().front().message;
    } else if (const Grade* known = grades.find(submission, handed_in.value().fingerprint)) {
      grade = *known;
      if (!grade.sandbox.empty()) sandboxes.insert(grade.sandbox);
    } else {
      grade.fingerprint = handed_in.value().fingerprint;
      grade.reason =
          grades.graded_before(submission)
              ? "not graded yet: the file, the lab or the limits have changed since it was graded"
              : "not graded yet";
    }
    result.grades.push_back(std::move(grade));
  }
  for (const std::string& sandbox : sandboxes)
    result.sandbox += (result.sandbox.empty() ? "" : "; on other machines ") + sandbox;
  if (result.sandbox.empty()) result.sandbox = "no submission was compiled";
  return result;
}

}  // namespace warpshop::grade
