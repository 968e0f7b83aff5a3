#include "gpu_run.h"

#include <cstdio>

#include "exercise_run.h"
#include "lab/expression.h"
#include "lab/gpu_job.h"

namespace warpshop::lab {
namespace {

device::Dim dim_of(const emulator::Dim3& dim) { return {dim.x, dim.y, dim.z}; }

device::KernelSource kernel_of(const Exercise& exercise, const std::string& source,
                               const std::string& file_name, const KernelRun& run) {
  device::KernelSource out;
  out.source = source;
  out.file_name = file_name;
  out.entry = exercise.kernel;
  out.grid = dim_of(run.grid);
  out.block = dim_of(run.block);
  out.dynamic_shared_bytes = run.dynamic_shared_bytes;
  return out;
}

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

std::string time_text(double us) {
  char text[32];
  if (us < 1e3) {
    std::snprintf(text, sizeof text, "%.1f µs", us);
  } else {
    std::snprintf(text, sizeof text, "%.2f ms", us / 1e3);
  }
  return text;
}

// The GPU that the request means, or why there is none to use.
Result<MeasuredOn> choose_gpu(const RunRequest& request) {
  const Result<device::Hello> hello = request.worker->hello(request.stop);
  if (!hello.ok()) return hello.errors();
  const Result<device::GpuInfo> info = device::usable_gpu(hello.value(), request.worker_gpu);
  if (!info.ok()) return info.errors();
  return MeasuredOn{*info, hello.value().host, hello.value().driver, info.value().peak_gb_s()};
}

}  // namespace

Diagnostic with_emulators_finding(Diagnostic problem,
                                  const std::vector<emulator::Finding>& findings) {
  // Of a hang the loop, of a fault the access.
  const auto rank = [&problem](const emulator::Finding& finding) {
    const bool endless = finding.kind == emulator::FindingKind::kTimeout ||
                         finding.kind == emulator::FindingKind::kDeadlock;
    const bool fits = problem.kind == "gpu-timeout"
                          ? endless
                          : finding.kind == emulator::FindingKind::kOutOfBounds ||
                                finding.kind == emulator::FindingKind::kMisaligned ||
                                finding.kind == emulator::FindingKind::kStackOverflow;
    return fits ? 2 : finding.severity == Severity::kError ? 1 : 0;
  };
  const emulator::Finding* first = nullptr;
  for (const emulator::Finding& finding : findings) {
    if (first == nullptr || rank(finding) > rank(*first)) first = &finding;
  }
  if (first == nullptr) {
    problem.help =
        "the emulator finds nothing wrong with this launch: does a block wait for another one?";
    return problem;
  }
  problem.place = first->place;
  problem.help = "the emulator finds: " + std::string(emulator::name_of(first->kind)) + ": " +
                 first->message + (first->cause.empty() ? "" : " (" + first->cause + ")");
  return problem;
}

bool is_kernels_fault(const Diagnostic& problem) {
  return problem.kind == "gpu-fault" || problem.kind == "gpu-timeout" ||
         problem.kind == "gpu-launch" || !problem.kind.starts_with("gpu");
}

double useful_bytes_of(const Exercise& exercise, const ProblemSize& size) {
  if (exercise.useful_bytes.empty()) return 0;
  const Result<Expression> bytes = Expression::parse(exercise.useful_bytes);
  return bytes->evaluate(lookup_in(size.variables)).value();
}

device::Job gpu_job(const Exercise& exercise, const SizeResult& size, const RunResult& run,
                    int gpu) {
  device::Job job;
  job.gpu = gpu;
  job.student = kernel_of(exercise, run.source, run.file_name, size.student);
  job.reference = kernel_of(exercise, exercise.reference,
                            exercise.reference_file.filename().string(), size.reference);
  job.tolerance = exercise.tolerance;
  for (const KernelArg& arg : exercise.args) {
    device::JobArg out;
    out.name = arg.name;
    out.type = arg.type;
    if (arg.is_buffer) {
      out.is_buffer = true;
      out.size_bytes = element_count(arg, size.size) * static_cast<uint64_t>(size_bytes(arg.type));
      out.fill = fill_of(arg, size.size);
      out.file_bytes = arg.file_bytes;
      out.output = arg.output;
    } else {
      out.scalar = scalar_argument(arg, size.size).bytes;
    }
    job.args.push_back(std::move(out));
  }
  return job;
}

StageReport measure_on_gpu(const RunRequest& request, RunResult& result) {
  for (const KernelArg& arg : request.step->exercise->args) {
    if (!arg.texture) continue;
    if (!request.worker_required) return {StageState::kSkipped, 0, "textures are not measured"};
    result.measure_problems = {make_error("gpu-textures",
                                          "a GPU runs labs with buffers and numbers, none with "
                                          "textures or surfaces")};
    return {StageState::kFailed, 0, "textures"};
  }
  const Result<MeasuredOn> on = choose_gpu(request);
  if (!on.ok()) {
    if (!request.worker_required) return {StageState::kSkipped, 0, "no GPU here"};
    result.measure_problems = on.errors();
    return {StageState::kFailed, 0, on.errors().front().kind == "gpu-none" ? "no GPU" : "not run"};
  }
  result.measured_on = *on;
  bool correct = true;
  for (SizeResult& size : result.sizes) {
    if (request.stop != nullptr && request.stop->requested()) {
      return {StageState::kStopped, 0, "stopped"};
    }
    if (!size.problems.empty()) continue;  // the launch was refused before
    device::Job job = gpu_job(*request.step->exercise, size, result, on.value().gpu.index);
    job.time = true;
    job.time_limit_s = request.worker_time_limit_s;
    Result<device::JobResult> got = request.worker->run(job, request.stop);
    if (got.ok()) {
      for (const Diagnostic& warning : got->warnings) {
        if (warning.kind == "gpu-lost") result.measure_problems.push_back(warning);
      }
      size.measured = measurement_of(std::move(*got), size.useful_bytes);
      correct = correct && size.measured->correct;
      continue;
    }
    for (Diagnostic problem : got.errors()) {
      if (problem.kind == "gpu-fault" || problem.kind == "gpu-timeout") {
        problem = with_emulators_finding(std::move(problem), size.student.findings);
      }
      problem.message = "at " + size.size.label + ": " + problem.message;
      result.measure_problems.push_back(std::move(problem));
    }
    // A kernel that faults or hangs once does so at other sizes, and each hang costs its limit.
    const Diagnostic& problem = result.measure_problems.back();
    if (problem.kind == "stopped") return {StageState::kStopped, 0, "stopped"};
    return {StageState::kFailed, 0,
            problem.kind == "gpu-timeout" ? "hangs"
            : problem.kind == "gpu-fault" ? "faults"
                                          : "not run"};
  }
  if (!correct) return {StageState::kFailed, 0, "wrong on the GPU"};
  const SizeResult* first = result.sizes.empty() ? nullptr : &result.sizes.front();
  if (first == nullptr || !first->measured || !first->measured->job.timing) {
    return {StageState::kSkipped, 0, "nothing to measure"};
  }
  return {StageState::kPassed, 0, time_text(first->measured->job.timing->student.median_us)};
}

std::optional<CheckResult> check_on_gpu(const RunResult& result) {
  CheckResult check{.id = "gpu-correct", .title = "Result correct on the GPU"};
  check.wanted = "the reference's results";
  check.got = "equal";
  check.passed = true;
  for (const Diagnostic& problem : result.measure_problems) {
    if (problem.severity != Severity::kError || !is_kernels_fault(problem) ||
        problem.kind == "stopped") {
      continue;
    }
    check.evaluated = true;
    check.passed = false;
    check.got = problem.kind == "gpu-timeout" ? "no end" : "not run to the end";
    check.message = problem.message;
    return check;
  }
  for (const SizeResult& size : result.sizes) {
    if (!size.measured) continue;
    check.evaluated = true;
    if (size.measured->correct) continue;
    check.passed = false;
    const device::JobResult& job = size.measured->job;
    const std::string at = " at " + size.size.label;
    for (const device::OutputComparison& output : job.outputs) {
      if (output.wrong == 0) continue;
      check.got = number_text(static_cast<double>(output.wrong)) + " elements of " + output.buffer +
                  " wrong" + at;
      return check;
    }
    if (job.timing && job.timing->wrong_when_timed > 0) {
      check.got = number_text(static_cast<double>(job.timing->wrong_when_timed)) +
                  " elements wrong in the timed launches" + at;
      check.message =
          "their inputs and outputs are new each time: does the kernel skip work, or "
          "give kept results, when it is launched again?";
      return check;
    }
    check.got = "stores outside " + job.guards.front().buffer + at;
    check.message =
        "the first at byte " + std::to_string(job.guards.front().offset_bytes) + " from its begin";
    return check;
  }
  if (!check.evaluated) return std::nullopt;
  return check;
}

}  // namespace warpshop::lab
