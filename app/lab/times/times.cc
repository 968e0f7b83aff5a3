#include "lab/times.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "compile/cuda_tokens.h"
#include "core/text_id.h"
#include "timing/roofline.h"

namespace warpshop::lab {
namespace {

double gb_s(const SizeResult& size, double us) { return us > 0 ? size.useful_bytes / us / 1e3 : 0; }

double flop_of(const KernelRun& run) {
  const bool works =
      run.prediction && timing::main_work(*run.prediction) == timing::RooflineWork::kFlop;
  return works ? run.prediction->flop : 0;
}

double gflop_s(const KernelRun& run, double us) { return us > 0 ? flop_of(run) / us / 1e3 : 0; }

Sentence origin_of(const std::optional<MeasuredOn>& on) {
  if (!on) return {};
  const std::vector<SentencePart> parts = {
      {"gpu", on->gpu.name}, {"cuda", on->driver}, {"driver", on->driver_version}};
  return on->driver_version.empty() ? sentence("{gpu}, driver for CUDA {cuda}", parts)
                                    : sentence("{gpu}, driver {driver}", parts);
}

void add_measured(Timed what, const SizeResult& size, const KernelRun& run,
                  const device::KernelTiming& timing, double empty_us, const Sentence& origin,
                  bool kept, std::vector<TimeRow>& out) {
  TimeRow row;
  row.provenance = Provenance::kMeasured;
  row.what = what;
  row.kept = kept;
  row.us = timing.warm_median_us;
  row.cold_us = timing.median_us;
  row.spread_us = timing.spread_us;
  row.empty_us = empty_us;
  row.gb_s = gb_s(size, row.us);
  row.gflop_s = gflop_s(run, row.us);
  row.origin = origin;
  out.push_back(row);
}

void add_predicted(Timed what, const RunResult& result, const SizeResult& size,
                   const KernelRun& run, const std::optional<double>& error, double empty_us,
                   std::vector<TimeRow>& out) {
  if (!run.prediction) return;
  TimeRow row;
  row.provenance = Provenance::kPredicted;
  row.what = what;
  row.us = run.prediction->time_us;
  row.origin = sentence("the model of {gpu}", {{"gpu", result.gpu.name}});
  if (empty_us > 0) {
    // Consistent with the error: uses the empty-launch time of the measuring GPU.
    row.us += empty_us - run.prediction->launch_us;
    row.origin = sentence("the model of {gpu}, with the measured time of an empty launch",
                          {{"gpu", result.gpu.name}});
  }
  row.gb_s = gb_s(size, row.us);
  row.gflop_s = gflop_s(run, row.us);
  row.error = error;
  out.push_back(row);
}

// The lab's own text of which `source` differs in comments and white space alone; else `source`.
// What was measured for the one holds for the other.
std::string_view lab_text_of(const Exercise& exercise, std::string_view source) {
  const std::array<const std::string*, 3> texts{&exercise.skeleton, &exercise.solution,
                                                &exercise.reference};
  if (std::any_of(texts.begin(), texts.end(),
                  [&](const std::string* text) { return *text == source; }))
    return source;
  const std::vector<compile::CudaToken> tokens = compile::cuda_tokens(source);
  for (const std::string* text : texts) {
    const auto same = [](const compile::CudaToken& a, const compile::CudaToken& b) {
      return a.text == b.text;
    };
    const std::vector<compile::CudaToken> others = compile::cuda_tokens(*text);
    if (std::equal(tokens.begin(), tokens.end(), others.begin(), others.end(), same)) return *text;
  }
  return source;
}

// The recording for this text, apart from comments, at this size on the result's GPU.
Recorded recorded_time(const Lab& lab, const RunResult& result, const SizeResult& size,
                       const std::string& source) {
  if (lab.recorded_times.empty()) return {};
  const Step* step = lab.find_step(result.step);
  const std::string text =
      text_id(step && step->exercise ? lab_text_of(*step->exercise, source) : source);
  return find_recorded(lab, result.gpu.id, result.step, text, size.size.variables);
}

std::string reference_of(const Lab& lab, const RunResult& result) {
  const Step* step = lab.find_step(result.step);
  return step && step->exercise ? step->exercise->reference : "";
}

// Adds the measured time and the predicted one. What was measured in this run comes first. A time
// recorded in the lab holds for this text alone, so the predicted one, which every text has, comes
// before it and includes the profile's launch, as for every text.
void add_kernel(Timed what, const Lab& lab, const RunResult& result, const SizeResult& size,
                const KernelRun& run, const std::string& source, std::vector<TimeRow>& out) {
  const bool student = &run == &size.student;
  if (size.measured && size.measured->job.timing) {
    const device::Timing& both = *size.measured->job.timing;
    const Sentence origin = origin_of(result.measured_on);
    if (student) {
      add_measured(what, size, run, both.student, both.empty_launch_us, origin, false, out);
    } else if (both.reference) {
      add_measured(what, size, run, *both.reference, both.empty_launch_us, origin, false, out);
    }
    const std::optional<double> error = student ? size.measured->student_prediction_error
                                                : size.measured->reference_prediction_error;
    // without an error the profile is a different GPU's
    add_predicted(what, result, size, run, error, error ? both.empty_launch_us : 0, out);
    return;
  }
  const Recorded recorded = recorded_time(lab, result, size, source);
  std::optional<double> error;
  if (recorded.time && run.prediction) error = run.prediction->time_us / recorded.time->warm_us - 1;
  add_predicted(what, result, size, run, error, 0, out);
  if (!recorded.time) return;
  device::KernelTiming timing;
  timing.warm_median_us = recorded.time->warm_us;
  timing.median_us = recorded.time->cold_us;
  timing.spread_us = recorded.time->spread_us;
  add_measured(what, size, run, timing, recorded.time->empty_us,
               sentence("{gpu}, driver {driver}; recorded in the lab",
                        {{"gpu", recorded.on->name}, {"driver", recorded.on->driver}}),
               true, out);
}

// The best measured copy, else the profile's ceiling.
void add_ceiling(const RunResult& result, const SizeResult& size, std::vector<TimeRow>& out) {
  const Rate rate = rate_of(size, result.gpu);
  const device::Timing* timing =
      size.measured && size.measured->job.timing ? &*size.measured->job.timing : nullptr;
  TimeRow row;
  if (rate == Rate::kBandwidth && timing && timing->copy_ceiling_gb_s > 0) {
    row.provenance = Provenance::kMeasured;
    row.what = Timed::kBestCopy;
    row.gb_s = timing->copy_ceiling_gb_s;
    row.origin = origin_of(result.measured_on);
    out.push_back(row);
    return;
  }
  const bool known = size.student.prediction.has_value() || size.reference.prediction.has_value();
  if (rate == Rate::kTime || !known) return;
  const std::vector<timing::Roof> roofs = timing::roofs_of(result.gpu, timing::RooflineWork::kFlop);
  const timing::Roof& roof = rate == Rate::kBandwidth ? roofs.front() : roofs.back();
  row.provenance = roof.measured ? Provenance::kMeasured : Provenance::kPublished;
  row.what = rate == Rate::kBandwidth ? Timed::kMemoryCeiling : Timed::kFp32Ceiling;
  row.gb_s = roof.gb_s;
  row.gflop_s = roof.giga_s;
  row.origin = Sentence(roof.source);
  out.push_back(row);
}

}  // namespace

std::string_view name_of(Timed what) {
  constexpr std::array<std::string_view, 7> kNames = {
      "yours", "reference", "best copy", "memory ceiling", "FP32 ceiling", "Nsight Compute", ""};
  return kNames[static_cast<size_t>(what)];
}

std::optional<double> prediction_error(const KernelRun& run, double warm_us,
                                       double empty_launch_us) {
  if (!run.prediction || warm_us <= 0) return std::nullopt;
  const double kernel_us = run.prediction->time_us - run.prediction->launch_us;
  return (kernel_us + empty_launch_us) / warm_us - 1;
}

Rate rate_of(const SizeResult& size, const models::GpuProfile& gpu) {
  const double flop = flop_of(size.reference) > 0 ? flop_of(size.reference) : flop_of(size.student);
  // Products on tensor cores are no operations of the FP32 units: beside a kernel that has such
  // operations, only the time compares the two.
  const auto has_none = [](const KernelRun& run) { return run.prediction && flop_of(run) <= 0; };
  const bool both = !has_none(size.reference) && !has_none(size.student);
  const Rate arithmetic = flop > 0 && both ? Rate::kArithmetic : Rate::kTime;
  if (size.useful_bytes <= 0) return arithmetic;
  const std::vector<timing::Roof> roofs = timing::roofs_of(gpu, timing::RooflineWork::kFlop);
  const bool beyond_ridge = flop / size.useful_bytes > roofs.back().giga_s / roofs.front().gb_s;
  return beyond_ridge ? arithmetic : Rate::kBandwidth;
}

std::optional<timing::LimiterSummary> limiter_summary_of(const std::vector<TimeRow>& rows,
                                                         const RunResult& result,
                                                         const SizeResult& size) {
  if (!size.student.prediction) return std::nullopt;
  const timing::Prediction& prediction = *size.student.prediction;
  double launch_us = prediction.launch_us;
  for (const TimeRow& row : rows) {
    if (row.what == Timed::kYours && row.provenance == Provenance::kPredicted)
      launch_us += row.us - prediction.time_us;
  }
  return timing::limiter_summary_of(prediction, result.gpu, size.useful_bytes, launch_us);
}

TimeComparison compare_times(const std::vector<TimeRow>& rows, Rate rate) {
  TimeComparison out;
  const auto yours = std::find_if(rows.begin(), rows.end(), [&](const TimeRow& row) {
    return row.what == Timed::kYours && row.of(rate) > 0;
  });
  if (yours == rows.end()) return out;
  out.yours = &*yours;
  const auto reference = std::find_if(rows.begin(), rows.end(), [&](const TimeRow& row) {
    return row.what == Timed::kReference && row.provenance == yours->provenance && row.of(rate) > 0;
  });
  if (reference == rows.end()) return out;
  const double mine = yours->of(rate), other = reference->of(rate);
  out.good = rate == Rate::kTime ? !is_worse(mine, other) : !is_worse(other, mine);
  out.speed = yours->us > 0 ? reference->us / yours->us : 0;
  return out;
}

std::string_view unit_of(Rate rate) {
  return rate == Rate::kBandwidth ? "GB/s" : rate == Rate::kArithmetic ? "GFLOP/s" : "µs";
}

std::vector<TimeRow> time_rows(const Lab& lab, const RunResult& result, const SizeResult& size) {
  std::vector<TimeRow> out;
  add_kernel(Timed::kYours, lab, result, size, size.student, result.source, out);
  add_kernel(Timed::kReference, lab, result, size, size.reference, reference_of(lab, result), out);
  add_ceiling(result, size, out);
  if (!lab.demo) return out;
  for (const Scene& scene : lab.demo->scenes) {
    if (scene.step != result.step || !scene.published) continue;
    TimeRow row;
    row.provenance = Provenance::kPublished;
    row.what = Timed::kPublished;
    row.label = scene.published->label;
    row.value = scene.published->value;
    row.unit = scene.published->unit;
    if (row.unit == "GB/s") row.gb_s = row.value;
    if (row.unit == "GFLOP/s") row.gflop_s = row.value;
    row.origin = scene.published->source;
    out.push_back(row);
  }
  return out;
}

void add_profiled_time(const ProfileComparison& comparison, const SizeResult& size,
                       std::vector<TimeRow>& rows) {
  const ComparedFigure& time = comparison.time;
  if (time.profiled.value_or(0) <= 0) return;
  TimeRow row;
  row.provenance = Provenance::kMeasured;
  row.what = Timed::kProfiled;
  row.us = *time.profiled;
  row.gb_s = gb_s(size, row.us);
  row.gflop_s = gflop_s(size.student, row.us);
  row.origin = sentence("{file}, launch {id}, {gpu}", {{"file", comparison.file},
                                                       {"id", comparison.launch.id},
                                                       {"gpu", gpu_text(comparison.launch)}});
  const bool other = std::any_of(rows.begin(), rows.end(), [](const TimeRow& of) {
    return of.what == Timed::kYours && of.provenance == Provenance::kMeasured;
  });
  auto after = rows.begin();
  for (auto at = rows.begin(); at != rows.end(); ++at) {
    if (at->what != Timed::kYours) continue;
    after = at + 1;
    if (at->provenance == Provenance::kPredicted && !other && time.ratio())
      at->error = *time.ratio() - 1;
  }
  rows.insert(after, row);
}

std::optional<EstimateOutcome> outcome_of(const Estimate& estimate, const Lab& lab,
                                          const RunResult& result, const SizeResult& size,
                                          const std::vector<TimeRow>& rows) {
  const TimeRow* yours = compare_times(rows, Rate::kTime).yours;
  if (yours == nullptr) return std::nullopt;
  if (estimate.of == Estimate::Of::kTime) return EstimateOutcome{yours->us, yours->provenance};
  const Step* step = lab.find_step(result.step);
  // Only a profile of the measuring GPU's own has a prediction error.
  const bool same_gpu = size.measured && size.measured->student_prediction_error;
  if (yours->provenance == Provenance::kMeasured && same_gpu && step && step->exercise &&
      !step->exercise->contract) {
    const Recorded start = recorded_time(lab, result, size, step->exercise->skeleton);
    if (start.time) return EstimateOutcome{start.time->warm_us / yours->us, yours->provenance};
  }
  if (!size.start_us || !size.student.prediction) return std::nullopt;
  return EstimateOutcome{*size.start_us / size.student.prediction->time_us, Provenance::kPredicted};
}

}  // namespace warpshop::lab
