#include "lab/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/expression.h"
#include "lab/gpu_job.h"
#include "lab/times.h"

namespace warpshop::lab {
namespace {

Measurement measurement_of(device::JobResult job, double useful_bytes) {
  Measurement out;
  out.correct = job.correct();
  if (job.timing && useful_bytes > 0) {
    const auto gb_s = [useful_bytes](double us) { return us > 0 ? useful_bytes / us / 1e3 : 0; };
    out.student_gb_s = gb_s(job.timing->student.median_us);
    if (job.timing->reference) out.reference_gb_s = gb_s(job.timing->reference->median_us);
    if (job.timing->copy_ceiling_gb_s > 0) {
      out.student_of_ceiling = out.student_gb_s / job.timing->copy_ceiling_gb_s;
    }
  }
  out.job = std::move(job);
  return out;
}

Sentence time_words(double us) {
  return us < 1e3 ? decimal(us, 1).then("µs") : decimal(us / 1e3, 2).then("ms");
}

// The requested GPU, or why none can be used.
Result<MeasuredOn> choose_gpu(const MeasureOptions& options) {
  const Result<device::Hello> hello = options.worker->hello(options.stop);
  if (!hello.ok()) return hello.errors();
  const Result<device::GpuInfo> info = device::usable_gpu(hello.value(), options.gpu);
  if (!info.ok()) return info.errors();
  return MeasuredOn{*info, hello.value().host, hello.value().driver, hello.value().driver_version,
                    info.value().peak_gb_s()};
}

// If anything goes wrong, the times stay valid: leave a note instead of counters.
void read_counters(const Exercise& exercise, const RunResult& run, const MeasureOptions& options,
                   Measured& measured) {
  if (measured.sizes.empty() || !measured.sizes.front() || measured.sizes.front()->job.counters ||
      (options.stop != nullptr && options.stop->requested()) ||
      (options.enough && options.enough())) {
    return;
  }
  Result<device::Job> made = gpu_job(exercise, run.sizes.front(), run, measured.on->gpu.index);
  if (!made.ok()) return;  // reported when the times were measured
  device::Job& job = *made;
  job.student.is_ptx = options.source_is_ptx;
  job.reference.reset();
  job.counters = true;
  job.time_limit_s = options.time_limit_s;
  Result<device::JobResult> got = options.worker->run(job, options.stop, options.on_stage);
  std::optional<device::CounterReading>& counters = measured.sizes.front()->job.counters;
  if (got.ok()) {
    counters = std::move(got->counters);
    return;
  }
  if (got.errors().front().kind == "stopped") return;
  counters.emplace();
  counters->problems = got.errors();
  for (Diagnostic& problem : counters->problems) {
    problem.severity = Severity::kNote;
    problem.message =
        sentence("the GPU's counters were not read: {why}", {{"why", problem.message}});
  }
}

StageReport stage_of(const Measured& measured) {
  for (const std::optional<Measurement>& size : measured.sizes) {
    if (size && !size->correct) return {StageState::kFailed, 0, sentence("wrong on the GPU")};
  }
  if (measured.timed && !measured.timed->correct)
    return {StageState::kFailed, 0, sentence("wrong on the GPU")};
  if (measured.timed && measured.timed->job.timing) {
    return {StageState::kPassed, 0, time_words(measured.timed->job.timing->student.median_us)};
  }
  if (measured.sizes.empty() || !measured.sizes.front() || !measured.sizes.front()->job.timing) {
    return {StageState::kSkipped, 0, sentence("nothing to measure")};
  }
  return {StageState::kPassed, 0,
          time_words(measured.sizes.front()->job.timing->student.median_us)};
}

// A GPU that ran nothing tells nothing about the kernel: report why, and the state of the stage.
StageReport refused(const Diagnostics& errors) {
  return {StageState::kFailed, 0,
          errors.front().kind == "gpu-none" ? sentence("no GPU") : sentence("not run")};
}

// Checks that outputs on the GPU, including those of timed launches, equal the reference's. None if
// the GPU produced nothing to judge.
std::optional<CheckResult> check_on_gpu(const RunResult& result) {
  CheckResult check{.id = kGpuCheck, .title = sentence("Result correct on the GPU")};
  check.wanted = sentence("the same results as the reference");
  check.got = sentence("equal");
  check.passed = true;
  for (const Diagnostic& problem : result.measure_problems) {
    if (problem.severity != Severity::kError || !is_kernels_fault(problem)) continue;
    check.evaluated = true;
    check.passed = false;
    check.got = problem.kind == "gpu-timeout" ? sentence("timed out") : sentence("did not finish");
    check.message = problem.message;
    return check;
  }
  std::vector<const SizeResult*> sizes;
  for (const SizeResult& size : result.sizes) sizes.push_back(&size);
  if (result.timed) sizes.push_back(&*result.timed);
  for (const SizeResult* at : sizes) {
    const SizeResult& size = *at;
    if (!size.measured) continue;
    check.evaluated = true;
    if (size.measured->correct) continue;
    check.passed = false;
    const device::JobResult& job = size.measured->job;
    for (const device::OutputComparison& output : job.outputs) {
      if (output.wrong == 0) continue;
      check.got = sentence("{count} elements of {buffer} wrong at {size}",
                           {{"count", number(number_text(static_cast<double>(output.wrong)))},
                            {"buffer", output.buffer},
                            {"size", size.size.label}});
      return check;
    }
    if (job.timing && job.timing->wrong_when_timed > 0) {
      check.got = sentence(
          "{count} elements wrong in the timed launches at {size}",
          {{"count", number(number_text(static_cast<double>(job.timing->wrong_when_timed)))},
           {"size", size.size.label}});
      check.message = sentence(
          "their inputs and outputs are new each time: does the kernel skip work, or give kept "
          "results, when it is launched again?");
      return check;
    }
    check.got = sentence("stores outside {buffer} at {size}",
                         {{"buffer", job.guards.front().buffer}, {"size", size.size.label}});
    check.message =
        sentence("first at byte offset {byte}", {{"byte", job.guards.front().offset_bytes}});
    return check;
  }
  if (!check.evaluated) return std::nullopt;
  return check;
}

}  // namespace

namespace {

// The worker needs this long to make contents that are described element by element. It counts
// towards the limit.
double seconds_to_fill(const device::Job& job) {
  constexpr double kBytesPerSecond = 20e6;
  double bytes = 0;
  for (const device::JobArg& arg : job.args)
    if (arg.each) bytes += static_cast<double>(arg.size_bytes);
  return bytes / kBytesPerSecond;
}

// Runs one job. Returns false, with stage and problem set, if the kernel faults or hangs: it would
// do so at other sizes, too, and each hang costs a full time limit.
bool measure_size(const Exercise& exercise, const RunResult& run, const SizeResult& size,
                  const MeasureOptions& options, Measured& measured,
                  std::optional<Measurement>& out) {
  const auto run_job = [&]() -> Result<device::JobResult> {
    Result<device::Job> job = gpu_job(exercise, size, run, measured.on->gpu.index);
    if (!job.ok()) return job.errors();
    job->student.is_ptx = options.source_is_ptx;
    job->time = true;
    job->time_limit_s = options.time_limit_s + seconds_to_fill(*job);
    return options.worker->run(*job, options.stop, options.on_stage);
  };
  Result<device::JobResult> got = run_job();
  if (got.ok()) {
    for (const Diagnostic& warning : got->warnings) {
      if (warning.kind == "gpu-lost") measured.problems.push_back(warning);
    }
    out = measurement_of(std::move(*got), size.useful_bytes);
    measured.stage = stage_of(measured);
    return true;
  }
  for (Diagnostic problem : got.errors()) {
    if (problem.kind == "gpu-fault" || problem.kind == "gpu-timeout") {
      problem = with_emulators_finding(std::move(problem), size.student.findings);
    }
    problem.message =
        sentence("at {size}: {message}", {{"size", size.size.label}, {"message", problem.message}});
    measured.problems.push_back(std::move(problem));
  }
  const Diagnostic& problem = measured.problems.back();
  measured.stage = problem.kind == "stopped"
                       ? StageReport{StageState::kStopped, 0, sentence("stopped")}
                       : StageReport{StageState::kFailed, 0,
                                     problem.kind == "gpu-timeout" ? sentence("hangs")
                                     : problem.kind == "gpu-fault" ? sentence("faults")
                                                                   : sentence("not run")};
  return false;
}

// Merges into one size. Prediction errors are reported only if the profile is the GPU's own.
void put_measured(const Measured& measured, const std::optional<Measurement>& from,
                  bool own_profile, SizeResult& size) {
  size.measured = from;
  if (!size.measured || !size.measured->job.timing || !measured.on || !own_profile) return;
  const device::Timing& timing = *size.measured->job.timing;
  size.measured->student_prediction_error =
      prediction_error(size.student, timing.student.warm_median_us, timing.empty_launch_us);
  if (timing.reference) {
    size.measured->reference_prediction_error =
        prediction_error(size.reference, timing.reference->warm_median_us, timing.empty_launch_us);
  }
}

}  // namespace

void measure_run(const Exercise& exercise, const RunResult& run, const MeasureOptions& options,
                 Measured& measured, const std::function<void()>& on_size) {
  const Result<MeasuredOn> on = choose_gpu(options);
  if (!on.ok()) {
    if (!options.required) {
      measured.stage = {StageState::kSkipped, 0, sentence("no GPU here")};
      return;
    }
    measured.problems = on.errors();
    measured.stage = on.errors().front().kind == "stopped"
                         ? StageReport{StageState::kStopped, 0, sentence("stopped")}
                         : refused(on.errors());
    return;
  }
  measured.on = *on;
  for (size_t i = measured.sizes.size(); i < run.sizes.size(); ++i) {
    if (options.stop != nullptr && options.stop->requested()) {
      measured.stage = {StageState::kStopped, 0, sentence("stopped")};
      return;
    }
    if (options.enough && options.enough()) return;
    const SizeResult& size = run.sizes[i];
    measured.sizes.emplace_back();
    if (!size.problems.empty()) continue;  // the launch was already refused
    if (!measure_size(exercise, run, size, options, measured, measured.sizes.back())) return;
    if (on_size) on_size();
  }
  const bool wrong =
      std::any_of(measured.sizes.begin(), measured.sizes.end(),
                  [](const std::optional<Measurement>& size) { return size && !size->correct; });
  const bool enough = options.enough && options.enough();
  if (run.timed && run.timed->problems.empty() && !measured.timed && !wrong && !enough) {
    if (!measure_size(exercise, run, *run.timed, options, measured, measured.timed)) return;
    if (on_size) on_size();
  }
  measured.stage = stage_of(measured);
  if (!options.counters) return;
  read_counters(exercise, run, options, measured);
  if (on_size) on_size();
}

void put_measured(const Measured& measured, RunResult& result) {
  result.measured_on = measured.on;
  result.measure_problems = measured.problems;
  const bool own_profile = measured.on && is_profile_of(result.gpu, measured.on->gpu);
  for (size_t i = 0; i < measured.sizes.size() && i < result.sizes.size(); ++i) {
    put_measured(measured, measured.sizes[i], own_profile, result.sizes[i]);
  }
  if (result.timed) put_measured(measured, measured.timed, own_profile, *result.timed);
  result.stages[static_cast<size_t>(Stage::kMeasure)] = measured.stage;
  std::erase_if(result.checks, [](const CheckResult& check) { return check.id == kGpuCheck; });
  if (std::optional<CheckResult> check = check_on_gpu(result)) {
    result.passed = result.passed && check->passed;
    result.checks.push_back(std::move(*check));
  }
}

bool is_profile_of(const models::GpuProfile& profile, const device::GpuInfo& gpu) {
  const double peak = gpu.peak_gb_s();
  return profile.capability.major == gpu.capability_major &&
         profile.capability.minor == gpu.capability_minor && profile.sm_count == gpu.sm_count &&
         std::abs(peak - profile.memory_bandwidth_gb_s) < 0.1 * peak;
}

}  // namespace warpshop::lab
